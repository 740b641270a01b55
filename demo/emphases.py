"""The picture of the poses on the words: each gesture a little before its emphasis, at it, and after it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from .body import body_cones, build_of, front_of
from .landing import SILENCE, Found, Landing, Talk
from .look import INK, PALE_INK, PAPER, empty_picture, encoded
from .raster import Cone, Image, Stage, camera_at
from .shadow import light_floor

Array = NDArray[np.float64]

POSES, BALLS, MOST = 5, 10, 24
"""Poses of each gesture, frames around the word in which the hand is drawn as a ball, and gestures at most."""
FEWEST_FRAMES, MOST_FRAMES = 4, 20
"""Frames from pose to pose: as many that the first one is the prepared one, but not fewer or more than these."""
ACROSS = 3
"""Gestures beside each other."""
HEIGHT, SPACING, METRES = 250, 0.86, 2.2
YAW = -28.0
"""Degrees from which figures are seen: from their left, so that the right hand is beside the body."""
HEAD, FOOT, NOTE = 54, 30, 34
GREY, WARM = np.array([0.62, 0.64, 0.68]), np.array([0.86, 0.62, 0.36])
TRAIL, AFTER = np.array([0.75, 0.25, 0.10]), np.array([0.30, 0.42, 0.60])
"""Colours of the hand's way to the word, and after it."""


def draw_emphases(path: Path, talk: Talk, found: Found) -> None:
    """Draw all gestures that are kept, and write them as PNG."""
    drawn = list(zip(talk.gestures, found.landings, strict=True))[:MOST]
    pictures = [_poses(talk, told, one) for told, one in drawn]
    tall, wide = pictures[0].shape[0] + HEAD + FOOT, pictures[0].shape[1]
    across = min(ACROSS, len(pictures))
    down = -(-len(pictures) // across)
    height = down * tall + NOTE
    figure = empty_picture(across * wide, height)
    for number, (picture, (told, one)) in enumerate(zip(pictures, drawn, strict=True)):
        row, column = divmod(number, across)
        bottom = 1.0 - ((row + 1) * tall - FOOT) / height
        axes = figure.add_axes((column / across, bottom, 1.0 / across, (tall - HEAD - FOOT) / height))
        axes.imshow(encoded(picture))
        axes.set_axis_off()
        _annotate(axes, talk, told, one)
    told = (
        "The balls are where the hand is in each frame, or what else strokes: red up to the word, blue after it."
        f" Half a frame is {found.half_frame_ms:.1f} ms."
    )
    told += f" The first {MOST} of {len(talk.gestures)} gestures." if len(talk.gestures) > MOST else ""
    figure.text(16.0 / (across * wide), 0.4 * NOTE / height, told, color=INK)
    figure.savefig(path)


def _annotate(axes: Axes, talk: Talk, told: Mapping[str, Any], one: Landing) -> None:
    """Write over the poses which gesture they are and how it lands, and under each when it is."""
    where = f"{abs(one.missed_ms):.1f} ms {'after' if one.missed_ms > 0.0 else 'before'} it"
    title = f"{told['name']} on \u201c{one.word}\u201d" if one.word != SILENCE else f"{told['name']} in silence"
    axes.text(16, -32, title, fontsize=17, weight="bold", color=INK)
    axes.text(16, -10, f"at {one.emphasis:.2f} s; {one.end} turns {where}", color=PALE_INK)
    for pose, frames in enumerate(_frames(talk, told)):
        when, colour = (f"{frames:+d} frames", PALE_INK) if frames else ("on the word", INK)
        axes.text(_middle(pose), HEIGHT + 14, when, ha="center", fontsize=13, color=colour)


def _frames(talk: Talk, told: Mapping[str, Any]) -> list[int]:
    """Return the frames from the emphasis at which poses of a gesture are drawn."""
    begin = told["played"].get("ready", told["comes"][0])
    each = int(np.clip(round(0.5 * (told["emphasis"] - begin) / talk.frame), FEWEST_FRAMES, MOST_FRAMES))
    return [each * (pose - POSES // 2) for pose in range(POSES)]


def _middle(pose: int) -> float:
    return (0.8 + pose) * SPACING * HEIGHT / METRES


def _poses(talk: Talk, told: Mapping[str, Any], one: Landing) -> Image:
    """Draw the poses of a gesture, turned to the viewer, with the way of the hand on the one in the middle."""
    scale = HEIGHT / METRES
    camera = camera_at(np.radians(YAW), np.radians(6.0), scale)
    wide = int(_middle(POSES - 1) + 0.8 * SPACING * scale)
    stage = Stage(camera, wide, HEIGHT, (_middle(0), 0.90 * HEIGHT))
    light = np.ones((HEIGHT, wide), dtype=np.float32)
    for pose, frames in enumerate(_frames(talk, told)):
        place = pose * SPACING * camera.axes[0]
        joints = _facing(talk, one.emphasis + frames * talk.frame) + place
        cones = body_cones(joints, talk.figure.parents, WARM if not frames else GREY, camera.axes[2])
        for cone in cones if frames else [*cones, *_trail(talk, one, place)]:
            stage.draw(cone)
        light_floor(light, stage, cones, place, np.zeros(2))
    picture, cover = stage.shaded()
    return picture + (1.0 - cover) * PAPER * light[..., None]


def _row(talk: Talk, time: float) -> int:
    return int(np.clip(np.searchsorted(talk.times, time - 1e-9), 0, len(talk.times) - 1))


def _turn(talk: Talk, row: int) -> tuple[Array, Array]:
    """Return the rotation (3, 3) about Z that turns a row's figure to face -Y, and where it stands (3,)."""
    first = talk.frames[0, :, :3, 3]
    build = build_of(first, talk.figure.parents)
    front = front_of(first, build) if build else np.array([0.0, -1.0, 0.0])
    heading = talk.shown["heading"][row] - talk.shown["heading"][0]
    angle = -0.5 * np.pi - np.arctan2(front[1], front[0]) - heading
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    root = talk.frames[row, talk.figure.bones.index(talk.figure.root), :3, 3]
    return turn, root * np.array([1.0, 1.0, 0.0])


def _facing(talk: Talk, time: float) -> Array:
    """Return the joints (J, 3) at a time, turned to face -Y over the origin."""
    row = _row(talk, time)
    turn, place = _turn(talk, row)
    return (talk.frames[row, :, :3, 3] - place) @ turn.T


def _trail(talk: Talk, one: Landing, place: Array) -> list[Cone]:
    """Return balls where the hand is in each frame around the word, seen from the root on the word."""
    row = _row(talk, one.emphasis)
    turn, stands = _turn(talk, row)
    root = talk.frames[row, talk.figure.bones.index(talk.figure.root)]
    found: list[Cone] = []
    for frames in range(-BALLS, BALLS + 1):
        seen = talk.places[one.end][_row(talk, one.emphasis + frames * talk.frame)]
        there = (root[:3, :3] @ seen + root[:3, 3] - stands) @ turn.T + place
        size = 0.030 if frames == 0 else 0.016
        found.append(Cone(there, there + 1e-4, size, size, TRAIL if frames <= 0 else AFTER))
    return found
