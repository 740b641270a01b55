"""Gestures of the talking biped: it beats, points, offers, counts, shrugs and greets.

Each is prepared, waits a moment, strokes, recoils, is held and relaxes ([Kallmann2005] figure 1), and begins and ends
standing. At `stroke` the stroking hand reverses: it stands still there for an instant, and so does the trunk.

All of them have the adverb energy, so that one slider controls a whole sentence.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..motion.clip import SYNC_POINTS
from .figure import Generated, bone_length
from .key_poses import (
    HANGING_R,
    STANDING,
    Keys,
    Tracks,
    hand,
    hand_along,
    hips_at,
    keyed_motion,
    meeting_on_frame,
    mirrored,
    shoulders,
    trunk,
)

Array = NDArray[np.float64]
Pose = Mapping[str, Array]

ENERGY = "talk_energy"
"""The adverb of all gestures: from 0, gentle, to 1, sharp."""
_ENERGIES, _GENTLE_TO_SHARP = (0.0, 1.0), (0.0, 1.0)
BEAT_ADVERBS = ("beat_size", ENERGY)
BEAT_RANGES = np.array([[0.0, 1.0], _GENTLE_TO_SHARP])
"""Ranges of a beat: from a hint in front of the belly to one from chest height, and its energy."""
BEAT_EXAMPLES: tuple[tuple[float, float], ...] = tuple((s, e) for s in (0.0, 0.5, 1.0) for e in _ENERGIES)
INDICATE_ADVERBS = ("indicate_side", ENERGY)
INDICATE_RANGES = np.array([[-1.0, 1.0], _GENTLE_TO_SHARP])
"""Ranges of pointing while talking: from 60 degrees to the right to 30 to the left, and its energy."""
INDICATE_EXAMPLES: tuple[tuple[float, float], ...] = tuple((s, e) for s in (-1.0, 0.0, 1.0) for e in _ENERGIES)
OFFER_ADVERBS = ("offer_both", ENERGY)
OFFER_RANGES = np.array([[0.0, 1.0], _GENTLE_TO_SHARP])
"""Ranges of offering: from the right hand alone to both, and its energy."""
OFFER_EXAMPLES: tuple[tuple[float, float], ...] = tuple((b, e) for b in (0.0, 1.0) for e in _ENERGIES)
COUNT_ADVERBS = ("count_item", ENERGY)
COUNT_RANGES = np.array([[1.0, 3.0], _GENTLE_TO_SHARP])
"""Ranges of counting: the first item is set down high, the third low; and its energy."""
COUNT_EXAMPLES: tuple[tuple[float, float], ...] = tuple((n, e) for n in (1.0, 2.0, 3.0) for e in _ENERGIES)
SHRUG_ADVERBS = ("shrug_size", ENERGY)
SHRUG_RANGES = np.array([[0.0, 1.0], _GENTLE_TO_SHARP])
"""Ranges of a shrug: from a hint of the shoulders to one with both hands out, and its energy."""
SHRUG_EXAMPLES: tuple[tuple[float, float], ...] = tuple((s, e) for s in (0.0, 1.0) for e in _ENERGIES)
GREET_ADVERBS = (ENERGY,)
GREET_RANGES = np.array([_GENTLE_TO_SHARP])
"""Range of a greeting: its energy."""
GREET_EXAMPLES: tuple[tuple[float, ...], ...] = tuple((e,) for e in _ENERGIES)

_LED, _STILL = 0.06, 0.02
"""Seconds by which the trunk arrives before the hand, and for which it stays afterwards."""
_WOUND = 0.03
"""Share of the stroke by which the hand moves back while it waits."""
_LOWERED = np.array([0.0, 0.01, -0.025, 0.0, 0.0, 0.0, 0.0, np.radians(6.0)])
"""Change of a hand's key per second of hold: the hand gets heavy."""
_EASED = 0.12
"""Share of its return to standing that the trunk covers while the hand is held."""
_NODS, _LIFTED = 0.4, 0.06
"""Largest shares by which the trunk leans farther in a stroke, and a prepared hand is higher."""


