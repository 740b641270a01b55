"""The demo: it makes verbs from examples in a real Blender, measures them, and draws pictures of them."""
