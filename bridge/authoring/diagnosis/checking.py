"""Checking the examples of a verb for likely mistakes, and the fixes that their buttons apply."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import bpy
from bpy.types import Action, Object, PropertyGroup

from ....core.errors import ExampleError, VerbError, VerbsError
from ...blender.jobs import computed
from ...blender.naming import told_frame, told_length
from ...data.annotate import check_between, check_editable, fps_of, move_keytime, rename_keytime, set_value, value_of
from ...data.content import action_content, read_anew
from ...data.current import action_of, at
from ...data.director import check_range, keep_in_step
from ...data.example_list import referenced
from ...data.markers import effective_keytimes, goes_around
from ...data.schema import KERNELS
from ...data.structure import NEARLY, Layout, layout_of, write_layout
from ...rig.roles import roles_of
from ..building import options_of
from ..clips.finding import Choice, cut, cycles_of
from ..definitions import add_reference_like
from ..mirroring import mirror_action, turning_adverbs
from ..pad import range_of
from ..verbs import built_for, note_built
from .told import UNTICK, Line, Mend, keep_lines, used_rows

if TYPE_CHECKING:
    from ....core.verb.suspects import Suspicion
    from ....core.verb.verb import Verb

QUARTER = 0.25
"""Fraction of a cycle within which a found one counts as the one that is looked for."""


def begins_elsewhere(armature: Object, example: PropertyGroup, keytime: int) -> Layout | None:
    """Return an example as the cycle that begins at one of its keytimes, or one cycle before, if there are keys.

    One that is as long as its action wraps around its end.

    Its keytimes keep their names, so that the first name is now at the event that had the given keytime's name.

    Parameters
    ----------
    keytime : row of a keytime between the first and the last.
    """
    action = action_of(example)
    own, ends = layout_of(armature, example), action_content(action, armature).ends
    frames = [frame for _, frame in own.keytimes]
    if ends is None or not example.cyclic or not 0 < keytime < len(frames) - 1:
        return None
    cycle = frames[-1] - frames[0]
    for moved in (-cycle, 0.0):
        turned = [frame + moved for frame in (*frames[keytime:], *(frame + cycle for frame in frames[1 : keytime + 1]))]
        within = ends[0] - NEARLY <= turned[0] and turned[-1] <= ends[1] + NEARLY
        around = ends[0] <= turned[0] and goes_around(example, (turned[0], turned[-1]), ends)
        if cycle > 0.0 and (within or around):
            keytimes = tuple((name, frame) for (name, _), frame in zip(own.keytimes, turned, strict=True))
            contacts = tuple((bone, end, _within(windows, turned[0], cycle)) for bone, end, windows in own.contacts)
            return replace(own, keytimes=keytimes, contacts=contacts)
    return None


def _within(windows: tuple[tuple[float, float], ...], start: float, cycle: float) -> tuple[tuple[float, float], ...]:
    """Return windows moved by whole cycles so that each begins in the one from `start` on, in chronological order."""
    turns = (-((down - start) // cycle) * cycle for down, _ in windows)
    return tuple(sorted((down + turn, up + turn) for (down, up), turn in zip(windows, turns, strict=True)))


def begin_elsewhere(armature: Object, action: Action, example: PropertyGroup, keytime: int) -> str:
    """Make an example begin at one of its keytimes: as a cycle that is found in the action, else as itself, rotated.

    Raises
    ------
    VerbsError
        If the action's keys do not extend that far, or it cannot be edited.
    """
    layout = begins_elsewhere(armature, example, keytime)
    if layout is None:
        raise ExampleError(
            f"Action '{action.name}' has no whole cycle that begins there. Mirror it, or untick the example."
        )
    fps = fps_of(example, bpy.context.scene)
    found = _found_near(armature, action, layout, fps)
    if found is not None:
        cut(armature, action, example, found, fps)
    else:
        write_layout(action, example, example.name, layout, fps)
    return f"'{example.name}' now begins at frame {told_frame(example.start)}"


def _found_near(armature: Object, action: Action, layout: Layout, fps: float) -> Choice | None:
    """Return the cycle with a layout's names and points that is found near the layout's start, if there is one.

    If the animator has marked other points than are found, the marks are kept.
    """
    try:
        choices = cycles_of(armature, action, fps)
    except VerbsError:
        return None
    names, start = tuple(name for name, _ in layout.keytimes), layout.keytimes[0][1]
    near = QUARTER * (layout.keytimes[-1][1] - start)
    alike = [
        one
        for one in choices
        if one.names == names
        and _points(one.layout) == _points(layout)
        and abs(one.layout.keytimes[0][1] - start) <= near
    ]
    return min(alike, key=lambda one: abs(one.layout.keytimes[0][1] - start), default=None)


def _points(layout: Layout) -> set[tuple[str, str]]:
    """Return bone and end of the contact points with windows in a layout."""
    return {(bone, end) for bone, end, windows in layout.contacts if windows}


DECIMALS = 2
"""Decimals of the frame that a keytime would move to, if the others are not on whole frames."""


def check_examples(armature: Object, item: PropertyGroup) -> tuple[Line, ...]:
    """Look for likely mistakes in the examples of a verb, and store a line about each, worst first.

    The verb is built if it is not up to date. The lines are shown until something changes that it is built from.

    Raises
    ------
    VerbsError
        If the verb cannot be built.
    """
    from ....core.verb.suspects import can_judge, suspicions

    read_anew(armature)
    built = built_for(armature, item)
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
        return "The examples predict each other well: mistakes in adverbs or keytimes are unlikely."
    return f"Checking for mistakes needs adverbs and {FEWEST} to {MOST} examples."


def _line(armature: Object, item: PropertyGroup, verb: Verb, found: Suspicion) -> Line:
    rows = [used_rows(item)[row] for row in found.examples]
    examples = [one for row in rows if (one := referenced(item.examples[row])) is not None]
    names = [f"'{example.name}'" for example in examples]
    much, mended = told_length(found.error), told_length(found.mended)
    if found.mistake == "adverbs":
        text = f"The adverb values of {names[0]} and {names[1]} seem to be swapped."
        mend = Mend("EXCHANGE", other=rows[1])
    elif found.mistake == "keytime":
        frame, named = _frame_of(verb, examples[0], found), _event(examples[0], found.keytime)
        text = f"Keytime {named} of {names[0]} seems to be misplaced: it should be near frame {told_frame(frame)}."
        there = frame == effective_keytimes(examples[0])[found.keytime][1]
        mend = Mend("UNTICK" if there else "KEYTIME", number=found.keytime, frame=frame)
    elif found.mistake == "start":
        named = _event(examples[0], found.keytime)
        text = (
            f"{names[0]} seems to begin with the wrong event: its {named} looks like the first keytime of the others."
        )
        turned = begins_elsewhere(armature, examples[0], found.keytime)
        mend = Mend("CYCLE", number=found.keytime)
        if turned is None:
            half = 2 * found.keytime == len(examples[0].keytimes) - 1 and bool(roles_of(armature).pairs)
            mend = Mend("MIRROR" if half else "UNTICK", number=found.keytime)
            text += f" Its action has no cycle that begins there: {'mirror it, or ' if half else ''}leave it out."
    else:
        text = f"{names[0]} does not fit the other examples: check its adverbs and keytimes."
        return Line("WARNING", f"{text} Its joints are {much} from their prediction.", rows[0], UNTICK)
    text += f" Its joints are {much} from the prediction of the others; the fix would make it {mended}."
    return Line("WARNING", text, rows[0], mend)


def _event(example: PropertyGroup, keytime: int) -> str:
    return f"'{effective_keytimes(example)[keytime][0]}'"


def _frame_of(verb: Verb, example: PropertyGroup, found: Suspicion) -> float:
    """Return the frame where a keytime seems to belong, a whole one if the other keytimes' are."""
    frames = [frame for _, frame in effective_keytimes(example)]
    generic = verb.phrasing.generic.tolist()
    begin = found.keytime if found.shift > 0.0 else found.keytime - 1
    a_generic = (frames[begin + 1] - frames[begin]) / (generic[begin + 1] - generic[begin])
    wanted = frames[found.keytime] + found.shift * a_generic
    others = (frame for row, frame in enumerate(frames) if row != found.keytime)
    return round(wanted, 0 if all(frame == round(frame) for frame in others) else DECIMALS)


