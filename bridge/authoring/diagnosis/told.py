"""Report lines about a verb: figures of the built verb, doubts about examples, and what prevents building."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import bpy
from bpy.types import Object, PropertyGroup, bpy_prop_collection

from ....core.errors import shortened
from ...blender.naming import example_name, told_length
from ...data.annotate import fps_of, value_of
from ...data.current import armature_of, newer_told
from ...data.example_list import referenced, used_examples
from ...data.markers import ActionMarkers, effective_keytimes
from ...data.structure import complaints, outside_ranges

if TYPE_CHECKING:
    from ....core.verb.verb import Verb

Kind = Literal["INFO", "WARNING", "ERROR"]
KINDS = ("ERROR", "WARNING", "INFO")
"""Kinds of lines, the most serious first."""


@dataclass(frozen=True)
class Mend:
    """The fix that the button next to a line applies; identifiers are those of `schema.MENDS`.

    Parameters
    ----------
    mend : the kind of fix, ``'NONE'`` for none.
    other : row of a second example in the verb's list, -1 for none.
    number : row of a keytime, or the degree of a kernel; -1 for neither.
    frame : frame that a keytime moves to.
    word : name of an adverb, or identifier of a kernel.
    """

    mend: str = "NONE"
    other: int = -1
    number: int = -1
    frame: float = 0.0
    word: str = ""


NOTHING = Mend()


@dataclass(frozen=True)
class Line:
    """A sentence about a verb.

    Parameters
    ----------
    kind : how serious it is.
    text : the sentence.
    row : row of the example that it is about in the verb's list, -1 for none.
    mend : the fix.
    """

    kind: Kind
    text: str
    row: int = -1
    mend: Mend = NOTHING

    @property
    def guilty(self) -> tuple[int, ...]:
        """Rows of the examples that have a problem."""
        return () if self.kind == "INFO" else tuple(row for row in (self.row, self.mend.other) if row >= 0)


def serious_first(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Return lines with the most serious ones first; the sort is stable."""
    return tuple(sorted(lines, key=lambda line: KINDS.index(line.kind)))


def keep_lines(stored: bpy_prop_collection, lines: Iterable[Line]) -> None:
    """Store lines, replacing those that are stored."""
    stored.clear()
    for line in lines:
        entry = stored.add()
        entry.kind, entry.text, entry.row = line.kind, line.text, line.row
        for name, value in asdict(line.mend).items():
            setattr(entry, name, value)


def kept_lines(stored: Iterable[PropertyGroup]) -> tuple[Line, ...]:
    """Return stored lines.

    A kind or mend of a damaged or newer file that this version does not know is read as an empty text.
    """
    return tuple(
        Line(
            entry.kind or "INFO",
            entry.text,
            entry.row,
            Mend(entry.mend or "NONE", entry.other, entry.number, entry.frame, entry.word),
        )
        for entry in stored
    )


UNTICK = Mend("UNTICK")
LARGE = 1e5
"""Condition number above which only its power of ten is shown."""
SHORTEST, LONGEST, FEW = 0.25, 4.0, 0.25
"""Ratios to the same segment's duration in other examples, between which a segment is not odd; and the share of these
that may be as odd, so that it still counts as the wrong one."""
TRAVEL = {"SPEED", "TURN_RATE", "SLOPE"}
"""Measures of travel; if a verb has one of them, turns were looked for."""
LEAST_TURN = 10.0
"""Degrees per second above which an example turns."""
LEAST_SEAM = 0.01
"""Degrees below which the exact closing error of a cycle does not matter."""


def used_rows(item: PropertyGroup) -> list[int]:
    """Return rows of a verb's list whose examples it is built from, in the order in which the built verb has them."""
    return [row for row, reference in enumerate(item.examples) if reference.enabled]


def figures(item: PropertyGroup, verb: Verb) -> Iterator[Line]:
    """Yield lines with the measurements of a verb's building, from its fit to its condition number."""
    from ....core.verb.build import FIT_TOLERANCE_DEGREES, SMALL_SEAM_DEGREES

    report, rows, names = verb.report, used_rows(item), verb.example_names
    degrees, distance = max(report.fit_degrees), told_length(max(report.fit_distance))
    judged = "Follows" if degrees <= FIT_TOLERANCE_DEGREES else "Follows roughly:"
    them = f"its {len(names)} examples" if len(names) > 1 else "its example"
    worst = rows[_worst(report.fit_degrees)]
    yield Line("INFO", f"{judged} {them} (within {degrees:.2g}° and {distance}).", worst)
    if verb.cyclic:
        worst = _worst(report.seam_degrees)
        seam = report.seam_degrees[worst]
        if seam <= SMALL_SEAM_DEGREES:
            text = f"Cycles close well (joints were rotated by at most {max(seam, LEAST_SEAM):.2g}°)."
        else:
            text = f"Closing the cycle rotated a joint by {seam:.2g}° in '{names[worst]}', the largest correction."
        yield Line("INFO", text, rows[worst])
    amount = told_length(max(report.slips, default=0.0))
    if amount != told_length(0.0):
        worst = _worst(report.slips)
        yield Line(
            "INFO", f"Planted points slip by up to {amount} without Lock Feet, most in '{names[worst]}'.", rows[worst]
        )
    yield from _left_out(verb, rows)
    for text in shortened(report.bent, "The same is true of {count} more examples."):
        yield Line("INFO", text, _row_of(text, names, rows))
    if report.fits:
        better = report.better
        mend = Mend("KERNEL", number=better[1], word=better[0].upper()) if better is not None else NOTHING
        yield Line("INFO", report.fits, mend=mend)
    if verb.adverb_names:
        told = f"{report.condition:.0f}" if report.condition < LARGE else f"{report.condition:.1g}"
        yield Line("INFO", f"The example weights were solved with condition number {told}.")


