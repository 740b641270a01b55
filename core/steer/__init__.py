"""Steering of a player over time: goals, pursuit and stopping on a mark, by means of adverbs and handles."""
