"""Reach: what a verb's adverbs ask is measured in its motions, and met."""
