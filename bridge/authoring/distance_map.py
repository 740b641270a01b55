"""The distance map of a transition's verbs: computed as a job, cached until a verb changes; and clicks on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import bpy
from bpy.types import Object, PropertyGroup

from ...core.errors import GraphError, VerbsError
from ..blender import jobs
from ..blender.events import redraw_areas
from ..blender.store import forget_answers, last_of, latest, while_unchanged
from ..data.content import read_anew
from ..data.transition_items import set_regions, verb_of
from .transitions import COUNT, check_verbs, region_of, told_distance
from .verbs import kept_built, verb_for

if TYPE_CHECKING:
    from ...core.graph.distance_map import DistanceMap, Suggestion
    from ...core.graph.transition import Region
    from ...core.verb.verb import Verb

MAP = "map"
Place = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Kept:
    """A computed map.

    Parameters
    ----------
    pair : the armature's session identifier, and the identifiers of the verbs left and entered.
    verbs : these verbs, as they were built.
    compared : the map.
    suggested : its best transitions, best first.
    """

    pair: tuple[int, str, str]
    verbs: tuple[Verb, Verb]
    compared: DistanceMap
    suggested: tuple[Suggestion, ...]

    @property
    def marks(self) -> list[Place]:
        """The points on the map where the suggested transitions leave and enter, best first."""
        return [(one.transition.leaves.begin, one.transition.enters.begin) for one in self.suggested]


SHOWN = ("distance map",)
"""The last computed map only, since those of long verbs are large."""
_given_up: tuple[Verb, Verb] | None = None
"""Verbs whose map the user cancelled, or which cannot be compared."""
_wanted: tuple[int, str] = 0, ""
"""Armature and transition of the requested map."""


def map_for(armature: Object, item: PropertyGroup) -> Kept:
    """Return the map of a transition's verbs, building and comparing them now if something has changed.

    Raises
    ------
    VerbsError
        If a verb was removed or cannot be built, or the two cannot be compared.
    """
    check_verbs(armature, [item])
    source, target = (verb_of(armature, uid) for uid in (item.source, item.target))
    read_anew(armature)
    verbs = tuple(verb_for(armature, verb) for verb in (source, target))
    left, entered = verbs

    def compute() -> Kept:
        found = jobs.computed(("distance map", left, entered), lambda tell: _compare(left, entered, tell))
        return Kept(_pair(armature, item), (left, entered), *found)

    kept = latest(SHOWN, (left, entered, _pair(armature, item)), compute)
    forget_answers()
    return kept


def _compare(left: Verb, entered: Verb, tell: Callable[..., None]) -> tuple[DistanceMap, tuple[Suggestion, ...]]:
    from ...core.graph.distance_map import distance_map, suggestions_on

    compared = distance_map(left, entered, progress=tell)
    return compared, suggestions_on(compared, COUNT)


def _pair(armature: Object, item: PropertyGroup) -> tuple[int, str, str]:
    return armature.session_uid, item.source, item.target


def shown_map(armature: Object, item: PropertyGroup) -> Kept | None:
    """Return the map of a transition's verbs as last computed, which may be out of date; nothing is computed."""
    kept = last_of(SHOWN)
    return kept if kept is not None and kept.pair == _pair(armature, item) else None


def outdated(armature: Object, item: PropertyGroup) -> str:
    """Return why the shown map is out of date; empty if it is not."""
    return while_unchanged(("map", armature.session_uid, item.uid), lambda: _outdated(armature, item))


def _outdated(armature: Object, item: PropertyGroup) -> str:
    kept, verbs = shown_map(armature, item), _present(armature, item)
    if kept is not None and verbs is not None and all(a is b for a, b in zip(kept.verbs, verbs, strict=True)):
        return ""
    return "Out of date" if kept is not None else "Not computed"


def is_computing() -> bool:
    """Return whether a requested map is being computed."""
    job = jobs.going()
    return job is not None and job.kind == MAP


def _present(armature: Object, item: PropertyGroup) -> tuple[Verb, Verb] | None:
    """Return the verbs of a transition, if both are built and up to date."""
    found = []
    for uid in (item.source, item.target):
        verb = verb_of(armature, uid)
        try:
            built = kept_built(armature, verb) if verb is not None else None
        except VerbsError:
            return None
        if built is None:
            return None
        found.append(built.verb)
    return found[0], found[1]


def want(armature: Object, item: PropertyGroup) -> None:
    """Request the map of a transition, if its verbs are built and the user has not cancelled that."""
    global _wanted
    verbs = _present(armature, item)
    if verbs is None or (_given_up is not None and all(a is b for a, b in zip(verbs, _given_up, strict=True))):
        return
    _wanted = armature.session_uid, item.uid
    if not bpy.app.timers.is_registered(_compute_wanted):
        bpy.app.timers.register(_compute_wanted, first_interval=0.0)


def _compute_wanted() -> None:
    """Compute the requested map as a job; called by a timer, since nothing may be changed while drawing."""
    if jobs.going() is None:
        jobs.do(MAP, "Comparing two verbs", _attempt, _give_up)


def _attempt() -> None:
    armature, item = _wanted_transition()
    if armature is None or item is None or not outdated(armature, item) or _present(armature, item) is None:
        return
    try:
        map_for(armature, item)
    except VerbsError:
        _give_up()
    redraw_areas()


def _wanted_transition() -> tuple[Object | None, PropertyGroup | None]:
    armature = next((one for one in bpy.data.objects if one.session_uid == _wanted[0]), None)
    items = armature.verbs_adverbs.transitions if armature is not None else ()
    return armature, next((item for item in items if item.uid == _wanted[1]), None)


def _give_up() -> None:
    global _given_up
    armature, item = _wanted_transition()
    _given_up = _present(armature, item) if armature is not None and item is not None else None


def regions_on(kept: Kept, item: PropertyGroup) -> tuple[Region, Region]:
    """Return the regions of a transition in the verbs of its map."""
    return region_of(kept.verbs[0], item, "leaves"), region_of(kept.verbs[1], item, "enters")


def numbers_at(kept: Kept, place: Place) -> tuple[str, str]:
    """Return text for the distance of poses in regions that begin at a point, and for how often feet agree there."""
    at = kept.compared.leaves.row(place[0]), kept.compared.enters.row(place[1])
    agree = 100.0 * (1.0 - float(kept.compared.differs[at]))
    return told_distance(float(kept.compared.distances[at])), f"{agree:.0f} %"


def place_at(kept: Kept, item: PropertyGroup, place: Place) -> None:
    """Set a transition to leave and enter at a point of its map, with the duration of suggested ones.

    Raises
    ------
    GraphError
        If a coordinate of the point is not a number.
    """
    if not all(math.isfinite(share) for share in place):
        raise GraphError("A place on the map consists of two generic times from 0 to 1. Enter numbers.")
    compared = kept.compared
    set_regions(item, compared.leaves.region_from(place[0]), compared.enters.region_from(place[1]))


def forget_map() -> None:
    """Clear which maps were requested and cancelled."""
    global _given_up
    _given_up = None
    if bpy.app.timers.is_registered(_compute_wanted):
        bpy.app.timers.unregister(_compute_wanted)
