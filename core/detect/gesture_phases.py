"""Detection of gesture phases from the speed of the hands: preparation, stroke, hold and retraction.

A gesture goes from rest through preparation, stroke and retraction back to rest, with holds between them (Kendon 1980;
Kita, van Gijn and van der Hulst, "Movement phases in signs and co-speech gestures", 1998). Where one phase changes to
the next, the hand changes direction and its speed has a minimum. A stroke may swing to and fro, and may end in a
recoil; a gesture that is only held has no stroke of its own, and its hold carries the meaning (Kipp, "Gesture
Generation by Imitation", 2004). So the motion is cut at deep minima of speed, and each piece is classified by where it
begins and ends: near the rest position, or away from it.

Human reaches have the speed profile 16 u^2 (1 - u)^2 over their time u from 0 to 1, as shares of the peak (Flash and
Hogan, "The coordination of arm movements", 1985). The instants at which the speed passes two shares therefore show when
it was 0, even if the hand drifts in the adjacent hold.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import GestureError
from ..motion.resampling import resample, smoothed_path

Array = NDArray[np.float64]

FEWEST_FRAMES = 8
RATE = 240.0
"""Frames a second at which speeds are evaluated."""
SPREAD = 0.02
"""Standard deviation of smoothing, in seconds."""
LEAST = 0.12
"""Minimum displacement of a hand from its initial position, in arm lengths; breathing or swaying is less."""
DEEP = 0.5
"""Share of the lower of two speed peaks below which the minimum between them separates two movements."""
MINOR = 0.07
"""Share of the highest speed peak below which motion is a hold or noise."""
SWAY = 0.02
"""Share of the largest displacement from the initial position below which motion is a hold or noise as well."""
LOW, HIGH = 0.2, 0.5
"""Shares of a speed peak whose crossings show when a movement began or ended."""
STILL = 0.06
"""Share of the highest speed below which a hand counts as held; it need not be frozen."""
AWAY = 0.3
"""Share of the largest distance from rest beyond which a stroke begins and ends."""
PAUSE = 0.12
"""Longest pause in seconds within one swinging stroke; after a longer one a new stroke begins."""
APART = 0.03
"""Seconds between sync points of an empty phase; less if the motion is too short."""


@dataclass(frozen=True, eq=False)
class GesturePhases:
    """The phases of a gesture found in a motion.

    Parameters
    ----------
    hand : index of the stroking hand; if both stroke, of the one that moves more.
    sync : (7,) seconds, increasing: start, ready, stroke_start, stroke, stroke_end, relax and end.
    sure : from 0 to 1, how clearly the stroke is separated from what comes before and after it; at most 0.5 for a
        gesture that only moves out and back, whose stroke is assumed to be the second half of the way out.
    """

    hand: int
    sync: Array
    sure: float


@dataclass(frozen=True)
class _Piece:
    """A movement between two deep minima of speed: the rows of its begin, peak and end."""

    begin: int
    peak: int
    end: int


@dataclass(frozen=True, eq=False)
class _Path:
    """The path of the hand that strokes: times (N,), positions (N, 3) and speeds (N,)."""

    times: Array
    places: Array
    speeds: Array


def find_gesture_phases(name: str, times: Array, places: Array, arm: float) -> GesturePhases:
    """Find the sync points of the gesture in a motion that begins and ends with the hands (nearly) at rest.

    Parameters
    ----------
    name : name of the motion in messages to the user.
    times : (T,) seconds, increasing and evenly spaced.
    places : (T, H, 3) positions of the hands in the character's space, which moves and turns with it.
    arm : length of an arm, in the units of `places`.

    Raises
    ------
    GestureError
        If no hand moves, or there are too few frames or NaN values.
    """
    _check(name, times, places, arm)
    hand, path = _stroking_hand(times, places)
    away = np.linalg.norm(path.places - path.places[0], axis=-1)
    if float(away.max()) < LEAST * arm:
        raise GestureError(
            f"No hand moves enough in '{name}': the largest hand displacement is {away.max() / arm:.0%} arm lengths, "
            f"but a gesture needs {LEAST:.0%}. Choose a span in which the hand gestures, or set the keytimes by hand."
        )
    pieces = _pieces(path)
    whole, sure = _stroke_of(path, pieces)
    sync = _with_stroke(path, pieces, whole) if whole else _there_and_back(path, pieces)
    return GesturePhases(hand, _apart(sync, float(times[0]), float(times[-1])), sure)


def _check(name: str, times: Array, places: Array, arm: float) -> None:
    if len(times) < FEWEST_FRAMES or places.shape[1] == 0:
        raise GestureError(
            f"'{name}' has {len(times)} frames and {places.shape[1]} hands; finding gesture phases needs at least "
            f"{FEWEST_FRAMES} frames and one hand. Choose a longer span, and check the hand bones."
        )
    if not arm > 0.0:
        raise GestureError(f"The arms of '{name}' have zero length. Choose other shoulder and hand bones.")
    bad = ~np.isfinite(places).all(axis=(1, 2))
    if bad.any():
        at = float(times[int(np.flatnonzero(bad)[0])])
        raise GestureError(f"A hand of '{name}' is at no valid position {at:.3f} s in. Mend that key.")


def _stroking_hand(times: Array, places: Array) -> tuple[int, _Path]:
    """Return the hand that moves most, by the integral of its squared speed, and its smooth path."""
    smooth, velocities = smoothed_path(times, places, SPREAD)
    hand = int(np.argmax(np.sum(velocities**2, axis=(0, 2))))
    count = 1 + max(len(times) - 1, int(np.ceil((times[-1] - times[0]) * RATE - 1e-6)))
    fine: Array = np.linspace(float(times[0]), float(times[-1]), count)
    both = resample(times, np.concatenate([smooth[:, hand], velocities[:, hand]], axis=-1), fine)
    return hand, _Path(fine, both[:, :3], np.linalg.norm(both[:, 3:], axis=-1))


def _pieces(path: _Path) -> list[_Piece]:
    """Cut a motion at the deep minima of its speed; minor movements belong to the holds between the pieces."""
    speeds = path.speeds
    rising = np.concatenate([[True], np.diff(speeds) > 0.0, [False]])
    tops = [int(row) for row in np.flatnonzero(rising[:-1] & ~rising[1:]) if speeds[row] >= MINOR * speeds.max()]
    far = SWAY * float(np.linalg.norm(path.places - path.places[0], axis=-1).max())
    while True:
        lows = [first + int(np.argmin(speeds[first:second])) for first, second in zip(tops[:-1], tops[1:], strict=True)]
        higher = [min(speeds[first], speeds[second]) for first, second in zip(tops[:-1], tops[1:], strict=True)]
        shares = [float(speeds[low] / high) for low, high in zip(lows, higher, strict=True)]
        if shares and max(shares) >= DEEP:
            worst = int(np.argmax(shares))
            del tops[worst if speeds[tops[worst]] < speeds[tops[worst + 1]] else worst + 1]
            continue
        edges = [0, *lows, len(speeds) - 1]
        pieces = [_Piece(begin, top, end) for begin, top, end in zip(edges[:-1], tops, edges[1:], strict=True)]
        ways = [float(np.ptp(path.places[piece.begin : piece.end + 1], axis=0).max()) for piece in pieces]
        if len(pieces) < 2 or min(ways) >= far:
            return pieces
        del tops[int(np.argmin(ways))]


def _onset(path: _Path, piece: _Piece) -> float:
    """Return when a movement began."""
    return _foot(path, piece.peak, piece.begin)


def _offset(path: _Path, piece: _Piece) -> float:
    """Return when a movement was over."""
    return _foot(path, piece.peak, piece.end)


def _foot(path: _Path, peak: int, valley: int) -> float:
    """Return when speed was 0 between a peak and the adjacent minimum, extrapolated from two shares of the peak."""
    step = 1 if valley > peak else -1
    rows = np.arange(peak, valley + step, step)
    speeds, times = path.speeds[rows], path.times[rows]
    least = float(np.clip(STILL * path.speeds.max() / speeds[0], LOW, HIGH))
    shares = least, least + HIGH - LOW
    low, high = (_passing(times, speeds, share * speeds[0]) for share in shares)
    near, far = (_progress(share) for share in shares)
    foot = low + (low - high) * near / (far - near)
    return float(np.clip(foot, min(times[0], times[-1]), max(times[0], times[-1])))


def _progress(share: float) -> float:
    """Return the time, as a share of the whole, at which a reach has reached a share of its peak speed."""
    return 0.5 * (1.0 - (1.0 - share**0.5) ** 0.5)


def _passing(times: Array, speeds: Array, level: float) -> float:
    """Return when speeds, which begin above a level, first fall below it; the last time if they never do."""
    below = np.flatnonzero(speeds < level)
    if not len(below):
        return float(times[-1])
    after = int(below[0])
    share = (speeds[after - 1] - level) / (speeds[after - 1] - speeds[after])
    return float(times[after - 1] + share * (times[after] - times[after - 1]))


def _stroke_of(path: _Path, pieces: Sequence[_Piece]) -> tuple[list[int], float]:
    """Return the pieces of the stroke, the one that ends at its extremum first, and how sure the result is.

    The list is empty for a gesture that only moves out and back.
    """
    from_first, from_last = (np.linalg.norm(path.places - path.places[row], axis=-1) for row in (0, -1))
    far = AWAY * min(from_first.max(), from_last.max())
    inner = [
        index
        for index, piece in enumerate(pieces)
        if 0 < index < len(pieces) - 1 and from_first[piece.begin] > far and from_last[piece.end] > far
    ]
    if not inner:
        turns = [piece.end for piece in pieces[:-1]]
        rest = min((path.speeds[row] for row in turns), default=path.speeds.max()) / path.speeds.max()
        return [], 0.5 * float(1.0 - rest)
    main = max(inner, key=lambda index: path.speeds[pieces[index].peak])
    piece = pieces[main]
    edges = max(path.speeds[piece.begin], path.speeds[piece.end]) / path.speeds[piece.peak]
    return [main, *_swings(path, pieces, inner, main)], float(np.clip(1.0 - edges, 0.0, 1.0))


def _swings(path: _Path, pieces: Sequence[_Piece], inner: Sequence[int], main: int) -> list[int]:
    """Return which pieces continue the swing after the main piece of a stroke, and which precede it."""
    found: list[int] = []
    for step in (-1, 1):
        index = main + step
        while index in inner:
            earlier, later = sorted((index - step, index))
            if _onset(path, pieces[later]) - _offset(path, pieces[earlier]) > PAUSE:
                break
            if step < 0 and path.speeds[pieces[index].peak] < HIGH * path.speeds[pieces[main].peak]:
                break
            found.append(index)
            index += step
    return found


def _with_stroke(path: _Path, pieces: Sequence[_Piece], stroke: Sequence[int]) -> list[float]:
    """Return the sync points of a gesture with a stroke of its own."""
    first, last = min(stroke), max(stroke)
    struck = _offset(path, pieces[stroke[0]])
    ends = _offset(path, pieces[last]) if last > stroke[0] else struck
    return [
        _onset(path, pieces[0]),
        _offset(path, pieces[first - 1]),
        _onset(path, pieces[first]),
        struck,
        ends,
        _onset(path, pieces[last + 1]),
        _offset(path, pieces[-1]),
    ]


def _there_and_back(path: _Path, pieces: Sequence[_Piece]) -> list[float]:
    """Return the sync points of a gesture that moves out, may stay there, and may move back."""
    away = np.linalg.norm(path.places - path.places[0], axis=-1)
    turn = max(range(len(pieces)), key=lambda index: away[pieces[index].end])
    way, last = pieces[turn], len(pieces) - 1
    fastest = float(path.times[way.peak])
    there = _offset(path, way)
    back = _onset(path, pieces[turn + 1]) if turn < last else float(path.times[-1])
    end = _offset(path, pieces[last]) if turn < last else float(path.times[-1])
    return [_onset(path, pieces[0]), fastest, fastest, there, there, back, end]


def _apart(sync: Sequence[float], first: float, last: float) -> Array:
    """Return sync points (7,) made increasing within a motion from `first` to `last`; the stroke is moved last."""
    gap = min(APART, (last - first) / (2.0 * len(sync)))
    found = np.array(sync)
    stroke = 3
    found[stroke] = np.clip(found[stroke], first + stroke * gap, last - stroke * gap)
    for row in range(stroke - 1, -1, -1):
        found[row] = np.clip(found[row], first + row * gap, found[row + 1] - gap)
    for row in range(stroke + 1, len(found)):
        found[row] = np.clip(found[row], found[row - 1] + gap, last - (len(found) - 1 - row) * gap)
    return found
