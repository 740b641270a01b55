"""Operators that bring new actions into the file: imported ones, mirrored ones, and others made of the current one."""
