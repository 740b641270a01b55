"""Overlays in 3D views: the adverb pad, texts, and heat maps."""
