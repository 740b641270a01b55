"""The bench: how fast the extension is beside the plain ways of doing the same."""
