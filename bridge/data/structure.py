"""The structure of an example (span, kind, keytimes, contacts): writing, copying and checking it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import bpy
from bpy.types import Action, Object, PropertyGroup

from ...core.detect.bone_names import told_point
from ...core.errors import MOST_CHOICES, ExampleError, listed
from ..blender.naming import told_frame
from ..blender.versions import curves_of
from .annotate import (
    NEARLY,
    add_contact,
    add_example,
    add_keytime,
    add_window,
    begin,
    check_editable,
    check_ends,
    check_known,
    fps_of,
    key_range,
    note_placed,
    remove_keytime,
    rename_keytime,
    scene_fps,
    set_span,
    value_of,
)
from .bones.names import as_contacts_of, contacts_on_bones, contacts_written, names_in_contacts
from .content import action_content
from .current import action_of, armature_of, newer_told
from .example_list import used_examples
from .markers import ActionMarkers, effective_keytimes, effective_span, effective_windows, goes_around

Keytimes = tuple[tuple[str, float], ...]
Window = tuple[float, float]
Contact = tuple[str, str, tuple[Window, ...]]
"""A contact point: its bone, which end of the bone it is, and its windows in frames."""
DECIMALS = 3
"""Decimals of a frame number; further ones are rounding errors, and hard to read in a field."""


@dataclass(frozen=True)
class Layout:
    """The kind, keytimes and contacts of an example, in frames.

    Parameters
    ----------
    kind : kind as it is stored, such as ``'TRAVELLING'``.
    cyclic : whether the last keytime marks the same event as the first.
    keytimes : names and frames in chronological order, at least the two ends.
    contacts : its contact points.
    bounds : smallest and largest factor by which phases of a gesture may be stretched; None for the example's own.
    """

    kind: str
    cyclic: bool
    keytimes: tuple[tuple[str, float], ...]
    contacts: tuple[Contact, ...]
    bounds: tuple[float, float] | None = None


def layout_of(armature: Object, example: PropertyGroup) -> Layout:
    """Return the layout of an example of an armature, with keytimes at their markers."""
    keytimes, bounds = effective_keytimes(example), (example.shortest, example.longest)
    return Layout(example.kind, example.cyclic, keytimes, contacts_of(armature, example), bounds)


def contacts_of(armature: Object, example: PropertyGroup) -> tuple[Contact, ...]:
    """Return the contact points of an example, on the armature's bones that they currently refer to."""
    on_bones = contacts_on_bones(example, names_in_contacts(armature, example))
    return tuple((bone, c.end, effective_windows(example, c)) for c, bone in on_bones)


def write_layout(action: Action, item: PropertyGroup | None, name: str, layout: Layout, fps: float) -> PropertyGroup:
    """Write a layout to an example of an action, or to a new one; adverb values are kept.

    Parameters
    ----------
    item : the example, None for a new one.
    name : name of a new example.
    fps : frame rate of the action's keys, in frames per second.

    Raises
    ------
    VerbsError
        If the action cannot be edited, or the span is empty.
    """
    layout = _tidied(layout)
    check_layout(action, layout)
    begin(action)
    start, end = layout.keytimes[0][1], layout.keytimes[-1][1]
    if item is None:
        item = add_example(action, name, start, end, fps)
    for index in reversed(range(1, len(item.keytimes) - 1)):
        remove_keytime(action, item, index)
    item.contacts.clear()
    set_span(action, item, start, end)
    item.fps, item.kind, item.cyclic = fps, layout.kind, layout.cyclic
    if layout.bounds is not None:
        item.shortest, item.longest = layout.bounds
    for index in (0, -1):
        rename_keytime(action, item.keytimes[index], layout.keytimes[index][0])
    for keytime, frame in layout.keytimes[1:-1]:
        add_keytime(action, item, keytime, frame)
    for bone, side, windows in layout.contacts:
        contact = add_contact(action, item, bone, side)
        for window in windows:
            add_window(action, item, contact, *window, snap=False)
    item.active_keytime = item.active_contact = 0
    contacts_written(item)
    return item


