"""Verb graphs ([Rose1998] section 5): transitions between verbs, shortest paths, checks, and suggestions."""
