"""What the user sees: sidebar panels, lists, and overlays in 3D views; nothing here changes data."""

MODULES = (
    "sidebar",
    "annotating",
    "verbs",
    "reach",
    "assets",
    "graph",
    "directing",
    "view.pad",
    "view.distance_map",
    "layers",
    "talking",
    "perform",
    "view.pie",
    "view.overlays",
    "view.nodes",
)