DEGREES = range(3)


def mend(armature: Object, item: PropertyGroup, row: int, wanted: Mend) -> str:
    """Apply the fix of one of a verb's lines, and return a sentence.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.
    row : row of the example in the verb's list, not needed for a kernel.
    wanted : the fix.

    Raises
    ------
    VerbsError
        If that is not possible, because something has changed in the meantime. Nothing is changed then.
    """
    if wanted.mend == "KERNEL":
        return _choose_kernel(item, wanted)
    if wanted.mend == "UNTICK":
        return _untick(item, row)
    action, example = _example(item, row)
    if wanted.mend == "EXCHANGE":
        return _exchange(item, action, example, *_example(item, wanted.other))
    if wanted.mend == "KEYTIME":
        if not 0 < wanted.number < len(example.keytimes) - 1:
            raise ExampleError(f"'{example.name}' no longer has that keytime. Press Check Examples again.")
        check_editable(action)
        check_between(example, wanted.number, wanted.frame)
        move_keytime(action, example, wanted.number, wanted.frame)
        named = example.keytimes[wanted.number].name
        return f"Moved keytime '{named}' of '{example.name}' to frame {told_frame(wanted.frame)}"
    if wanted.mend == "CYCLE":
        check_editable(action)
        return begin_elsewhere(armature, action, example, wanted.number)
    if wanted.mend == "MIRROR":
        return _mirror(armature, item, row, action, example)
    if wanted.mend == "RANGE":
        return _widen(armature, example, wanted.word)
    raise VerbError(f"There is no automatic fix for verb '{item.name}'. Press one of the buttons under Report.")


