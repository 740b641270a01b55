"""Finding examples in actions automatically: cycles of the same structure are stored for the user to correct."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace

from bpy.types import Action, Object, PropertyGroup

from ....core.detect.agreement import agree, feet_adrift, in_order
from ....core.detect.bone_roles import BoneRoles
from ....core.detect.contacts import common_tilt, told_tilt
from ....core.detect.cycles import Cycle
from ....core.detect.detection import Detection, detect, restlessness, windows_of_cycle
from ....core.errors import ExampleError
from ...blender.jobs import computed, remembered
from ...data.annotate import begin, check_editable, keep_found
from ...data.bones.names import names_in_curves
from ...data.content import action_content, called_now
from ...data.current import action_of
from ...data.example_list import used_examples
from ...data.markers import effective_keytimes
from ...data.structure import Layout, check_layout, contacts_of, write_layout
from ...rig.roles import roles_of
from .observing import Sight, look_at, standing_in

RIGHT = "R"
ROUNDED = 1e-3
"""Frames by which a cycle may exceed a frame range, since both are rounded."""


@dataclass(frozen=True, eq=False)
class Clip:
    """An action, its observed motion, and what was found in it."""

    action: Action
    sight: Sight
    detection: Detection

    @property
    def cycles(self) -> tuple[Cycle, ...]:
        """Cycles of the action, those that close best first; none if the motion is stationary.

        If a manual frame range is set and there are keys outside it, the cycles are within the range.
        """
        cycles, action, frame = self.detection.cycles, self.action, self.sight.frame
        low, high = action.frame_start - ROUNDED, action.frame_end + ROUNDED
        first, last = action.curve_frame_range
        if action.use_frame_range and not low <= first <= last <= high:
            cycles = tuple(one for one in cycles if low <= frame(one.start) and frame(one.end) <= high)
        return () if self.detection.kind == "stationary" else cycles


@dataclass(frozen=True, eq=False)
class Found:
    """The result of finding examples in some actions.

    Parameters
    ----------
    examples : actions, with the examples that were stored.
    warnings : sentences about what is missing, superfluous or doubtful.
    adrift : those of them that are about feet that are never locked.
    """

    examples: tuple[tuple[Action, PropertyGroup], ...]
    warnings: tuple[str, ...]
    adrift: tuple[str, ...]


def look_into(armature: Object, actions: Sequence[Action], fps: float) -> tuple[Clip, ...]:
    """Find contacts and cycles in actions of an armature; the file is not changed.

    Parameters
    ----------
    fps : frame rate of the keys of actions without examples, in frames per second.

    Raises
    ------
    VerbsError
        If one cannot be read, or no foot is known.
    """
    roles = feet_of(armature, actions, fps)
    return tuple(clip_of(armature, action, roles, fps) for action in actions)


def feet_of(armature: Object, actions: Sequence[Action], fps: float) -> BoneRoles:
    """Return the roles of the bones of an armature, which needs a foot; `actions` and `fps` are those of `look_into`.

    Raises
    ------
    VerbsError
        If an action cannot be read, or no foot is known.
    """
    roles = roles_of(armature, standing_in(armature, actions, fps))
    if not roles.feet:
        raise ExampleError(f"Armature '{armature.name}': {' '.join(roles.remarks)}")
    return roles


def _rate(action: Action, otherwise: float) -> float:
    """Return the frame rate of an action's keys, as stored with one of its examples, or else `otherwise`."""
    return next((item.fps for item in action.verbs_adverbs.examples if item.fps > 0.0), otherwise)


def clip_of(armature: Object, action: Action, roles: BoneRoles, otherwise: float) -> Clip:
    """Find contacts and cycles in an action, at the frame rate stored with its examples, or else `otherwise`."""
    fps = _rate(action, otherwise)
    content = called_now(action_content(action, armature, thorough=True), names_in_curves(armature, action))
    key = armature.session_uid, action.session_uid, content.digest, repr(roles), fps
    sight = remembered(("sight", *key), lambda: look_at(armature, action, roles, fps))
    return Clip(action, sight, computed(("found", *key), lambda _tell: detect(sight.observed)))


