"""A verb's refinement, stored as text: computing it incrementally, and applying it when the verb is built."""

import json
from collections.abc import Iterator
from math import comb

import numpy as np
from bpy.types import Object, PropertyGroup
from numpy.typing import NDArray

from ...core.errors import VerbError, VerbsError
from ...core.reach.last_millimetres import touching
from ...core.reach.measures import Aim, distortion, distortion_of
from ...core.reach.missed_targets import without_limits
from ...core.reach.pseudo_examples import PseudoExamples, with_pseudo_examples
from ...core.reach.refine import Refinement, RefineOptions, inside_hull, lattice, refining, scattered
from ...core.reach.search import exact
from ...core.verb.verb import Verb
from ..rig.rig import Rig, limits_of
from .building import build_plain, keep_reference
from .measuring import aim_of
from .verb_cache import refined_from

Array = NDArray[np.float64]

JUDGED = 800
MOST_DIMENSIONS = 6
MOST_PLANES = 20000
OFF = 1.0


def build(armature: Object, item: PropertyGroup) -> tuple[Verb, Rig, tuple[str, ...]]:
    """Build a verb from its examples and apply its refinement; results and errors are those of `build_plain`."""
    plain, rig, complaints = build_plain(armature, item)
    verb, further = refined(armature, item, plain, rig)
    return verb, rig, (*complaints, *further)


def refined(armature: Object, item: PropertyGroup, verb: Verb, rig: Rig) -> tuple[Verb, tuple[str, ...]]:
    """Return a verb with its stored refinement applied, and sentences on why it could not be."""
    own, said = item.refinement, []
    if own.text and own.made_from != refined_from(armature, item, rig.root):
        said.append(
            "Its examples, adverbs or measures have changed since it was refined, so the refinement is not used. "
            "Refine it again, or remove the refinement."
        )
    elif own.text:
        pseudo = _parsed(own.text, verb)
        refined = with_pseudo_examples(verb, pseudo) if pseudo is not None else None
        if refined is None:
            said.append(
                "Its refinement does not match the verb and is not used. Refine it again, or remove the refinement."
            )
        verb = refined or verb
    if own.exactly:
        try:
            verb = exact(verb, aim_of(item, verb, rig), own.search.lower())
        except VerbsError as error:
            said.append(f"Exactly cannot be used: {error}")
    if own.last_millimetres != "NONE":
        try:
            aim = aim_of(item, verb, rig)
            limits = limits_of(armature, rig, [place.joint for place in aim.measure.places])
            verb = touching(verb, aim, limits, own.last_millimetres == "EVERYWHERE", has_hull(verb))
            said.extend(without_limits(verb))
        except VerbsError as error:
            said.append(f"With IK has no effect: {error}")
    return verb, tuple(said)


def _parsed(text: str, verb: Verb) -> PseudoExamples | None:
    """Parse stored pseudo-examples; None if they do not fit the verb."""
    try:
        told = json.loads(text)
        places, weights, radii = (np.array(told[name], dtype=np.float64) for name in ("places", "weights", "radii"))
    except (ValueError, KeyError, TypeError):
        return None
    count = len(radii) if radii.ndim == 1 else -1
    fits = places.shape == (count, len(verb.adverb_names)) and weights.shape == (count, len(verb.example_names))
    numbers = fits and all(np.isfinite(values).all() for values in (places, weights, radii)) and (radii > 0.0).all()
    return PseudoExamples(places, weights, radii) if numbers else None


def errors_while_refined(item: PropertyGroup) -> Array:
    """Return the errors (S, 3) of a verb during its refinement: pseudo-examples, average and largest error.

    Errors are in percent of the region's diagonal; there are none if the verb is not refined, or was before they
    were stored.
    """
    try:
        found = np.array(json.loads(item.refinement.text)["errors"], dtype=np.float64)
    except (ValueError, KeyError, TypeError):
        return np.zeros((0, 3))
    return found if found.ndim == 2 and found.shape[1] == 3 and np.isfinite(found).all() else np.zeros((0, 3))