def _left_out(verb: Verb, rows: list[int]) -> Iterator[Line]:
    """Yield a line about the example that is farthest from the prediction of the others, if they can predict it."""
    from statistics import median

    distances = [0.0 if found != found else found for found in verb.report.left_out]
    known = [found for found in distances if found > 0.0]
    if known:
        worst = _worst(distances)
        name, much, usual = verb.example_names[worst], told_length(distances[worst]), told_length(median(known))
        text = (
            f"Example '{name}' is the hardest to predict from the others: {much} off on average, where {usual} is "
            "usual."
        )
        yield Line("INFO", text, rows[worst])


def _worst(found: Sequence[float]) -> int:
    return max(range(len(found)), key=lambda row: found[row])


def doubts(item: PropertyGroup, verb: Verb, remarks: Sequence[str]) -> Iterator[Line]:
    """Yield lines about doubts that came up when a verb was built; one that names an example offers to exclude it."""
    rows = used_rows(item)
    for text in remarks:
        row = _row_of(text, verb.example_names, rows)
        yield Line("WARNING", text, row, _without(row, rows))


def _without(row: int, rows: list[int]) -> Mend:
    """Return the fix that excludes an example, if there is one and it is not the only one."""
    return UNTICK if row >= 0 and len(rows) > 1 else NOTHING


def _row_of(text: str, names: Sequence[str], rows: list[int]) -> int:
    """Return the row of the example that a sentence names first in quotes, -1 if none or several have it."""
    places = {name: at for name in names if (at := text.find(f"'{name}'")) >= 0 and names.count(name) == 1}
    return rows[names.index(min(places, key=lambda name: places[name]))] if places else -1


def obstacles(item: PropertyGroup) -> Iterator[Line]:
    """Yield lines about what is missing, as far as can be determined without building the verb."""
    known, markers = armature_of(item).verbs_adverbs.adverbs, ActionMarkers()
    if not any(reference.enabled for reference in item.examples):
        yield Line("WARNING", "This verb has no examples. Add some, or tick one.")
    for used in item.adverbs:
        if used.name not in known:
            yield Line("ERROR", f"Adverb '{used.name}' no longer exists on the armature.")
    rows = used_rows(item)
    for row in rows:
        reference = item.examples[row]
        example = referenced(reference)
        if example is None:
            text = f"Example '{reference.example_name}' of action '{reference.action_name}' no longer exists."
            yield Line("ERROR", text, row, _without(row, rows))
            continue
        newer = newer_told("Action", reference.action)
        if newer:
            yield Line("ERROR", f"{newer}.", row, _without(row, rows))
            continue
        yield from _remarks(row, example, item, markers)
    yield from _odd(item, markers)


def annotated(item: PropertyGroup) -> Iterator[Line]:
    """Yield lines about what the annotations of the verb's examples lack."""
    markers = ActionMarkers()
    for row in used_rows(item):
        example = referenced(item.examples[row])
        if example is not None:
            yield from _remarks(row, example, item, markers)
    yield from _odd(item, markers)


def lacking(item: PropertyGroup) -> Iterator[Line]:
    """Yield lines that say what a travelling verb cannot do yet, and which clip would add it."""
    rows = {row: example for row in used_rows(item) if (example := referenced(item.examples[row])) is not None}
    if not any(example.cyclic and example.kind != "STATIONARY" for example in rows.values()):
        return
    if {used.measure for used in item.adverbs} & TRAVEL:
        yield from _turns_lacking(item, rows)
    if any(_stands(verb) for verb in armature_of(item).verbs_adverbs.verbs):
        yield from _starts_lacking(armature_of(item))
    else:
        yield Line("INFO", "The character has no standing verb yet: add an idle.")


def _turns_lacking(item: PropertyGroup, rows: dict[int, PropertyGroup]) -> Iterator[Line]:
    """Yield a line about turns that none of a verb's examples has, where its travel was measured."""
    turn = next((used.name for used in item.adverbs if used.measure == "TURN_RATE"), "")
    values = {row: value_of(example, turn) or 0.0 for row, example in rows.items()}
    left, right = max(values, key=lambda row: values[row]), min(values, key=lambda row: values[row])
    to_left, to_right = values[left] > LEAST_TURN, values[right] < -LEAST_TURN
    if not to_left and not to_right:
        yield Line("INFO", "It cannot turn yet: add a walk that turns, and mirror it.")
    elif not to_left or not to_right:
        side, row = ("left", right) if to_right else ("right", left)
        name = example_name(item.examples[row].action, rows[row])
        yield Line("INFO", f"It cannot turn to the {side} yet: mirror '{name}'.", row)


