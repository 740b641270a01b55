"""The verbs that the biped can have besides stand, walk, wave and reach, and the transitions between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from .carrying import CARRIES, CARRY_ADVERBS, CARRY_EXAMPLES, CARRY_RANGES, carry
from .figure import Array, Generated
from .gaits import (
    INJURED_ADVERBS,
    INJURED_EXAMPLES,
    INJURED_RANGES,
    RUN_EXAMPLES,
    SIDE_STEP_EXAMPLES,
    TURN_EXAMPLES,
    injured_walk,
    run,
    side_step,
    turn_in_place,
)
from .gestures import (
    LIFT_ADVERBS,
    LIFT_END,
    LIFT_EXAMPLES,
    LIFT_RANGES,
    LOOK_ADVERBS,
    LOOK_EXAMPLES,
    LOOK_RANGES,
    POINT_ADVERBS,
    POINT_EXAMPLES,
    POINT_RANGES,
    lift,
    look,
    nod,
    point,
    sit,
)
from .standing import REACH_EXAMPLES, WAVE_ADVERBS, WAVE_EXAMPLES, reach, stance, wave
from .strikes import (
    KICK_ADVERBS,
    KICK_END,
    KICK_EXAMPLES,
    KICK_RANGES,
    PUNCH_ADVERBS,
    PUNCH_END,
    PUNCH_EXAMPLES,
    PUNCH_RANGES,
    kick,
    punch,
)
from .talking import (
    BEAT_ADVERBS,
    BEAT_EXAMPLES,
    BEAT_RANGES,
    COUNT_ADVERBS,
    COUNT_EXAMPLES,
    COUNT_RANGES,
    GREET_ADVERBS,
    GREET_EXAMPLES,
    GREET_RANGES,
    INDICATE_ADVERBS,
    INDICATE_EXAMPLES,
    INDICATE_RANGES,
    OFFER_ADVERBS,
    OFFER_EXAMPLES,
    OFFER_RANGES,
    SHRUG_ADVERBS,
    SHRUG_EXAMPLES,
    SHRUG_RANGES,
    beat,
    count,
    greet,
    indicate,
    offer,
    shrug,
)
from .walk import WALK_ADVERBS, WALK_EXAMPLES, walk

Ranges = Mapping[str, tuple[float, float]]
Examples = Callable[[float], Sequence[Generated]]
RATES = 4
"""Number of frame rates for which examples are cached."""


@dataclass(frozen=True)
class Place:
    """Target of a verb: a bone's end at a keytime, with the axis that each adverb controls."""

    bone: str
    end: str
    keytime: str
    axes: Mapping[str, str]


@dataclass(frozen=True)
class Role:
    """A verb of the cast.

    Parameters
    ----------
    verb : its name.
    examples : function from frames a second to its examples.
    ranges : range of each of its adverbs by name.
    units : unit of each adverb that has one.
    place : target that its adverbs measure, if any.
    """

    verb: str
    examples: Examples
    ranges: Ranges
    units: Mapping[str, str]
    place: Place | None = None


def _ranges(names: Sequence[str], ranges: Array) -> dict[str, tuple[float, float]]:
    return {name: (low, high) for name, (low, high) in zip(names, ranges.tolist(), strict=True)}


def _examples(make: Callable[..., Generated], places: Sequence[Sequence[float]], *more: str) -> Examples:
    """Return a function that generates a motion for each place; cached, since this is slower than writing actions."""

    @lru_cache(maxsize=RATES)
    def examples(rate: float) -> tuple[Generated, ...]:
        """Return the generated motions at `rate` frames a second."""
        return tuple(make(*place, *more, rate=rate) for place in places)

    return examples


STANCES, WAVES = _examples(stance, [()]), _examples(wave, WAVE_EXAMPLES)
REACHES, WALKS = _examples(reach, REACH_EXAMPLES), _examples(walk, WALK_EXAMPLES)
"""Examples of the verbs that are not part of the cast."""