@dataclass(frozen=True)
class _Lengths:
    """Durations of a gesture's phases in seconds."""

    prepare: float
    wait: float
    stroke: float
    recoil: float
    hold: float
    relax: float

    def at_energy(self, energy: float) -> "_Lengths":
        """Return the durations at an energy; those stored are for energy 0.5."""
        more = 2.0 * energy - 1.0
        return _Lengths(
            prepare=(1.0 - 0.03 * more) * self.prepare, wait=self.wait, stroke=(1.0 - 0.15 * more) * self.stroke,
            recoil=(1.0 - 0.06 * more) * self.recoil, hold=(1.0 - 0.1 * more) * self.hold,
            relax=(1.0 - 0.02 * more) * self.relax,
        )  # fmt: skip

    def instants(self, rate: float) -> dict[str, float]:
        """Return the sync points in seconds, with the stroke on a frame."""
        spans = (0.0, self.prepare, self.wait, self.stroke, self.recoil, self.hold, self.relax)
        seconds = meeting_on_frame(np.cumsum(spans), SYNC_POINTS.index("stroke"), rate)
        return dict(zip(SYNC_POINTS, seconds, strict=True))


def _between(here: Array, there: Array, share: float) -> Array:
    return here + share * (there - here)


def _nodding(ready: Pose, struck: Pose, energy: float) -> dict[str, Array]:
    """Return a stroke pose at an energy from that at energy 0.5: chest and head lean farther."""
    lean = np.array([0.0, 0.0, (2.0 * energy - 1.0) * _NODS])
    return {**struck, **{part: struck[part] + lean * (struck[part] - ready[part]) for part in ("chest", "head")}}


def _lifted(pose: Pose, energy: float) -> dict[str, Array]:
    """Return a prepared pose at an energy from that at energy 0.5: the hands are higher or lower."""
    rests = {"hand_R": HANGING_R, "hand_L": mirrored(HANGING_R)}
    up = np.array([0.0, 0.0, (2.0 * energy - 1.0) * _LIFTED, *np.zeros(5)])
    return {**pose, **{part: pose[part] + up * (pose[part] - rest) for part, rest in rests.items()}}


def _recoil(share: float, energy: float) -> float:
    """Return the share of its stroke by which a hand recoils at an energy, from that at energy 0.5."""
    return share * (0.85 + 0.3 * energy)


def _stroking(at: Mapping[str, float], rest: Array, ready: Array, struck: Array, recoil: float, out: Array) -> Keys:
    """Return the keys of a stroking hand; all its values reverse at the stroke.

    Parameters
    ----------
    at : sync points in seconds.
    rest, ready, struck : (8,) keys of the hand hanging, prepared, and at the end of its stroke.
    recoil : share of the stroke by which the hand recoils.
    out : (3,) metres by which the path up and down deviates from the straight one.
    """
    wound = _between(ready, struck, -_WOUND)
    back = _between(struck, wound, recoil)
    beside = np.array([*out, *np.zeros(5)])
    heavy = back + (at["relax"] - at["stroke_end"]) * _LOWERED
    up, down = (_between(rest, key, 0.45) + beside for key in (ready, back))
    return [
        (0.0, rest), (0.5 * at["ready"], up), (at["ready"], ready), (at["stroke_start"], wound), (at["stroke"], struck),
        (at["stroke_end"], back), (at["relax"], heavy), (0.5 * (at["relax"] + at["end"]), down), (at["end"], rest),
    ]  # fmt: skip


def _following(at: Mapping[str, float], rest: Array, ready: Array, struck: Array, recoil: float) -> Keys:
    """Return the keys of a part of the trunk: ahead of the hand, still when the hand reverses, then easing."""
    back = _between(struck, ready, 0.5 * recoil)
    return [
        (0.0, rest), (at["ready"], ready), (at["stroke_start"], _between(ready, struck, -2.0 * _WOUND)),
        (at["stroke"] - _LED, struck), (at["stroke"] + _STILL, struck), (at["stroke_end"], back),
        (at["relax"] + _LED, _between(back, rest, _EASED)), (at["end"], rest),
    ]  # fmt: skip


def _tracks(at: Mapping[str, float], ready: Pose, struck: Pose, recoil: float) -> Tracks:
    """Return tracks from standing through a prepared and a stroke pose, which may omit parts, and back."""
    standing: dict[str, Array] = {**STANDING, "shoulders": shoulders()}
    tracks: Tracks = {}
    for part, rest in standing.items():
        before, there = ready.get(part, rest), struck.get(part, rest)
        if part.startswith("hand"):
            out = np.array([-0.035 if part.endswith("R") else 0.035, -0.03, 0.0])
            raised = min(1.0, float(np.linalg.norm(before[:3] - rest[:3])) / 0.3)
            tracks[part] = _stroking(at, rest, before, there, recoil, raised * out)
        elif part.startswith("foot"):
            tracks[part] = [(0.0, rest), (at["end"], rest)]
        else:
            tracks[part] = _following(at, rest, before, there, recoil)
    return tracks


