"""The verbs that the biped can have besides stand, walk, wave and reach, and the transitions between them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from . import carrying, gaits, gestures, standing, strikes, talking, walk
from .figure import Array, Generated

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
    units: Mapping[str, str] = field(default_factory=dict[str, str])
    place: Place | None = None


def _examples(make: Callable[..., Generated], places: Sequence[Sequence[float]], *more: str) -> Examples:
    """Return a cached function that generates a motion for each place, which is slower than writing actions."""

    @lru_cache(maxsize=RATES)
    def examples(rate: float) -> tuple[Generated, ...]:
        """Return the generated motions at `rate` frames a second."""
        return tuple(make(*place, *more, rate=rate) for place in places)

    return examples


def _asked(
    make: Callable[..., Generated], places: Sequence[Sequence[float]], names: Sequence[str], ranges: Array
) -> tuple[Examples, Ranges]:
    """Return the examples of a motion, and the range (2,) of each of its adverbs by name."""
    return _examples(make, places), {
        name: (low, high) for name, (low, high) in zip(names, ranges.tolist(), strict=True)
    }


STANCES, WAVES = _examples(standing.stance, [()]), _examples(standing.wave, standing.WAVE_EXAMPLES)
REACHES, WALKS = _examples(standing.reach, standing.REACH_EXAMPLES), _examples(walk.walk, walk.WALK_EXAMPLES)
"""Examples of the verbs that are not part of the cast."""

ENDS: dict[str, tuple[str, str]] = {
    **walk.WALK_ADVERBS,
    **standing.WAVE_ADVERBS,
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
    Role(
        "injured walk", *_asked(gaits.injured_walk, gaits.INJURED_EXAMPLES, gaits.INJURED_ADVERBS, gaits.INJURED_RANGES)
    ),
    Role("run", _examples(gaits.run, gaits.RUN_EXAMPLES), {"turn": (-1.0, 1.0)}),
    Role("turn left", _examples(gaits.turn_in_place, gaits.TURN_EXAMPLES, "L"), _ACROSS, {"turn_angle": "deg"}),
    Role("turn right", _examples(gaits.turn_in_place, gaits.TURN_EXAMPLES, "R"), _ACROSS, {"turn_angle": "deg"}),
    Role("side step left", _examples(gaits.side_step, gaits.SIDE_STEP_EXAMPLES, "L"), _SIDE, {"step_size": "m"}),
    Role("side step right", _examples(gaits.side_step, gaits.SIDE_STEP_EXAMPLES, "R"), _SIDE, {"step_size": "m"}),
    Role("point", *_asked(gestures.point, gestures.POINT_EXAMPLES, gestures.POINT_ADVERBS, gestures.POINT_RANGES)),
    Role(
        "punch",
        *_asked(strikes.punch, strikes.PUNCH_EXAMPLES, strikes.PUNCH_ADVERBS, strikes.PUNCH_RANGES),
        units=dict.fromkeys(strikes.PUNCH_ADVERBS, "m"),
        place=Place(*strikes.PUNCH_END, "strike", dict(zip(strikes.PUNCH_ADVERBS, "XZ", strict=True))),
    ),
    Role(
        "kick",
        *_asked(strikes.kick, strikes.KICK_EXAMPLES, strikes.KICK_ADVERBS, strikes.KICK_RANGES),
        units=dict.fromkeys(strikes.KICK_ADVERBS, "m"),
        place=Place(*strikes.KICK_END, "strike", dict(zip(strikes.KICK_ADVERBS, "XZ", strict=True))),
    ),
    Role(
        "lift",
        *_asked(gestures.lift, gestures.LIFT_EXAMPLES, gestures.LIFT_ADVERBS, gestures.LIFT_RANGES),
        units={gestures.LIFT_ADVERBS[0]: "m"},
        place=Place(*gestures.LIFT_END, "grasp", {gestures.LIFT_ADVERBS[0]: "Y"}),
    ),
    Role(
        carrying.CARRIES,
        *_asked(carrying.carry, carrying.CARRY_EXAMPLES, carrying.CARRY_ADVERBS, carrying.CARRY_RANGES),
        units={carrying.CARRY_ADVERBS[1]: "m"},
    ),
    Role("look", *_asked(gestures.look, gestures.LOOK_EXAMPLES, gestures.LOOK_ADVERBS, gestures.LOOK_RANGES)),
    Role("sit", _examples(gestures.sit, [()]), {}),
    Role("nod", _examples(gestures.nod, [()]), {}),
    Role("beat", *_asked(talking.beat, talking.BEAT_EXAMPLES, talking.BEAT_ADVERBS, talking.BEAT_RANGES)),
    Role(
        "indicate",
        *_asked(talking.indicate, talking.INDICATE_EXAMPLES, talking.INDICATE_ADVERBS, talking.INDICATE_RANGES),
    ),
    Role("offer", *_asked(talking.offer, talking.OFFER_EXAMPLES, talking.OFFER_ADVERBS, talking.OFFER_RANGES)),
    Role("count", *_asked(talking.count, talking.COUNT_EXAMPLES, talking.COUNT_ADVERBS, talking.COUNT_RANGES)),
    Role("shrug", *_asked(talking.shrug, talking.SHRUG_EXAMPLES, talking.SHRUG_ADVERBS, talking.SHRUG_RANGES)),
    Role("greet", *_asked(talking.greet, talking.GREET_EXAMPLES, talking.GREET_ADVERBS, talking.GREET_RANGES)),
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
