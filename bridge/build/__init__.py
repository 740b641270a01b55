"""From what is stored to what core plays: verbs, graphs, refinements, kept while unchanged; finding and mirroring."""

from .. import importing

__getattr__ = importing(__name__)