class Refining:
    """A refinement that is being computed; it keeps no references to Blender data, and changes nothing before `keep`.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.

    Attributes
    ----------
    best : the best refinement so far.

    Raises
    ------
    VerbsError
        If the verb cannot be refined.
    """

    def __init__(self, armature: Object, item: PropertyGroup) -> None:
        self._plain, rig, _ = build_plain(armature, item)
        self._rig = rig
        self._aim = aim_of(item, self._plain, rig)
        _check_measured(self._plain, self._aim)
        self.count = item.refinement.count
        self._between = item.refinement.between
        hull = self._between and has_hull(self._plain)
        options = RefineOptions(count=self.count, percent=item.refinement.percent, hull=hull)
        self._stages: Iterator[Refinement] = refining(self._plain, self._aim, options)
        self.best = next(self._stages)

    def step(self) -> bool:
        """Add one pseudo-example; return False if there is nothing more to do."""
        following = next(self._stages, None)
        self.best = following or self.best
        return following is not None

    @property
    def share(self) -> float:
        """Fraction of the refinement that is done, from 0 to 1."""
        return min(1.0, (len(self.best.stages) - 1) / self.count)

    @property
    def told(self) -> str:
        """A sentence with the errors of the verb as refined so far."""
        now = self.best.stages[-1]
        return f"{now.count} pseudo-examples: average error {now.average:.2g} %, largest {now.maximum:.2g} %"

    def keep(self, armature: Object, item: PropertyGroup) -> None:
        """Store the best refinement, with the verb's errors without and with it."""
        own, pseudo = item.refinement, self.best.pseudo
        named = {"places": pseudo.places, "weights": pseudo.weights, "radii": pseudo.radii}
        errors = [(stage.count, stage.average, stage.maximum) for stage in self.best.stages]
        own.text = json.dumps({name: values.tolist() for name, values in named.items()} | {"errors": errors})
        keep_reference(armature, self._rig, self._plain)
        own.made_from = refined_from(armature, item, self._rig.root)
        points, units = judged_at(self._plain, self._between), self._aim.measure.units
        before, after = (distortion(verb, self._aim, points) for verb in (self._plain, self.best.verb))
        searched, on_lines = (
            distortion(exact(self.best.verb, self._aim, by), self._aim, points) for by in ("least_squares", "line")
        )
        own.unit = units[0] if len(set(units)) == 1 else ""
        own.diagonal = self._aim.diagonal
        for name, found in (("before", before), ("after", after), ("exact", searched), ("line", on_lines)):
            setattr(own, f"average_{name}", found.average)
            setattr(own, f"maximum_{name}", found.maximum)


def remove_refinement(item: PropertyGroup) -> None:
    """Remove a verb's refinement; its settings are kept."""
    for name in ("text", "made_from", "exactly", "last_millimetres"):
        item.refinement.property_unset(name)


def judged_at(verb: Verb, between: bool) -> Array:
    """Return points (P, D) of the adverb space at which a refined verb is evaluated.

    They differ from those used for refining: a lattice, or in many dimensions scattered points.

    Parameters
    ----------
    between : whether to exclude points that are not between the examples.
    """
    dimension = len(verb.adverb_names)
    if dimension > MOST_DIMENSIONS:
        points = scattered(verb.adverb_ranges, JUDGED)
    else:
        points = lattice(verb.adverb_ranges, max(2, round(JUDGED ** (1.0 / dimension))))
    return among(verb, points) if between else points


def among(verb: Verb, points: Array) -> Array:
    """Return those of `points` (P, D) inside the hull of a verb's examples; all of them if there is no hull."""
    return points[inside_hull(verb.places, verb.adverb_ranges, points)] if has_hull(verb) else points


def has_hull(verb: Verb) -> bool:
    """Return whether the hull of a verb's examples can be computed in reasonable time."""
    return comb(len(verb.places), len(verb.adverb_names)) <= MOST_PLANES


def _check_measured(verb: Verb, aim: Aim) -> None:
    """Check that the adverb values of all examples agree with their measured values.

    Raises
    ------
    VerbError
        If those of one do not.
    """
    found = distortion_of(verb, aim, verb.places, np.eye(len(verb.places)))
    worst = int(found.percent.argmax())
    if found.percent[worst] > OFF:
        raise VerbError(
            f"The adverb values of example '{verb.example_names[worst]}' of verb '{verb.name}' differ from its "
            f"measured values by {found.percent[worst]:.2g} % of the region. Press Measure first to update them."
        )
