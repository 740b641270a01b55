"""Scripts of the performances: commands and adverbs over a minute, written to the scene as a score."""

from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object

from .operate import do

FPS = 60
SECONDS = 60.0
FIRST_FRAME = 1

Keys = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Script:
    """What a performance is asked to do.

    Parameters
    ----------
    start : verb that it begins with.
    ways : pairs of verbs that are joined by transitions.
    commands : seconds, and verbs that are asked for then.
    adverbs : keys of the adverbs by name, as seconds and values.
    seed : seed of the random choices made without commands.
    seconds : how long it lasts.
    """

    start: str
    ways: tuple[tuple[str, str], ...]
    commands: tuple[tuple[float, str], ...]
    adverbs: dict[str, Keys]
    seed: int = 1
    seconds: float = SECONDS

    @property
    def frames(self) -> tuple[int, int]:
        """First and last frame of the performance."""
        return FIRST_FRAME, FIRST_FRAME + round(self.seconds * FPS)


def write_script(armature: Object, script: Script) -> Object:
    """Write a script to the armature's director, as commands and keyed sliders; returns the director."""
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = FPS, 1.0
    scene.frame_start, scene.frame_end = script.frames
    scene.frame_set(script.frames[0])
    do("start_verb", verb=armature.verbs_adverbs.verbs[script.start].uid)
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.start_frame = script.frames[0]
    director.verbs_adverbs.performance.seed = script.seed
    director.verbs_adverbs.performance.active = True
    for seconds, verb in script.commands:
        do("command_add", verb=verb, frame=_frame(seconds))
    for seconds in sorted({seconds for keys in script.adverbs.values() for seconds, _ in keys}):
        scene.frame_set(int(_frame(seconds)))
        for name, keys in script.adverbs.items():
            director[name] = float(np.interp(seconds, *np.transpose(keys)))
        director.update_tag()
        do("adverbs_key")
    scene.frame_set(script.frames[0])
    return director


def _frame(seconds: float) -> float:
    return FIRST_FRAME + round(seconds * FPS)


GENERATED_SCRIPT = Script(
    start="stand",
    ways=(("stand", "walk"), ("walk", "stand"), ("stand", "wave"), ("wave", "stand")),
    commands=(
        (1.0, "wave"), (4.0, "walk"), (9.0, "stand"), (11.0, "wave"), (13.5, "stand"), (15.0, "walk"), (21.0, "stand"),
        (22.5, "walk"), (27.0, "wave"), (31.0, "walk"), (33.5, "stand"), (34.0, "walk"), (38.0, "stand"),
        (40.0, "wave"), (43.0, "walk"), (48.0, "stand"), (49.5, "walk"), (53.0, "stand"), (55.0, "wave"),
        (58.0, "stand"),
    ),
    adverbs={
        "mood": ((0, 0), (6, 1), (14, 0.4), (19, -1), (26, -0.4), (33, 0.9), (45, -0.8), (51, 0.6), (60, 0)),
        "turn": ((0, 0), (6, 0.2), (10, 0.8), (17, 0.9), (21, 0), (25, -0.8), (32, -0.9), (38, 0.3), (46, 0.8)),
        "energy": ((0, -0.5), (10, 0.8), (26, -0.8), (40, 0.5), (54, 1), (60, 0)),
        "height": ((0, 0), (12, 0.8), (30, -0.6), (41, 0.9), (60, 0)),
    },
)  # fmt: skip

