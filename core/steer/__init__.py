"""What steers a player over time: goals, pursuit, stopping on a mark; it moves adverbs and handles."""
