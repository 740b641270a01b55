"""Clips pass through what they were made of, and hold their ends."""

import numpy as np
import pytest
from verbs_adverbs.core.errors import ClipError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import rotations_of
from verbs_adverbs.core.motion.clip import fit_clip
from verbs_adverbs.core.verb.verb import VerbMotion

from .synthetic import random_channels, some_verb


def _motion() -> VerbMotion:
    return some_verb(50).motion([0.2, 0.3])


def test_a_clip_of_a_verbs_motion_is_that_motion():
    motion = _motion()
    times = np.linspace(2.0, 2.0 + motion.duration, 81)
    values = motion.sample(times)
    clip = fit_clip(motion.channels, times, values, marks=motion.marks)
    assert clip.start == 2.0 and abs(clip.duration - motion.duration) < 1e-12 and clip.marks == motion.marks
    assert np.abs(clip.sample(times) - values).max() < 1e-6
    between = times[:-1] + 0.5 * np.diff(times)
    assert np.abs(clip.sample(between) - motion.sample(between)).max() < 5e-3


def test_sign_flips_between_samples_do_not_show():
    motion = _motion()
    times = np.linspace(0.0, 1.0, 60)
    values = motion.sample(times)
    flipped = values.copy()
    columns = motion.channels.rotation_columns
    flipped[::3, columns] *= -1.0
    fine = np.linspace(0.0, 1.0, 301)
    a, b = (rotations_of(motion.channels, fit_clip(motion.channels, times, v).sample(fine)) for v in (values, flipped))
    assert quat.angle_between(a, b).max() < 1e-9


def test_a_clip_of_one_pose_is_that_pose_everywhere():
    motion = _motion()
    pose = motion.sample([0.3])[0]
    clip = fit_clip(motion.channels, np.arange(5.0), np.tile(pose, (5, 1)))
    assert np.abs(clip.sample(np.linspace(-1.0, 6.0, 90)) - pose).max() < 1e-6


@pytest.mark.parametrize("times", [[0.0], [0.0, 1.0, 1.0], [1.0, 0.0]])
def test_times_that_do_not_increase_are_refused(times: list[float]):
    channels = random_channels(np.random.default_rng(1))
    with pytest.raises(ClipError, match="at least two samples at increasing times. Give"):
        fit_clip(channels, times, np.zeros((len(times), channels.width)))


def test_values_of_another_figure_are_refused():
    channels = random_channels(np.random.default_rng(1))
    with pytest.raises(ClipError, match=rf"A clip of {channels.width} channels cannot hold values of shape \(3, 5\)"):
        fit_clip(channels, [0.0, 1.0, 2.0], np.zeros((3, 5)))