ENDS: dict[str, tuple[str, str]] = {
    **WALK_ADVERBS,
    **WAVE_ADVERBS,
    "speed": ("slow", "fast"),
    "limp": ("sound", "lame"),
    "step_size": ("small", "large"),
    "lift_weight": ("light", "heavy"),
    "carry_weight": ("light", "heavy"),
    "talk_energy": ("gentle", "sharp"),
    "beat_size": ("small", "large"),
    "shrug_size": ("small", "large"),
    **dict.fromkeys(("point_side", "look_side", "indicate_side"), ("right", "left")),
    **dict.fromkeys(("point_height", "look_height"), ("down", "up")),
}
"""Meaning of the lowest and highest values of adverbs whose name and unit do not show it."""
_ACROSS, _SIDE = {"turn_angle": (30.0, 90.0)}, {"step_size": (0.2, 0.5)}
CAST: tuple[Role, ...] = (
    Role("injured walk", _examples(injured_walk, INJURED_EXAMPLES), _ranges(INJURED_ADVERBS, INJURED_RANGES), {}),
    Role("run", _examples(run, RUN_EXAMPLES), {"turn": (-1.0, 1.0)}, {}),
    Role("turn left", _examples(turn_in_place, TURN_EXAMPLES, "L"), _ACROSS, {"turn_angle": "deg"}),
    Role("turn right", _examples(turn_in_place, TURN_EXAMPLES, "R"), _ACROSS, {"turn_angle": "deg"}),
    Role("side step left", _examples(side_step, SIDE_STEP_EXAMPLES, "L"), _SIDE, {"step_size": "m"}),
    Role("side step right", _examples(side_step, SIDE_STEP_EXAMPLES, "R"), _SIDE, {"step_size": "m"}),
    Role("point", _examples(point, POINT_EXAMPLES), _ranges(POINT_ADVERBS, POINT_RANGES), {}),
    Role(
        "punch",
        _examples(punch, PUNCH_EXAMPLES),
        _ranges(PUNCH_ADVERBS, PUNCH_RANGES),
        dict.fromkeys(PUNCH_ADVERBS, "m"),
        Place(*PUNCH_END, "strike", dict(zip(PUNCH_ADVERBS, "XZ", strict=True))),
    ),
    Role(
        "kick",
        _examples(kick, KICK_EXAMPLES),
        _ranges(KICK_ADVERBS, KICK_RANGES),
        dict.fromkeys(KICK_ADVERBS, "m"),
        Place(*KICK_END, "strike", dict(zip(KICK_ADVERBS, "XZ", strict=True))),
    ),
    Role(
        "lift",
        _examples(lift, LIFT_EXAMPLES),
        _ranges(LIFT_ADVERBS, LIFT_RANGES),
        {LIFT_ADVERBS[0]: "m"},
        Place(*LIFT_END, "grasp", {LIFT_ADVERBS[0]: "Y"}),
    ),
    Role(
        CARRIES,
        _examples(carry, CARRY_EXAMPLES),
        _ranges(CARRY_ADVERBS, CARRY_RANGES),
        {CARRY_ADVERBS[1]: "m"},
    ),
    Role("look", _examples(look, LOOK_EXAMPLES), _ranges(LOOK_ADVERBS, LOOK_RANGES), {}),
    Role("sit", _examples(sit, [()]), {}, {}),
    Role("nod", _examples(nod, [()]), {}, {}),
    Role("beat", _examples(beat, BEAT_EXAMPLES), _ranges(BEAT_ADVERBS, BEAT_RANGES), {}),
    Role("indicate", _examples(indicate, INDICATE_EXAMPLES), _ranges(INDICATE_ADVERBS, INDICATE_RANGES), {}),
    Role("offer", _examples(offer, OFFER_EXAMPLES), _ranges(OFFER_ADVERBS, OFFER_RANGES), {}),
    Role("count", _examples(count, COUNT_EXAMPLES), _ranges(COUNT_ADVERBS, COUNT_RANGES), {}),
    Role("shrug", _examples(shrug, SHRUG_EXAMPLES), _ranges(SHRUG_ADVERBS, SHRUG_RANGES), {}),
    Role("greet", _examples(greet, GREET_EXAMPLES), _ranges(GREET_ADVERBS, GREET_RANGES), {}),
)
TALKING = ("beat", "indicate", "offer", "count", "shrug", "greet")
"""Verbs of the cast that are speech gestures."""
GROUPS: Mapping[str, tuple[str, ...]] = {
    "GOING": ("injured walk", "run", "turn left", "turn right", "side step left", "side step right"),
    "STRIKES": ("punch", "kick"),
    "GESTURES": ("point", "lift", "carry", "look", "sit", "nod"),
    "ALL": tuple(one.verb for one in CAST if one.verb not in TALKING),
    "TALKING": TALKING,
}
"""Verbs of the cast that are added together."""
GAITS = ("walk", "run", "injured walk")
"""Locomotion verbs, with transitions between each other."""


def roles(group: str) -> list[Role]:
    """Return the roles of one of `GROUPS`."""
    return [one for one in CAST if one.verb in GROUPS[group]]


def ways(verbs: Sequence[str]) -> list[tuple[str, str]]:
    """Return the transitions between `verbs`: from and to 'stand' for all others, and between locomotion verbs."""
    hub = "stand" if "stand" in verbs else verbs[0] if verbs else ""
    return [
        (source, target)
        for source in verbs
        for target in verbs
        if source != target and (hub in (source, target) or {source, target} <= set(GAITS))
    ]
