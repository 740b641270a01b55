"""Adverb values that an example itself tells: how fast it goes and turns, how steeply, how long its steps are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.skeleton import point_positions
from ..verb.canonical import canonical_form
from ..verb.example import Contact, Example, frames_of
from ..verb.in_place import with_travel
from .ground import LOW, find_ground, level_of, speed_limit
from .observed import Observed

Array = NDArray[np.float64]

_SAMPLES = 128


@dataclass(frozen=True)
class Measured:
    """Values of one example, in performance units, seconds and radians.

    Parameters
    ----------
    speed : units a second over the floor, along the arc on which it turns.
    turn_rate : radians a second, positive to the left.
    slope : radians by which the way rises.
    step_length : units along the way from one strike to the next; 0 without steps.
    """

    speed: float
    turn_rate: float
    slope: float
    step_length: float


def measure_example(example: Example, channels: Channels) -> Measured:
    """Speed, turn, slope and length of steps over an example's span; of one in place as its planted feet tell them.

    A step is begun by each keytime whose name ends in ``down``; the last keytime is the next cycle's.

    Raises
    ------
    ExampleError
        If it is in place and no contact tells its travel.
    """
    if example.kind == "stationary":
        return Measured(0.0, 0.0, 0.0, 0.0)
    going = with_travel(example, channels) if example.kind == "in_place" else example
    seconds = float(example.keytimes[-1])
    shares = example.keytimes / seconds
    reference = quat.mean(going.take.rotations[:, 0])
    drift = canonical_form(going, channels, shares, reference, _SAMPLES, close=False).drift
    length = float(np.hypot(drift[0], drift[1]))
    heights = going.take.root[:, 2]
    first, last = np.interp(example.keytimes[[0, -1]], going.take.times, heights)
    climb = float(last - first)
    if example.kind == "in_place":
        climb -= seconds * _sinking(going, channels)
    strikes = sum(name.endswith("down") for name in example.keytime_names[:-1])
    return Measured(
        speed=length / seconds,
        turn_rate=float(drift[2]) / seconds,
        slope=float(np.arctan2(climb, length)),
        step_length=length / strikes if strikes else 0.0,
    )


def _sinking(example: Example, channels: Channels) -> float:
    """Vertical velocity of the floor, units a second: of the contact points within their windows."""
    times = example.take.times
    rates = 1.0 / np.diff(times)
    frames = frames_of(example.take, channels)
    moved = [
        (np.diff(point_positions(*frames, contact.joint, contact.offset)[:, 2]) * rates)[_down(contact, times)]
        for contact in example.contacts
    ]
    return float(np.concatenate(moved).mean())


def _down(contact: Contact, times: Array) -> NDArray[np.bool_]:
    """Which of the steps between `times` (F,) lie within a window, (F - 1,)."""
    inside = np.zeros(len(times) - 1, dtype=bool)
    for begin, end in contact.windows:
        inside |= (times[:-1] >= begin) & (times[1:] <= end)
    return inside


def highest(observed: Observed, path: Array, start: float, end: float) -> float:
    """How high a point, such as a hand, comes over the floor between two moments.

    The floor lies where the feet's lowest point rests, and rises as it does under them.

    Parameters
    ----------
    observed : the motion.
    path : (T, 3) of the point, at the motion's frames.
    start, end : seconds.

    Returns
    -------
    In the motion's unit of length.
    """
    ground = find_ground(observed)
    points = np.concatenate(observed.paths)
    low = LOW * observed.leg
    resting = np.concatenate(ground.heights) < low
    resting &= np.concatenate(ground.speeds) < speed_limit(ground.speed, observed.leg)
    grade, heights = level_of(points, np.zeros(resting.shape), resting, observed.leg, low)
    floor = (points[..., 2] - points[..., :2] @ grade - heights).min(axis=0)
    rows = (observed.times >= start - 1e-9) & (observed.times <= end + 1e-9)
    return float((path[:, 2] - path[:, :2] @ grade - floor)[rows].max())
