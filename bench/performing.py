"""Frames of performed walking characters in Blender, relative to playing their baked walk."""

from collections.abc import Callable, Iterator
from functools import partial

import bpy
from bpy.types import Object

from ..demo.operate import do, make_active
from ..dev.figure import Figure
from .biped import BONES, make_biped
from .installed import unheard
from .timing import interleaved
from .troupe import FPS, WALKING, Troupe, add_double, many

CHARACTERS = {1: (60, 40), 10: (24, 24), 50: (12, 12)}
"""Number of characters, with frames and rounds."""
BAKED = 0.75


def performing_figures() -> Iterator[Figure]:
    """Yield figures of one, ten and fifty characters."""
    for count in CHARACTERS:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield from _figures(count)


def _figures(count: int) -> Iterator[Figure]:
    """Yield figures with all sliders at rest or moving, and feet free or locked."""
    frames, _ = CHARACTERS[count]
    armatures = many(make_biped(FPS), count)
    _add_doubles(armatures[0], count, frames)
    for every, adverbs in ((None, "steady"), (1, "moving")):
        free, held = (_shown(armatures, every, locked) for locked in (False, True))
        ours, theirs, locked = free["performed"], free["baked"], held["performed"]
        said = f"{ours:.0f} of {theirs:.0f} us a frame, no locks; "
        said += f"with locks {locked:.0f} us, {locked / held['baked']:.2f} of it"
        name = f"{count} performed beside frame_set of bakes, {BONES} bones, adverbs {adverbs}"
        yield Figure(name, ours / theirs, BAKED, "", said)


def _add_doubles(armature: Object, count: int, frames: int) -> None:
    """Make copies without a director play a walk, each from its own action."""
    make_active(armature)
    bpy.context.scene.frame_end = frames
    do("bake", verb="walk", length="RANGE", frame_start=1, frame_end=frames, assign=False, name="baked")
    for _ in range(count):
        add_double(armature, bpy.data.actions["baked"].copy())


def _shown(armatures: list[Object], every: int | None, locked: bool) -> dict[str, float]:
    """Return the microseconds of a frame, performed and baked."""
    frames, rounds = CHARACTERS[len(armatures)]
    troupe, scene = Troupe(armatures, (rounds + 1) * frames, WALKING, every, locked), bpy.context.scene
    troupe.set_off()

    def play() -> None:
        with unheard():
            for frame in range(1, frames + 1):
                scene.frame_set(frame)

    tasks: dict[str, Callable[[], object]] = {"performed": partial(troupe.perform, frames), "baked": play}
    best = interleaved(tasks, rounds)
    troupe.end()
    for armature in armatures:
        make_active(armature)
        do("live_off")
        armature.verbs_adverbs.director.animation_data_clear()
    return {name: seconds / frames * 1e6 for name, seconds in best.items()}
