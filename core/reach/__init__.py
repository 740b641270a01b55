"""Measuring motions of a verb, and making them meet what the adverbs ask for, such as where a hand is."""
