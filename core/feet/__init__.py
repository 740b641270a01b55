"""Contacts kept while playing ([Rose1998] section 3.3): foot locks and their release, steps home, floor, footholds."""
