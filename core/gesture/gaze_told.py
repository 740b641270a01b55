"""What a gaze cannot reach, in sentences: by how much, and what would mend it, such as a turn of the figure."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..aim.gaze import NEAR, missed_by
from ..figure.channels import Channels
from ..figure.vector_components import joined
from .gazing import Gazing, Path

Array = NDArray[np.float64]

MISSED = np.radians(2.0)
"""Radians by which a place has to be missed at its word to be told."""


def gaze_remarks(
    gazing: Gazing, channels: Channels, rows: Array, times: Array, frame_of: Callable[[float], str]
) -> tuple[str, ...]:
    """Return sentences about glances that do not come to look at their places.

    Parameters
    ----------
    gazing : the gaze.
    channels, rows : the figure as it plays, with the gaze: rows (T, width) in performance space.
    times : (T,) their seconds, in order.
    frame_of : what messages call a time.
    """
    found: list[str] = []
    for number, glance in enumerate(gazing.glances):
        row = int(np.searchsorted(times, glance.time - 1e-9))
        if isinstance(glance.target, Path) and row < len(times):
            told = _remark(gazing, number, channels, rows[row : row + 1], times[row : row + 1], frame_of)
            found += [f"{glance.told} {told}"] if told else []
    return tuple(found)


def _remark(
    gazing: Gazing, number: int, channels: Channels, row: Array, times: Array, frame_of: Callable[[float], str]
) -> str:
    glance, head = gazing.glances[number], gazing.gaze.head
    place = gazing.places(number, channels, times, row, np.zeros(1))
    eyes = joined(head.ray(head.frames(channels, row)).origins)
    near = NEAR * float(np.linalg.norm(channels.skeleton.tails[head.joint]))
    if float(np.linalg.norm(place - eyes)) < near:
        return "lies inside the head, or just before the eyes. Move it away from there."
    if float(missed_by(gazing.gaze, channels, row, place)[0]) < MISSED:
        return ""
    aside = float(np.degrees(gazing.aside(channels, row, eyes, place)[0]))
    way = (place - eyes)[0]
    rise = float(np.degrees(np.arctan2(way[2], np.hypot(way[0], way[1]))))
    reach, height = float(np.degrees(gazing.gaze.aside)), float(np.degrees(gazing.gaze.reach_up))
    what, side = _parts(gazing), "left" if aside > 0.0 else "right"
    if abs(aside) > reach:
        turn = f"{np.ceil(abs(aside) - reach):.0f} degrees"
        return (
            f"lies {abs(aside):.0f} degrees to the {side}; {what} reach {reach:.0f}. Let the character turn by {turn},"
            f" or have it walk so that it faces that by {frame_of(glance.time)}."
        )
    if (rise / height) ** 2 + (aside / reach) ** 2 > 1.0:
        up = f"{abs(rise):.0f} degrees {'up' if rise > 0.0 else 'down'}"
        beside = f" and {abs(aside):.0f} to the {side}" if abs(aside) >= 1.0 else ""
        return f"lies {up}{beside}; {what} reach {height:.0f} up or down. Let the character stand farther from it."
    before = gazing.glances[number - 1] if number else None
    if before is None or glance.time - before.time > gazing.longest:
        return ""
    return (
        f"comes {glance.time - before.time:.2f} s after another look, too soon for a head that turns by "
        f"{np.degrees(gazing.speed):.0f} degrees a second, and arrives late. Give it more time, or raise Head Speed."
    )


def _parts(gazing: Gazing) -> str:
    """Return what turns, in words."""
    names = [*(["eyes"] if gazing.gaze.eyes else []), "head"]
    if gazing.gaze.head.aim.helping:
        return f"{', '.join(names)} and torso"
    return " and ".join(names)
