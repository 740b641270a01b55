"""Measures of a verb's motions, and corrections that make the motions meet the adverbs, such as a hand position."""
