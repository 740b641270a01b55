"""Strips of poses that show the transitions of a performance, one of each kind."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .body import body_cones, build_of, front_of
from .look import PAPER, empty_picture, encoded
from .raster import Image, Stage, camera_at
from .shadow import light_floor

Array = NDArray[np.float64]
Joints = Callable[[Any, Array], Array]

POSES = 17
BEFORE, AFTER = 0.3, 1.1
HEIGHT, SPACING, YAW = 250, 0.86, 68.0
HEADLINE = 30
_GREY = np.array([0.62, 0.64, 0.68])
_WARM = np.array([0.86, 0.62, 0.36])


@dataclass(frozen=True)
class Moment:
    """A span of a performance.

    Parameters
    ----------
    words : title that says what it shows.
    begin, end : seconds.
    """

    words: str
    begin: float
    end: float


def draw_strips(path: str | Path, recording: Any, left: tuple[str, ...], joints_of: Joints) -> None:
    """Draw a strip of poses for each kind of transition, below each other, and write them as PNG.

    Parameters
    ----------
    path : path of the file.
    recording : the performance.
    left : (T,) names of the verbs that are left, empty outside of transitions.
    joints_of : core's `world_joints`.
    """
    draw_moments(path, _transition_moments(recording, left), recording, [bool(name) for name in left], joints_of)


def draw_moments(
    path: str | Path, moments: Sequence[Moment], recording: Any, warm: Sequence[bool], joints_of: Joints
) -> None:
    """Draw a strip of poses for each of some moments, below each other, and write them as PNG.

    Parameters
    ----------
    path : path of the file.
    moments : spans to show.
    recording : has `times` (T,), `values` (T, width) and `channels`.
    warm : (T,) whether a figure is drawn in a warm colour.
    joints_of : core's `world_joints`.
    """
    strips = [_moment_strip(recording, warm, moment, joints_of) for moment in moments]
    width, height = strips[0].shape[1], len(strips) * (HEADLINE + HEIGHT)
    figure = empty_picture(width, height)
    figure.subplots_adjust(0.0, 0.0, 1.0, 1.0 - HEADLINE / height, hspace=HEADLINE / HEIGHT)
    for place, (moment, strip) in enumerate(zip(moments, strips, strict=True), 1):
        axes = figure.add_subplot(len(strips), 1, place)
        axes.imshow(encoded(strip))
        axes.set_axis_off()
        step = (moment.end - moment.begin) / (POSES - 1)
        axes.text(16, -4, f"{moment.words}, from {moment.begin:.1f} s on, every {step:.2f} s")
    figure.savefig(path)


def _transition_moments(recording: Any, left: tuple[str, ...]) -> list[Moment]:
    """Find the first transition of each kind, with a little time before and after."""
    found: dict[tuple[str, str], Moment] = {}
    times = recording.times
    for row in range(1, len(times)):
        key = left[row], recording.verbs[row]
        if left[row] and not left[row - 1] and key not in found:
            end = next((later for later in range(row, len(times)) if not left[later]), len(times) - 1)
            span = max(float(times[row]) - BEFORE, 0.0), min(float(times[end]) + AFTER, float(times[-1]))
            found[key] = Moment(f"{key[0]} to {key[1]}", *span)
    return list(found.values())


def _moment_strip(recording: Any, warm: Sequence[bool], moment: Moment, joints_of: Joints) -> Image:
    """Draw a moment with all figures turned to walk to the right, and those that are `warm` in a warm colour."""
    seconds = np.linspace(moment.begin, moment.end, POSES)
    rows = np.clip(np.searchsorted(recording.times, seconds - 1e-9), 0, len(recording.times) - 1)
    poses = joints_of(recording.channels, recording.values[rows])
    turned = _all_facing_front(poses, recording.values[rows, 2] - recording.values[0, 2], _front(recording, joints_of))
    return _strip_of(turned, recording.channels.skeleton.parents, [warm[row] for row in rows])


def _front(recording: Any, joints_of: Joints) -> float:
    """Return the direction in radians about Z to which the figure faces in the first row, in which it stands."""
    pose = joints_of(recording.channels, recording.values[:1])[0]
    build = build_of(pose, recording.channels.skeleton.parents)
    front = front_of(pose, build) if build else np.array([0.0, -1.0, 0.0])
    return float(np.arctan2(front[1], front[0]))


def _all_facing_front(poses: Array, headings: Array, front: float) -> Array:
    """Turn poses (T, J, 3) about their middles so that they face -Y.

    Parameters
    ----------
    poses : (T, J, 3) joints.
    headings : (T,) radians by which the figure has turned since the first row of the performance.
    front : direction in radians to which it faced in the first row.
    """
    angles = -0.5 * np.pi - front - headings
    turns = np.zeros((len(poses), 3, 3))
    turns[:, 0, 0] = turns[:, 1, 1] = np.cos(angles)
    turns[:, 1, 0], turns[:, 0, 1], turns[:, 2, 2] = np.sin(angles), -np.sin(angles), 1.0
    middles = poses.mean(axis=1, keepdims=True) * np.array([1.0, 1.0, 0.0])
    return np.einsum("tij,tkj->tki", turns, poses - middles) + middles


def _strip_of(positions: Array, parents: NDArray[np.intp], warm: Sequence[bool]) -> Image:
    """Draw poses side by side; returns linear RGB (H, W, 3).

    Parameters
    ----------
    positions : (T, J, 3) joints in metres, Z up, with the floor at 0.
    parents : (J,) index of each joint's parent, -1 for none.
    warm : (T,) which figures are drawn in a warm colour.
    """
    scale = HEIGHT / 2.25
    camera = camera_at(np.radians(YAW), np.radians(8.0), scale)
    stage = Stage(camera, int(scale * SPACING * (len(positions) + 0.6)), HEIGHT, (0.8 * SPACING * scale, 0.87 * HEIGHT))
    light = np.ones((HEIGHT, stage.width), dtype=np.float32)
    for index, (pose, is_warm) in enumerate(zip(positions, warm, strict=True)):
        place = index * SPACING * camera.axes[0]
        moved = pose - np.mean(pose, axis=0) * np.array([1.0, 1.0, 0.0]) + place
        cones = body_cones(moved, parents, _WARM if is_warm else _GREY, camera.axes[2])
        for cone in cones:
            stage.draw(cone)
        light_floor(light, stage, cones, place, np.zeros(2))
    picture, cover = stage.shaded()
    return picture + (1.0 - cover) * PAPER * light[..., None]
