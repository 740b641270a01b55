"""Detect: what an animator would mark in a motion, found in the motion itself."""
