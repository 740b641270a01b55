"""Handles by which a performance was steered, kept as keys of the director so that the timeline steers the same way."""

from collections.abc import Sequence

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ...core.play.score import HANDLES, Track
from ..blender.naming import HANDLES as PROPERTIES
from ..data.adverb_values import adverb_curves, path_of

Array = NDArray[np.float64]


def handle_tracks(director: Object, frames: Array, seconds: Array) -> dict[str, Track]:
    """What the director's keys say of the handles at `frames` (F,), which are `seconds` (F,); only of those keyed."""
    curves = adverb_curves(director)
    return {
        handle: Track(seconds, np.array([curves[path_of(name)].evaluate(frame) for frame in frames]))
        for handle, name in zip(HANDLES, PROPERTIES, strict=True)
        if path_of(name) in curves
    }


def columns_of(rows: Sequence[Sequence[float]]) -> dict[str, Array]:
    """Values (F,) of the properties whose handle was ever moved, from rows of all handles."""
    table = np.array(rows, dtype=np.float64).reshape(-1, len(PROPERTIES))
    return {
        name: column
        for name, column, neutral in zip(PROPERTIES, table.T, HANDLES.values(), strict=True)
        if len(column) and np.abs(column - neutral).max() > 0.0
    }
