"""Playing: what depends on history, events, and the feet on the floor."""
