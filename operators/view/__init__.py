"""What is steered in the 3D view itself."""
