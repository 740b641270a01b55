"""What an example consists of apart from its data: copied to other actions, and looked over for what is missing."""

from collections.abc import Iterator, Sequence

import bpy
from bpy.types import Action, Object, PropertyGroup

from ...core.errors import MOST_CHOICES, ExampleError, listed
from ..blender.naming import told_frame
from ..blender.versions import curves_of
from .annotate import check_known, fps_of, key_range, note_placed, scene_fps, value_of
from .content import action_content
from .current import newer_told
from .layout import Layout, check_layout, write_layout
from .listing import referenced
from .markers import ActionMarkers, effective_keytimes, effective_span, effective_windows

NEARLY = 1e-3

Keytimes = tuple[tuple[str, float], ...]
SHORTEST, LONGEST = 0.25, 4.0
"""Of what the same segment lasts in other examples: what lies beyond is odd."""


def copy_structure(source: PropertyGroup, targets: Sequence[Action], fps: float) -> None:
    """Give actions an example of the same structure: keytimes, kind and contacts, but not the adverbs' values.

    An example of the same name in a target keeps its span and values; otherwise its span leaves as much of the
    target's keys before and after it as the source's does, in proportion. The copy of an example that is named after
    its action is named after the target. Keytimes and contact windows are placed in proportion, for the user to
    correct.

    Parameters
    ----------
    source : an example of another action.
    targets : actions to annotate.
    fps : frames per second at which the targets' keys lie.

    Raises
    ------
    VerbsError
        If a target has no keys or cannot be edited, or the structure is not in order. Nothing has changed then.
    """
    layouts = [_layout_alike(source, target) for target in targets]
    for target, layout in zip(targets, layouts, strict=True):
        check_layout(target, layout)
    for target, layout in zip(targets, layouts, strict=True):
        item = _namesake(source, target)
        written = write_layout(target, item, _name_alike(source, target), layout, (item.fps if item else 0.0) or fps)
        note_placed(written)


def _name_alike(source: PropertyGroup, target: Action) -> str:
    return target.name if source.name == source.id_data.name else source.name


def _namesake(source: PropertyGroup, target: Action) -> PropertyGroup | None:
    """The example of a target that gets the structure of `source`, None if one is made for it."""
    name = _name_alike(source, target)
    return next((other for other in target.verbs_adverbs.examples if other.name == name), None)


def _layout_alike(source: PropertyGroup, target: Action) -> Layout:
    """Kind, keytimes and contacts of an example as they lie in the span of its copy in another action."""
    origin = source.id_data
    check_known(origin)
    keytimes = effective_keytimes(origin, source)
    if len(keytimes) < 2:
        raise ExampleError(f"Example '{source.name}' has no keytimes to copy. Set its span first.")
    start, end = effective_span(origin, source)
    if not start < end:
        raise ExampleError(
            f"Example '{source.name}' has the empty span {told_frame(start)} to {told_frame(end)}. Move its ends apart"
            " first."
        )
    item = _namesake(source, target)
    span = _span_alike(origin, (start, end), target) if item is None else effective_span(target, item)
    stretch = (span[1] - span[0]) / (end - start)

    def there(frame: float) -> float:
        return span[0] + (frame - start) * stretch

    (first, _), *inner, (last, _) = keytimes
    contacts = (
        (contact.bone, contact.end, tuple((there(a), there(b)) for a, b in effective_windows(origin, source, contact)))
        for contact in source.contacts
    )
    placed = ((first, span[0]), *((name, there(frame)) for name, frame in inner), (last, span[1]))
    return Layout(source.kind, source.cyclic, placed, tuple(contacts))


def _span_alike(origin: Action, span: tuple[float, float], target: Action) -> tuple[float, float]:
    """Frames of the target between which it is as far into its keys as the origin is at the ends of a span."""
    first, last = key_range(target)
    low, high = key_range(origin)
    if not low < high:
        return first, last
    start, end = (first + min(max((frame - low) / (high - low), 0.0), 1.0) * (last - first) for frame in span)
    return (start, end) if start < end else (first, last)


def complaints(
    example: PropertyGroup, verb: PropertyGroup | None = None, markers: ActionMarkers | None = None
) -> list[str]:
    """Say what an example lacks, in sentences; cheap enough to be asked for while a panel is drawn.

    Parameters
    ----------
    example : of an action.
    verb : the verb that it is looked at for: its adverbs, its armature and its other examples; None to leave those out.
    markers : when many examples are looked over.
    """
    newer = newer_told("Action", example.id_data)
    if newer:
        return [newer]
    there = ActionMarkers() if markers is None else markers
    keytimes = effective_keytimes(example.id_data, example, there[example.id_data])
    found = [*_of_span(example, keytimes, verb.id_data if verb else None), *_of_contacts(example)]
    scene = bpy.context.scene
    made, now = fps_of(example, scene), scene_fps(scene)
    if abs(made - now) > NEARLY * now:
        found.append(f"Its frames were made at {made:g} frames per second, the scene has {now:g}: it keeps its seconds")
    return found + (list(_for_verb(example, verb, there)) if verb else [])


def still_to_come(example: PropertyGroup, verb: PropertyGroup | None) -> str:
    """What an example may still be given before a verb can be made of it; empty when it is in one."""
    if verb is not None:
        return ""
    lacking = [
        ("keytimes between its ends", len(example.keytimes) < 3),
        ("contacts, if a foot or hand stands still", not example.contacts),
        ("adverb values", not example.values),
    ]
    return ", ".join([*(text for text, lacks in lacking if lacks), "a verb that uses it"])