def _example(item: PropertyGroup, row: int) -> tuple[Action, PropertyGroup]:
    """Return an example of a verb with its action, by its row in the verb's list."""
    reference = at(item.examples, row)
    example = referenced(reference) if reference is not None else None
    if example is None:
        raise ExampleError(f"Verb '{item.name}' no longer has that example. Press Check Examples again.")
    return reference.action, example


def _exchange(
    item: PropertyGroup, action: Action, example: PropertyGroup, other_action: Action, other: PropertyGroup
) -> str:
    names = [used.name for used in item.adverbs]
    values = [[value_of(one, name) for name in names] for one in (example, other)]
    if example == other or any(value is None for both in values for value in both):
        raise ExampleError(f"'{example.name}' and '{other.name}' have no values to swap. Give both of them all values.")
    for one in (action, other_action):
        check_editable(one)
    for name, mine, theirs in zip(names, *values, strict=True):
        set_value(action, example, name, theirs)
        set_value(other_action, other, name, mine)
    return f"Swapped the adverb values of '{example.name}' and '{other.name}'"


def _mirror(armature: Object, item: PropertyGroup, row: int, action: Action, example: PropertyGroup) -> str:
    """Replace an example by its mirror image, with the same names of keytimes."""
    names = turning_adverbs(item, [value.name for value in example.values])  # pyright: ignore[reportGeneralTypeIssues]
    made = mirror_action(armature, action, example, names, fps_of(example, bpy.context.scene))
    copy = cast(PropertyGroup, made.item)
    for keytime, mirrored in zip(example.keytimes, copy.keytimes, strict=True):
        rename_keytime(made.action, mirrored, keytime.name)
    add_reference_like(item, row, made.action, copy)
    item.examples[row].enabled = False
    said = f"'{copy.name}' replaces '{example.name}' in '{item.name}'; the original is no longer ticked"
    return ". ".join([said, *made.warnings])


def _untick(item: PropertyGroup, row: int) -> str:
    reference = at(item.examples, row)
    if reference is None or not any(one.enabled for one in item.examples if one != reference):
        raise ExampleError(f"Verb '{item.name}' would have no examples left. Add others first.")
    reference.enabled = False
    return f"'{item.name}' is now built without '{reference.example_name}'; to undo this, tick it under Its Examples"


def _widen(armature: Object, example: PropertyGroup, name: str) -> str:
    adverb, value = armature.verbs_adverbs.adverbs.get(name), value_of(example, name)
    if adverb is None or value is None:
        raise VerbError(
            f"There is no adverb '{name}', or '{example.name}' no longer has a value for it. Press Check Examples "
            "again."
        )
    extent = range_of(armature, name)
    low, high = min(*extent, value), max(*extent, value)
    check_range(name, low, high)
    adverb.minimum, adverb.maximum = low, high
    keep_in_step(armature)
    return f"'{name}' now ranges from {low:g} to {high:g}"


def _choose_kernel(item: PropertyGroup, wanted: Mend) -> str:
    named = next((label for name, label, _ in KERNELS if name == wanted.word), "")
    if not named or wanted.number not in DEGREES:
        raise VerbError(f"There is no kernel '{wanted.word}' of degree {wanted.number}. Choose one from the menu.")
    item.kernel, item.degree = wanted.word, wanted.number
    return f"'{item.name}' now has kernel {named} of degree {wanted.number}"
