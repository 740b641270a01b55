"""Contacts in playback ([Rose1998] section 3.3): foot locks and their release, steps home, floor, footholds."""
