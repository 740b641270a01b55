"""Verbs: examples, interpolation between them, and their evaluation."""
