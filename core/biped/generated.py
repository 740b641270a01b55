"""What the generators of example motions return: poses of the biped and what an animator would annotate."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Plant:
    """A bone's end that stands still on the floor.

    Parameters
    ----------
    bone : its name.
    end : ``'HEAD'`` or ``'TAIL'``.
    windows : spans in seconds from the start; they may reach over its ends.
    """

    bone: str
    end: Literal["HEAD", "TAIL"]
    windows: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Generated:
    """A generated motion of the biped.

    Parameters
    ----------
    name : how to name it to the user.
    adverbs : name and value of each adverb.
    times : (T,) seconds from the start of the span, evenly spaced; a margin lies before 0 and after the last keytime.
    rotations : (T, J, 4) rotation of each joint of the biped from its rest, the root's absolute.
    root : (T, 3) position of the root in metres.
    keytime_names, keytimes : (M,) names and seconds from the start, the first 0.
    plants : what stands still, and when.
    kind : whether its root carries it along.
    cyclic : the last keytime is the first one of the next cycle.
    """

    name: str
    adverbs: dict[str, float]
    times: Array
    rotations: Array
    root: Array
    keytime_names: tuple[str, ...]
    keytimes: Array
    plants: tuple[Plant, ...]
    kind: Literal["travelling", "stationary"]
    cyclic: bool

    @property
    def duration(self) -> float:
        """Seconds from the first keytime to the last."""
        return float(self.keytimes[-1])


def frame_times(duration: float, rate: float, margin: int) -> Array:
    """Seconds of frames, at `rate` a second, covering [0, duration], 0 among them, and `margin` more on both sides."""
    return np.arange(-margin, int(np.ceil(duration * rate - 1e-9)) + margin + 1) / rate


def standing(
    name: str,
    adverbs: dict[str, float],
    times: Array,
    pose: tuple[Array, Array],
    keytime_names: tuple[str, ...],
    keytimes: Array,
    feet: tuple[str, ...] = ("L", "R"),
    cyclic: bool = False,
) -> Generated:
    """A motion on the spot: the toes of its `feet` stand still throughout, and `pose` is rotations and root."""
    always = ((float(times[0]), float(times[-1])),)
    plants = tuple(Plant(f"Toes_{side}", "HEAD", always) for side in feet)
    return Generated(name, adverbs, times, *pose, keytime_names, keytimes, plants, "stationary", cyclic)


def ease(u: Array) -> Array:
    """From 0 to 1 while `u` goes from 0 to 1, at rest and without acceleration at both ends."""
    t = np.clip(u, 0.0, 1.0)
    return t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
