"""What the user sees: sidebar panels and lists; nothing here writes."""

MODULES = (
    "lists",
    "annotating",
    "finding",
    "adverbs",
    "verbs",
    "reach",
    "graph",
    "directing",
    "perform",
    "performing",
    "overlays",
)
