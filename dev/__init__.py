"""Parts of dev.py, which use the standard library only."""
