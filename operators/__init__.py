"""One user intent each: read properties, make one call, report."""
