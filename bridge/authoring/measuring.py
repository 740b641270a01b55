"""Measured adverbs: their measures, and filling in the examples' values from their motions."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Action, Object, PropertyGroup
from numpy.typing import NDArray

from ...core.errors import MOST_CHOICES, RigError, VerbError, quoted
from ...core.reach.measures import Aim, Measure, aim_at_adverbs, combine, end_effector, slope, speed, turn_rate
from ...core.verb.verb import Verb
from ..action.examples import resolve
from ..blender.naming import LONGEST_NAME, checked_name
from ..data.annotate import check_editable, set_value, value_of
from ..data.current import armature_of
from ..data.example_list import used_examples
from ..data.schema import PLACES
from ..rig.rig import Rig
from .building import build_unplaced
from .definitions import add_adverb, use_adverb

Array = NDArray[np.float64]

DEGREES = 180.0 / np.pi
FLAT = 1e-6
TELLING = {"SPEED": ("speed", 0.1), "TURN_RATE": ("turn", np.radians(15.0)), "SLOPE": ("slope", np.radians(3.0))}
"""For each measure its adverb's name, and the smallest difference between examples that makes it worth adding: a
fraction of the highest speed, radians per second, radians."""

MEANS = {"SPEED": ("slow", "fast"), "TURN_RATE": ("right", "left"), "SLOPE": ("downhill", "uphill")}
"""Labels of the lowest and the highest value of each of these."""


@dataclass(frozen=True)
class Filled:
    """The result of measuring.

    Parameters
    ----------
    examples, adverbs : their numbers.
    flat : names of adverbs that have the same value in all examples.
    """

    examples: int
    adverbs: int
    flat: tuple[str, ...]


def measured_adverbs(item: PropertyGroup, names: Collection[str] | None = None) -> list[PropertyGroup]:
    """Return the adverbs of a verb that measure something, in the order of the verb; only those in `names` if given."""
    return [used for used in item.adverbs if used.measure != "NONE" and (names is None or used.name in names)]


def measure_of(item: PropertyGroup, verb: Verb, rig: Rig, names: Collection[str] | None = None) -> Measure:
    """Return the measure of a verb: one component for each measured adverb, in the order of the verb.

    Parameters
    ----------
    names : names of the adverbs to include; all by default.

    Raises
    ------
    VerbsError
        If no adverb measures anything, or a bone or keytime does not exist.
    """
    used = measured_adverbs(item, names)
    if not used:
        raise VerbError(
            f"No adverb of verb '{item.name}' measures anything. Choose what to measure under Measures first."
        )
    groups: dict[tuple[str, ...], list[PropertyGroup]] = {}
    for one in used:
        groups.setdefault(_point(one), []).append(one)
    parts = [_measure(item, group, verb, rig) for group in groups.values()]
    found = combine(*parts)
    names = [one.name for group in groups.values() for one in group]
    order = [names.index(one.name) for one in used]
    units = tuple(found.units[row] for row in order)
    places = (replace(p, components=tuple(order.index(c) for c in p.components)) for p in found.places)
    return Measure(
        tuple(one.name for one in used),
        units,
        lambda verb, weights: found.of_weights(verb, weights)[:, order],
        places=tuple(places),
    )


def _point(used: PropertyGroup) -> tuple[str, ...]:
    """Return a key that groups adverbs that are measured together: those of the same point, or a rate by itself."""
    return (used.bone, used.end, used.keytime, used.space) if used.measure in PLACES else (used.measure, used.name)


def _measure(item: PropertyGroup, group: list[PropertyGroup], verb: Verb, rig: Rig) -> Measure:
    first = group[0]
    if first.measure == "SPEED":
        return speed()
    if first.measure in ("TURN_RATE", "SLOPE"):
        return _in_degrees(turn_rate() if first.measure == "TURN_RATE" else slope())
    if first.bone not in rig.joints:
        said = f"bone '{first.bone}', which '{rig.armature}' does not have below its root" if first.bone else "no bone"
        raise RigError(
            f"Adverb '{first.name}' of verb '{item.name}' measures {said}. Choose the bone to measure, or press Map "
            "Bones if it was renamed."
        )
    if first.keytime not in verb.keytime_names:
        known = quoted(dict.fromkeys(verb.keytime_names), MOST_CHOICES)
        said = f"has no keytime '{first.keytime}', at which" if first.keytime else "needs a keytime at which"
        raise VerbError(f"Verb '{item.name}' {said} to measure adverb '{first.name}'. Choose one of {known}.")
    return place_measure(first, verb, rig, [PLACES.index(one.measure) for one in group])


def place_measure(used: PropertyGroup, verb: Verb, rig: Rig, axes: Sequence[int] = (0, 1, 2)) -> Measure:
    """Return the measure of a bone's position along some axes, as for an adverb; bone and keytime must exist."""
    phase = float(verb.phrasing.generic[verb.keytime_names.index(used.keytime)])
    return end_effector(*rig.point(used.bone, used.end), phase, used.space == "START", axes)


