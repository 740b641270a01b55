"""Stateful playback ([Rose1998] sections 5 and 6): players, the simulator, scores, recordings."""
