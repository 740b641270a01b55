"""The one error tree: every message says what was wrong, where, and what to do."""


class VerbsError(Exception):
    """Root of everything this project raises on bad input; operators catch this class alone."""


class ActionError(VerbsError):
    """An action cannot be read: empty, of another armature, with NaN keys."""


class RigError(VerbsError):
    """An armature or one of its bones does not fit: zero scale, a missing bone."""


class ExampleError(VerbsError):
    """An example's annotation is incomplete or contradicts itself or its neighbours."""


class VerbError(VerbsError):
    """A verb cannot be built from its examples or played."""


class BasisError(VerbsError):
    """Examples do not lie in the adverb space as interpolation needs."""


class ClipError(VerbsError):
    """A curve cannot be fitted or evaluated as asked."""


class GraphError(VerbsError):
    """A verb graph cannot be compiled, or a verb cannot be reached in it.

    Parameters
    ----------
    complaints : each of them a sentence.
    """

    def __init__(self, *complaints: str) -> None:
        super().__init__(" ".join(complaints))
        self.complaints = complaints
