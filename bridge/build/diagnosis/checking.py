"""Checking the examples of a verb for likely mistakes: each becomes a line with the button that mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ...blender.jobs import computed
from ...blender.naming import told_frame, told_length
from ...data.current import action_of
from ...data.example_list import referenced
from ...data.markers import effective_keytimes
from ...rig.roles import roles_of
from ..building import options_of
from ..verbs import built_for, note_built
from .lines import Line, Mend, keep_lines
from .told import UNTICK, used_rows
from .turning import begins_elsewhere

if TYPE_CHECKING:
    from ....core.verb.suspects import Suspicion
    from ....core.verb.verb import Verb

DECIMALS = 2
"""Decimals of the frame that a keytime would move to, where the others do not lie on whole frames."""


def check_examples(armature: Object, item: PropertyGroup) -> tuple[Line, ...]:
    """Look for likely mistakes in the examples of a verb, and store a line about each, the worst first.

    The verb is built if it is not up to date. The lines are shown as long as nothing changes that it is built from.

    Raises
    ------
    VerbsError
        If the verb cannot be built.
    """
    from ....core.verb.suspects import can_judge, suspicions

    built = built_for(armature, item, thorough=True)
    verb, how = built.verb, options_of(item)
    found = computed(
        ("suspects", built.signature),
        lambda tell: suspicions(verb, how.kernel, how.degree, how.radius_factor, tell),
    )
    lines = tuple(_line(armature, item, verb, one) for one in found)
    if not lines:
        lines = (Line("INFO", _nothing_told(can_judge(verb))),)
    note_built(armature, item, built)
    keep_lines(item.suspects, lines)
    item.checked_hash = built.signature
    return lines


def _nothing_told(judged: bool) -> str:
    from ....core.verb.suspects import FEWEST, MOST

    if judged:
        return "The examples explain each other: no mistake in their adverbs and keytimes is likely."
    return f"Mistakes are looked for where a verb has adverbs, and {FEWEST} to {MOST} examples."


def _line(armature: Object, item: PropertyGroup, verb: Verb, found: Suspicion) -> Line:
    rows = [used_rows(item)[row] for row in found.examples]
    examples = [one for row in rows if (one := referenced(item.examples[row])) is not None]
    names = [f"'{example.name}'" for example in examples]
    much, mended = told_length(found.error), told_length(found.mended)
    if found.mistake == "adverbs":
        text = f"{names[0]} and {names[1]} seem to have each other's adverb values."
        mend = Mend("EXCHANGE", other=rows[1])
    elif found.mistake == "keytime":
        frame, named = _frame_of(verb, examples[0], found), _event(examples[0], found.keytime)
        text = f"Keytime {named} of {names[0]} seems to lie elsewhere, at frame {told_frame(frame)}."
        there = frame == effective_keytimes(action_of(examples[0]), examples[0])[found.keytime][1]
        mend = Mend("UNTICK" if there else "KEYTIME", number=found.keytime, frame=frame)
    elif found.mistake == "start":
        named = _event(examples[0], found.keytime)
        text = f"{names[0]} seems to begin with another event: its {named} looks like the others' first keytime."
        turned = begins_elsewhere(armature, examples[0], found.keytime)
        mend = Mend("CYCLE", number=found.keytime)
        if turned is None:
            half = 2 * found.keytime == len(examples[0].keytimes) - 1 and bool(roles_of(armature).pairs)
            mend = Mend("MIRROR" if half else "UNTICK", number=found.keytime)
            text += f" Its action holds no cycle that begins there: {'mirror it, or ' if half else ''}leave it out."
    else:
        text = f"{names[0]} is not explained by the others: check its adverbs or its keytimes."
        return Line("WARNING", f"{text} Joints are {much} from what they predict.", rows[0], UNTICK)
    text += f" Joints are {much} from what the others predict, and would be {mended}."
    return Line("WARNING", text, rows[0], mend)


def _event(example: PropertyGroup, keytime: int) -> str:
    return f"'{effective_keytimes(action_of(example), example)[keytime][0]}'"


def _frame_of(verb: Verb, example: PropertyGroup, found: Suspicion) -> float:
    """Return the frame that a keytime seems to belong to, which is a whole one if the other keytimes are."""
    frames = [frame for _, frame in effective_keytimes(action_of(example), example)]
    generic = verb.phrasing.generic.tolist()
    begin = found.keytime if found.shift > 0.0 else found.keytime - 1
    a_generic = (frames[begin + 1] - frames[begin]) / (generic[begin + 1] - generic[begin])
    wanted = frames[found.keytime] + found.shift * a_generic
    others = (frame for row, frame in enumerate(frames) if row != found.keytime)
    return round(wanted, 0 if all(frame == round(frame) for frame in others) else DECIMALS)
