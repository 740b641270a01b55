"""Feet that stand: whether a director wants its verbs' points held, and on which ground."""

from bpy.types import Object

from ..core.runtime.planted import Footing, footing_on
from ..core.verb.verb import Verb
from .floor_mesh import floor_digest, floor_of


def footing_of(director: Object | None, verb: Verb, in_place: bool = False) -> Footing | None:
    """What holds the points of a verb; None if it has none, or its director lets them slide.

    Parameters
    ----------
    director : None for a verb without one: its points are held.
    in_place : the travel will be taken away, and a floor would move under the feet: only the examples' ground counts.

    Raises
    ------
    GraphError
        If the floor has no faces.
    """
    if not verb.contacts or (director is not None and not director.verbs_adverbs.performance.lock_feet):
        return None
    return footing_on(verb, None if director is None or in_place else floor_of(director))


def footing_digest(director: Object) -> str:
    """Digest of all that `footing_of` heeds."""
    return floor_digest(director) if director.verbs_adverbs.performance.lock_feet else "slides"
