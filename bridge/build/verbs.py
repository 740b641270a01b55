"""Building verbs when they are needed: a built verb is kept until something changes that it was built from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import bpy
from bpy.types import Object, PropertyGroup

from ...core.errors import RigError, VerbError, VerbsError, shortened
from ..blender.unchanged import forget_answers, while_unchanged
from ..data.bones.seen import note_bones
from ..data.content import action_content, glance_at
from ..data.current import MaybeNone, newer_told
from ..data.example_list import referenced
from ..data.markers import ActionMarkers
from ..data.structure import complaints, odd_segments
from .verb_cache import (
    Content,
    Made,
    content_of,
    forget_made,
    keep_made,
    kept_made,
    rooted_signature,
    signatures,
)

if TYPE_CHECKING:
    from ...core.verb.verb import Verb
    from ..rig.rig import Rig

State = Literal["NEVER_BUILT", "UP_TO_DATE", "OUT_OF_DATE", "BROKEN"]
Kind = Literal["INFO", "WARNING", "ERROR"]
KINDS = ("ERROR", "WARNING", "INFO")
"""Kinds of sentences, the most serious first."""

HEADLINES = {
    "NEVER_BUILT": "Not built yet; that happens when it is first played, or now with Build {verb}",
    "UP_TO_DATE": "Built and up to date",
    "EMPTY": "Needs examples",
    "OUT_OF_DATE": "Changed since it was built; it is built anew when idle or played",
    "UNBUILT": "Changed; not built yet",
    "BROKEN": "Cannot be built",
}


@dataclass(frozen=True)
class Line:
    """A sentence about a verb and how serious it is."""

    kind: Kind
    text: str


@dataclass(frozen=True)
class Status:
    """The state of a verb, for panels.

    Parameters
    ----------
    state : whether the verb is built and up to date.
    headline : the state in words.
    lines : sentences with figures and complaints, or with what prevents building; the most serious come first.
    """

    state: State
    headline: str
    lines: tuple[Line, ...]

    @property
    def warnings(self) -> int:
        """Number of lines that are warnings."""
        return sum(line.kind == "WARNING" for line in self.lines)

    @property
    def hindrance(self) -> str:
        """Why the verb cannot be played, as far as is known without building it; empty if nothing is known."""
        if self.headline == HEADLINES["EMPTY"]:
            return self.headline
        return next((line.text for line in self.lines if line.kind == "ERROR"), "")


@dataclass(frozen=True)
class Built:
    """A verb with what it was built from, or why it could not be built.

    Parameters
    ----------
    signature : digest of everything that it was built from.
    name : name of the verb when it was built.
    verb : the verb; None if building failed.
    rig : the armature as it was read; None if building failed.
    lines : sentences about the building; `lines_of` adds those about annotations.
    """

    signature: str
    name: str
    verb: Verb | MaybeNone
    rig: Rig | MaybeNone
    lines: tuple[Line, ...]

    @property
    def root(self) -> str:
        """Bone that carries the travel, or `ROOT_IS_OBJECT`; empty if building failed."""
        return self.rig.root if self.rig else ""

    def called(self, name: str) -> Built:
        """Return the same built verb under another name."""
        return replace(self, name=name, verb=replace(self.verb, name=name)) if self.verb else self


_built: dict[tuple[int, str], Built] = {}
_looked_over: dict[tuple[int, str], tuple[Built, tuple[Line, ...]]] = {}
"""Lines of a built verb, with those about its annotations, kept from when they were first asked for."""


def verb_for(armature: Object, item: PropertyGroup, thorough: bool = False) -> Verb:
    """Return a built verb that is up to date; it is built now if it never was or if something has changed.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.
    thorough : whether to read every key of the actions. Otherwise Blender's notices of changes are relied on, which is
        fast enough for many calls a second.

    Raises
    ------
    VerbsError
        If it cannot be built; the message says why.
    """
    return built_for(armature, item, thorough).verb


def built_for(armature: Object, item: PropertyGroup, thorough: bool = False) -> Built:
    """Like `verb_for`, but return the verb together with what it was built from."""
    key = (armature.session_uid, item.uid)
    kept = _built.get(key)
    if kept is None or not _is_current(kept, armature, item, thorough):
        _forget_others()
        with signatures.change():
            kept = _built[key] = _build(armature, item)
        forget_answers()
    if kept.verb is not None and kept.name != item.name:
        kept = _built[key] = kept.called(item.name)
    if kept.verb is None:
        raise VerbError(" ".join(line.text for line in kept.lines))
    return kept


def kept_verb(armature: Object, item: PropertyGroup) -> Verb | None:
    """Return the verb as it was last built in this session, which may be out of date; nothing is built."""
    kept = _built.get((armature.session_uid, item.uid))
    return kept.verb if kept is not None else None


def kept_built(armature: Object, item: PropertyGroup) -> Built | None:
    """Return what was last built in this session if that is up to date, else None; nothing is built."""
    kept = _built.get((armature.session_uid, item.uid))
    return kept if kept is not None and kept.verb is not None and _is_current(kept, armature, item) else None


def status(armature: Object, item: PropertyGroup) -> Status:
    """Return the state of a verb without building or writing anything."""
    newer = newer_told("Armature", armature)
    if newer:
        return Status("BROKEN", HEADLINES["BROKEN"], (Line("ERROR", f"{newer}."),))
    try:
        return _status(armature, item)
    except RigError as error:
        return Status("BROKEN", HEADLINES["BROKEN"], (Line("ERROR", str(error)),))


def _status(armature: Object, item: PropertyGroup) -> Status:
    kept = _built.get((armature.session_uid, item.uid))
    if kept is not None and _is_current(kept, armature, item):
        state: State = "UP_TO_DATE" if kept.verb else "BROKEN"
        return Status(state, HEADLINES[state], _serious_first(lines_of(armature, item, kept)))
    if item.built_hash and item.built_hash == rooted_signature(armature, item, item.built_root):
        # A kind that a damaged or newer file has, and this version does not know, is read as an empty text.
        lines = _serious_first(Line(line.kind or "INFO", line.text) for line in item.results)
        return Status("UP_TO_DATE", HEADLINES["UP_TO_DATE"], lines)
    lines = _serious_first(_obstacles(armature, item))
    if kept is None and not item.built_hash:
        filled = any(reference.enabled for reference in item.examples)
        headline = HEADLINES["NEVER_BUILT"].format(verb=item.name) if filled else HEADLINES["EMPTY"]
        return Status("NEVER_BUILT", headline, lines)
    built = bool(item.built_hash) or (kept is not None and kept.verb is not None)
    return Status("OUT_OF_DATE", HEADLINES["OUT_OF_DATE" if built else "UNBUILT"], lines)


def shown_status(armature: Object, item: PropertyGroup) -> Status:
    """Return the state of a verb as panels show it: found once, and kept until something changes."""
    return while_unchanged(("status", armature.session_uid, item.uid), lambda: status(armature, item))


def _serious_first(lines: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: KINDS.index(line.kind)))


def lines_of(armature: Object, item: PropertyGroup, built: Built) -> tuple[Line, ...]:
    """Sentences about a built verb, and about what its examples' annotations lack."""
    if built.verb is None:
        return built.lines
    key = (armature.session_uid, item.uid)
    before, lines = _looked_over.get(key, (None, ()))
    if before is not built:
        lines = (*built.lines, *_annotated(item))
        _looked_over[key] = built, lines
    return lines


