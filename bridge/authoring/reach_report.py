"""What panels and overlays show of a verb's reach: targets that cannot be reached, and the size of the errors."""

from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object, PropertyGroup
from numpy.typing import NDArray

from ...core.errors import VerbsError
from ...core.reach.last_millimetres import TouchingVerb
from ...core.reach.missed_targets import what_remains
from ...core.reach.refine import lattice
from ...core.reach.search import ExactVerb, out_of_reach
from ...core.verb.verb import Verb
from ..blender.naming import told_length
from ..blender.store import made
from ..data.adverb_values import slider_values
from ..data.director import director_of
from ..data.schema import PLACES
from ..data.targets import adverbs_at, asked_place, bound_adverbs, measured_points
from ..rig.rig import Rig
from .measuring import aim_of, place_measure
from .refinement import among
from .verbs import Built, kept_built

Array = NDArray[np.float64]

CENTIMETRE, MILLIMETRE = 0.01, 0.001
POINTS = {1: 24, 2: 12, 3: 6}


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Positions that adverbs request of a bone, and those that it reaches, relative to the character's start.

    Parameters
    ----------
    bone : name of the bone whose position is measured.
    asked, achieved : (P, 3) positions; along axes that no adverb measures they are the same.
    percent : (P,) distances between them, in percent of the region's diagonal.
    diagonal : diagonal of the requested region.
    """

    bone: str
    asked: Array
    achieved: Array
    percent: Array
    diagonal: float

    @property
    def told(self) -> str:
        """A sentence with the average and the largest error."""
        mean, most = float(self.percent.mean()), float(self.percent.max())
        lengths = [told_length(0.01 * value * self.diagonal) for value in (mean, most)]
        return f"{self.bone}: average error {mean:.2g} % ({lengths[0]}), largest {most:.2g} % ({lengths[1]})"


def heat_maps(armature: Object, item: PropertyGroup) -> tuple[HeatMap, ...]:
    """Return a map for each measured point of a verb, if the verb is built and up to date; nothing is built."""
    built = kept_built(armature, item)
    if built is None:
        return ()
    key = "heat maps", item.uid, built.signature, item.refinement.between
    return made(key, lambda: tuple(_map(item, built.verb, built.rig, point) for point in _there(item, built)))


def _there(item: PropertyGroup, built: Built) -> list[tuple[str, str, str]]:
    return [
        point
        for point in measured_points(item)
        if point[0] in built.rig.joints and point[2] in built.verb.keytime_names
    ]


def _map(item: PropertyGroup, verb: Verb, rig: Rig, point: tuple[str, str, str]) -> HeatMap:
    used = adverbs_at(item, point)
    columns = [verb.adverb_names.index(u.name) for u in used]
    axes = [PLACES.index(u.measure) for u in used]
    ranges = verb.adverb_ranges[columns]
    wanted = lattice(ranges, POINTS[len(columns)])
    points = np.tile(verb.adverb_ranges.mean(axis=1), (len(wanted), 1))
    points[:, columns] = wanted
    if item.refinement.between and len(columns) == len(verb.adverb_names):
        points = among(verb, points)
        wanted = points[:, columns]
    achieved = place_measure(used[0], verb, rig).at(verb, points)
    asked = achieved.copy()
    asked[:, axes] = wanted
    diagonal = float(np.linalg.norm(ranges[:, 1] - ranges[:, 0]))
    return HeatMap(point[0], asked, achieved, 100.0 / diagonal * np.linalg.norm(achieved - asked, axis=1), diagonal)


def target_problem(armature: Object, item: PropertyGroup, target: PropertyGroup) -> str:
    """Return a sentence that says why a target is not reached; empty if it is, or if the verb is not built."""
    director, names = director_of(armature), bound_adverbs(item, target)
    if target.object is None:
        return f"'{target.bone}' has no object to reach for. Choose an object, or remove the target."
    if not names:
        return f"No adverb measures '{target.bone}' at '{target.keytime}'. Measure it, or remove the target."
    built = kept_built(armature, item)
    if director is None or built is None:
        return ""
    place = [round(value, 4) for value in asked_place(armature, director, target)]
    try:
        values = dict(zip(built.verb.adverb_names, slider_values(director, built.verb.adverb_names), strict=True))
    except VerbsError as error:
        return str(error)
    values |= {name: place[PLACES.index(axis)] for axis, name in names.items()}
    name, bound = target.object.name, list(names.values())
    key = "missed target", item.uid, built.signature, name, *values.values()
    return made(key, lambda: _problem(item, built, name, values, bound))


def _problem(item: PropertyGroup, built: Built, name: str, values: dict[str, float], bound: list[str]) -> str:
    verb = built.verb
    while isinstance(verb, (ExactVerb, TouchingVerb)):
        verb = verb.searched
    promised = MILLIMETRE if isinstance(built.verb, TouchingVerb) else CENTIMETRE
    tolerance = promised / (bpy.context.scene.unit_settings.scale_length or 1.0)
    point = np.array([values[adverb] for adverb in verb.adverb_names])
    columns = [verb.adverb_names.index(adverb) for adverb in bound]
    low, high = verb.adverb_ranges[columns].T
    beyond = np.maximum(low - point[columns], 0.0) + np.maximum(point[columns] - high, 0.0)
    distance = float(np.linalg.norm(beyond))
    try:
        if isinstance(built.verb, TouchingVerb):
            said = what_remains(built.verb, point, tolerance)
        else:
            said = out_of_reach(verb, aim_of(item, verb, built.rig, bound), point, tolerance)
    except VerbsError as error:
        said = str(error)
    if said or distance <= CENTIMETRE / (bpy.context.scene.unit_settings.scale_length or 1.0):
        return said
    along = ", ".join(adverb for adverb, part in zip(bound, beyond, strict=True) if part > 0.0)
    return (
        f"'{name}' is {told_length(distance)} outside the region of the examples of verb '{built.verb.name}' (along "
        f"{along}), where the verb only extrapolates. Move it closer, or add an example there."
    )
