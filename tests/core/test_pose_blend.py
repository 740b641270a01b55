"""Poses of two verbs are mixed whatever the signs of their quaternions."""

import math
from dataclasses import replace

import numpy as np
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.graph.transition import Region, Transition
from verbs_adverbs.core.play.piece import Moment, Setting, entering, piece_from
from verbs_adverbs.core.play.piece_rows import rows_of
from verbs_adverbs.core.play.player import NEUTRAL
from verbs_adverbs.core.play.playing_verb import Playing, Root
from verbs_adverbs.core.play.verb_now import Pacer

from .small_graphs import cycle
from .synthetic import random_channels, random_rotations

SCALARS = (
    Scalar("Smile", -1, "value", 0, False, "smile"),
    Scalar("Switch", -1, "value", 0, True, "switch"),
    Scalar("Lift", 1, "location", 2, False, "lift"),
)


def _channels() -> Channels:
    return random_channels(np.random.default_rng(2), 6, SCALARS)


def _pose(channels: Channels, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    turns = random_rotations(rng, len(channels.rotating)).reshape(-1)
    return np.concatenate([rng.normal(size=3), turns, rng.normal(size=3)])


def _turns(channels: Channels, pose: np.ndarray) -> np.ndarray:
    return pose[3 : 3 + 4 * len(channels.rotating)].reshape(-1, 4)


class _Still:
    """Motions of a verb that stands still in a `pose` (width - 3,)."""

    def __init__(self, pose: np.ndarray) -> None:
        self.pose = pose

    def sample(self, phases: np.ndarray, _weights: np.ndarray) -> np.ndarray:
        return np.tile(self.pose, (len(phases), 1))


class _Blend:
    """A transition that begins between the poses `old` and `new`, both (width - 3,)."""

    def __init__(self, channels: Channels, old: np.ndarray, new: np.ndarray) -> None:
        self.new = _Still(new)
        way = Transition("old", "new", Region(0.2, 0.5), Region(0.1, 0.4))
        verbs = [
            replace(cycle(name), channels=channels, mixture=poses, contacts=())  # type: ignore[arg-type]
            for name, poses in (("old", _Still(old)), ("new", self.new))
        ]
        left, entered = (Pacer(verb, {}).at(dict.fromkeys(verb.adverb_names, 0.0)) for verb in verbs)
        playing, root = Playing(left, way.leaves.begin), Root(0j, 0.0, 0.0)
        moment = entering(Moment(0.0, 0.0, playing, root), playing, entered, way)
        assert moment.passage is not None
        self._seconds = moment.passage.seconds
        self._piece = piece_from(moment, Setting(channels, NEUTRAL, {}, ()))

    def mixed(self, new: np.ndarray, weight: float) -> np.ndarray:
        """The pose (width - 3,) when the new verb has come to `new` and the old one still has this weight."""
        self.new.pose = new
        share = math.acos(2.0 * weight - 1.0) / math.pi
        return rows_of([self._piece], np.zeros(1, dtype=np.intp), np.array([share * self._seconds])).values[0, 3:]


def _mixed(channels: Channels, old: np.ndarray, new: np.ndarray, weight: float) -> np.ndarray:
    return _Blend(channels, old, new).mixed(new, weight)


def test_the_ends_are_the_poses_themselves():
    channels = _channels()
    for seed in range(20):
        old, new = _pose(channels, seed), _pose(channels, 100 + seed)
        for weight, wanted in ((1.0, old), (0.0, new)):
            found = _mixed(channels, old, new, weight)
            angles = quat.angle_between(_turns(channels, found), quat.normalize(_turns(channels, wanted)))
            assert angles.max() < 1e-3
            assert np.abs(found - wanted)[[0, 1, 2, -3, -1]].max() < 1e-6


def test_signs_of_quaternions_do_not_matter():
    channels = _channels()
    old, new = _pose(channels, 1), _pose(channels, 2)
    flipped = new.copy()
    _turns(channels, flipped)[::2] *= -1.0
    assert np.allclose(_mixed(channels, old, new, 0.4), _mixed(channels, old, flipped, 0.4), atol=1e-6)


def test_the_middle_lies_on_the_nearer_way():
    channels = _channels()
    old, new = _pose(channels, 3), _pose(channels, 4)
    middle = _turns(channels, _mixed(channels, old, new, 0.5))
    ways = [quat.angle_between(middle, quat.normalize(_turns(channels, pose))) for pose in (old, new)]
    whole = quat.angle_between(quat.normalize(_turns(channels, old)), quat.normalize(_turns(channels, new)))
    assert np.abs(ways[0] - ways[1]).max() < 1e-3
    assert np.abs(ways[0] + ways[1] - whole).max() < 1e-3


def test_switches_go_over_at_once_in_the_middle():
    channels = _channels()
    old, new = _pose(channels, 5), _pose(channels, 6)
    assert _mixed(channels, old, new, 0.51)[-2] == old[-2]
    assert _mixed(channels, old, new, 0.49)[-2] == new[-2]


def test_a_joint_that_turns_past_the_half_circle_does_not_flip():
    """While the new verb turns a joint from 170 to 190 degrees away, the mixture goes on where it was going."""
    channels = _channels()
    old = _pose(channels, 7)
    found, blend = list[np.ndarray](), None
    for degrees in np.linspace(170.0, 190.0, 41):
        new = old.copy()
        away = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), np.radians(degrees))
        _turns(channels, new)[:] = quat.align(quat.multiply(_turns(channels, old), away), _turns(channels, old))
        blend = blend or _Blend(channels, old, new)
        if degrees > 180.0:
            _turns(channels, new)[:] *= -1.0
        found.append(_turns(channels, blend.mixed(new, 0.5)))
    steps = quat.angle_between(np.array(found[1:]), np.array(found[:-1]))
    assert np.degrees(steps).max() < 1.0


def test_a_joint_far_past_the_half_circle_is_never_undone():
    channels = _channels()
    old = _pose(channels, 8)
    new = old.copy()
    _turns(channels, new)[:] *= -1.0
    out = _Blend(channels, old, old).mixed(new, 0.5)
    assert np.isfinite(out).all()
    assert quat.angle_between(_turns(channels, out), quat.normalize(_turns(channels, old))).max() < 1e-3
