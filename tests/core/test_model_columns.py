"""Clips of a motion model have the same columns, so that what is blended of them has these too."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.figure.channels import Scalar
from verbs_adverbs.core.layers.walk_model import WalkModel
from verbs_adverbs.core.motion.base_motion import BaseMotion
from verbs_adverbs.core.motion.clip import Clip, end_of, interpolated

from .model_clips import biped_stand, biped_walk


def with_numbers(clip: Clip, names: str) -> Clip:
    """A clip that moves besides some numbers, each of which is always the code of its name."""
    scalars = tuple(Scalar(name, -1, "value", 0, False, name) for name in names)
    values = clip.sample(np.linspace(clip.start, end_of(clip), 61))
    numbers = np.tile([float(ord(name)) for name in names], (61, 1))
    channels, rows = replace(clip.channels, scalars=scalars), np.concatenate([values, numbers], axis=1)
    return interpolated(channels, (clip.start, end_of(clip)), rows, clip.marks, clip.name)


def with_stiff_toes(clip: Clip, degrees: float) -> Clip:
    """A clip that does not move its last joint, which is turned by an angle."""
    channels, values = clip.channels, clip.sample(np.linspace(clip.start, end_of(clip), 61))
    static = channels.static.copy()
    static[channels.rotating[-1]] = np.cos(np.radians(0.5 * degrees)), np.sin(np.radians(0.5 * degrees)), 0.0, 0.0
    fewer = replace(channels, rotating=channels.rotating[:-1], static=static)
    rows = np.delete(values, slice(channels.scalar_columns.start - 4, channels.scalar_columns.start), axis=1)
    return interpolated(fewer, (clip.start, end_of(clip)), rows, clip.marks, clip.name)


@pytest.mark.parametrize("odd", [0, 1, 2])
def test_clips_of_a_walk_have_the_same_columns(odd: int):
    clips = [one.clip for one in biped_walk().walk_cycles[:2]] + [biped_stand()]

    def made(cycle: Clip, happy: Clip, stand: Clip) -> WalkModel:
        return WalkModel((), (BaseMotion(cycle, "neutral"), BaseMotion(happy, "happy")), (), stand)

    model = made(*(with_numbers(clip, "ab") for clip in clips))
    run = model.change(model.begin(1.0, {}, model.rest(0.0)), 4.0, {"style": "happy"})
    assert np.abs(run.tree.sample(np.linspace(0.0, 9.0, 90))[:, -2:] - [ord("a"), ord("b")]).max() < 1e-9
    told = "columns in the same order: WalkCycle has '[ab]' where .* has '[ab]'. Make all"
    with pytest.raises(ClipError, match=told):
        made(*(with_numbers(clip, "ba" if number == odd else "ab") for number, clip in enumerate(clips)))
    made(*(with_stiff_toes(clip, 20.0) for clip in clips))
    with pytest.raises(ClipError, match="must agree on what they do not move: .* turn 'Toes_R' otherwise. Key"):
        made(*(with_stiff_toes(clip, 30.0 if number == odd else 20.0) for number, clip in enumerate(clips)))
