"""Detection of gait cycles, each from one strike of a foot to its next, and of clips that already are loops."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import shortened
from ..figure import quaternion as quat
from .contacts import Event, FootContacts, PointContacts, Windows
from .observed import Observed

Array = NDArray[np.float64]

UNEVEN = 1.5
"""Factor from the clip's median duration beyond which a cycle is a start, a stop or a stumble."""
SHORTEST, LONGEST = 0.3, 4.0
"""Shortest and longest gait cycle in seconds: of a sprint, and of a march in slow motion."""
AT_ONCE = 0.1
"""Share of a cycle within which two strikes count as simultaneous: a jump."""
CLOSED = 0.01
"""Invisible distance between first and last pose, in leg lengths."""
CLOSED_STEP = 0.02
"""As `CLOSED`, for loops whose last frame is one before the first pose, where the motion in between is guessed."""
NEARLY_CLOSED = 0.05
"""As `CLOSED`, for clips that may be meant as loops, which is then reported."""
EXACT = 5e-4
"""Distance in leg lengths below which two captured poses are not equal by chance."""
AROUND_SEAM = 0.05
"""Seconds at a clip's ends over which its motion is averaged, since captures jitter."""
STEADY = 0.5
"""Maximum velocity change from the end of a loop to its beginning, as a share of the usual speed."""
JUMP = 1.25
"""As `STEADY`, as a share of the largest such change within the loop; velocities jump where a foot strikes."""
GOING = 0.2
"""Minimum speed at the ends of a loop as a share of the usual speed; a motion that comes to rest is not a loop."""
LINGERS = 0.5
"""As `GOING`, for a stationary figure: gestures begin and end slowly in the same pose, and are not loops."""


@dataclass(frozen=True)
class Cycle:
    """One cycle of a gait with its keytimes.

    Parameters
    ----------
    lead : foot whose strike begins the cycle.
    names : (M,) names of the keytimes.
    keytimes : (M,) seconds in the clip's own time; the last is the first of the next cycle.
    closing : root-mean-square distance of the joints between the first and the last pose, in leg lengths.
    """

    lead: str
    names: tuple[str, ...]
    keytimes: tuple[float, ...]
    closing: float

    @property
    def start(self) -> float:
        """Time of the first keytime in seconds."""
        return self.keytimes[0]

    @property
    def end(self) -> float:
        """Time of the last keytime in seconds."""
        return self.keytimes[-1]

    @property
    def duration(self) -> float:
        """Seconds from start to end."""
        return self.end - self.start


def find_cycles(observed: Observed, events: Sequence[Event]) -> tuple[tuple[Cycle, ...], tuple[str, ...]]:
    """Return the usable cycles of a clip, best closing first, and sentences on why others are unusable."""
    whole: list[Cycle] = []
    remarks: list[str] = []
    for lead in observed.feet:
        downs = [index for index, event in enumerate(events) if event.foot == lead and event.what == "down"]
        for first, last in zip(downs, downs[1:], strict=False):
            odd = _odd_events(observed.feet, lead, events[first : last + 1])
            if odd:
                remarks.append(_remark(observed.name, events[first], events[last], odd))
            else:
                whole.append(_cycle(observed, lead, events[first : last + 1]))
    even, uneven = _of_usual_length(observed.name, whole)
    odd_ones = shortened(remarks, f"{{count}} more spans between strikes of '{observed.name}' are not whole cycles.")
    uneven_ones = shortened(uneven, f"{{count}} more cycles of '{observed.name}' have an unusual length.")
    return tuple(sorted(even, key=lambda cycle: cycle.closing)), odd_ones + uneven_ones


def _odd_events(feet: Sequence[str], lead: str, events: Sequence[Event]) -> list[str]:
    """Return the reasons why the events from one strike of foot `lead` to its next are not a gait cycle."""
    first, *between, last = events
    counts, lasts = Counter(event.name for event in between), last.time - first.time
    wanted = [f"{lead}_up"] + [f"{foot}_{what}" for foot in feet if foot != lead for what in ("down", "up")]
    odd = [f"'{name}' is missing" for name in wanted if counts[name] == 0]
    odd += [f"'{name}' comes {counts[name]} times" for name in wanted if counts[name] > 1]
    if not SHORTEST <= lasts <= LONGEST:
        odd.append(f"it is too {'long' if lasts > LONGEST else 'short'} for steps")
    if any(
        event.what == "down" and min(event.time - first.time, last.time - event.time) < AT_ONCE * lasts
        for event in between
    ):
        odd.append("both feet come down at once")
    return odd