def find_examples(armature: Object, actions: Sequence[Action], fps: float, verb: PropertyGroup | None = None) -> Found:
    """Mark an example in each action: of the cycles that have the same keytimes in all, the one that closes best.

    All examples get the contact points of the first one. An example that has the name of its action is found again and
    keeps its adverb values.

    Parameters
    ----------
    fps : frame rate of the keys of actions without examples, in frames per second; examples keep their own.
    verb : the verb whose other examples they should match in keytimes and contact points.

    Raises
    ------
    VerbsError
        If an action cannot be read or edited, no foot is known, or nothing usable is found at all.
    """
    for action in actions:
        check_editable(action)
    clips = look_into(armature, actions, fps)
    known = used_examples(verb) if verb is not None else ()
    like = next((example for example in known if action_of(example) not in actions), None)
    if like is None:
        return mark_examples(clips)
    names = tuple(name for name, _ in effective_keytimes(like))
    return mark_examples(clips, names, {contact[:2] for contact in contacts_of(armature, like)})


def verb_like(armature: Object, actions: Sequence[Action]) -> PropertyGroup | None:
    """Return the verb that shares the most words with the names of some actions, by its own and its actions' names.

    Words that all verbs have do not count. Of several equal matches it is the first; None if no words are shared.
    """
    verbs = armature.verbs_adverbs.verbs
    own = [_words([verb.name, *(reference.action_name for reference in verb.examples)]) for verb in verbs]
    words = _words(action.name for action in actions).difference(set.intersection(*own) if own else ())
    best = max(range(len(own)), key=lambda row: len(words & own[row]), default=0)
    return verbs[best] if own and words & own[best] else None


def _words(names: Iterable[str]) -> set[str]:
    return {word for name in names for word in re.findall(r"[^\W\d_]+", name.lower())}


def mark_examples(
    clips: Sequence[Clip], known: tuple[str, ...] = (), locked: Set[tuple[str, str]] = frozenset()
) -> Found:
    """Mark an example in each of some clips of one armature, as `find_examples` does.

    Parameters
    ----------
    known : names of the keytimes that other examples of their verb have.
    locked : bone and end of the contact points that those have; if these clips have any of them, they get no others.
    """
    feet = clips[0].sight.points
    clips = tuple(replace(clip, sight=replace(clip.sight, points=feet)) for clip in clips)
    chosen, names, warnings = _of_one_structure(clips, known)
    adrift = _without_adrift(clips, chosen)
    for action, told in adrift.items():
        warnings[action] += told
    idle = len(clips) == 1 and is_idle(clips[0])
    layouts = [_layout_to_store(clip, chosen, names, idle, warnings[clip.action]) for clip in clips]
    said = tuple(dict.fromkeys(text for clip in clips for text in warnings[clip.action]))
    if not any(layouts):
        raise ExampleError(" ".join(said))
    contacts = [contact for layout in layouts if layout for contact in layout.contacts]
    points = locked & {(bone, end) for bone, end, _ in contacts}
    points = points or {(bone, end) for bone, end, windows in contacts if windows}
    examples: list[tuple[Action, PropertyGroup]] = []
    for clip, layout in zip(clips, layouts, strict=True):
        note_found(clip, chosen.get(clip.action), warnings[clip.action], idle)
        if layout is not None:
            layout = replace(layout, contacts=tuple(c for c in layout.contacts if c[:2] in points))
            item = next((one for one in clip.action.verbs_adverbs.examples if one.name == clip.action.name), None)
            examples.append((clip.action, write_layout(clip.action, item, clip.action.name, layout, clip.sight.fps)))
    return Found(tuple(examples), said, tuple(text for told in adrift.values() for text in told))


def _of_one_structure(
    clips: Sequence[Clip], known: tuple[str, ...]
) -> tuple[dict[Action, Cycle | None], tuple[str, ...], dict[Action, list[str]]]:
    """Choose a cycle for each action that is not stationary, such that all have the same keytimes, if possible `known`.

    Return the chosen cycles (None where no cycle of an action fits), the names of their keytimes, and warnings for
    each action.
    """
    going = [clip for clip in clips if clip.detection.kind != "stationary"]
    shared = agree([replace(clip.detection, cycles=clip.cycles) for clip in going], RIGHT, known)
    chosen = dict(zip([clip.action for clip in going], shared.chosen, strict=True))
    warnings = {clip.action: list(clip.detection.remarks) for clip in clips}
    left_out = [clip for clip in going if chosen[clip.action] is None]
    for clip, remark in zip(left_out, shared.remarks, strict=True):
        own = warnings[clip.action]
        if clip.cycles or not own:
            own.insert(0, remark)
    tilt = common_tilt([clip.detection.stands for clip in going])
    for clip in going:
        warnings[clip.action] += [told_tilt(tilt)] if tilt is not None else []
    for clip in clips:
        if clip not in going and shared.names:
            warnings[clip.action].append(
                f"'{clip.action.name}' stays in place, but the others travel: find its keytimes separately, or leave "
                "it out."
            )
    return chosen, shared.names, warnings


