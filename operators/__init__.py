"""One user intent each: read properties, make one call, report."""

MODULES = (
    "working",
    "examples",
    "keytimes",
    "contacts",
    "structure",
    "finding",
    "mirroring",
    "adverbs",
    "verbs",
    "verb_examples",
    "measuring",
    "targets",
    "refining",
    "biped",
    "directing",
    "baking",
    "transitions",
    "score",
    "perform",
    "takes",
)
