"""Rays of a figure, such as its gaze or a stretched arm, turned to places in space."""