def _in_degrees(measure: Measure) -> Measure:
    return replace(
        measure,
        units=tuple(unit.replace("rad", "°") for unit in measure.units),
        of_weights=lambda verb, weights: DEGREES * measure.of_weights(verb, weights),
    )


def aim_of(item: PropertyGroup, verb: Verb, rig: Rig, names: Collection[str] | None = None) -> Aim:
    """Return what the measured adverbs of a built verb request, as an aim; only those in `names` if given.

    Raises
    ------
    VerbsError
        If no adverb measures anything, or a bone or keytime does not exist.
    """
    measure = measure_of(item, verb, rig, names)
    return aim_at_adverbs(verb, measure, measure.labels)


def fill_measured(
    armature: Object, item: PropertyGroup, fit_ranges: bool, built: tuple[Verb, Rig] | None = None
) -> Filled:
    """Measure the examples of a verb and store the results as their values; nothing is changed if that fails.

    Parameters
    ----------
    fit_ranges : whether to set the adverbs' ranges to the lowest and highest value of the examples of all verbs.
    built : the result of `build_unplaced` for the verb, if it was already called.

    Raises
    ------
    VerbsError
        If something to be measured does not exist, or is not a number.
    """
    measure, values = check_measured(item, *(built or build_unplaced(armature, item)))
    found = _examples(item)
    for (action, example), row in zip(found, values.tolist(), strict=True):
        for name, value in zip(measure.labels, row, strict=True):
            set_value(action, example, name, value)
    flat = _fit(item, measure, values, fit_ranges)
    return Filled(len(found), len(measure.labels), flat)


def check_measured(item: PropertyGroup, verb: Verb, rig: Rig) -> tuple[Measure, Array]:
    """Return the measure of a verb and the values (E, M) of its examples, after checking that they can be stored.

    Parameters
    ----------
    verb, rig : the result of `build_unplaced` for the verb.

    Raises
    ------
    VerbsError
        If something to be measured does not exist or is not a number, or an action cannot be edited.
    """
    measure = measure_of(item, verb, rig)
    values = measure.of_examples(verb)
    for row, column in np.argwhere(~np.isfinite(values)):
        raise VerbError(
            f"Adverb '{measure.labels[column]}' cannot be measured in example '{verb.example_names[row]}': the result "
            "is not a number. Check its keys there, or measure something that every example has."
        )
    check_noted(item)
    return measure, values


def check_noted(item: PropertyGroup) -> None:
    """Check that values can be stored on all examples of a verb.

    Raises
    ------
    VerbsError
        If an example's action cannot be edited.
    """
    for action, _ in _examples(item):
        check_editable(action)


def _examples(item: PropertyGroup) -> list[tuple[Action, PropertyGroup]]:
    return [resolve(item, reference) for reference in item.examples if reference.enabled]


