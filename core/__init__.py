"""Mathematics of verbs and adverbs: NumPy alone, never bpy."""
