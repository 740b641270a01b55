"""Figures for how evenly the root moves in a performance, compared with the roots of the examples."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .footing import Footing

Array = NDArray[np.float64]

STANDING = 0.15
"""Speed in metres per second that the root of a verb must reach for the verb to count as going somewhere."""


@dataclass(frozen=True)
class Own:
    """Largest step (metres a row) and acceleration (metres per second squared) of the root in a verb's examples."""

    step: float
    acceleration: float


def own_of(paths: Sequence[Array], seconds: float) -> Own:
    """Return the largest step and acceleration in several paths (T, 3) of a root, with `seconds` between rows."""
    steps = [float(np.linalg.norm(np.diff(path, axis=0), axis=-1).max()) for path in paths]
    return Own(max(steps), max(float(accelerations(path, seconds).max()) for path in paths))


def accelerations(path: Array, seconds: float) -> Array:
    """Accelerations (T - 2,) along a path (T, 3), in metres per second squared."""
    return np.linalg.norm(np.diff(path, n=2, axis=0), axis=-1) / seconds**2


def root_figures(footing: Footing, own: Mapping[str, Own]) -> dict[str, Any]:
    """Return the root's steps inside verbs and accelerations in transitions, as multiples of the examples' largest.

    For a verb that goes nowhere, whose steps are fractions of a millimetre, the largest step is in centimetres instead.
    """
    names, left = np.array(footing.verbs), np.array(footing.left)
    inside = (left[1:] == "") & (left[:-1] == "")
    paths = {"free": footing.free.root, "held": footing.held.root}
    steps: dict[str, dict[str, float]] = {}
    still: dict[str, dict[str, float]] = {}
    ways: dict[str, dict[str, float]] = {}
    for kind, path in paths.items():
        step = np.linalg.norm(np.diff(path, axis=0), axis=-1)
        for name in sorted(set(footing.verbs)):
            largest = float(step[inside & (names[1:] == name)].max(initial=0.0))
            if own[name].step > STANDING * footing.step:
                steps.setdefault(name, {})[kind] = largest / own[name].step
            else:
                still.setdefault(name, {})[kind] = 100.0 * largest
        bend = accelerations(path, footing.step)
        for old, new in sorted({(o, n) for o, n in zip(footing.left, footing.verbs, strict=True) if o}):
            rows = (left[1:-1] == old) & (names[1:-1] == new)
            larger = max(own[old].acceleration, own[new].acceleration)
            ways.setdefault(f"{old} to {new}", {})[kind] = float(bend[rows].max(initial=0.0)) / larger
    return {"step_ratio_by_verb": steps, "step_cm_of_standing_verbs": still, "acceleration_ratio_by_way": ways}
