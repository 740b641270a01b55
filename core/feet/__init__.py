"""Contacts kept while playing ([Rose1998] section 3.3): locks, release, floor, footholds."""
