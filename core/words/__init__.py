"""The words that gestures land on ([Kallmann2005] section 5): times read from files, and the instant within a word."""
