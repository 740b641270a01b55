"""Lines of a verb's report: what each says, which example it is about, and what would mend it."""

from ... import importing

__getattr__ = importing(__name__)
