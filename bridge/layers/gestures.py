"""Examples as gestures: how far their phases may be warped in time, and what keeps them from being one."""

from bpy.types import PropertyGroup, Scene

from ...core.errors import GestureError, quoted
from ..data.annotate import fps_of
from ..data.current import action_of
from ..data.example_list import used_examples
from ..data.markers import effective_keytimes

DIGITS = 6
"""Decimals of a number that Blender stores in single precision."""


def bounds_of(item: PropertyGroup) -> tuple[float, float]:
    """How many times as long as recorded the phases of a verb's gesture last at least and at most.

    Of several examples the narrowest bounds count, since a mixture shows each of them.
    """
    found = list(used_examples(item))
    shortest = max((one.shortest for one in found), default=1.0)
    longest = min((one.longest for one in found), default=1.0)
    return round(shortest, DIGITS), round(longest, DIGITS)


def shows_gesture(example: PropertyGroup) -> bool:
    """Whether an example is no cycle and has the keytimes of a gesture, in their order."""
    from ...core.motion.clip import SYNC_POINTS

    return not example.cyclic and tuple(key.name for key in example.keytimes) == SYNC_POINTS


def phases_told(example: PropertyGroup, scene: Scene) -> str:
    """Sentence on how long the phases of an example that shows a gesture are."""
    at = {name: frame / fps_of(example, scene) for name, frame in effective_keytimes(action_of(example), example)}
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
    """Return sentences about what keeps an example from being a gesture; none if it is not meant to be one.

    An example is meant to be a gesture that has any of a gesture's keytimes between its ends.
    """
    keytimes = effective_keytimes(action_of(example), example)
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
        found.append(f"Gesture '{example.name}' is cyclic, and a gesture is done once. Untick Cyclic.")
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
        found.append(f"Gesture '{example.name}' has other keytimes, {quoted(others, 7)}. Remove them.")
    return found