def check_layout(action: Action, layout: Layout) -> None:
    """Check that a layout can be written to an example of an action.

    Raises
    ------
    VerbsError
        If the action cannot be edited, the span is empty, keytimes are not in order, or contact windows are empty or
        overlap.
    """
    check_editable(action)
    (_, start), (_, end) = layout.keytimes[0], layout.keytimes[-1]
    check_ends(action.name, start, end)
    for (before, frame), (name, later) in pairwise(layout.keytimes):
        if not frame + NEARLY <= later:
            raise ExampleError(
                f"In action '{action.name}', keytime '{name}' would be at frame {told_frame(later)}, not after "
                f"'{before}' at frame {told_frame(frame)}. Sort the keytimes and move them apart."
            )
    windows: dict[tuple[str, str], list[Window]] = {}
    for bone, side, spans in layout.contacts:
        windows.setdefault((bone, side), []).extend(spans)
    for (bone, _), spans in windows.items():
        told = ", ".join(f"{told_frame(down)} to {told_frame(up)}" for down, up in sorted(spans))
        apart = all(one[1] <= other[0] for one, other in pairwise(sorted(spans)))
        if not apart or not all(down < up for down, up in spans):
            raise ExampleError(
                f"In action '{action.name}', the contact windows of '{bone}' would be {told}. Each must end after it "
                "starts, and none may overlap another. Correct them first."
            )


def _tidied(layout: Layout) -> Layout:
    """Return a layout with its frames rounded to the usual number of decimals."""
    keytimes = tuple((name, _tidy(frame)) for name, frame in layout.keytimes)
    contacts = tuple(
        (bone, end, tuple((_tidy(a), _tidy(b)) for a, b in windows)) for bone, end, windows in layout.contacts
    )
    return replace(layout, keytimes=keytimes, contacts=contacts)


def _tidy(frame: float) -> float:
    return round(frame, DECIMALS) + 0.0


def copy_structure(source: PropertyGroup, targets: Sequence[Action], fps: float) -> None:
    """Copy the structure of an example (keytimes, kind and contacts, but not adverb values) to other actions.

    If a target has an example of the same name, that one gets the structure and keeps its span and values. Else a new
    example is made, whose span has the same proportion to the target's keys as the source's. Its name is that of
    the source, or that of the target's action if the source is named after its own. Keytimes and contact windows are
    placed proportionally, for the user to correct. What *Find Keytimes* reported about a target is cleared.

    Parameters
    ----------
    source : an example of another action.
    targets : actions to annotate.
    fps : frame rate of the targets' keys, in frames per second.

    Raises
    ------
    VerbsError
        If a target has no keys or cannot be edited, or the structure is invalid. Nothing has changed then.
    """
    layouts = [_layout_alike(source, target) for target in targets]
    for target, layout in zip(targets, layouts, strict=True):
        check_layout(target, layout)
    for target, layout in zip(targets, layouts, strict=True):
        item = _namesake(source, target)
        written = write_layout(target, item, _name_alike(source, target), layout, (item.fps if item else 0.0) or fps)
        as_contacts_of(source, written)
        note_placed(written)
        begin(target).found.clear()


def _name_alike(source: PropertyGroup, target: Action) -> str:
    return target.name if source.name == source.id_data.name else source.name


def _namesake(source: PropertyGroup, target: Action) -> PropertyGroup | None:
    """Return the example of a target that gets the structure of `source`, or None if a new one is needed."""
    name = _name_alike(source, target)
    return next((other for other in target.verbs_adverbs.examples if other.name == name), None)


