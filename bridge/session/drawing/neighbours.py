"""Ghosts of the examples blended into a character's current motion, for the adverb pad."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Object, Scene
from numpy.typing import NDArray

from ....core.verb.ghosts import Sticks, ghost_corners, ghost_rows, sticks_of
from ....core.verb.verb import Verb
from ...authoring.pad import verb_of_pad
from ...blender.store import latest, made
from ...data.adverb_values import slider_values
from ...data.director import director_of
from .standing import generic_now, moved_onto, root_now

Array = NDArray[np.float64]

MOST, LEAST = 3, 0.05
"""Number of ghosts to show, and smallest weight of an example to show."""


@dataclass(frozen=True, eq=False)
class Neighbours:
    """Ghosts of the examples with the largest weights, at the character's position and generic time.

    Parameters
    ----------
    names : example names (P,), by ascending value of the pad's horizontal adverb.
    weights : (P,) weights of these.
    corners : (P, B, 6, 3) of their sticks in performance space.
    size : height of the character, performance units.
    """

    names: tuple[str, ...]
    weights: Array
    corners: Array
    size: float


def neighbours_of(armature: Object, adverb: str, scene: Scene) -> Neighbours | None:
    """Return the ghosts of what an armature's director plays; the same object as long as nothing changes.

    Returns None if the verb is not built, or another one plays.

    Parameters
    ----------
    adverb : adverb by which they are sorted.

    Raises
    ------
    VerbError
        If a slider holds no number.
    """
    director = director_of(armature)
    verb = verb_of_pad(armature)
    phase = generic_now(director, verb, scene) if verb is not None else None
    if verb is None or phase is None or adverb not in verb.adverb_names:
        return None
    sliders = slider_values(director, verb.adverb_names)
    wanted = root_now(armature, verb.channels.skeleton.names[0])
    return latest(
        ("neighbours",),
        (verb, phase, sliders, adverb, wanted.tolist()),
        lambda: _neighbours(verb, np.array(sliders), phase, wanted, verb.adverb_names.index(adverb)),
    )


def sticks_for(verb: Verb) -> Sticks:
    """Return the sticks of a verb's figures."""
    return made(("sticks", verb), lambda: sticks_of(verb.channels))


def _neighbours(verb: Verb, sliders: Array, phase: float, wanted: Array, column: int) -> Neighbours:
    weights = verb.weights(sliders)
    chosen = [index for index in np.argsort(-weights)[:MOST].tolist() if weights[index] >= LEAST]
    chosen.sort(key=lambda index: float(verb.places[index, column]))
    places = np.concatenate([sliders[None], verb.places[chosen]])
    corners, roots = ghost_corners(
        verb.channels, sticks_for(verb), ghost_rows(verb, places, np.full(len(places), phase))
    )
    moved = moved_onto(corners, roots[0], wanted)
    size = float(np.ptp(moved[0, ..., 2])) if moved[0].size else 0.0
    return Neighbours(tuple(verb.example_names[index] for index in chosen), weights[chosen], moved[1:], size)
