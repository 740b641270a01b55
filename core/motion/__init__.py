"""Motion: the one interface, curves, clips and time."""
