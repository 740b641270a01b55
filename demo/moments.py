"""Strips of poses at the moments of a performance that matter: its transitions, one of each kind."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .body import build_of, front_of
from .footing import Floor, level
from .lettering import write_text
from .raster import Image
from .strip import strip_of
from .top_view import INK

Array = NDArray[np.float64]

POSES = 17
BEFORE, AFTER = 0.3, 1.1
HEIGHT, SPACING, YAW = 250, 0.86, 68.0
HEADLINE = 30


@dataclass(frozen=True)
class Moment:
    """A stretch of a performance.

    Parameters
    ----------
    words : what it shows.
    begin, end : seconds.
    """

    words: str
    begin: float
    end: float


def transition_moments(recording: Any, left: tuple[str, ...]) -> list[Moment]:
    """The first transition of each kind, with a little of what comes before and after."""
    found: dict[tuple[str, str], Moment] = {}
    times = recording.times
    for row in range(1, len(times)):
        key = left[row], recording.verbs[row]
        if left[row] and not left[row - 1] and key not in found:
            end = next((later for later in range(row, len(times)) if not left[later]), len(times) - 1)
            span = max(float(times[row]) - BEFORE, 0.0), min(float(times[end]) + AFTER, float(times[-1]))
            found[key] = Moment(f"{key[0]} to {key[1]}", *span)
    return list(found.values())


def moment_strip(
    recording: Any,
    left: tuple[str, ...],
    moment: Moment,
    joints_of: Callable[[Any, Array], Array],
    floor: Floor = level,
    grade: float = 0.0,
) -> Image:
    """Picture of a moment, all figures turned to walk to the right; those in a transition are warm.

    Parameters
    ----------
    recording : the performance.
    left : (T,) verbs that are left, empty where no transition plays.
    moment : which part of it.
    joints_of : core's `world_joints`.
    floor : heights of the floor.
    grade : rise of the floor in the direction in which the figure walks.
    """
    seconds = np.linspace(moment.begin, moment.end, POSES)
    rows = np.clip(np.searchsorted(recording.times, seconds - 1e-9), 0, len(recording.times) - 1)
    poses = joints_of(recording.channels, recording.values[rows])
    parents = recording.channels.skeleton.parents
    ground = floor(poses.mean(axis=1)[:, :2])
    turned = _all_facing_front(poses, recording.values[rows, 2] - recording.values[0, 2], _front(recording, joints_of))
    warm = [bool(left[row]) for row in rows]
    picture = strip_of(turned, parents, SPACING, YAW, HEIGHT, grade, warm, ground)
    step = (moment.end - moment.begin) / (POSES - 1)
    picture = np.pad(picture, ((HEADLINE, 0), (0, 0), (0, 0)), mode="edge")
    words = f"{moment.words}, from {moment.begin:.1f} s on, every {step:.2f} s"
    write_text(picture, words, (16.0, 26.0), 17.0, INK)
    return picture


def _front(recording: Any, joints_of: Callable[[Any, Array], Array]) -> float:
    """Radians about Z of where the figure faces in the first row, in which it stands."""
    pose = joints_of(recording.channels, recording.values[:1])[0]
    build = build_of(pose, recording.channels.skeleton.parents)
    front = front_of(pose, build) if build else np.array([0.0, -1.0, 0.0])
    return float(np.arctan2(front[1], front[0]))


def _all_facing_front(poses: Array, headings: Array, front: float) -> Array:
    """Poses (T, J, 3) turned about their middles so that they head for -Y.

    Parameters
    ----------
    headings : (T,) since the first row of the performance.
    front : where the figure faced then.
    """
    angles = -0.5 * np.pi - front - headings
    turns = np.zeros((len(poses), 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(angles)
    turns[:, 1, 0], turns[:, 0, 1], turns[:, 2, 2] = np.sin(angles), -np.sin(angles), 1.0
    middles = poses.mean(axis=1, keepdims=True) * np.array([1.0, 1.0, 0.0])
    return np.einsum("tij,tkj->tki", turns, poses - middles) + middles
