"""What decides over time what a figure does: it moves the adverbs and handles of a player, never a pose."""