def _remark(name: str, first: Event, last: Event, odd: Sequence[str]) -> str:
    return (
        f"The interval of '{name}' from '{first.name}' at {first.time:.2f} s to {last.time:.2f} s is not a whole "
        f"cycle: {' and '.join(odd)}. Use another cycle, or mark the contacts there by hand."
    )


def _of_usual_length(name: str, cycles: Sequence[Cycle]) -> tuple[list[Cycle], list[str]]:
    usual = float(np.median([cycle.duration for cycle in cycles])) if cycles else 0.0
    even: list[Cycle] = []
    remarks: list[str] = []
    for cycle in cycles:
        if usual / UNEVEN <= cycle.duration <= usual * UNEVEN:
            even.append(cycle)
        else:
            remarks.append(
                f"The cycle of '{name}' from '{cycle.names[0]}' at {cycle.start:.2f} s lasts {cycle.duration:.2f} s, "
                f"while others last {usual:.2f} s. It may be a start, a stop or a stumble. Use another cycle."
            )
    return even, remarks


def _cycle(observed: Observed, lead: str, events: Sequence[Event]) -> Cycle:
    times = tuple(event.time for event in events)
    return Cycle(lead, tuple(event.name for event in events), times, closing(observed, times[0], times[-1]))


def closing(observed: Observed, start: float, end: float) -> float:
    """Return the root-mean-square distance of the joints between two poses, without heading and floor position.

    Parameters
    ----------
    observed : the motion.
    start, end : times of the poses in seconds.

    Returns
    -------
    Distance in leg lengths.
    """
    first, last = (_pose(observed, time) for time in (start, end))
    return float(np.linalg.norm(first - last)) / np.sqrt(len(first)) / observed.leg


def _pose(observed: Observed, time: float) -> Array:
    """Return the joints (J, 3) at a time, relative to the root and its heading."""
    row = (time - observed.times[0]) / observed.step
    below = int(np.clip(np.floor(row), 0, len(observed.times) - 2))
    share = row - below
    joints = (1.0 - share) * observed.joints[below] + share * observed.joints[below + 1]
    heading = (1.0 - share) * observed.headings[below] + share * observed.headings[below + 1]
    return quat.rotate(quat.from_yaw(-heading), joints - joints[0])


def closing_of(observed: Observed) -> float:
    """Return the distance of a clip's last pose from its first, as `closing` does."""
    return closing(observed, float(observed.times[0]), float(observed.times[-1]))


def closes(observed: Observed, going: float = GOING) -> bool:
    """Return whether a clip is a loop: its last pose nearly equals the first, and the motion continues across the seam.

    The motion continues if its velocity changes there hardly more than elsewhere, such as where a foot strikes, and if
    it does not come to rest: its speed there is at least the share `going` of the usual one.
    """
    apart = closing_of(observed)
    if apart > CLOSED:
        return False
    (after, before, _), count = _across(observed), _frames_around(observed)
    steps = (observed.joints[count:] - observed.joints[:-count]) / count
    usual, changes = _size(steps), steps[count:] - steps[:-count]
    largest = JUMP * max((_size(change) for change in changes), default=0.0)
    goes_on = min(_size(after), _size(before)) >= going * usual
    return bool(_size(after - before) <= max(STEADY * usual, largest) and (goes_on or apart <= EXACT))


