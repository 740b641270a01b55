"""Verbs joined ([Rose1998] section 5): transitions, the shortest way, checks, suggestions."""