def _layout_alike(source: PropertyGroup, target: Action) -> Layout:
    """Return the layout of an example, scaled to the span of its copy in another action."""
    origin = action_of(source)
    check_known(origin)
    keytimes = effective_keytimes(source)
    if len(keytimes) < 2:
        raise ExampleError(f"Example '{source.name}' has no keytimes to copy. Set its start and end first.")
    start, end = effective_span(source)
    if not start < end:
        raise ExampleError(
            f"Example '{source.name}' has no length: it spans frames {told_frame(start)} to {told_frame(end)}. Move "
            "its ends apart first."
        )
    item = _namesake(source, target)
    span = _span_alike(origin, source, (start, end), target) if item is None else effective_span(item)
    stretch = (span[1] - span[0]) / (end - start)

    def there(frame: float) -> float:
        return span[0] + (frame - start) * stretch

    (first, _), *inner, (last, _) = keytimes
    contacts = (
        (contact.bone, contact.end, tuple((there(a), there(b)) for a, b in effective_windows(source, contact)))
        for contact in source.contacts
    )
    placed = ((first, span[0]), *((name, there(frame)) for name, frame in inner), (last, span[1]))
    return Layout(source.kind, source.cyclic, placed, tuple(contacts), (source.shortest, source.longest))


def _span_alike(
    origin: Action, source: PropertyGroup, span: tuple[float, float], target: Action
) -> tuple[float, float]:
    """Return the span in the target that has the same proportion to its keys as `span` has in the origin."""
    first, last = key_range(target)
    low, high = key_range(origin)
    if not low < high:
        return first, last
    if goes_around(source, span, (low, high)):
        start = first + (span[0] - low) / (high - low) * (last - first)
        return start, start + last - first + span[1] - span[0] - (high - low)
    start, end = (first + min(max((frame - low) / (high - low), 0.0), 1.0) * (last - first) for frame in span)
    return (start, end) if start < end else (first, last)


def complaints(
    example: PropertyGroup, verb: PropertyGroup | None = None, markers: ActionMarkers | None = None
) -> list[str]:
    """Return sentences about what an example lacks, fast enough to call while a panel is drawn.

    Parameters
    ----------
    example : example of an action.
    verb : verb whose adverbs, armature and other examples it is compared with; None for no comparison.
    markers : pose markers that were already read, for callers that check many examples.
    """
    newer = newer_told("Action", action_of(example))
    if newer:
        return [newer]
    there = ActionMarkers() if markers is None else markers
    keytimes = effective_keytimes(example, there)
    found = [*_of_span(example, keytimes, armature_of(verb) if verb else None), *_of_contacts(example)]
    scene = bpy.context.scene
    made, now = fps_of(example, scene), scene_fps(scene)
    if abs(made - now) > NEARLY * now:
        found.append(f"Made at {made:g} fps, but the scene has {now:g} fps: the example keeps its timing in seconds")
    return found + (list(_for_verb(example, verb, there)) if verb else [])


def still_to_come(example: PropertyGroup, verb: PropertyGroup | None) -> str:
    """Return the text that lists what an example still needs before a verb uses it; empty if one already does."""
    if verb is not None:
        return ""
    lacking = [
        ("keytimes between its ends", len(example.keytimes) < 3),
        ("contacts (if a foot or hand stands still)", not example.contacts),
        ("adverb values", not example.values),
    ]
    return ", ".join([*(text for text, lacks in lacking if lacks), "a verb that uses it"])


def _of_span(example: PropertyGroup, keytimes: Keytimes, armature: Object | None) -> Iterator[str]:
    action = action_of(example)
    if len(keytimes) < 2:
        yield "It has no keytimes: set its start and end"
        return
    start, end = keytimes[0][1], keytimes[-1][1]
    if not start < end:
        yield f"It has no length, from frame {told_frame(start)} to {told_frame(end)}: move its ends apart"
        return
    for (name, frame), (after, later) in zip(keytimes, keytimes[1:], strict=False):
        if not frame < later:
            yield (
                f"Keytime '{after}' (frame {told_frame(later)}) is not after '{name}' (frame {told_frame(frame)}):"
                " move one, or sort them"
            )
    ends = _ends(action, armature)
    if ends is None:
        yield f"Action '{action.name}' has no keys"
        return
    low, high = ends
    if end <= low or start >= high:
        yield (
            f"The action has no keys in its frames {told_frame(start)} to {told_frame(end)}, only in {told_frame(low)} "
            f"to {told_frame(high)}: move its ends"
        )
    elif (start < low - NEARLY or end > high + NEARLY) and not goes_around(example, (start, end), (low, high)):
        yield (
            f"Its frames {told_frame(start)} to {told_frame(end)} go beyond the action's keys in {told_frame(low)} to "
            f"{told_frame(high)}: the pose is held there"
        )


