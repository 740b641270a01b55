"""Walks with known contacts, captured clips, and changes to them that must not change what is detected."""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton, heel, rest_orientations, rest_point
from verbs_adverbs.core.biped.walk import Gait, build_gait, walk_pose
from verbs_adverbs.core.detect.contacts import FootContacts
from verbs_adverbs.core.detect.cycles import Cycle
from verbs_adverbs.core.detect.detection import Detection
from verbs_adverbs.core.detect.observed import Foot, Observed, guessed_heel, leg_length, observe
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.skeleton import forward_kinematics

from .bvh import Captured, read_bvh

FRAME = 1.0 / 30.0
"""Seconds per frame in which differences are counted, whatever the frame rate of a clip."""
Events = list[tuple[str, float]]


@dataclass(frozen=True, eq=False)
class KnownWalk:
    """A generated walk, with the times at which its feet touch the floor."""

    observed: Observed
    events: Events
    period: float
    speed: float


def biped_feet() -> list[Foot]:
    """Heel and ball of both feet of the biped."""
    feet = []
    for side in "LR":
        ankle = JOINTS[f"Foot_{side}"]
        offset = quat.rotate(quat.conjugate(rest_orientations()[ankle]), heel(side) - rest_point(f"Foot_{side}"))
        points = (LockPoint("heel", ankle, offset), LockPoint("ball", JOINTS[f"Toes_{side}"], np.zeros(3)))
        feet.append(Foot(side, points, JOINTS[f"UpperLeg_{side}"]))
    return feet


def headings(orientations: np.ndarray) -> np.ndarray:
    """Heading (T,) of the root of orientations (T, J, 4)."""
    root = orientations[:, 0]
    return np.unwrap(quat.yaw_of(quat.multiply(root, quat.conjugate(quat.mean(root)))))


def gone(gait: Gait, rate: float, begin: float, cycles: float) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
    """Times (T,) of some cycles of a gait from phase `begin` on, and the joints' places and orientations in it."""
    times = np.arange(int(round(cycles * gait.style.period * rate)) + 1) / rate
    rotations, root = walk_pose(gait, times / gait.style.period + begin)
    locations = np.zeros((len(times), len(JOINTS), 3))
    locations[:, 0] = root
    return times, forward_kinematics(biped_skeleton(), rotations, locations)


@cache
def known_walk(
    mood: float, slope: float, turn: float, rate: float = 30.0, begin: float = -0.35, cycles: float = 2.75
) -> KnownWalk:
    """Return some cycles of the generated walk, from phase `begin` on."""
    gait = build_gait(mood, slope, turn)
    period, (times, frames) = gait.style.period, gone(gait, rate, begin, cycles)
    leg = leg_length(biped_skeleton(), JOINTS["UpperLeg_L"], JOINTS["Foot_L"])
    observed = observe("walk", times, frames, headings(frames[1]), biped_feet(), leg)
    events = [
        (f"{side}_{what}", (cycle + shift + after - begin) * period)
        for side, shift in (("L", 0.5), ("R", 0.0))
        for what, after in (("down", 0.0), ("up", gait.style.duty))
        for cycle in range(-3, 5)
    ]
    return KnownWalk(observed, events, period, gait.style.stride / period)


def captured_clip(folder: Path, file: str) -> tuple[Captured, Observed]:
    """Read a file of captured motion, with what is observed of it; its skeleton has no bone for the heel."""
    captured = read_bvh(folder / file)
    return captured, seen_in(captured, file)


def seen_in(captured: Captured, name: str) -> Observed:
    """Return what is observed of a figure whose bones have the names of the captured clips."""
    frames, index = captured.frames(), captured.skeleton.index
    feet = []
    for side in "LR":
        ankle, ball = index(f"Foot_{side}"), index(f"Toes_{side}")
        points = (guessed_heel("heel", frames, ankle, ball), LockPoint("ball", ball, np.zeros(3)))
        feet.append(Foot(side, points, index(f"UpperLeg_{side}")))
    leg = leg_length(captured.skeleton, index("UpperLeg_L"), index("Foot_L"))
    return observe(name, captured.times, frames, headings(frames[1]), feet, leg)


def moved(observed: Observed, angle: float = 0.0, scale: float = 1.0, tilt: float = 0.0) -> Observed:
    """Return a motion turned about the vertical by `angle`, tilted by `tilt`, moved away from the origin and scaled."""
    turn = quat.multiply(quat.from_axis_angle([1.0, 0.0, 0.0], tilt), quat.from_yaw(angle))

    def place(points: np.ndarray) -> np.ndarray:
        return scale * (quat.rotate(turn, points) + np.array([3.0, -2.0, 5.0]))

    paths = tuple(place(path) for path in observed.paths)
    return replace(
        observed,
        paths=paths,
        joints=place(observed.joints),
        headings=observed.headings + angle,
        leg=observed.leg * scale,
    )


def at_rate(observed: Observed, rate: float) -> Observed:
    """Return a motion at another frame rate, interpolated linearly between frames as imported keys are."""
    times = np.arange(observed.times[0], observed.times[-1] + 1e-9, 1.0 / rate)
    rows = np.interp(times, observed.times, np.arange(len(observed.times)))
    below = np.minimum(rows.astype(int), len(observed.times) - 2)
    share = rows - below

    def between(values: np.ndarray) -> np.ndarray:
        part = share.reshape((-1,) + (1,) * (values.ndim - 1))
        return (1.0 - part) * values[below] + part * values[below + 1]

    paths = tuple(np.array([between(point) for point in path]) for path in observed.paths)
    turned = between(observed.headings)
    return replace(observed, times=times, paths=paths, joints=between(observed.joints), headings=turned)


def noisy(observed: Observed, size: float = 0.002, seed: int = 3) -> Observed:
    """Return a motion with noise in every coordinate, 2 mm unless another size is given."""
    rng = np.random.default_rng(seed)
    paths = tuple(path + size * rng.normal(size=path.shape) for path in observed.paths)
    return replace(observed, paths=paths, joints=observed.joints + size * rng.normal(size=observed.joints.shape))


def in_place(observed: Observed) -> Observed:
    """Return a motion moved at each frame so that its root stays above the origin."""
    away = observed.root * np.array([1.0, 1.0, 0.0])
    paths = tuple(path - away for path in observed.paths)
    return replace(observed, paths=paths, joints=observed.joints - away[:, None])


def found_events(contacts: tuple[FootContacts, ...]) -> Events:
    """Times at which the contacts' windows begin (strikes) and end (toe-offs)."""
    return [
        (f"{foot.foot}_{what}", window[end])
        for foot in contacts
        for window in foot.windows
        for end, what in ((0, "down"), (1, "up"))
    ]


def within(events: Events, observed: Observed, margin: float) -> Events:
    """Events at least `margin` seconds inside a clip."""
    first, last = observed.times[0] + margin, observed.times[-1] - margin
    return [event for event in events if first < event[1] < last]


def misses(wanted: Events, found: Events) -> np.ndarray:
    """Distances in frames from each of `wanted` to the nearest event of its name in `found`; infinite without one."""
    return np.array(
        [min((time - at for other, time in found if other == name), key=abs, default=np.inf) for name, at in wanted]
    ) / FRAME  # fmt: skip


def cycles_from(found: Detection, lead: str) -> list[Cycle]:
    """Cycles that begin with a strike of foot `lead`, those that close best first."""
    return [cycle for cycle in found.cycles if cycle.lead == lead]