def _of_span(example: PropertyGroup, keytimes: Keytimes, armature: Object | None) -> Iterator[str]:
    action = example.id_data
    if len(keytimes) < 2:
        yield "It has no keytimes: set its span"
        return
    start, end = keytimes[0][1], keytimes[-1][1]
    if not start < end:
        yield f"Its span {told_frame(start)} to {told_frame(end)} is empty: move its ends apart"
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
            f"There are no keys in its span {told_frame(start)} to {told_frame(end)}: they lie in {told_frame(low)} to"
            f" {told_frame(high)}"
        )
    elif start < low - NEARLY or end > high + NEARLY:
        yield (
            f"Its span {told_frame(start)} to {told_frame(end)} reaches beyond its keys {told_frame(low)} to"
            f" {told_frame(high)}: the pose is held there"
        )


def _ends(action: Action, armature: Object | None) -> tuple[float, float] | None:
    """First and last frame that has a key for an armature, if there is a key; muted curves count only without one."""
    if armature is not None:
        return action_content(action, armature).ends
    keyed = [curve.range() for curve in curves_of(action)]
    return (min(k[0] for k in keyed), max(k[1] for k in keyed)) if keyed else None


def _of_contacts(example: PropertyGroup) -> Iterator[str]:
    for contact in example.contacts:
        if not contact.windows:
            yield f"Contact point '{contact.bone}' has no windows: add the spans in which it stands still"
    if example.kind == "IN_PLACE" and not example.contacts:
        yield "It is in place, but has no contact points to find its travel from: add them, or call it stationary"


def _for_verb(example: PropertyGroup, verb: PropertyGroup, markers: ActionMarkers) -> Iterator[str]:
    armature = verb.id_data
    for adverb in verb.adverbs:
        value, known = value_of(example, adverb.name), armature.verbs_adverbs.adverbs.get(adverb.name)
        if value is None:
            yield f"It has no value for the adverb '{adverb.name}'"
        elif known is not None and not known.minimum - NEARLY <= value <= known.maximum + NEARLY:
            yield (
                f"Its value {value:.3g} of '{adverb.name}' lies outside the adverb's range {known.minimum:g} to "
                f"{known.maximum:g}: correct it, or widen the range"
            )
    for contact in example.contacts:
        if contact.bone not in armature.data.bones:
            yield f"'{armature.name}' has no bone '{contact.bone}' for its contact point: choose another one"
    others = (referenced(ref) for ref in verb.examples if ref.enabled)
    model = next((other for other in others if other is not None), None)
    if model is None or model == example:
        return
    mine = [name for name, _ in effective_keytimes(example.id_data, example, markers[example.id_data])]
    theirs = [name for name, _ in effective_keytimes(model.id_data, model, markers[model.id_data])]
    if mine != theirs:
        yield (
            f"Its keytimes {listed(mine, MOST_CHOICES)} differ from those of '{model.id_data.name}':"
            f" {listed(theirs, MOST_CHOICES)}"
        )
    if example.cyclic != model.cyclic:
        yield f"It is {'' if example.cyclic else 'not '}cyclic, unlike '{model.id_data.name}'"
    points = {(contact.bone, contact.end) for contact in model.contacts}
    for bone, _ in sorted(points - {(contact.bone, contact.end) for contact in example.contacts}):
        yield f"It has no contact point '{bone}', which '{model.id_data.name}' has"


def odd_segments(verb: PropertyGroup, markers: ActionMarkers) -> Iterator[tuple[PropertyGroup, str]]:
    """Examples whose segments are out of proportion, each with a sentence; nothing is built.

    A segment is held against the mean of the same one in the verb's other examples, in seconds: keytimes that were
    copied and never moved to where things happen are found so. Examples of other keytimes than the first are left out.

    Parameters
    ----------
    verb : whose examples are looked over.
    markers : of their actions.
    """
    found = [referenced(reference) for reference in verb.examples if reference.enabled]
    examples = [example for example in found if example is not None]
    timed = [(example, effective_keytimes(example.id_data, example, markers[example.id_data])) for example in examples]
    alike = [(example, keytimes) for example, keytimes in timed if _names(keytimes) == _names(timed[0][1])]
    if len(alike) < 2:
        return
    lengths = [_seconds(example, keytimes) for example, keytimes in alike]
    totals = [sum(column) for column in zip(*lengths, strict=True)]
    for (example, keytimes), mine in zip(alike, lengths, strict=True):
        for row, (length, total) in enumerate(zip(mine, totals, strict=True)):
            others = (total - length) / (len(alike) - 1)
            if length > 0.0 and others > 0.0 and not SHORTEST <= length / others <= LONGEST:
                where = f"From '{keytimes[row][0]}' to '{keytimes[row + 1][0]}'"
                much = f"far {'shorter' if length < others else 'longer'} than the {others:.2g} s of the others"
                yield example, f"{where} it takes {length:.2g} s, {much}: check these keytimes"


def _names(keytimes: tuple[tuple[str, float], ...]) -> list[str]:
    return [name for name, _ in keytimes]


def _seconds(example: PropertyGroup, keytimes: tuple[tuple[str, float], ...]) -> list[float]:
    frames, fps = [frame for _, frame in keytimes], fps_of(example, bpy.context.scene)
    return [(later - frame) / fps for frame, later in zip(frames, frames[1:], strict=False)]
