"""Motions whose root turns all the way round: their pace stays what it is, and they are played as they were made."""

import numpy as np
import pytest
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_joints
from verbs_adverbs.core.motion.resampling import resample
from verbs_adverbs.core.motion.timewarp import Phrasing
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.canonical import canonical_form
from verbs_adverbs.core.verb.example import Example
from verbs_adverbs.core.verb.verb import Verb

from .stepping import played
from .synthetic import make_example, planar_distance, random_channels

PACE = (1.5, 0.2)
SHARES = Phrasing(np.ones((1, 3)), np.array([0.0, 0.3, 0.55, 1.0]))
WHOLE = [360.0, -360.0, 720.0]
NEARLY = [350.0, 359.0, 359.9, 359.999, 360.001, 361.0, -365.0]
CHANNELS = random_channels(np.random.default_rng(3))


def _turning(degrees: float, seed: int, cyclic: bool, sway: float = 0.05) -> Example:
    drift = (*PACE, np.radians(degrees))
    return make_example(f"{degrees:g}", (degrees,), seed, CHANNELS, drift=drift, cyclic=cyclic, sway=sway)


@pytest.mark.parametrize("cyclic", [True, False])
@pytest.mark.parametrize("degrees", [0.0, 180.0, *NEARLY, *WHOLE, 540.0])
def test_the_pace_on_a_circle_is_that_of_the_walk_however_far_it_goes_round(degrees: float, cyclic: bool):
    for seed in range(5):
        example = _turning(degrees, seed, cyclic, 0.05 if cyclic else 0.0)
        found = canonical_form(example, CHANNELS, SHARES, quat.IDENTITY, 64)
        assert abs(np.linalg.norm(found.drift[:2]) / np.linalg.norm(PACE) - 1.0) < 0.03
        assert abs(found.drift[2] - np.radians(degrees)) < 1e-3
        assert found.seam_distance < 0.1 * 0.05


@pytest.mark.parametrize("degrees", [300.0, *NEARLY, *WHOLE])
def test_a_spin_that_ends_elsewhere_keeps_a_path_no_wider_than_a_few_times_its_way(degrees: float):
    example = make_example("spin", (), 1, CHANNELS, drift=(0.0, 0.0, np.radians(degrees)), cyclic=False)
    root = example.take.root + np.linspace(0.0, 1.0, len(example.take.times))[:, None] * [1.0, 0.0, 0.0]
    example.take.root[:] = root
    found = canonical_form(example, CHANNELS, SHARES, quat.IDENTITY, 64)
    assert np.abs(found.drift[:2] / found.drift[2]).max() < 3.0


def test_pace_and_seam_are_continuous_where_the_turn_becomes_whole():
    rows = [canonical_form(_turning(d, 7, True), CHANNELS, SHARES, quat.IDENTITY, 64) for d in np.arange(356, 364, 0.1)]
    drifts = np.array([row.drift[:2] for row in rows])
    assert np.linalg.norm(np.diff(drifts, axis=0), axis=-1).max() < 0.01
    assert max(row.seam_distance for row in rows) < 2e-3


def _verb(cyclic: bool) -> tuple[Verb, list[Example]]:
    examples = [_turning(d, 20 + i, cyclic) for i, d in enumerate((0.0, 180.0, 360.0, 540.0))]
    return build_verb("spin", CHANNELS, examples, ("turn",), [[0, 540]]), examples


@pytest.mark.parametrize("cyclic", [True, False])
def test_examples_that_turn_all_the_way_round_are_met_at_their_places(cyclic: bool):
    verb, examples = _verb(cyclic)
    for example in examples:
        times = np.linspace(0.0, example.keytimes[-1], 60)
        ours = world_joints(verb.channels, verb.motion(example.adverbs).sample(times))[:, 0]
        assert planar_distance(ours, resample(example.take.times, example.take.root, times)) < 2e-3


@pytest.mark.parametrize("cyclic", [True, False])
@pytest.mark.parametrize("degrees", [0.0, 90.0, 200.0, 359.0, 360.0, 450.0, 540.0])
def test_one_frame_a_whole_motion_and_the_integrated_one_agree(degrees: float, cyclic: bool):
    verb, _ = _verb(cyclic)
    motion = verb.motion([degrees])
    times = np.linspace(0.0, (3.7 if cyclic else 1.0) * motion.duration, 2001)
    values = motion.sample(times)
    assert np.abs(played(verb, times, [degrees]).values[:, :3] - values[:, :3]).max() < 1e-9
    for row in range(0, 2001, 100):
        alone = played(verb, times[row : row + 1], [degrees]).values[0]
        assert np.abs(alone[:3] - values[row, :3]).max() < 1e-9
