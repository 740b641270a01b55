"""A loop is a circle: an example may begin anywhere in it and go around its end."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.biped.walk import build_gait, walk_pose
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar, Traveller
from verbs_adverbs.core.verb.example import Take, around

from .walks import biped_channels

FRAMES = 32
PLACES = [(0.0, 0.0, 0.0), (0.4, 0.0, 1.0), (-0.5, 0.15, -0.6)]
"""Mood, slope and turn of the walks."""


def walked(place: tuple[float, float, float], phases: np.ndarray) -> tuple[Take, float]:
    """A generated walk at some phases, however many cycles these are, and its period."""
    gait = build_gait(*place)
    rotations, root = walk_pose(gait, phases)
    times = (phases - phases[0]) * gait.style.period
    return Take(times, rotations, root, np.zeros((len(phases), 0))), gait.style.period


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("begin", [-1.25, -0.25, 0.375, 0.75, 2.5])
def test_around_its_end_a_walk_goes_on_as_if_it_had_never_been_cut(place: tuple[float, float, float], begin: float):
    loop, period = walked(place, np.arange(FRAMES + 1) / FRAMES)
    step = period / FRAMES
    found, seam = around(loop, biped_channels(), period, begin * period, (begin + 1.0) * period, 3.0 * step)
    assert seam < 1e-5
    first, last = round(found.times[0] * FRAMES / period), round(found.times[-1] * FRAMES / period)
    assert first <= -2 and last >= FRAMES + 2
    truth, _ = walked(place, begin + np.arange(first, last + 1) / FRAMES)
    assert np.abs(found.times - truth.times - first * period / FRAMES).max() < 1e-9
    assert np.abs(found.root - truth.root).max() < 1e-9
    assert np.degrees(quat.angle_between(found.rotations, truth.rotations)).max() < 1e-5


def test_controls_that_travel_with_the_root_go_around_with_it():
    loop, period = walked((0.2, 0.0, 0.8), np.arange(2 * FRAMES + 1) / FRAMES)
    channels = biped_channels()
    control = channels.skeleton.index("Foot_L")
    scalars = tuple(Scalar(f"control {axis}", control, "location", axis, False, "") for axis in range(3))
    going = Channels(channels.skeleton, channels.rotating, scalars, channels.static, (Traveller(control, 1.0),))
    beside = loop.root + quat.rotate(loop.rotations[:, 0], np.array([0.1, 0.3, -0.4]))
    rows = slice(0, FRAMES + 1)
    rotations = loop.rotations.copy()
    rotations[:, control] = quat.multiply(loop.rotations[:, 0], loop.rotations[:, control])
    whole = Take(loop.times, rotations, loop.root, beside)
    once = Take(*(getattr(whole, name)[rows] for name in ("times", "rotations", "root", "scalars")))
    found, _ = around(once, going, period, 0.5 * period, 1.5 * period, 0.1 * period)
    there = np.round(found.times * FRAMES / period).astype(int) + FRAMES // 2
    assert np.abs(found.scalars - beside[there]).max() < 1e-9
    assert np.degrees(quat.angle_between(found.rotations, rotations[there])).max() < 1e-5


def test_a_loop_that_nearly_closes_has_no_seam():
    loop, period = walked(PLACES[0], np.arange(FRAMES + 1) / FRAMES)
    drift = quat.exp(np.linspace(0.0, 1.0, FRAMES + 1)[:, None] * np.array([0.05, 0.0, 0.02]))
    bent = loop.rotations.copy()
    bent[:, 3] = quat.multiply(bent[:, 3], drift)
    found, seam = around(replace(loop, rotations=bent), biped_channels(), period, 0.5 * period, 1.5 * period, 0.1)
    assert seam == pytest.approx(np.degrees(np.hypot(0.05, 0.02)), rel=0.01)
    steps = quat.angle_between(found.rotations[1:, 3], found.rotations[:-1, 3])
    usual = quat.angle_between(loop.rotations[1:, 3], loop.rotations[:-1, 3])
    assert np.degrees(steps.max()) < np.degrees(usual.max()) + 0.2
