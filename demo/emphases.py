"""The picture of the poses on the words: each gesture a little before its emphasis, at it, and after it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .body import body_cones, build_of, front_of
from .landing import Found, Landing, Talk
from .look import INK, PALE_INK, PAPER, empty_picture, encoded
from .raster import Cone, Image, Stage, camera_at
from .shadow import light_floor

Array = NDArray[np.float64]

AT = (-10, -5, 0, 5, 10)
"""Frames from the emphasis at which poses are drawn."""
ACROSS = 3
"""Gestures beside each other."""
HEIGHT, SPACING, YAW, METRES = 250, 0.74, 28.0, 2.2
HEAD, FOOT = 34, 26
GREY, WARM = np.array([0.62, 0.64, 0.68]), np.array([0.86, 0.62, 0.36])
TRAIL, AFTER = np.array([0.75, 0.25, 0.10]), np.array([0.30, 0.42, 0.60])
"""Colours of the hand's way to the word, and after it."""


def draw_emphases(path: Path, talk: Talk, found: Found) -> None:
    """Draw all gestures that are kept, and write them as PNG."""
    pictures = [_poses(talk, told, one) for told, one in zip(talk.gestures, found.landings, strict=True)]
    tall, wide = pictures[0].shape[0] + HEAD + FOOT, pictures[0].shape[1]
    across = min(ACROSS, len(pictures))
    down = -(-len(pictures) // across)
    figure = empty_picture(across * wide, down * tall)
    for number, (picture, told, one) in enumerate(zip(pictures, talk.gestures, found.landings, strict=True)):
        row, column = divmod(number, across)
        bottom = 1.0 - ((row + 1) * tall - FOOT) / (down * tall)
        axes = figure.add_axes((column / across, bottom, 1.0 / across, (tall - HEAD - FOOT) / (down * tall)))
        axes.imshow(encoded(picture))
        axes.set_axis_off()
        where = f"{abs(one.missed_ms):.0f} ms {'after' if one.missed_ms > 0.0 else 'before'} it"
        axes.text(16, -10, f"{told['name']} on \u201c{one.word}\u201d", fontsize=17, weight="bold", color=INK)
        axes.text(wide - 16, -10, f"at {one.emphasis:.2f} s; the hand turns {where}", ha="right", color=PALE_INK)
        for pose, frames in enumerate(AT):
            told_frames = f"{frames:+d} frames" if frames else "on the word"
            axes.text(_middle(pose), HEIGHT + 12, told_frames, ha="center", fontsize=13, color=INK if not frames else PALE_INK)
    figure.savefig(path)


def _middle(pose: int) -> float:
    return (0.8 + pose) * SPACING * HEIGHT / METRES


def _poses(talk: Talk, told: Mapping[str, Any], one: Landing) -> Image:
    """Draw the poses of a gesture, turned to the viewer, with the way of the hand on the one in the middle."""
    scale = HEIGHT / METRES
    camera = camera_at(np.radians(YAW), np.radians(6.0), scale)
    wide = int(_middle(len(AT) - 1) + 0.8 * SPACING * scale)
    stage = Stage(camera, wide, HEIGHT, (_middle(0), 0.90 * HEIGHT))
    light = np.ones((HEIGHT, wide), dtype=np.float32)
    for pose, frames in enumerate(AT):
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
    hand = talk.plan["hands"].index(one.hand)
    found: list[Cone] = []
    for frames in range(AT[0], AT[-1] + 1):
        seen = talk.hands[_row(talk, one.emphasis + frames * talk.frame), hand]
        there = (root[:3, :3] @ seen + root[:3, 3] - stands) @ turn.T + place
        size = 0.030 if frames == 0 else 0.016
        found.append(Cone(there, there + 1e-4, size, size, TRAIL if frames <= 0 else AFTER))
    return found
