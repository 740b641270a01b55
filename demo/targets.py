"""The targets for the figures of a performance."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Limits:
    """Targets inside verbs, or in transitions.

    Parameters
    ----------
    locked : of the time in which points stand still without locks, the least share in which they must be locked.
    slip, off_floor, correction, release : largest values, in cm/s, cm, degrees, and degrees a row.
    """

    locked: float
    slip: float
    off_floor: float
    correction: float
    release: float


NO_TARGET = math.inf
INSIDE = Limits(locked=0.95, slip=0.3, off_floor=1.0, correction=12.0, release=3.0)
IN_TRANSITIONS = Limits(locked=0.95, slip=1.0, off_floor=NO_TARGET, correction=20.0, release=5.0)
STEP_HOME_CORRECTION = 20.0
ROOT_STEP = 1.3
ROOT_ACCELERATION = 1.7


@dataclass(frozen=True)
class Verdict:
    """A figure compared with its target.

    Parameters
    ----------
    what : what is measured.
    figure, limit : the figure as measured, and its target; infinite if there is none.
    at_least : whether larger is better.
    least : smallest value that the figure can have with these legs on that ground.
    any_frame : for a figure that is a mean, the largest value between two frames.
    """

    what: str
    figure: float
    limit: float
    at_least: bool = False
    least: float = 0.0
    any_frame: float | None = None

    @property
    def met(self) -> bool:
        """Whether the figure meets its target."""
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit

    @property
    def line(self) -> str:
        """The verdict as a line of text."""
        bound = "no target" if math.isinf(self.limit) else f"target {self.limit:g}"
        words = [f"{self.what}: {self.figure:.3f}", bound]
        if self.any_frame is not None:
            words.append(f"largest of any frame {self.any_frame:.3f}")
        if self.least > self.limit:
            words.append(f"at least {self.least:.1f} with these legs")
        if not self.met:
            words.append(f"MISSED by {abs(self.figure - self.limit):.3f}")
        return ", ".join(words)


def verdicts(figures: dict[str, Any]) -> list[Verdict]:
    """Compare all figures of a performance with their targets."""
    found = [*_part("inside verbs", figures["inside_verbs"], INSIDE)]
    if figures["in_transitions"]["seconds"] > 0.0:
        found += _part("in transitions", figures["in_transitions"], IN_TRANSITIONS)
    home = figures["steps_home"]
    found.append(Verdict("steps home: correction, degrees", home["correction_degrees"], STEP_HOME_CORRECTION))
    found.append(Verdict("steps home: % of the time of standing points", 100.0 * home["share_of_standing"], NO_TARGET))
    root = figures["root"]
    found += [Verdict(f"root step, {name}", f["held"], ROOT_STEP) for name, f in root["step_ratio_by_verb"].items()]
    bends = root["acceleration_ratio_by_way"]
    return found + [Verdict(f"root acceleration, {way}", f["held"], ROOT_ACCELERATION) for way, f in bends.items()]


def _part(where: str, part: dict[str, Any], limits: Limits) -> Iterator[Verdict]:
    share = part["still_and_locked_share"]
    yield Verdict(f"{where}: share locked", share, limits.locked, at_least=True)
    for kind in ("still", "locked"):
        slip = part[f"slip_where_{kind}"]
        mean, any_frame = slip["held_cm_per_s"], slip["held_cm_per_s_of_any_frame"]
        yield Verdict(f"{where}: slip where {kind}, cm/s", mean, limits.slip, any_frame=any_frame)
    yield Verdict(f"{where}: off the floor, cm", part["off_floor_cm"], limits.off_floor)
    least = part["least_possible_correction_degrees"]
    yield Verdict(f"{where}: correction, degrees", part["correction_degrees"], limits.correction, least=least)
    yield Verdict(f"{where}: release, degrees a frame", part["release_degrees_per_frame"], limits.release)
