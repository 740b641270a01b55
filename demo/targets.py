"""What the figures of a performance should come to."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """Bounds inside verbs, or in transitions.

    Parameters
    ----------
    locked : least share of the time in which unlocked points stand still that they are locked.
    slip, off_floor, correction, release : largest cm/s, cm, degrees, and degrees a frame.
    """

    locked: float
    slip: float
    off_floor: float
    correction: float
    release: float


INSIDE = Limits(locked=0.95, slip=0.3, off_floor=1.0, correction=12.0, release=3.0)
IN_TRANSITIONS = Limits(locked=0.95, slip=1.0, off_floor=float("inf"), correction=20.0, release=5.0)
ROOT_STEP = 1.3
ROOT_ACCELERATION = 1.7


@dataclass(frozen=True)
class Verdict:
    """One figure against its target, and what at least it must be with these legs on that ground."""

    what: str
    figure: float
    limit: float
    met: bool
    least: float = 0.0


def verdicts(figures: dict[str, Any]) -> list[Verdict]:
    """All figures of a performance against their targets."""
    found = [*_part("inside verbs", figures["inside_verbs"], INSIDE)]
    if figures["in_transitions"]["seconds"] > 0.0:
        found += _part("in transitions", figures["in_transitions"], IN_TRANSITIONS)
        found += _part("just after them", figures["just_after_transitions"], IN_TRANSITIONS)
    root = figures["root"]
    found += [_most(f"root step, {name}", f["held"], ROOT_STEP) for name, f in root["step_ratio_by_verb"].items()]
    bends = root["acceleration_ratio_by_way"]
    return found + [_most(f"root acceleration, {way}", f["held"], ROOT_ACCELERATION) for way, f in bends.items()]


def _part(where: str, part: dict[str, Any], limits: Limits) -> Iterator[Verdict]:
    share = part["still_and_locked_share"]
    yield Verdict(f"{where}: share locked", share, limits.locked, share >= limits.locked)
    yield _most(f"{where}: slip where still, cm/s", part["slip_where_still"]["held_cm_per_s"], limits.slip)
    yield _most(f"{where}: slip where locked, cm/s", part["slip_where_locked"]["held_cm_per_s"], limits.slip)
    yield _most(f"{where}: off the floor, cm", part["off_floor_cm"], limits.off_floor)
    least = part["least_possible_correction_degrees"]
    yield _most(f"{where}: correction, degrees", part["correction_degrees"], limits.correction, least)
    yield _most(f"{where}: release, degrees a frame", part["release_degrees_per_frame"], limits.release)


def _most(what: str, figure: float, limit: float, least: float = 0.0) -> Verdict:
    return Verdict(what, figure, limit, figure <= limit, least)
