"""Gestures on words: examples as gestures, the adverb values that vary them, and the curve that blends between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Node, Object, PropertyGroup, Scene

from ...core.errors import GestureError, quoted
from ..blender.naming import cut
from ..blender.store import made
from ..data.adverb_values import values_at
from ..data.annotate import fps_of
from ..data.example_list import used_examples
from ..data.frames.counting import counting_of
from ..data.markers import effective_keytimes
from ..data.transition_items import verb_of
from .said import Said, scene_with

if TYPE_CHECKING:
    from ...core.gesture.gesture import Gesture
    from ...core.gesture.stack import BlendingCurve, Point
    from ...core.verb.verb import Verb

DIGITS = 6
"""Decimals of a number that Blender stores in single precision."""


def bounds_of(item: PropertyGroup) -> tuple[float, float]:
    """Return the least and greatest factors by which the phases of a verb's gesture may be stretched.

    With several examples the narrowest bounds apply, since a blend shows all of them.
    """
    found = list(used_examples(item))
    shortest = max((one.shortest for one in found), default=1.0)
    longest = min((one.longest for one in found), default=1.0)
    return round(shortest, DIGITS), round(longest, DIGITS)


def shows_gesture(example: PropertyGroup) -> bool:
    """Return whether an example is not a cycle and has the keytimes of a gesture in order."""
    from ...core.motion.clip import SYNC_POINTS

    return not example.cyclic and tuple(key.name for key in example.keytimes) == SYNC_POINTS


def phases_told(example: PropertyGroup, scene: Scene) -> str:
    """Return a message on how long the phases of an example that shows a gesture are."""
    at = {name: frame / fps_of(example, scene) for name, frame in effective_keytimes(example)}
    spans = (
        ("prepared", "start", "ready"),
        ("waits", "ready", "stroke_start"),
        ("strokes", "stroke_start", "stroke_end"),
        ("held", "stroke_end", "relax"),
        ("relaxes", "relax", "end"),
    )
    told = ", ".join(f"{what} {at[end] - at[begin]:.2f} s" for what, begin, end in spans)
    return f"{told[0].upper()}{told[1:]}."


def gesture_complaints(example: PropertyGroup, scene: Scene) -> list[str]:
    """Return messages on why an example is not a valid gesture; none if it is not meant to be one.

    An example is meant to be a gesture if it has any of a gesture's keytimes between its ends.
    """
    keytimes = effective_keytimes(example)
    between = {name for name, _ in keytimes[1:-1]}
    if not between:
        return []
    from ...core.motion.clip import SYNC_POINTS

    if not between & set(SYNC_POINTS[1:-1]):
        return []
    from ...core.gesture.gesture import check_bounds, phases_of

    seconds = {name: frame / fps_of(example, scene) for name, frame in keytimes}
    times = list(seconds.values())
    found: list[str] = []
    if example.cyclic:
        found.append(f"Gesture '{example.name}' is cyclic, but a gesture plays once. Untick Cyclic.")
    for check in (
        lambda: phases_of(example.name, seconds, (times[0], times[-1])),
        lambda: check_bounds(example.name, (example.shortest, example.longest)),
    ):
        try:
            check()
        except GestureError as error:
            found.append(str(error))
    others = [name for name, _ in keytimes if name not in SYNC_POINTS]
    if others:
        found.append(
            f"Gesture '{example.name}' has keytimes that are not gesture phases: {quoted(others, 7)}. Remove them."
        )
    return found


SIZES = (1.0, 0.75, 0.5)
"""Sizes to try for a gesture with a size adverb, as fractions of the adverb's slider value at the word."""
SIZE = "size"
"""Ending of the name of an adverb that makes a gesture smaller."""


def colouring_adverbs(armature: Object, words: Sequence[Said]) -> list[PropertyGroup]:
    """Return an armature's adverbs that the gestures on some words use."""
    verbs = [verb_of(armature, uid) for uid in dict.fromkeys(word.gesture for word in words)]
    return [item for item in armature.verbs_adverbs.adverbs if any(item.name in verb.adverbs for verb in verbs)]


def colours_of(armature: Object, director: Object, words: Sequence[Said]) -> list[dict[str, float]]:
    """Return, for each word, the values of its gesture's adverbs at the word's emphasis.

    Raises
    ------
    VerbError
        If a slider or one of its keys has an invalid value.
    """
    names = [item.name for item in colouring_adverbs(armature, words)]
    rate = counting_of(director, scene_with(director)).rate
    rows = values_at(director, names, [word.target * rate for word in words])
    known = {word.gesture: verb_of(armature, word.gesture).adverbs for word in words}
    return [
        {name: value for name, value in zip(names, row, strict=True) if name in known[word.gesture]}
        for word, row in zip(words, rows, strict=True)
    ]


def sizes_of(
    armature: Object, item: PropertyGroup, verb: Verb, hands: tuple[str, ...], values: Mapping[str, float]
) -> tuple[Gesture, ...]:
    """Return a verb's gesture at some adverb values, and smaller ones if one of its adverbs controls size.

    Parameters
    ----------
    armature : the armature whose adverbs have the ranges.
    item, verb : the verb as it is stored, and built.
    hands : bones that perform the stroke.
    values : values of its adverbs by name.
    """
    adverbs = {adverb.name: adverb for adverb in armature.verbs_adverbs.adverbs}
    asked = tuple(values.get(name, 0.0) for name in verb.adverb_names)
    lowest = [
        min(adverbs[name].minimum, adverbs[name].maximum, value)
        if name.lower().endswith(SIZE) and name in adverbs
        else value
        for name, value in zip(verb.adverb_names, asked, strict=True)
    ]
    sizes, bounds = SIZES if tuple(lowest) != asked else SIZES[:1], bounds_of(item)
    places = [tuple(low + size * (at - low) for low, at in zip(lowest, asked, strict=True)) for size in sizes]
    return tuple(_gesture(verb, place, size, hands, bounds) for place, size in zip(places, sizes, strict=True))


