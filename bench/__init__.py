"""The bench: the speed of the extension compared with plain ways of doing the same."""
