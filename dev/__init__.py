"""Parts of dev.py: standard library only."""
