"""What is drawn over 3D views: the adverb pad, words, and heat maps."""