def beat(size: float, energy: float, rate: float = 30.0) -> Generated:
    """Generate a beat of the right hand, down and ahead, as it stresses a word; the head nods along.

    Parameters
    ----------
    size : from 0, a hint in front of the belly, to 1, from chest height; a smaller beat is also shorter.
    energy : from 0, gentle, to 1, sharp.
    rate : frames a second.
    """
    lengths = _Lengths(
        prepare=0.38 + 0.16 * size - 0.03 * energy,
        wait=0.11 + 0.01 * size,
        stroke=0.19 + 0.13 * size - 0.04 * energy,
        recoil=0.11 + 0.03 * size,
        hold=0.11 + 0.13 * size,
        relax=0.54 + 0.20 * size - 0.02 * energy,
    )
    at = lengths.instants(rate)
    high = 1.15 + 0.19 * size
    ready = {
        "pelvis": hips_at(-0.004 - 0.006 * size, 0.004 * size),
        "chest": trunk(-1.0 - 2.0 * size, 0.3 * size, 1.5 - 1.5 * size),
        "head": trunk(0.5 * size, 0.0, 2.4 - 3.0 * size),
        "hand_L": mirrored(hand((-0.218, -0.075 - 0.03 * size, 0.925 + 0.01 * size), (-0.3, 1.0, 0.0), bend=9.0)),
        "hand_R": hand((-0.205, -0.235 - 0.01 * size, high), (-0.42, 0.8, -0.45), 22.0, -4.0 - 4.0 * size),
    }
    struck = {
        "pelvis": hips_at(-0.002, -0.006 - 0.006 * size, -0.024 - 0.004 * size),
        "hips": trunk(0.0, 0.0, 1.6 + 0.8 * size),
        "chest": trunk(1.0 + 2.5 * size, 0.0, 3.0 + 2.0 * size + 1.0 * energy),
        "head": trunk(0.5, 0.0, 5.0 + 4.0 * size + 2.0 * energy),
        "hand_L": mirrored(hand((-0.22, -0.085 - 0.05 * size, 0.93 + 0.02 * size), (-0.3, 1.0, 0.0), bend=10.0)),
        "hand_R": hand((-0.225, -0.285 - 0.055 * size, 1.08 - 0.01 * size), (-0.42, 0.8, -0.45), 28.0, 9.0),
    }
    tracks = _tracks(at, ready, struck, 0.12 + 0.14 * energy)
    name = f"Beat size {size:g} energy {energy:g}"
    return keyed_motion(name, dict(zip(BEAT_ADVERBS, (size, energy), strict=True)), tracks, at, rate)


def indicate(side: float, energy: float = 0.5, rate: float = 30.0) -> Generated:
    """Generate pointing at a place while talking: the right hand goes out, and the head looks there a little.

    Parameters
    ----------
    side : from -1, 60 degrees to the right, to 1, 30 to the left.
    energy : from 0, gentle, to 1, sharp.
    rate : frames a second.
    """
    aim = -15.0 + 45.0 * side
    at = _Lengths(0.46, 0.11, 0.28, 0.13, 0.32, 0.72).at_energy(energy).instants(rate)
    ready = {
        "pelvis": hips_at(0.006, 0.0, -0.023),
        "chest": trunk(0.10 * aim - 4.0, 0.5, 2.0),
        "head": trunk(0.55 * aim, 0.0, 2.0),
        "hand_L": mirrored(hand((-0.225, -0.06, 0.922), (-0.3, 1.0, 0.0), bend=9.0)),
        "hand_R": hand((-0.225 + 0.05 * side, -0.22, 1.20), (-0.8, 0.6, -0.6), 30.0, 4.0),
    }
    struck = {
        **STANDING,
        "pelvis": hips_at(0.012, -0.012, -0.025),
        "hips": trunk(0.0, 0.6, 1.6),
        "chest": trunk(0.26 * aim + 5.0, 1.0, 3.0),
        "head": trunk(0.60 * aim, 0.0, 4.5),
        "hand_L": mirrored(hand((-0.23, -0.03, 0.925), (-0.3, 1.0, 0.0), bend=9.0)),
        "hand_R": hand((-0.2, -0.45, 1.3), (-0.6, 0.2, -1.0), 50.0, -4.0),
    }
    struck = _nodding(ready, struck, energy)
    across, drop = np.radians(aim), np.radians(12.0)
    way = np.array([np.sin(across) * np.cos(drop), -np.cos(across) * np.cos(drop), -np.sin(drop)])
    arm = 0.94 * sum(bone_length(f"{name}_R") for name in ("UpperArm", "LowerArm", "Hand"))
    pose: Tracks = {part: [(0.0, key)] for part, key in struck.items()}
    pointed = hand_along(pose, "R", 0.0, lambda shoulder: shoulder + arm * way, struck["hand_R"])
    tracks = _tracks(at, _lifted(ready, energy), struck | {"hand_R": pointed}, _recoil(0.08, energy))
    name = f"Indicate side {side:g} energy {energy:g}"
    return keyed_motion(name, dict(zip(INDICATE_ADVERBS, (side, energy), strict=True)), tracks, at, rate)


