"""The example figure that the extension ships, and its generated motions. None of this is from the papers."""