def _starts_lacking(armature: Object) -> Iterator[Line]:
    """Yield a line about feet with which no clip starts or stops walking; such a clip travels and is not a cycle."""
    examples = [example for verb in armature.verbs_adverbs.verbs for example in used_examples(verb)]
    clips = [one for one in examples if not one.cyclic and one.kind == "TRAVELLING"]
    if not clips:
        text = (
            "It starts and stops by blending only. For real first and last steps, add a clip that starts walking and "
            "one that stops, and mirror them."
        )
        yield Line("INFO", text)
    by_foot = {foot: example for example in clips if (foot := _first_foot(example))}
    if len(by_foot) == 1:
        ((foot, example),) = by_foot.items()
        yield Line("INFO", f"It starts and stops with foot '{foot}' only: mirror '{example.name}'.")


def _first_foot(example: PropertyGroup) -> str:
    """Return the foot of an example that lifts or lands first; empty if no keytime shows it."""
    feet = (keytime.name.rpartition("_")[0] for keytime in example.keytimes if keytime.name.endswith(("_up", "_down")))
    return next(feet, "")


def _stands(verb: PropertyGroup) -> bool:
    found = [referenced(verb.examples[row]) for row in used_rows(verb)]
    return bool(found) and all(one is not None and one.cyclic and one.kind == "STATIONARY" for one in found)


def _remarks(row: int, example: PropertyGroup, verb: PropertyGroup, markers: ActionMarkers) -> Iterator[Line]:
    beyond = {text: adverb for adverb, text in outside_ranges(example, verb)}
    for text in complaints(example, verb, markers):
        mend = Mend("RANGE", word=beyond[text]) if text in beyond else NOTHING
        yield Line("WARNING", f"'{example.name}': {text}.", row, mend)


def _odd(verb: PropertyGroup, markers: ActionMarkers) -> Iterator[Line]:
    rows = used_rows(verb)
    for example, keytime, text in odd_segments(verb, markers):
        row = next(row for row in rows if referenced(verb.examples[row]) == example)
        yield Line("WARNING", f"'{example.name}': {text}.", row, replace(_without(row, rows), number=keytime))


def odd_segments(verb: PropertyGroup, markers: ActionMarkers) -> Iterator[tuple[PropertyGroup, int, str]]:
    """Yield examples with segments that are far too short or too long; nothing is built.

    With each come the row of a keytime of the segment, not the first one if there is another, and a sentence.

    The duration of a segment between keytimes is compared with its mean in the verb's other examples, in seconds. That
    finds keytimes that were copied and never moved to their events. If many examples are as short or as long there,
    it is unclear which are right. Only examples with the same keytimes as the first one are compared.

    Parameters
    ----------
    verb : the verb whose examples are checked.
    markers : pose markers of their actions that were already read.
    """
    timed = [(example, effective_keytimes(example, markers)) for example in used_examples(verb)]
    alike = [(example, keytimes) for example, keytimes in timed if _names(keytimes) == _names(timed[0][1])]
    if len(alike) < 2:
        return
    lengths = [_seconds(example, keytimes) for example, keytimes in alike]
    segments = [_beside_others(column) for column in zip(*lengths, strict=True)]
    for at, (example, keytimes) in enumerate(alike):
        for row, segment in enumerate(segments):
            side, others = segment.sides[at], segment.others[at]
            if side and segment.sides.count(side) - 1 <= FEW * (len(alike) - 1):
                where = f"From '{keytimes[row][0]}' to '{keytimes[row + 1][0]}'"
                much = f"much {'shorter' if side < 0 else 'longer'} than the {others:.2g} s in the others"
                yield example, row or 1, f"{where} it takes {lengths[at][row]:.2g} s, {much}: check these keytimes"


class _Segment(NamedTuple):
    """A segment in each example: -1 if it is far too short, 1 if too long, else 0; and its seconds in the others."""

    sides: list[int]
    others: list[float]


def _beside_others(lengths: Sequence[float]) -> _Segment:
    total = sum(lengths)
    others = [(total - length) / (len(lengths) - 1) for length in lengths]
    return _Segment([_side(length, usual) for length, usual in zip(lengths, others, strict=True)], others)


def _side(length: float, usual: float) -> int:
    if length <= 0.0 or usual <= 0.0 or SHORTEST <= length / usual <= LONGEST:
        return 0
    return -1 if length < usual else 1


def _names(keytimes: tuple[tuple[str, float], ...]) -> list[str]:
    return [name for name, _ in keytimes]


def _seconds(example: PropertyGroup, keytimes: tuple[tuple[str, float], ...]) -> list[float]:
    frames, fps = [frame for _, frame in keytimes], fps_of(example, bpy.context.scene)
    return [(later - frame) / fps for frame, later in zip(frames, frames[1:], strict=False)]
