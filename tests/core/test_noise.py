"""Noise in examples is named by bone and amount, clean motion is not called noisy, and smoothing takes noise out."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.example import Example
from verbs_adverbs.core.verb.noise import noise_told, smoothed

from .walks import ADVERBS, biped_channels, walk_examples

CHANNELS = biped_channels()
HAND = CHANNELS.skeleton.index("Hand_R")
JOINT = int(np.flatnonzero(CHANNELS.rotating == HAND)[0])
RANGES = [[-1, 1], [-1, 1]]


def _turned(example: Example, degrees: np.ndarray, joint: int = JOINT) -> Example:
    """The example with a joint, else the right hand, turned by `degrees` (F,) about an axis of its own per frame."""
    take = example.take
    before = Rotation.from_quat(take.rotations[:, joint], scalar_first=True)
    axis = np.array([0.6, 0.0, 0.8])
    after = before * Rotation.from_rotvec(np.radians(degrees)[:, None] * axis)
    rotations = take.rotations.copy()
    rotations[:, joint] = after.as_quat(scalar_first=True)
    return replace(example, take=replace(take, rotations=rotations))


def _apart(one: Example, other: Example) -> np.ndarray:
    """Degrees (F,) between the right hands of two examples."""
    turns = [Rotation.from_quat(e.take.rotations[:, JOINT], scalar_first=True) for e in (one, other)]
    return np.degrees((turns[0].inv() * turns[1]).magnitude())


def test_clean_walks_are_not_noisy():
    assert [told for example in walk_examples() for told in noise_told(example, CHANNELS)] == []


@pytest.mark.parametrize("stays", [False, True])
def test_a_jump_of_one_frame_is_told_with_bone_and_amount(stays: bool):
    example = walk_examples()[0]
    frames = len(example.take.times)
    middle = frames // 2
    jump = np.where(np.arange(frames) >= middle if stays else np.arange(frames) == middle, 28.0, 0.0)
    (told,) = noise_told(_turned(example, jump), CHANNELS)
    assert told.startswith(f"Bone 'Hand_R' of example '{example.name}' jumps by 28 degrees in one frame")
    assert f"{example.take.times[middle]:.2f} s" in told


def test_toes_that_turn_suddenly_where_they_meet_the_floor_are_not_told():
    example = walk_examples()[0]
    jump = np.where(np.arange(len(example.take.times)) == len(example.take.times) // 2, 28.0, 0.0)
    carriers = {contact.joint for contact in example.contacts}
    assert carriers
    for joint in np.flatnonzero(np.isin(CHANNELS.rotating, list(carriers))):
        assert noise_told(_turned(example, jump, int(joint)), CHANNELS) == []


def test_trembling_is_told_of_bones_and_of_the_root():
    example, rng = walk_examples()[0], np.random.default_rng(0)
    noisy = _turned(example, rng.normal(size=len(example.take.times)) * 6.0)
    (told,) = noise_told(noisy, CHANNELS)
    assert told.startswith(f"Bone 'Hand_R' of example '{example.name}' jitters by ")
    shaken = example.take.root + rng.normal(size=example.take.root.shape) * 0.05
    (told,) = noise_told(replace(example, take=replace(example.take, root=shaken)), CHANNELS)
    assert told.startswith(f"The root of example '{example.name}' jitters by ")


def test_smoothing_bridges_jumps_and_takes_trembling_out():
    example, rng = walk_examples()[0], np.random.default_rng(1)
    frames = len(example.take.times)
    spoilt = _turned(example, np.where(np.arange(frames) == frames // 2, 28.0, 0.0))
    assert _apart(spoilt, example).max() > 27.0
    assert _apart(smoothed(spoilt, CHANNELS, 0.03), example).max() < 1.5
    noisy = _turned(example, rng.normal(size=frames) * 4.0)
    left = _apart(smoothed(noisy, CHANNELS, 0.06), example)[5:-5]
    assert np.sqrt(np.mean(left**2)) < 0.6 * np.sqrt(np.mean(_apart(noisy, example)[5:-5] ** 2))


def test_a_verb_tells_the_noise_of_its_examples_until_it_smoothes_them():
    examples = walk_examples()
    frames = len(examples[1].take.times)
    examples[1] = _turned(examples[1], np.where(np.arange(frames) == frames // 2, 28.0, 0.0))
    told = build_verb("walk", CHANNELS, examples, ADVERBS, RANGES).report.complaints
    assert any("'Hand_R'" in line and "jumps by 28 degrees" in line for line in told)
    clean = build_verb("walk", CHANNELS, examples, ADVERBS, RANGES, VerbOptions(smoothing=0.03)).report.complaints
    assert not any("jumps" in line for line in clean)
