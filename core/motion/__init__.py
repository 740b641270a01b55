"""Motions over time: their common interface, clips, spline curves, resampling, and time warping."""
