"""The mathematics of verbs and adverbs. It uses NumPy only and never imports bpy."""
