"""The motion models of the example biped: a walk in two styles, a wave, carrying something, and a look."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from ..core.layers.look_model import LookModel
from ..core.layers.mask import joints_of, mask_of
from ..core.layers.model_players import LayeredModel, PlaysModel, layered_model
from ..core.layers.walk_model import WalkModel
from ..core.motion.base_motion import BaseMotion, within_cycle
from ..core.motion.clip import Clip, Mark, fit_clip
from ..core.verb.build import build_verb
from ..core.verb.example import Contact, Example, Take

Array = NDArray[np.float64]

RATE = 60.0
MOODS = {"neutral": 0.0, "happy": 1.0}
HANDS = ("Hand_L", "Hand_R")
ARMS = {"wave": ("Shoulder_R",), "carry": ("Shoulder_L", "Shoulder_R")}
LEGS = frozenset(f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR")
HELD = "held"
AWAY, ASIDE, HIGH = 13.0, 3.5, 1.3
"""Metres from the beginning, along the way, beside it and over the floor, of what is looked at."""


def clip_of(made: Generated, name: str) -> Clip:
    """Return the clip of a generated motion as a verb of its own plays it: a cycle closes, and stance feet are held."""
    count = len(biped_skeleton().names)
    channels = Channels(biped_skeleton(), np.arange(count), (), np.tile(quat.IDENTITY, (count, 1)))
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    example = Example(name, np.zeros(0), made.keytime_names, made.keytimes, take, contacts, made.kind, made.cyclic)
    return clip_of_verb(build_verb(name, channels, [example], [], np.zeros((0, 2)), reference=quat.IDENTITY), name)


def clip_of_verb(verb: Any, name: str) -> Clip:
    """Return the clip of a verb without adverbs; the contacts of a cycle go on at its beginning."""
    motion = verb.motion([])
    times = np.linspace(0.0, motion.duration, int(np.ceil(RATE * motion.duration)) + 1)
    marks = within_cycle(motion.marks, 0.0, motion.duration) if verb.cyclic else motion.marks
    return fit_clip(verb.channels, times, motion.sample(times), marks=marks, name=name)


def walking() -> WalkModel:
    """Return the walk, which has no recorded start nor stop."""
    cycles = tuple(BaseMotion(clip_of(walk(mood, 0.0, 0.0), f"WalkCycle_{s}"), s) for s, mood in MOODS.items())
    return WalkModel((), cycles, (), clip_of(stance(), "Stand"), LEGS)


@dataclass(frozen=True, eq=False)
class Cast:
    """What the scene of layers plays.

    Parameters
    ----------
    figure : the walk with its layers, of which wave and carry may lack.
    speeds : of the walk, before and after it is told to go faster.
    style : to which it changes then.
    legs : names of the bones that locks turn.
    ahead : (3,) where the figure looks and goes at heading 0.
    place : (3,) at which it looks.
    """

    figure: LayeredModel
    speeds: tuple[float, float]
    style: str
    legs: frozenset[str]
    ahead: Array
    place: Array


def biped() -> Cast:
    """Return the example biped, which waves, carries and looks."""
    skeleton = biped_skeleton()
    masks = {name: mask_of(skeleton, bones) for name, bones in ARMS.items()}
    claims = {name: joints_of(skeleton, mask) for name, mask in masks.items()}
    held = clip_of(carrying(0.0, 0.37), "Carry")
    held = replace(held, marks=(*held.marks, Mark("keytime", HELD, 0.5, 0.5)))
    wave = wave_model((BaseMotion(clip_of(waving(0.0, 0.5), "Wave"), "calm"),), ("up", "down"), claims["wave"])
    carry = carry_model((BaseMotion(held, "calm"),), claims["carry"], HANDS, (HELD, HELD))
    walk, front = walking(), np.array([0.0, -1.0, 0.0])
    layers = [layer_of(carry, masks["carry"]), layer_of(wave, masks["wave"])]
    return cast_of(walk, layers, front, (1.24, 1.6), "happy", LEGS)


def cast_of(
    walk: WalkModel,
    layers: list[Layer],
    ahead: Array,
    speeds: tuple[float, float],
    style: str,
    legs: frozenset[str],
) -> Cast:
    """Return what plays a walk with some layers, and above them a look at a place to the left of the way."""
    place = AWAY * ahead + ASIDE * np.cross([0.0, 0.0, 1.0], ahead) + [0.0, 0.0, HIGH]
    look = LookModel(walk.stand, (float(ahead[0]), float(ahead[1]), float(ahead[2])))
    mask = mask_of(walk.stand.channels.skeleton, (look.joints[0].name,))
    plays = PlaysModel(look, dict(zip("xyz", place.tolist(), strict=True)))
    whole = [*layers, Layer(look.name, plays, mask, claims=look.claims({}))]
    return Cast(layered_model(walk, whole), speeds, style, legs, ahead, place)


def layer_of(model: GestureModel, mask: np.ndarray) -> Layer:
    """Return a layer that plays a gesture; what is carried is held as it stands in the character's space."""
    space = "character" if model.name == "carry" else "parent"
    return Layer(model.name, PlaysModel(model), mask, space=space, claims=model.claims({}))
