"""What is controlled directly in the 3D view."""
