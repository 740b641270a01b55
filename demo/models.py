"""The motion models of the example biped: a walk in two styles, a wave, and carrying something."""

from dataclasses import replace

import numpy as np

from ..core.biped.carrying import carry as carrying
from ..core.biped.figure import JOINTS, Generated, biped_skeleton
from ..core.biped.standing import stance
from ..core.biped.standing import wave as waving
from ..core.biped.walk import walk
from ..core.figure import quaternion as quat
from ..core.figure.channels import Channels
from ..core.layers.gesture_models import GestureModel
from ..core.layers.gesture_models import carry as carry_model
from ..core.layers.gesture_models import wave as wave_model
from ..core.layers.layer import Layer
from ..core.layers.mask import joints_of, mask_of
from ..core.layers.model_players import LayeredModel, PlaysModel, layered_model
from ..core.layers.walk_model import WalkModel
from ..core.motion.base_motion import BaseMotion, within_cycle
from ..core.motion.clip import Clip, Mark, fit_clip
from ..core.verb.build import build_verb
from ..core.verb.example import Contact, Example, Take

RATE = 60.0
MOODS = {"neutral": 0.0, "happy": 1.0}
HANDS = ("Hand_L", "Hand_R")
ARMS = {"wave": ("Shoulder_R",), "carry": ("Shoulder_L", "Shoulder_R")}
LEGS = frozenset(f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR")
HELD = "held"


def clip_of(made: Generated, name: str) -> Clip:
    """Return the clip of a generated motion as a verb of its own plays it: a cycle closes, and stance feet are held."""
    count = len(biped_skeleton().names)
    channels = Channels(biped_skeleton(), np.arange(count), (), np.tile(quat.IDENTITY, (count, 1)))
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    example = Example(name, np.zeros(0), made.keytime_names, made.keytimes, take, contacts, made.kind, made.cyclic)
    motion = build_verb(name, channels, [example], [], np.zeros((0, 2)), reference=quat.IDENTITY).motion([])
    times = np.linspace(0.0, motion.duration, int(np.ceil(RATE * motion.duration)) + 1)
    marks = within_cycle(motion.marks, 0.0, motion.duration) if made.cyclic else motion.marks
    return fit_clip(channels, times, motion.sample(times), marks=marks, name=name)


def walking() -> WalkModel:
    """Return the walk, which has no recorded start nor stop."""
    cycles = tuple(BaseMotion(clip_of(walk(mood, 0.0, 0.0), f"WalkCycle_{s}"), s) for s, mood in MOODS.items())
    return WalkModel((), cycles, (), clip_of(stance(), "Stand"), LEGS)


def figure() -> LayeredModel:
    """Return the walk with the layers wave and carry over it."""
    skeleton = biped_skeleton()
    masks = {name: mask_of(skeleton, bones) for name, bones in ARMS.items()}
    claims = {name: joints_of(skeleton, mask) for name, mask in masks.items()}
    held = clip_of(carrying(0.0, 0.37), "Carry")
    held = replace(held, marks=(*held.marks, Mark("keytime", HELD, 0.5, 0.5)))
    wave = wave_model((BaseMotion(clip_of(waving(0.0, 0.5), "Wave"), "calm"),), ("up", "down"), claims["wave"])
    carry = carry_model((BaseMotion(held, "calm"),), claims["carry"], HANDS, (HELD, HELD))
    return layered_model(walking(), [_layer(carry, masks["carry"]), _layer(wave, masks["wave"])])


def _layer(model: GestureModel, mask: np.ndarray) -> Layer:
    space = "character" if model.name == "carry" else "parent"
    return Layer(model.name, PlaysModel(model), mask, space=space, claims=model.claims({}))