CAPTURED_SCRIPT = Script(
    start="stand",
    ways=(
        ("stand", "walk"), ("walk", "stand"), ("walk", "run"), ("run", "walk"),
        ("stand", "raise hand"), ("raise hand", "stand"),
    ),
    commands=(
        (1.5, "walk"), (6.0, "run"), (8.0, "walk"), (12.5, "stand"), (14.5, "raise hand"), (18.5, "walk"),
        (22.5, "run"), (24.0, "walk"), (29.0, "stand"), (31.0, "walk"), (34.0, "run"), (35.0, "stand"),
        (37.5, "raise hand"), (41.0, "walk"), (45.0, "run"), (46.0, "walk"), (49.5, "stand"), (51.0, "raise hand"),
        (54.0, "walk"), (58.0, "stand"),
    ),
    adverbs={
        "energy": ((0, 0), (5, 0.6), (14, -0.6), (20, -0.9), (25, 0.8), (33, 0.2), (40, 1), (48, -0.8), (60, 0.2)),
        "turn": ((0, 0), (4, 0.8), (12, 0.9), (20, 0.7), (26, -0.9), (33, -0.8), (40, 0.6), (48, 0.9), (60, 0.3)),
        "speed": ((0, -0.5), (8, 0.6), (24, -0.8), (35, 0.1), (46, 0.9), (60, 0)),
        "height": ((0, 0), (14, -0.6), (33, 0.9), (52, 0.4), (60, 0)),
    },
)  # fmt: skip

EVERY_VERB_SCRIPT = Script(
    start="stand",
    ways=(),
    commands=(
        (1.0, "nod"), (6.0, "walk"), (11.0, "run"), (15.0, "walk"), (18.0, "stand"), (21.0, "punch"), (27.0, "kick"),
        (32.0, "turn left"), (37.0, "side step right"), (42.0, "point"), (47.0, "lift"), (53.0, "sit"),
        (61.0, "injured walk"), (68.0, "run"), (71.0, "stand"), (75.0, "reach"), (80.0, "wave"), (86.0, "turn right"),
        (91.0, "side step left"), (96.0, "injured walk"), (104.0, "walk"), (109.0, "stand"), (109.5, "look"),
        (114.0, "carry"),
    ),
    adverbs={
        "mood": ((0, 0), (6, 0.8), (14, -0.4), (74, -0.8), (112, 0.9), (120, 0)),
        "turn": ((0, 0), (6, 0.7), (10, -0.8), (50, 0.6), (56, -0.9), (75, 0.9), (84, -0.9), (120, 0.5)),
        "speed": ((0, 0), (50, -0.9), (56, 0.8), (77, -0.2), (120, 0.9)),
        "limp": ((0, 0.2), (50, 1), (57, 0.6), (77, 0.1), (82, 0.9), (120, 0.5)),
        "energy": ((0, 0), (63, 0.8), (117, -0.8)),
        "height": ((0, 0), (63, -0.6), (117, 0.9)),
        "turn_angle": ((0, 30), (30, 85), (67, 50), (105, 35)),
        "step_size": ((0, 0.2), (33, 0.45), (70, 0.25)),
        "point_side": ((0, 0), (36, -0.8), (102, 0.8)),
        "point_height": ((0, 0), (36, 0.8), (102, -0.6)),
        "punch_x": ((0, 0), (18, -0.35), (21, 0.2), (93, -0.05)),
        "punch_z": ((0, 1.3), (18, 1.55), (21, 1.1), (93, 1.35)),
        "kick_x": ((0, 0), (24, -0.35), (27, 0.1), (90, -0.1)),
        "kick_z": ((0, 0.8), (24, 0.6), (27, 1.1), (90, 0.85)),
        "lift_y": ((0, -0.5), (39, -0.6), (96, -0.4)),
        "lift_weight": ((0, 0), (39, -0.8), (96, 0.9)),
        "look_side": ((0, 0), (112, 0.8), (117, 0.6)),
        "look_height": ((0, 0), (112, -0.5), (117, 0.3)),
        "carry_weight": ((0, 0), (112, -0.5), (120, 0.8)),
        "carry_width": ((0, 0.375), (117, 0.3), (120, 0.45)),
        "x": ((0, -0.2), (60, -0.45)),
        "z": ((0, 1.2), (60, 1.4)),
    },
    seconds=120.0,
)  # fmt: skip
