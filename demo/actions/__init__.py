"""Motions that strike, kick and lift, generated to show what reaching is good for."""