def _frames_around(observed: Observed) -> int:
    """Return the number of frames over which the motion at a clip's ends is averaged."""
    return min(max(1, round(AROUND_SEAM / observed.step)), max(1, (len(observed.times) - 1) // 2))


def _across(observed: Observed) -> tuple[Array, Array, Array]:
    """Return the mean steps (J, 3) of the joints after the first frame and before the last one, and across the seam.

    All are steps from one frame to the next in the heading's frame. That across the seam leaves out the root's
    displacement.
    """
    count, joints = _frames_around(observed), observed.joints
    turns = quat.from_yaw(-observed.headings[[0, -1]])
    after, before = (
        quat.rotate(turn, step) / count
        for turn, step in zip(turns, (joints[count] - joints[0], joints[-1] - joints[-1 - count]), strict=True)
    )
    first, last = (quat.rotate(turn, pose - pose[0]) for turn, pose in zip(turns, joints[[0, -1]], strict=True))
    return after, before, first - last


def completed(observed: Observed) -> Observed:
    """Return a clip, with its first pose appended if it is a loop that does not repeat that pose at the end.

    Game engines expect loops without the repeated pose. In them the last pose is one frame's step before the first; in
    other loops the two are equal.
    """
    after, before, gap = _across(observed)
    step = 0.5 * (after + before)
    left, apart = _size(gap - step + step[0]), _size(gap)
    if left > CLOSED_STEP * observed.leg or apart <= min(left, CLOSED * observed.leg):
        return observed
    turned = 0.5 * float(np.diff(observed.headings[[0, 1, -2, -1]])[[0, 2]].sum())
    turn = float(observed.headings[-1] - observed.headings[0]) + turned
    place = observed.root[-1] + quat.rotate(quat.from_yaw(float(observed.headings[-1]) + 0.5 * turned), step[0])

    def again(paths: Array) -> Array:
        """Return paths (T, ..., 3) with their first frame repeated at the start of the next period."""
        return np.concatenate([paths, quat.rotate(quat.from_yaw(turn), paths[:1] - observed.root[0]) + place])

    return replace(
        observed,
        times=np.append(observed.times, observed.times[-1] + observed.step),
        headings=np.append(observed.headings, observed.headings[0] + turn),
        joints=again(observed.joints),
        paths=tuple(np.swapaxes(again(np.swapaxes(path, 0, 1)), 0, 1) for path in observed.paths),
    )


def _size(vectors: Array) -> float:
    """Return the root mean square length of vectors (..., 3)."""
    return float(np.linalg.norm(vectors)) / np.sqrt(vectors.size / 3.0)


def repeated(observed: Observed) -> Observed:
    """Return a clip repeated three times, each copy beginning where the last ended; the middle one keeps its times."""
    count = len(observed.times) - 1
    turn = float(observed.headings[-1] - observed.headings[0])
    begins, ends = observed.root[0], observed.root[-1]
    rows = np.arange(count)

    def copies(paths: Array) -> Array:
        """Return paths (..., T, 3) repeated for the three copies, as (..., 3 T - 2, 3)."""
        within = paths[..., rows, :]
        before = quat.rotate(quat.from_yaw(-turn), within - ends) + begins
        after = quat.rotate(quat.from_yaw(turn), paths - begins) + ends
        return np.concatenate([before, within, after], axis=-2)

    times = observed.times[0] + observed.step * np.arange(-count, 2 * count + 1)
    headings = np.concatenate([observed.headings[rows] - turn, observed.headings[rows], observed.headings + turn])
    joints = np.swapaxes(copies(np.swapaxes(observed.joints, 0, 1)), 0, 1)
    paths = tuple(copies(path) for path in observed.paths)
    return replace(observed, times=times, headings=headings, joints=joints, paths=paths)


def within_clip(observed: Observed, cycles: Sequence[Cycle], keyed: float) -> tuple[Cycle, ...]:
    """Keep the cycles of a repeated clip that begin in its middle copy.

    A cycle that spans the clip begins and ends exactly with it. One that extends past the clip's end lasts exactly one
    period, and is moved a period earlier if it begins at or after the last frame of the original clip.

    Parameters
    ----------
    observed : the clip, completed if it is a loop without its first pose at the end.
    cycles : cycles found in three repetitions of it.
    keyed : time of the original clip's last frame in seconds.
    """
    first, last = float(observed.times[0]), float(observed.times[-1])
    found: list[Cycle] = []
    for cycle in cycles:
        around = abs(cycle.duration - (last - first)) < observed.step
        if max(abs(cycle.start - first), abs(cycle.end - last)) < 0.5 * observed.step:
            found.append(replace(cycle, keytimes=(first, *cycle.keytimes[1:-1], last)))
        elif first <= cycle.start + 0.5 * observed.step < last and (around or cycle.end <= last):
            end = cycle.start + last - first if around else cycle.end
            earlier = last - first if cycle.start >= keyed else 0.0
            found.append(replace(cycle, keytimes=tuple(time - earlier for time in (*cycle.keytimes[:-1], end))))
    return tuple(found)


def contacts_within(observed: Observed, contacts: Sequence[FootContacts]) -> tuple[FootContacts, ...]:
    """Keep the contacts of a repeated clip that overlap its middle copy; they may extend beyond its ends."""
    first, last = float(observed.times[0]), float(observed.times[-1])

    def touching(windows: Windows) -> Windows:
        """Keep the windows that overlap the clip."""
        return tuple(window for window in windows if window[1] > first and window[0] < last)

    return tuple(
        FootContacts(
            foot.foot,
            touching(foot.windows),
            tuple(PointContacts(p.point, touching(p.windows), touching(p.still)) for p in foot.points),
        )
        for foot in contacts
    )
