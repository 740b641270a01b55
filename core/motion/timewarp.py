"""Time warping: clock time T against generic time t, piecewise linear between keytimes ([Rose1998] eq. 1)."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ExampleError

Array = NDArray[np.float64]
Timing = Literal["mean_share", "equal"]


def generic_keytimes(segments: Array, timing: Timing) -> Array:
    """Generic time (M,) of each keytime.

    [Rose1998] eq. 1 gives every segment an equal share (``'equal'``). Deviation, the default: each gets the mean share
    that it has in the examples, which needs far fewer control points where segments differ much in length.

    Parameters
    ----------
    segments : (N, M - 1) lengths in seconds of the segments between keytimes of N examples.
    timing : which of the two.
    """
    count = segments.shape[1]
    if timing == "equal":
        return np.linspace(0.0, 1.0, count + 1)
    shares = np.mean(segments / segments.sum(axis=1, keepdims=True), axis=0)
    generic = np.concatenate([[0.0], np.cumsum(shares)])
    return np.asarray(generic / generic[-1])


def generic_time(times: ArrayLike, keytimes: Array, generic: Array, cyclic: bool = False) -> Array:
    """Generic time t(T) of clock times.

    Parameters
    ----------
    times : (T,) seconds from the first keytime.
    keytimes : (M,) seconds, increasing from 0.
    generic : (M,) generic times of the keytimes, from 0 to 1.
    cyclic : go on over the ends, one unit a cycle; otherwise the ends are held.
    """
    clock = np.asarray(times, dtype=np.float64)
    duration = float(keytimes[-1])
    cycles = np.floor(clock / duration) if cyclic else np.zeros_like(clock)
    return cycles + np.interp(clock - cycles * duration, keytimes, generic)


def clock_time(generic_times: ArrayLike, keytimes: Array, generic: Array, cyclic: bool = False) -> Array:
    """Clock times in seconds of generic times: the inverse of `generic_time`."""
    phase = np.asarray(generic_times, dtype=np.float64)
    cycles = np.floor(phase) if cyclic else np.zeros_like(phase)
    return cycles * keytimes[-1] + np.interp(phase - cycles, generic, keytimes)


def check_keytimes(keytimes: ArrayLike, names: tuple[str, ...], where: str) -> Array:
    """Keytimes (M,) as an array, from 0, if they increase.

    Raises
    ------
    ExampleError
        If there are fewer than two, or one does not come after the one before it, or one is not finite.
    """
    values = np.asarray(keytimes, dtype=np.float64)
    if len(values) < 2:
        raise ExampleError(f"Example '{where}' has {len(values)} keytimes. Give it at least a first and a last one.")
    for index in range(len(values)):
        if not np.isfinite(values[index]):
            raise ExampleError(
                f"Keytime '{names[index]}' of example '{where}' is not a finite number. Set it to a frame."
            )
        if index and values[index] <= values[index - 1]:
            raise ExampleError(
                f"Keytime '{names[index]}' of example '{where}' ({values[index]:.3f} s) does not come after "
                f"'{names[index - 1]}' ({values[index - 1]:.3f} s). Move one of the two markers."
            )
    return values - values[0]