def _fit(item: PropertyGroup, measure: Measure, values: Array, fit_ranges: bool) -> tuple[str, ...]:
    """Set the adverbs' units and, if requested, ranges; return the names of those that are the same in all examples.

    A range covers the examples of all verbs that share the adverb. A default outside of it becomes the median
    of the verb's values.
    """
    adverbs, flat = armature_of(item).verbs_adverbs.adverbs, []
    for name, unit, column in zip(measure.labels, measure.units, values.T, strict=True):
        low, high, adverb = float(column.min()), float(column.max()), adverbs[name]
        adverb.unit = adverb.unit or unit
        if high - low < FLAT * max(1.0, abs(high)):
            flat.append(name)
        elif fit_ranges:
            others = _values_elsewhere(item, name)
            low, high = min(low, *others, high), max(low, *others, high)
            adverb.minimum, adverb.maximum = low, high
            adverb.default = adverb.default if low <= adverb.default <= high else float(np.median(column))
    return tuple(flat)


def _values_elsewhere(item: PropertyGroup, name: str) -> list[float]:
    """Return the values of an adverb in the examples of the armature's other verbs that vary along it."""
    verbs = [one for one in armature_of(item).verbs_adverbs.verbs if one != item and name in one.adverbs]
    values = [value_of(example, name) for verb in verbs for example in used_examples(verb)]
    return [value for value in values if value is not None]


def _travel_name(item: PropertyGroup, measure: str, speeds: Array) -> str:
    """Return the name of the adverb that measures the travel of a verb whose examples have some speeds.

    A run shares no slider with a walk of entirely different speeds: at all of those it would be far from its examples.
    """
    name, _ = TELLING[measure]
    others, own = _values_elsewhere(item, name) if measure == "SPEED" else [], f"{item.name} {name}"
    is_apart = bool(others) and (max(others) < speeds.min() or min(others) > speeds.max())
    return own if is_apart and len(own.encode()) <= LONGEST_NAME else name


def measure_travel(armature: Object, item: PropertyGroup) -> Filled:
    """Give a verb adverbs for speed, turn and slope, as far as its examples differ in them, and measure these.

    Adverbs are added for as many of the three as there are enough examples for, beginning with the one in which the
    examples differ most. Adverbs that already measure one of them are kept, whatever their names are. One that another
    verb has is shared, but a speed only if the speeds of both verbs overlap.

    Raises
    ------
    VerbsError
        If the examples cannot be read, or do not differ in any of the three.
    """
    built = build_unplaced(armature, item)
    values = combine(speed(), turn_rate(), slope()).of_examples(built[0])
    least = np.array([limit for _, limit in TELLING.values()])
    least[0] *= max(float(np.abs(values[:, 0]).max()), 1e-9)
    differences = dict(zip(TELLING, np.ptp(values, axis=0) / least, strict=True))
    measured = {used.measure for used in item.adverbs}
    wanted = [measure for measure, size in differences.items() if size >= 1.0 and measure not in measured]
    wanted.sort(key=lambda measure: -differences[measure])
    room = max(len(values) - 1 - len(item.adverbs), 0)
    if not wanted and not measured & set(TELLING):
        raise VerbError(
            f"The {len(values)} examples of verb '{item.name}' do not differ in speed, turn or slope. Add an example "
            "that differs, or your own adverb."
        )
    names = {measure: _travel_name(item, measure, values[:, 0]) for measure in wanted[:room]}
    check_noted(item)
    if measured_adverbs(item):
        check_measured(item, *built)
    for name in names.values():
        checked_name(name, "adverb", ())
    for measure, name in names.items():
        if name not in armature.verbs_adverbs.adverbs:
            added = add_adverb(armature, name, default=0.0)
            added.low_end, added.high_end = MEANS[measure]
        use_adverb(item, name, True)
        item.adverbs[name].measure = measure
    return fill_measured(armature, item, True, built)
