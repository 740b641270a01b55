"""Operators on words that a character says, and on the gestures on them."""
