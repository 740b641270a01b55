"""Rays of a figure, such as its gaze or a stretched arm, turned to points in space."""
