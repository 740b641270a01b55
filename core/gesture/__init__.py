"""Gestures on words ([Kallmann2005] sections 3, 5 and 6): schedules of motions, and the body planner."""