def note_built(armature: Object, item: PropertyGroup, built: Built) -> None:
    """Store in the file what a verb was built from and the sentences about it; only operators call this."""
    note_bones(armature, item.examples)
    item.built_hash, item.built_root = built.signature, built.root
    item.results.clear()
    for line in lines_of(armature, item, built):
        entry = item.results.add()
        entry.kind, entry.text = line.kind, line.text
    for reference in item.examples:
        example = referenced(reference)
        if example is not None:
            reference.action_name, reference.example_name = reference.action.name, example.name


def signature(armature: Object, item: PropertyGroup, thorough: bool = False, root: str = "") -> str:
    """Digest of everything that a verb is built from; without `root`, for the root that it was last built with."""
    kept = _built.get((armature.session_uid, item.uid))
    if not root:
        root = kept.root if kept is not None and kept.root else item.built_root
    return rooted_signature(armature, item, root, thorough)


def _is_current(kept: Built, armature: Object, item: PropertyGroup, thorough: bool = False) -> bool:
    """Whether nothing has changed since the verb was built; after a failure its name must be the same too."""
    named = kept.verb is not None or kept.name == item.name
    return named and kept.signature == rooted_signature(armature, item, kept.root, thorough)


def forget_built() -> None:
    """Forget all built verbs."""
    _built.clear()
    _looked_over.clear()
    forget_made()


def _build(armature: Object, item: PropertyGroup) -> Built:
    from .building import keep_reference

    newer = newer_told("Armature", armature)
    if newer:
        return Built(rooted_signature(armature, item, ""), item.name, None, None, (Line("ERROR", f"{newer}."),))
    try:
        content, made = _made(armature, item)
    except VerbsError as error:
        told = (Line("ERROR", str(error)), *_renamed(armature, True))
        return Built(rooted_signature(armature, item, ""), item.name, None, None, told)
    verb, rig, remarks = made
    rig = replace(rig, armature=armature.name)
    if keep_reference(armature, rig, verb):
        content = content_of(armature, item, rig.root)
        keep_made(content, made)
    lines = (*_figures(verb), *(Line("WARNING", text) for text in remarks), *_renamed(armature, False))
    return Built(content[0], item.name, verb, rig, lines)


