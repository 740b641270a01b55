"""The values of a director's sliders: current ones, their keys, and which need the scene to be evaluated."""

from collections.abc import Iterator, Sequence
from math import isfinite

import bpy
from bpy.types import FCurve, Object, PropertyGroup

from ...core.errors import VerbError
from ..blender.animation import assigned_curves, drivers_of, keyed_in, nla_plays, nla_strips, plays
from ..blender.naming import told_frame
from ..blender.versions import curves_of
from .current import is_linked

OF_TARGET = "reach_"
"""Prefix of the variables of drivers that were made for a target."""
FARTHEST = 1000.0
"""How far an adverb's value may lie outside its range, as a multiple of the range."""


def path_of(adverb: str) -> str:
    """Return the data path of an adverb's slider on the director."""
    return f'["{bpy.utils.escape_identifier(adverb)}"]'


def slider_of(path: str) -> str:
    """Return the name of the slider with a data path on the director; empty if the path is not a slider's."""
    name = bpy.utils.unescape_identifier(path[2:-2])
    return name if path == path_of(name) else ""


def all_curves(director: Object) -> Iterator[FCurve]:
    """Yield the F-curves of a director's actions, including those of its NLA strips."""
    for action in {keyed_in(director), *(strip.action for strip in nla_strips(director))}:
        if action is not None and not is_linked(action):
            yield from curves_of(action, director)


def adverb_curves(director: Object) -> dict[str, FCurve]:
    """Return unmuted F-curves of the director's assigned action, by data path; location and rotation with component."""
    found = (curve for curve in assigned_curves(director) if plays(curve))
    return {f"{c.data_path}{c.array_index if not c.data_path.endswith(']') else ''}": c for c in found}


def stepped_adverbs(director: Object, names: Sequence[str]) -> tuple[str, ...]:
    """Return adverbs whose values only Blender can evaluate: driven ones, and keyed ones if NLA strips play."""
    driven = {driver.data_path for driver in drivers_of(director) if not driver.mute}
    keyed = {curve.data_path for curve in all_curves(director)} if nla_plays(director) else set()
    return tuple(name for name in names if path_of(name) in driven | keyed)


def is_of_target(curve: FCurve) -> bool:
    """Return whether a driver was made for a target."""
    variables = curve.driver.variables
    return len(variables) > 0 and all(variable.name.startswith(OF_TARGET) for variable in variables)


def target_adverbs(director: Object) -> frozenset[str]:
    """Return names of the adverbs that targets drive."""
    moved = {curve.data_path for curve in drivers_of(director) if is_of_target(curve)}
    return frozenset(item.name for item in director.verbs_adverbs.adverbs if path_of(item.name) in moved)


def slider_values(director: Object, names: Sequence[str]) -> tuple[float, ...]:
    """Return the current values (D,) of the director's sliders; an adverb without a slider has its default.

    Raises
    ------
    VerbError
        If one is not a number, or a number so far out of range that it must be a mistake.
    """
    items = director.verbs_adverbs.adverbs
    return tuple([_said(director, name, items.get(name)) for name in names])


def values_at(director: Object, names: Sequence[str], frames: Sequence[float]) -> list[tuple[float, ...]]:
    """Return the values (F, D) of a director's sliders at some frames, without evaluating the scene there.

    A keyed slider has the value of its F-curve, any other one its current value, and so have all of them while the
    character is performed, since its keys are those of another take. Only Blender can
    evaluate drivers and NLA strips, so a slider that they move has its default.

    Raises
    ------
    VerbError
        See `slider_values`, and `check_said` for keys.
    """
    own, moved = director.verbs_adverbs, stepped_adverbs(director, names)
    items, curves = own.adverbs, {} if own.performance.in_hand else adverb_curves(director)
    present = dict(zip(names, slider_values(director, names), strict=True))
    present |= {name: items[name].default for name in moved if name in items}
    keyed = {name: curves[path_of(name)] for name in names if path_of(name) in curves and name not in moved}
    found: list[tuple[float, ...]] = []
    for frame in frames:
        there = {name: curve.evaluate(frame) for name, curve in keyed.items()}
        for name, value in there.items():
            check_said(director, name, value, frame)
        found.append((*(present | there).values(),))
    return found


def _said(director: Object, name: str, item: PropertyGroup | None) -> float:
    value = director.get(name, item.default if item is not None else 0.0)
    if not is_number(value):
        raise VerbError(
            f"The value of slider '{name}' of '{director.name}' is not a number. Enter one, or press Reset."
        )
    low, high = _bounds(item)
    if not low <= value <= high:
        check_said(director, name, float(value))
    return float(value)


def is_number(value: object) -> bool:
    """Return whether the value of a slider is a number."""
    return isinstance(value, int | float)


def bounds_of(director: Object, name: str) -> tuple[float, float]:
    """Return the lowest and highest value that an adverb may have; a value outside must be a mistake."""
    return _bounds(director.verbs_adverbs.adverbs.get(name))


def _bounds(item: PropertyGroup | None) -> tuple[float, float]:
    first, last = (item.minimum, item.maximum) if item is not None else (-1.0, 1.0)
    low, high = (first, last) if first <= last else (last, first)
    room = FARTHEST * max(high - low, 1.0)
    return low - room, high + room


def check_said(director: Object, name: str, value: float, frame: float | None = None) -> None:
    """Check the value of a slider; the message names `frame` if the value comes from a key or driver.

    Raises
    ------
    VerbError
        If it is not a finite number, or so far from the adverb's range that it must be a mistake.
    """
    low, high = bounds_of(director, name)
    if low <= value <= high:
        return
    at = f" at frame {told_frame(frame)}" if frame is not None else ""
    said = (
        f"{value:g}{at}, far outside its range (at most {low:g} to {high:g})"
        if isfinite(value)
        else f"not a finite number{at}"
    )
    raise VerbError(f"Adverb '{name}' of '{director.name}' is {said}. Correct its slider, key or driver there.")
