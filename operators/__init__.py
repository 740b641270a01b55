"""Operators: each carries out one intent of the user by one call to the bridge, and reports what came of it."""

MODULES = (
    "jobs",
    "examples",
    "keytimes",
    "contacts",
    "finding",
    "mirroring",
    "editing",
    "adverbs",
    "verbs",
    "reach",
    "biped",
    "directing",
    "baking",
    "transitions",
    "commands",
    "layers",
    "speech.words",
    "speech.phases",
    "speech.curve",
    "perform",
)
