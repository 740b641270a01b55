"""Blender's command line: `blender FILE --command verbs ...` lists, checks, builds and bakes without a window."""
