"""Ghosts: the figures of a verb at many places at once are those that the verb has there one by one."""

import numpy as np
import pytest
from verbs_adverbs.core.figure.channels import world_points
from verbs_adverbs.core.verb.ghosts import ghost_corners, ghost_rows, sticks_of

from .synthetic import some_verb


@pytest.fixture(scope="module")
def verb():
    return some_verb(3)


def test_a_ghost_stands_as_the_verb_does_there(verb):
    places, phases = verb.places[:4] + 0.05, np.array([0.1, 0.4, 0.4, 0.9])
    rows = ghost_rows(verb, places, phases)
    for place, phase, row in zip(places, phases, rows, strict=True):
        expected = verb.motion(place).sample_phases(np.array([phase]))[0]
        np.testing.assert_allclose(row[3:], expected[3:], atol=1e-6)
    np.testing.assert_array_equal(rows[:, :3], 0.0)


def test_a_stick_reaches_from_the_head_of_its_bone_to_its_tail(verb):
    channels, sticks = verb.channels, sticks_of(verb.channels)
    rows = ghost_rows(verb, verb.places, np.full(len(verb.places), 0.3))
    corners, roots = ghost_corners(channels, sticks, rows)
    for stick, joint in enumerate(sticks.joints.tolist()):
        head = world_points(channels, rows, joint, np.zeros(3))
        tail = world_points(channels, rows, joint, channels.skeleton.tails[joint])
        np.testing.assert_allclose(corners[:, stick, 0], head, atol=1e-9)
        np.testing.assert_allclose(corners[:, stick, 5], tail, atol=1e-9)
        waist, along = corners[:, stick, 1:5], tail - head
        length = np.linalg.norm(along, axis=1)
        off = np.einsum("pwc,pc->pw", waist - head[:, None], along) / length[:, None]
        np.testing.assert_allclose(off, 0.18 * length[:, None].repeat(4, axis=1), rtol=1e-6)
        np.testing.assert_allclose(waist.mean(axis=1) - head, 0.18 * along, atol=1e-9)
    np.testing.assert_allclose(roots[:, :3], world_points(channels, rows, 0, np.zeros(3)), atol=1e-9)
    moved = set(channels.rotating.tolist()) | {scalar.joint for scalar in channels.scalars}
    assert set(sticks.joints.tolist()) == {j for j in moved if np.linalg.norm(channels.skeleton.tails[j]) > 0.0}