def offer(both: float, energy: float = 0.5, rate: float = 30.0) -> Generated:
    """Generate an offer: the hand goes out from before the belly and turns its palm up, as one puts an idea forward.

    Parameters
    ----------
    both : from 0, the right hand alone, to 1, both hands.
    energy : from 0, gentle, to 1, sharp.
    rate : frames a second.
    """
    at = _Lengths(0.48, 0.11, 0.30, 0.14, 0.30, 0.74).at_energy(energy).instants(rate)
    gathered = hand((-0.145, -0.245, 1.15), (-0.65, 0.8, -0.35), 15.0, 14.0)
    opened = hand((-0.285, -0.365, 1.12), (-0.45, 0.9, -0.6), -82.0, -4.0)
    alone = 1.0 - both
    ready = {
        "pelvis": hips_at(0.005 * alone, 0.006, -0.023),
        "chest": trunk(2.5 * alone, 0.0, 3.6),
        "head": trunk(-1.0 * alone, 0.0, 5.0),
        "hand_L": mirrored(_between(HANGING_R, gathered, 0.04 + 0.96 * both)),
        "hand_R": gathered,
    }
    struck = {
        "pelvis": hips_at(-0.008 * alone, -0.012, -0.026),
        "hips": trunk(0.0, 0.0, 2.0),
        "chest": trunk(-4.0 * alone, -0.6 * alone, 2.6),
        "head": trunk(-2.5 * alone, 2.5, 2.0),
        "hand_L": mirrored(_between(HANGING_R, opened, 0.08 + 0.92 * both)),
        "hand_R": opened,
    }
    tracks = _tracks(at, _lifted(ready, energy), _nodding(ready, struck, energy), _recoil(0.08, energy))
    name = f"Offer both {both:g} energy {energy:g}"
    return keyed_motion(name, dict(zip(OFFER_ADVERBS, (both, energy), strict=True)), tracks, at, rate)


def count(item: float, energy: float = 0.5, rate: float = 30.0) -> Generated:
    """Generate the setting down of one thing of a list: a short chop of the right hand at the height of the thing.

    The figure has no fingers to count on. A list of three is three gestures, each on its own word.

    Parameters
    ----------
    item : from 1, in front of the shoulder, to 3, in front of the belly.
    energy : from 0, gentle, to 1, sharp.
    rate : frames a second.
    """
    low = item - 1.0
    at = _Lengths(0.48, 0.11, 0.20, 0.11, 0.22, 0.66).at_energy(energy).instants(rate)
    height = 1.34 - 0.115 * low
    ready = {
        "pelvis": hips_at(-0.006, 0.0, -0.022),
        "chest": trunk(-2.0, 0.4, 1.0),
        "head": trunk(-1.0, 0.0, 1.0 + 1.5 * low),
        "hand_L": mirrored(hand((-0.218, -0.085, 0.93), (-0.3, 1.0, 0.0), bend=9.0)),
        "hand_R": hand((-0.215 + 0.015 * low, -0.235, height + 0.085), (-0.7, 0.45, -0.75), 8.0, -3.0),
    }
    struck = {
        "pelvis": hips_at(-0.004, -0.007, -0.025),
        "chest": trunk(1.0, 0.0, 3.2 + 0.5 * low),
        "head": trunk(-1.0, 0.0, 6.0 + 1.0 * low),
        "hand_L": mirrored(hand((-0.22, -0.10, 0.935), (-0.3, 1.0, 0.0), bend=10.0)),
        "hand_R": hand((-0.235 + 0.015 * low, -0.325, height - 0.045), (-0.7, 0.45, -0.75), 12.0, 6.0),
    }
    tracks = _tracks(at, _lifted(ready, energy), _nodding(ready, struck, energy), _recoil(0.14, energy))
    name = f"Count item {item:g} energy {energy:g}"
    return keyed_motion(name, dict(zip(COUNT_ADVERBS, (item, energy), strict=True)), tracks, at, rate)