def _without_adrift(clips: Sequence[Clip], chosen: dict[Action, Cycle | None]) -> dict[Action, list[str]]:
    """Exclude clips with a foot that cannot be locked if other clips have none, and return warnings on each foot."""
    known = [(clip, cycle) for clip in clips if (cycle := chosen.get(clip.action)) is not None]
    feet = {clip.action: feet_adrift(clip.detection, cycle) for clip, cycle in known}
    others = not all(feet.values())
    told: dict[Action, list[str]] = {}
    for action in [action for action, found in feet.items() if found]:
        so = "and was left out, because this foot stands still in the others" if others else "and is not locked"
        told[action] = [
            f"Foot '{foot}' of '{action.name}' never stands still in the chosen cycle {so}. Clean its curves, or mark "
            "the contact by hand."
            for foot in feet[action]
        ]
        chosen[action] = None if others else chosen[action]
    return told


def restlessness_of(clip: Clip) -> float:
    """Return how far a clip moves as a fraction of what an idle may; above 1 it is not an idle."""
    return restlessness(clip.sight.observed, clip.detection)


def is_idle(clip: Clip) -> bool:
    """Return whether a clip is an idle, which on its own is marked as a cycle with the feet down all the time."""
    return restlessness_of(clip) <= 1.0


def layout_of(clip: Clip, cycle: Cycle | None, names: tuple[str, ...] = (), idle: bool = False) -> Layout | None:
    """Return what to store for a clip: a cycle of it, or the whole clip if it is stationary, else None."""
    sight, detection = clip.sight, clip.detection
    first, last = detection.ends
    if cycle is None and (detection.kind != "stationary" or names):
        return None
    keytimes = (("start", first), ("end", last)) if cycle is None else zip(cycle.names, cycle.keytimes, strict=True)
    contacts: list[tuple[str, str, tuple[tuple[float, float], ...]]] = []
    for bones, foot in zip(sight.points, detection.contacts, strict=True):
        for bone, point in zip(bones, foot.points, strict=True):
            if bone is None:
                continue
            windows = point.still if cycle is None else windows_of_cycle(point.still, cycle, detection)
            windows = ((first, last),) if idle and windows else windows
            frames = tuple((sight.frame(down), sight.frame(up)) for down, up in windows)
            contacts.append((bone.bone, bone.end, frames))
    return Layout(
        detection.kind.upper(),
        detection.cyclic or idle if cycle is None else True,
        tuple((name, sight.frame(time)) for name, time in keytimes),
        tuple(contacts),
    )


def _layout_to_store(
    clip: Clip, chosen: dict[Action, Cycle | None], names: tuple[str, ...], idle: bool, warnings: list[str]
) -> Layout | None:
    """Like `layout_of`; a layout that cannot be stored is left out, and the last of the warnings says so."""
    layout = layout_of(clip, chosen.get(clip.action), names, idle)
    try:
        if layout is not None:
            check_layout(clip.action, layout)
    except ExampleError as error:
        warnings.append(f"'{clip.action.name}' was left out. {error}")
        chosen[clip.action] = layout = None
    return layout


def note_found(clip: Clip, cycle: Cycle | None, warnings: Sequence[str], idle: bool = False) -> None:
    """Store sentences about what was found in an action, for the panel to show."""
    annotation = begin(clip.action)
    annotation.cycles = len(clip.cycles)
    cycles = clip.cycles if cycle is None else [in_order(one, cycle.names) or one for one in clip.cycles]
    annotation.structures = "\n".join(_structure(one.names) for one in cycles)
    keep_found(clip.action, [("INFO", told(clip, cycle, idle)), *(("WARNING", text) for text in warnings)])