def _renamed(armature: Object, failed: bool) -> Iterator[Line]:
    """Yield a line about bones that seem to have been renamed, with what they are guessed to be called now.

    A verb that could be built can only mean other bones than it should where some have exchanged their names.
    """
    from .mapping_bones import has_exchanged, told_lost

    told = told_lost(armature) if failed or has_exchanged(armature) else ""
    if told:
        yield Line("WARNING", told)


def _made(armature: Object, item: PropertyGroup) -> tuple[Content, Made]:
    """Return a built verb with its key, built now if none is kept under that key.

    Keys of actions are read thoroughly before a verb is built.
    """
    from .refinement import build

    actions = {row.action for row in item.examples if row.enabled and row.action is not None}
    for action in actions:
        glance_at(action, armature)
    kept = kept_made(armature, item)
    if kept is None:
        for action in actions:
            action_content(action, armature, thorough=True)
        kept = kept_made(armature, item)
    if kept is None:
        made = build(armature, item)
        kept = content_of(armature, item, made[1].root), made
        keep_made(*kept)
    return kept


def _figures(verb: Verb) -> Iterator[Line]:
    from ...core.verb.build import FIT_TOLERANCE_DEGREES, SMALL_SEAM_DEGREES

    report, count = verb.report, len(verb.example_names)
    degrees, distance = max(report.fit_degrees), in_units(max(report.fit_distance))
    judged = "Follows" if degrees <= FIT_TOLERANCE_DEGREES else "Follows roughly:"
    them = f"its {count} examples" if count > 1 else "its example"
    yield Line("INFO", f"{judged} {them} (within {degrees:.2g}° and {distance}).")
    if verb.cyclic:
        worst = max(range(count), key=lambda row: report.seam_degrees[row])
        seam, name = report.seam_degrees[worst], verb.example_names[worst]
        if seam <= SMALL_SEAM_DEGREES:
            yield Line("INFO", f"Cycles close well (a joint was turned by {seam:.2g}° at most).")
        else:
            yield Line("INFO", f"Closing the cycle turned a joint by {seam:.2g}°, most of all in '{name}'.")
    for text in shortened(report.bent, "So do {count} more examples."):
        yield Line("INFO", text)
    if report.fits:
        yield Line("INFO", report.fits)


def in_units(amount: float) -> str:
    """A length as text, in the units of the scene."""
    units = bpy.context.scene.unit_settings
    return bpy.utils.units.to_string(units.system, "LENGTH", amount * units.scale_length, precision=2)


def _obstacles(armature: Object, item: PropertyGroup) -> Iterator[Line]:
    """Yield lines about what is missing, as far as that can be seen without building the verb."""
    known, markers = armature.verbs_adverbs.adverbs, ActionMarkers()
    if not any(reference.enabled for reference in item.examples):
        yield Line("WARNING", "It has no examples. Add some, or switch one on.")
    for used in item.adverbs:
        if used.name not in known:
            yield Line("ERROR", f"Adverb '{used.name}' is gone from the armature.")
    for reference in item.examples:
        example = referenced(reference)
        if not reference.enabled:
            continue
        if example is None:
            yield Line("ERROR", f"Example '{reference.example_name}' of action '{reference.action_name}' is gone.")
            continue
        newer = newer_told("Action", reference.action)
        if newer:
            yield Line("ERROR", f"{newer}.")
            continue
        yield from _remarks(example, item, markers)
    yield from _odd(item, markers)


def _annotated(item: PropertyGroup) -> Iterator[Line]:
    """Yield lines about what the annotations of the verb's examples lack."""
    markers = ActionMarkers()
    used = [referenced(reference) for reference in item.examples if reference.enabled]
    for example in used:
        if example is not None:
            yield from _remarks(example, item, markers)
    yield from _odd(item, markers)


def _remarks(example: PropertyGroup, verb: PropertyGroup, markers: ActionMarkers) -> Iterator[Line]:
    for text in complaints(example, verb, markers):
        yield Line("WARNING", f"'{example.name}': {text}.")


def _odd(verb: PropertyGroup, markers: ActionMarkers) -> Iterator[Line]:
    for example, text in odd_segments(verb, markers):
        yield Line("WARNING", f"'{example.name}': {text}.")


def _forget_others() -> None:
    there = {candidate.session_uid for candidate in bpy.data.objects}
    for kept in (_built, _looked_over):
        for key in [key for key in kept if key[0] not in there]:
            del kept[key]
