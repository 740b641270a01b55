"""The words that gestures land on ([Kallmann2005] section 5): their times, read from files, and where in a word."""