def shrug(size: float, energy: float = 0.5, rate: float = 30.0) -> Generated:
    """Generate a shrug: the shoulders go up and both hands out with the palms up, the head to one side.

    Parameters
    ----------
    size : from 0, a hint, to 1, a full shrug.
    energy : from 0, gentle, to 1, sharp.
    rate : frames a second.
    """
    at = _Lengths(
        prepare=0.38 + 0.10 * size, wait=0.11, stroke=0.22 + 0.08 * size, recoil=0.12, hold=0.12 + 0.18 * size,
        relax=0.56 + 0.16 * size,
    ).at_energy(energy).instants(rate)  # fmt: skip
    drawn = hand((-0.19, -0.185, 1.06 + 0.03 * size), (-0.55, 1.0, -0.2), -10.0, 8.0)
    thrown = hand((-0.285 - 0.06 * size, -0.265 - 0.02 * size, 1.14 + 0.10 * size), (-0.35, 1.0, -0.7), -80.0, -6.0)
    ready = {
        "chest": trunk(0.0, 0.0, 3.1),
        "head": trunk(0.0, 0.0, 3.6),
        "hand_L": mirrored(drawn),
        "hand_R": drawn,
        "shoulders": shoulders(1.0),
    }
    struck = {
        "pelvis": hips_at(0.0, 0.004 + 0.004 * size, -0.020),
        "hips": trunk(0.0, 0.0, 0.6),
        "chest": trunk(0.0, -0.6, 1.0 - 1.0 * size),
        "head": trunk(2.0, -3.0 - 4.0 * size, 4.4),
        "hand_L": mirrored(thrown),
        "hand_R": thrown,
        "shoulders": shoulders(9.0 + 8.0 * size),
    }
    tracks = _tracks(at, _lifted(ready, energy), _nodding(ready, struck, energy), _recoil(0.10, energy))
    name = f"Shrug size {size:g} energy {energy:g}"
    return keyed_motion(name, dict(zip(SHRUG_ADVERBS, (size, energy), strict=True)), tracks, at, rate)


def greet(energy: float = 0.5, rate: float = 30.0) -> Generated:
    """Generate a short wave beside the face: out at the stroke, and in and out once more, each smaller.

    Parameters
    ----------
    energy : from 0, gentle, to 1, sharp.
    rate : frames a second.
    """
    at = _Lengths(0.58, 0.11, 0.22, 0.57, 0.12, 0.78).at_energy(energy).instants(rate)
    inner = hand((-0.255, -0.175, 1.535), (-0.75, 0.1, -0.9), 74.0, -2.0)
    outer = hand((-0.425, -0.17, 1.51), (-0.75, 0.1, -0.9), 74.0, -2.0)
    ready = {
        "pelvis": hips_at(0.008, 0.0, -0.022),
        "hips": trunk(0.0, 0.6, 1.2),
        "chest": trunk(-1.0, 1.6, 1.0),
        "head": trunk(-1.0, 1.5, 1.0),
        "hand_L": mirrored(hand((-0.225, -0.06, 0.922), (-0.3, 1.0, 0.0), bend=9.0)),
        "hand_R": inner,
    }
    struck = {**ready, "chest": trunk(-3.0, 0.8, 1.4), "head": trunk(-1.0, -3.0, 4.0), "hand_R": outer}
    tracks = _tracks(at, ready, _nodding(ready, struck, energy), _recoil(0.4, energy))
    swings = zip((1.0, 2.0, 3.0), (0.26, 0.82, 0.42), strict=True)
    third = (at["stroke_end"] - at["stroke"]) / 3.0
    waved = [(at["stroke"] + n * third, _between(inner, outer, share)) for n, share in swings]
    heavy = waved[-1][1] + (at["relax"] - at["stroke_end"]) * _LOWERED
    tracks["hand_R"][5:7] = [*waved, (at["relax"], heavy)]
    return keyed_motion(f"Greet energy {energy:g}", {ENERGY: energy}, tracks, at, rate)
