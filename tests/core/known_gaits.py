"""Walks and runs of a whole figure whose strikes and lifts are known, named as the captured clips are.

While a foot is down in a run, the floor bears the body with half a sine of force; in between, the body falls freely.
"""

from functools import cache

import numpy as np
from brought_walks import BODY, Gait, Walked, walk
from verbs_adverbs.core.detect.observed import Observed
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.skeleton import Skeleton

from .bvh import Z_UP, Captured
from .detected import Events, seen_in
from .independent_events import GRAVITY, centre_of_mass

LIMBS = {"UpLeg": "UpperLeg", "Leg": "LowerLeg", "Arm": "UpperArm", "ForeArm": "LowerArm", "Toe": "Toes"}
WALKS_ON_LEGS = tuple(
    Gait(speed, period, duty, landing)
    for speed, period in ((1.0, 1.2), (1.25, 1.05), (1.5, 0.9))
    for duty in (0.58, 0.62, 0.66)
    for landing in (0.1, 0.3, 0.5)
)
RUNS = tuple(
    Gait(speed, 2.0 * (contact + flight), contact / 2.0 / (contact + flight), leave=leave)
    for speed, contact, flight, leave in (
        (1.6, 0.27, 0.13, 40.0),
        (1.8, 0.3, 0.08, 40.0),
        (2.2, 0.27, 0.08, 45.0),
        (2.6, 0.26, 0.11, 50.0),
        (3.0, 0.25, 0.11, 50.0),
        (3.4, 0.22, 0.13, 55.0),
        (4.2, 0.2, 0.14, 55.0),
    )
)
SETTLES = 6
"""Times that the hips of a run are raised by what its centre of mass lacks, since the legs then hang otherwise."""


@cache
def known_gait(gait: Gait, begin: float = 0.3, rate: float = 30.0) -> tuple[Captured, Observed, Events]:
    """Return five seconds of a gait from a share of its cycle on, what is observed of it, and its strikes and lifts."""
    times = np.arange(int(5.0 * rate)) / rate
    raised = np.zeros(len(times))
    walked = walk(gait, times, begin)
    for _ in range(SETTLES if gait.duty < 0.5 else 0):
        lacks = _borne(gait, times + begin * gait.period) - body_of(_captured(walked, rate))[:, 2]
        raised += lacks - lacks.mean()
        walked = walk(gait, times, begin, raised=raised)
    captured = _captured(walked, rate)
    events = [
        (f"{foot}_{what}", float(time))
        for what, ends in (("down", walked.downs), ("up", walked.ups))
        for foot, found in ends.items()
        for time in found
    ]
    return captured, seen_in(captured, "gait"), events


def body_of(captured: Captured) -> np.ndarray:
    """Path (T, 3) of the centre of mass."""
    return centre_of_mass(captured.skeleton.names, captured.skeleton.parents, captured.frames()[0])


def _captured(walked: Walked, rate: float) -> Captured:
    """Return the figure as one that was captured, with Z up."""
    names, (above, offsets) = list(BODY), zip(*BODY.values(), strict=True)
    parents = np.array([names.index(name) if name else -1 for name in above], dtype=np.intp)
    rest, tails = np.tile(quat.IDENTITY, (len(names), 1)), np.tile([0.03, 0.0, 0.0], (len(names), 1))
    lengths = np.array(offsets) * (parents >= 0)[:, None]
    skeleton = Skeleton(tuple(map(_named, names)), parents, lengths, rest, tails)
    rotations = np.stack([np.roll(walked.turns[name], 1, axis=1) for name in names], axis=1)
    rotations[:, 0] = quat.multiply(Z_UP, rotations[:, 0])
    return Captured(skeleton, rate, quat.continuous(rotations), quat.rotate(Z_UP, walked.root))


def _named(joint: str) -> str:
    """Name that the captured clips give a joint of `BODY`."""
    for side in ("Left", "Right"):
        if joint.startswith(side):
            limb = joint.removeprefix(side)
            return f"{LIMBS.get(limb, limb)}_{side[0]}"
    return joint


def _borne(gait: Gait, times: np.ndarray) -> np.ndarray:
    """Height (T,) of the centre of mass of a run over where it is as a foot strikes."""
    contact, step = gait.duty * gait.period, 0.5 * gait.period
    since = times % step
    rate, down = np.pi / contact, np.minimum(since, contact)
    speed = 0.5 * GRAVITY * (step - contact)
    borne = 0.5 * GRAVITY * step * (down - np.sin(rate * down) / rate) - speed * down - 0.5 * GRAVITY * down**2
    after = since - down
    return borne + speed * after - 0.5 * GRAVITY * after**2
