"""Making what core plays from what is stored: verbs, graphs and refinements; also finding and mirroring examples."""

from .. import importing

__getattr__ = importing(__name__)
