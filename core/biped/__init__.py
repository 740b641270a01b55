"""The example figure and its generated motions; not mathematics of the papers."""