def _gesture(
    verb: Verb, values: tuple[float, ...], size: float, hands: tuple[str, ...], bounds: tuple[float, float]
) -> Gesture:
    """Return a verb at some values as a gesture of a given size; it is cached."""
    from ...core.gesture.gesture import gesture_of

    return made(
        ("gesture", verb, values, size, hands, bounds),
        lambda: replace(gesture_of(verb.name, verb.motion(values), hands, bounds=bounds), size=size),
    )


SHAPE = ((0.0, 0.0), (0.15, 0.06075), (0.5, 0.5), (0.85, 0.93925), (1.0, 1.0))
"""Control points of the widget that look like the default curve."""
PIECES = 64
"""Number of pieces in which the widget's curve is sampled."""
SEEN = 1e-3
"""Smallest weight visible in the widget."""
STEEP = 3.0
"""How many times as fast as a linear change a weight may change without a message."""


def node_of(director: Object) -> Node | None:
    """Return the node that holds a director's blending curve, None for the default curve."""
    tree = director.verbs_adverbs.speech.curve
    nodes = tree.nodes if tree is not None else ()
    return next((node for node in nodes if node.bl_idname == "ShaderNodeFloatCurve"), None)


def place_of_curve(director: Object) -> int:
    """Return the memory address of a director's blending curve; it changes if undo reloads the curve."""
    node = node_of(director)
    return node.as_pointer() if node is not None else 0


def edit_curve(director: Object) -> None:
    """Give a director a blending curve of its own, which starts as a copy of its current one."""
    speech = director.verbs_adverbs.speech
    name = cut(f".{director.name}", " blending")
    if speech.curve is not None and node_of(director) is not None:
        tree: Any = speech.curve.copy()
        tree.name = name
    else:
        tree = bpy.data.node_groups.new(name, "ShaderNodeTree")
        _draw(tree.nodes.new("ShaderNodeFloatCurve"))
    drop_curve(director)
    speech.curve = tree


def is_shared(director: Object) -> bool:
    """Return whether a director's blending curve is shared with others; a fake user does not count."""
    tree = director.verbs_adverbs.speech.curve
    return tree is not None and tree.users - tree.use_fake_user > 1


def drop_curve(director: Object) -> None:
    """Reset a director's blending curve to the default; its own is removed from the file unless others use it."""
    speech = director.verbs_adverbs.speech
    tree, speech.curve = speech.curve, None
    if tree is not None and tree.users == 0 and tree.library is None:
        bpy.data.node_groups.remove(tree)


def _draw(node: Any) -> None:
    curve = node.mapping.curves[0]
    for share, weight in SHAPE[1:-1]:
        curve.points.new(share, weight)
    node.mapping.update()


def weights_of(director: Object) -> tuple[Point, ...]:
    """Return fractions of the time with their weights, as drawn in the widget; empty for the default curve.

    The default also applies while the curve made by `edit_curve` is unchanged, and if it is lost.
    """
    node: Any = node_of(director)
    if node is None:
        return ()
    mapping = node.mapping
    drawn = tuple((*(round(number, DIGITS) for number in point.location),) for point in mapping.curves[0].points)
    if drawn == SHAPE and all(point.handle_type == "AUTO" for point in mapping.curves[0].points):
        return ()
    mapping.initialize()
    shares = [piece / PIECES for piece in range(PIECES + 1)]
    found = [mapping.evaluate(mapping.curves[0], share) for share in shares]
    if not all(map(isfinite, found)):
        return ()
    weights = (min(max(round(weight, DIGITS), 0.0), 1.0) for weight in found)
    return tuple(zip(shares, weights, strict=True))


def curve_of(director: Object) -> BlendingCurve:
    """Return a director's blending curve, from weight 0 to weight 1.

    If the curve in the widget begins or ends elsewhere, its ends are moved there, and points between follow, less the
    farther they are from the ends.
    """
    from ...core.gesture.stack import SMOOTH, blending_curve

    drawn = weights_of(director)
    if not drawn:
        return SMOOTH
    begins, ends = drawn[0][1], drawn[-1][1]
    pulled = [(x, min(max(y - (1.0 - x) * begins + x * (1.0 - ends), 0.0), 1.0)) for x, y in drawn]
    points = [(0.0, 0.0), *pulled[1:-1], (1.0, 1.0)]
    slopes = (points[1][1] * PIECES, (1.0 - points[-2][1]) * PIECES)
    return blending_curve(points, slopes)


def curve_told(director: Object) -> list[str]:
    """Return messages on what is not played as drawn in the widget, and on the drawbacks."""
    drawn, curve, told = weights_of(director), curve_of(director), list[str]()
    if director.verbs_adverbs.speech.curve is not None and node_of(director) is None:
        told.append("The node of this curve was deleted, so the default curve is used. Press Reset.")
    if drawn and (drawn[0][1] > SEEN or drawn[-1][1] < 1.0 - SEEN):
        told.append(
            f"The curve goes from {drawn[0][1]:.2f} to {drawn[-1][1]:.2f}, but a gesture must blend in and out "
            "completely. Its ends are moved to 0 and 1."
        )
    if curve.steepest > STEEP:
        told.append(
            f"The curve's steepest part is {curve.steepest:.1f} times as steep as a straight line. Hands need that "
            "much longer between gestures, and some gestures may be left out."
        )
    return told