def _ends(action: Action, armature: Object | None) -> tuple[float, float] | None:
    """Return the first and last keyed frame for an armature, None without keys; muted curves count if all are."""
    if armature is not None:
        return action_content(action, armature).ends
    keyed = [curve.range() for curve in curves_of(action)]
    return (min(k[0] for k in keyed), max(k[1] for k in keyed)) if keyed else None


def shown_frame(example: PropertyGroup, frame: float) -> float:
    """Return the frame at which Blender shows an example's frame: one cycle away if the example wraps around a loop."""
    keys, (start, end) = _ends(action_of(example), None), effective_span(example)
    if keys is None or not goes_around(example, (start, end), keys):
        return frame
    return keys[0] + (frame - keys[0]) % (end - start)


def _of_contacts(example: PropertyGroup) -> Iterator[str]:
    for contact in example.contacts:
        if not contact.windows:
            told = told_point(contact.bone, contact.end)
            yield f"Contact point {told} has no windows: add the frames in which it stands still"
    if example.kind == "IN_PLACE" and not example.contacts:
        yield (
            "Its kind is In Place, but it has no contacts to compute its travel from: add contacts, or make it "
            "Stationary"
        )


def outside_ranges(example: PropertyGroup, verb: PropertyGroup) -> Iterator[tuple[str, str]]:
    """Yield adverbs of a verb for which an example's value is out of range, each with a sentence."""
    adverbs = armature_of(verb).verbs_adverbs.adverbs
    for used in verb.adverbs:
        value, known = value_of(example, used.name), adverbs.get(used.name)
        if value is None or known is None:
            continue
        low, high = sorted((known.minimum, known.maximum))
        if not low - NEARLY <= value <= high + NEARLY:
            yield (
                used.name,
                f"Its value {value:.3g} for '{used.name}' is outside the adverb's range {low:g} to {high:g}: correct "
                "it, or widen the range",
            )


def _for_verb(example: PropertyGroup, verb: PropertyGroup, markers: ActionMarkers) -> Iterator[str]:
    armature, beyond = armature_of(verb), dict(outside_ranges(example, verb))
    for adverb in verb.adverbs:
        if value_of(example, adverb.name) is None:
            yield f"It has no value for the adverb '{adverb.name}'"
        elif adverb.name in beyond:
            yield beyond[adverb.name]
    names = names_in_contacts(armature, example)
    for _, bone in contacts_on_bones(example, names):
        if bone not in armature.data.bones:
            yield f"'{armature.name}' has no bone '{bone}' for its contact point: press Map Bones, or choose another"
    model = next(used_examples(verb), None)
    if model is None or model == example:
        return
    origin = action_of(model)
    mine = [name for name, _ in effective_keytimes(example, markers)]
    theirs = [name for name, _ in effective_keytimes(model, markers)]
    if mine != theirs:
        yield (
            f"Its keytimes {listed(mine, MOST_CHOICES)} differ from those of '{origin.name}':"
            f" {listed(theirs, MOST_CHOICES)}"
        )
    if example.cyclic != model.cyclic:
        yield f"It is {'' if example.cyclic else 'not '}cyclic, unlike '{origin.name}'"
    points = {(bone, c.end) for c, bone in contacts_on_bones(model, names_in_contacts(armature, model))}
    for point in sorted(points - {(bone, c.end) for c, bone in contacts_on_bones(example, names)}):
        yield f"It has no contact point {told_point(*point)}, which '{origin.name}' has"
