"""The demo: verbs made from examples in a real Blender, and pictures of them."""
