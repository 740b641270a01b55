"""Figures: rotations, skeletons and the channels that move them."""
