"""What a director's sliders say: now, by their keys, and where only the scene knows."""

from collections.abc import Iterator, Sequence
from math import isfinite

import bpy
from bpy.types import FCurve, Object

from ...core.errors import VerbError
from ..blender.naming import told_frame
from ..blender.versions import curves_of
from .current import is_linked

FARTHEST = 1000.0
"""How many times its range an adverb may lie outside it."""


def path_of(adverb: str) -> str:
    """Data path of an adverb's slider on the director."""
    return f'["{bpy.utils.escape_identifier(adverb)}"]'


def all_curves(director: Object) -> Iterator[FCurve]:
    """F-curves of the director's own actions, those of its NLA strips among them."""
    data = director.animation_data
    if data is None:
        return
    strips = (strip for track in data.nla_tracks for strip in track.strips)
    actions = {data.action, *(strip.action for strip in strips)} - {None}
    for action in actions:
        if not is_linked(action):
            yield from curves_of(action, director)


def adverb_curves(director: Object) -> dict[str, FCurve]:
    """F-curves of the director's assigned action that play, by data path; those of its place have a component."""
    data = director.animation_data
    if data is None or data.action is None:
        return {}
    found = (curve for curve in curves_of(data.action, director) if _plays(curve))
    return {f"{c.data_path}{c.array_index if not c.data_path.endswith(']') else ''}": c for c in found}


def is_muted(curve: FCurve) -> bool:
    """Whether a curve or its group is muted."""
    return curve.mute or (curve.group is not None and curve.group.mute)


def _plays(curve: FCurve) -> bool:
    return not is_muted(curve) and not curve.is_empty


def stepped_adverbs(director: Object, names: Sequence[str]) -> tuple[str, ...]:
    """Adverbs whose values only the scene knows: driven ones, and all that are keyed while NLA strips play."""
    data = director.animation_data
    if data is None:
        return ()
    driven = {driver.data_path for driver in data.drivers if not driver.mute}
    strips = data.use_nla and any(track.strips and not track.mute for track in data.nla_tracks)
    keyed = {curve.data_path for curve in all_curves(director)} if strips else set()
    return tuple(name for name in names if path_of(name) in driven | keyed)


def slider_values(director: Object, names: Sequence[str]) -> tuple[float, ...]:
    """What the director's sliders say (D,); an adverb without slider says its default.

    Raises
    ------
    VerbError
        If one holds no number, or one that must be a mistake.
    """
    return tuple(_said(director, name) for name in names)


def _said(director: Object, name: str) -> float:
    item = director.verbs_adverbs.adverbs.get(name)
    value = director.get(name, item.default if item is not None else 0.0)
    if not is_number(value):
        raise VerbError(f"Slider '{name}' of '{director.name}' holds no number. Give it one, or press Reset.")
    check_said(director, name, float(value))
    return float(value)


def is_number(value: object) -> bool:
    """Whether a slider holds a number, such as its keys can say."""
    return isinstance(value, int | float)


def bounds_of(director: Object, name: str) -> tuple[float, float]:
    """Least and most that an adverb may be: what is beyond must be a mistake."""
    item = director.verbs_adverbs.adverbs.get(name)
    low, high = sorted((item.minimum, item.maximum)) if item is not None else (-1.0, 1.0)
    room = FARTHEST * max(high - low, 1.0)
    return low - room, high + room


def check_said(director: Object, name: str, value: float, frame: float | None = None) -> None:
    """Check what a slider says, at a frame if it is keyed or driven.

    Raises
    ------
    VerbError
        If it is not a finite number, or so far from the adverb's range that it must be a mistake.
    """
    low, high = bounds_of(director, name)
    if low <= value <= high:
        return
    at = f" at frame {told_frame(frame)}" if frame is not None else ""
    said = f"{value:g}{at}, where {low:g} to {high:g} is the utmost" if isfinite(value) else f"not a finite number{at}"
    raise VerbError(f"Adverb '{name}' of '{director.name}' is {said}. Mend its slider, key or driver there.")