def cycles_alike(example: PropertyGroup) -> int:
    """Return the number of cycles that `next_cycle` chooses among, as stored when they were found, -1 before that."""
    action = action_of(example)
    annotation = action.verbs_adverbs
    own = _structure([name for name, _ in effective_keytimes(example)])
    return annotation.structures.split("\n").count(own) or annotation.cycles


def _structure(names: Sequence[str]) -> str:
    return ", ".join(names)


def told(clip: Clip, cycle: Cycle | None, idle: bool = False) -> str:
    """Return a sentence that says what was found in a clip."""
    kind = clip.detection.kind.replace("_", " ")
    if cycle is None:
        count = len(clip.cycles)
        found = f"{count} cycle{'' if count == 1 else 's'}, different from the others" if count else "no cycle"
        if clip.detection.cyclic and not count:
            found = "no steps; it ends as it begins, so it was marked as cyclic. Untick Cyclic if it does not repeat"
        elif idle:
            found = "no steps; an idle, so its ends were joined into a cycle. Untick Cyclic if it does not repeat"
        return f"Found: {kind}, {found}."
    alike = sum(in_order(other, cycle.names) is not None for other in clip.cycles)
    which = f"the cleanest of {alike} cycles" if alike > 1 else "one whole cycle"
    return f"Found: {kind}, {which}; its ends differ by {100.0 * cycle.closing:.1f} % of the leg length."


@dataclass(frozen=True, eq=False)
class Choice:
    """A cycle of an action that can be chosen for an example."""

    clip: Clip
    row: int
    layout: Layout

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cycle's keytimes."""
        return tuple(name for name, _ in self.layout.keytimes)

    @property
    def label(self) -> str:
        """Text for the menu: the cycle's frames, its first event, and how well it closes."""
        (first, start), (_, end) = self.layout.keytimes[0], self.layout.keytimes[-1]
        leg = 100.0 * self.clip.cycles[self.row].closing
        return f"{start:.1f} to {end:.1f} from {first}, ends differ by {leg:.1f} % of the leg length"


def cycles_of(armature: Object, action: Action, fps: float, names: tuple[str, ...] = ()) -> list[Choice]:
    """Return all usable cycles of an action in chronological order, whichever foot begins them.

    Parameters
    ----------
    names : names of keytimes; cycles whose events are in nearly this order are given exactly this order.

    Raises
    ------
    VerbsError
        If the action cannot be read, no foot is known, or it contains no whole cycle.
    """
    (clip,) = look_into(armature, [action], fps)
    if not clip.cycles:
        raise ExampleError(
            " ".join(clip.detection.remarks) or f"'{action.name}' has no whole cycle. Use a longer action."
        )
    rows = sorted(range(len(clip.cycles)), key=lambda row: clip.cycles[row].start)
    found = ((row, in_order(clip.cycles[row], names) or clip.cycles[row]) for row in rows)
    return [Choice(clip, row, layout) for row, cycle in found if (layout := layout_of(clip, cycle)) is not None]


def next_cycle(choices: list[Choice], example: PropertyGroup) -> int:
    """Return the index of the cycle that follows an example's, with the same keytimes if there is one.

    The first cycle follows the last one.

    Raises
    ------
    ExampleError
        If the example is the only one.
    """
    keytimes = effective_keytimes(example)
    names, start = tuple(name for name, _ in keytimes), keytimes[0][1] if keytimes else 0.0
    alike = [row for row, choice in enumerate(choices) if choice.names == names] or list(range(len(choices)))
    found = next((row for row in alike if choices[row].layout.keytimes[0][1] > start + 1.0), alike[0])
    if alike == [found] and choices[found].names == names and abs(choices[found].layout.keytimes[0][1] - start) <= 1.0:
        raise ExampleError(f"'{example.id_data.name}' has no other cycle with the same keytimes. Use a longer action.")
    return found


def cut(armature: Object, action: Action, example: PropertyGroup, choice: Choice, fps: float) -> None:
    """Set an example to the chosen cycle; missing contact points are added, adverb values are kept."""
    known = {contact[:2] for contact in contacts_of(armature, example)}
    kept = tuple(c for c in choice.layout.contacts if c[2] or c[:2] in known)
    write_layout(action, example, example.name, replace(choice.layout, contacts=kept), fps)
    note_found(choice.clip, choice.clip.cycles[choice.row], choice.clip.detection.remarks)
