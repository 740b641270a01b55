"""Turning walks animated on the spot: speed and turn are found again from the planted feet."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.motion.travel import headings_of
from verbs_adverbs.core.verb.build import VerbOptions, phrasing_of
from verbs_adverbs.core.verb.canonical import canonical_form
from verbs_adverbs.core.verb.example import Contact, Example
from verbs_adverbs.core.verb.root_travel import with_travel

from .walks import biped_channels, walk_example

CHANNELS = biped_channels()
PLACES = [(mood, turn) for mood in (-1.0, 0.0, 1.0) for turn in (-1.0, -0.5, 0.0, 0.5, 1.0)]


def _on_the_spot(example: Example, evenly: bool) -> Example:
    """The walk without its travel and without its heading, or only the even part of that."""
    take = example.take
    headings = headings_of(take.rotations[:, 0], quat.mean(take.rotations[:, 0]))
    ends = np.interp(example.keytimes[[0, -1]], take.times, headings)
    if evenly:
        headings = ends[0] + (ends[1] - ends[0]) * take.times / example.keytimes[-1]
    rotations = take.rotations.copy()
    rotations[:, 0] = quat.multiply(quat.from_yaw(-headings), rotations[:, 0])
    still = replace(take, rotations=rotations, root=take.root * [0.0, 0.0, 1.0])
    return replace(example, take=still, kind="in_place")


def _pace(example: Example) -> tuple[float, float]:
    """Metres and radians a second."""
    phrasing = phrasing_of([example], VerbOptions())
    drift = canonical_form(example, CHANNELS, phrasing, quat.mean(example.take.rotations[:, 0]), 128).drift
    return float(np.linalg.norm(drift[:2]) / example.keytimes[-1]), float(drift[2] / example.keytimes[-1])


@pytest.mark.parametrize("evenly", [True, False])
@pytest.mark.parametrize("place", PLACES)
def test_a_turning_walk_on_the_spot_gets_its_speed_and_its_turn_back(place: tuple[float, float], evenly: bool):
    walking = walk_example(*place)
    found = with_travel(_on_the_spot(walking, evenly), CHANNELS)
    assert found.kind == "travelling"
    (speed, turn), (wanted, heading) = _pace(found), _pace(walking)
    assert abs(speed / wanted - 1.0) < 0.01
    assert abs(turn - heading) < 0.02 * abs(heading) + np.radians(0.1)


def test_two_points_of_a_foot_tell_the_turn_where_its_bones_have_no_length():
    walking, skeleton = walk_example(0.0, 1.0), CHANNELS.skeleton
    shrunk = Channels(replace(skeleton, tails=np.zeros_like(skeleton.tails)), CHANNELS.rotating, (), CHANNELS.static)
    tips = tuple(Contact(f"{c.point} tip", c.joint, skeleton.tails[c.joint], c.windows) for c in walking.contacts)
    walking = replace(walking, contacts=walking.contacts + tips)
    speed, turn = _pace(with_travel(_on_the_spot(walking, True), shrunk))
    wanted, heading = _pace(walking)
    assert abs(speed / wanted - 1.0) < 0.01
    assert abs(turn / heading - 1.0) < 0.02


@pytest.mark.parametrize(("slip", "turns"), [(4.0, False), (12.0, True)])
def test_feet_that_slip_round_a_little_do_not_make_the_walk_turn(slip: float, turns: bool):
    walking = _on_the_spot(walk_example(0.0, 0.0), True)
    share = walking.take.times / walking.keytimes[-1]
    rotations = walking.take.rotations.copy()
    rotations[:, 0] = quat.multiply(quat.from_yaw(-np.radians(slip) * share), rotations[:, 0])
    slipping = replace(walking, take=replace(walking.take, rotations=rotations))
    own = np.radians(0.0 if turns else -slip) / walking.keytimes[-1]
    assert abs(_pace(with_travel(slipping, CHANNELS))[1] - own) < 2e-3
