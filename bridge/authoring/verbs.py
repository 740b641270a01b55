"""Building verbs on demand: a built verb is cached until something changes that it was built from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from bpy.types import Object, PropertyGroup

from ...core.errors import RigError, VerbError, VerbsError
from ..blender.store import forget_answers, last_of, latest, note_last, while_unchanged
from ..data.bones.seen import note_bones
from ..data.content import glance_at, read_anew
from ..data.current import MaybeNone, newer_told
from ..data.example_list import referenced
from ..data.schema import note
from .diagnosis.told import Line, annotated, doubts, figures, keep_lines, kept_lines, lacking, obstacles, serious_first
from .verb_cache import (
    Content,
    Made,
    content_of,
    keep_made,
    kept_made,
    rooted_signature,
    signatures,
)

if TYPE_CHECKING:
    from ...core.verb.verb import Verb
    from ..rig.rig import Rig

State = Literal["NEVER_BUILT", "UP_TO_DATE", "OUT_OF_DATE", "BROKEN"]

HEADLINES = {
    "NEVER_BUILT": "Not built yet; it is built when first played, or now with Build {verb}",
    "UP_TO_DATE": "Built and up to date",
    "EMPTY": "Needs examples",
    "OUT_OF_DATE": "Changed since it was built; it is rebuilt when Blender is idle or it is played",
    "UNBUILT": "Changed; not built yet",
    "BROKEN": "Cannot be built",
}


@dataclass(frozen=True)
class Status:
    """The state of a verb, for panels.

    Parameters
    ----------
    state : whether the verb is built and up to date.
    headline : text for the state.
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
    def guilty(self) -> frozenset[int]:
        """Rows of the examples that have a problem, in the verb's list."""
        return frozenset(row for line in self.lines for row in line.guilty)

    @property
    def hindrance(self) -> str:
        """Why the verb cannot be played, as far as is known without building it; empty if nothing is known."""
        if self.headline == HEADLINES["EMPTY"]:
            return self.headline
        return next((line.text for line in self.lines if line.kind == "ERROR"), "")


@dataclass(frozen=True)
class Built:
    """A built verb with the digest of its sources, or why it could not be built.

    Parameters
    ----------
    signature : digest of everything that it was built from.
    name : name of the verb when it was built.
    verb : the verb; None if building failed.
    rig : the armature as it was read; None if building failed.
    lines : report lines from building; `lines_of` adds those about annotations.
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


def verb_for(armature: Object, item: PropertyGroup) -> Verb:
    """Return a built verb that is up to date; it is built now if necessary.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.

    Raises
    ------
    VerbsError
        If it cannot be built; the message says why.
    """
    return built_for(armature, item).verb


def built_for(armature: Object, item: PropertyGroup) -> Built:
    """Like `verb_for`, but return the verb as a `Built`."""
    kept = _last_built(armature, item)
    if kept is None or not _is_current(kept, armature, item):
        with signatures.change():
            kept = note_last(_user(armature, item), _build(armature, item))
        forget_answers()
    if kept.verb is not None and kept.name != item.name:
        kept = note_last(_user(armature, item), kept.called(item.name))
    if kept.verb is None:
        raise VerbError(" ".join(line.text for line in kept.lines))
    return kept


def _user(armature: Object, item: PropertyGroup) -> tuple[str, int, str]:
    """Return the user key under which the store caches the last built state of a verb."""
    return "built", armature.session_uid, item.uid


def _last_built(armature: Object, item: PropertyGroup) -> Built | None:
    """Return what was last built of a verb in this session, whether or not it is up to date."""
    return last_of(_user(armature, item))


def kept_verb(armature: Object, item: PropertyGroup) -> Verb | None:
    """Return the verb as it was last built in this session, which may be out of date; nothing is built."""
    kept = _last_built(armature, item)
    return kept.verb if kept is not None else None


def kept_built(armature: Object, item: PropertyGroup) -> Built | None:
    """Return what was last built in this session if that is up to date, else None; nothing is built."""
    kept = _last_built(armature, item)
    return kept if kept is not None and kept.verb is not None and _is_current(kept, armature, item) else None


def status(armature: Object, item: PropertyGroup) -> Status:
    """Return the state of a verb without building or writing anything."""
    newer = newer_told("Armature", armature)
    if newer:
        return Status("BROKEN", HEADLINES["BROKEN"], (Line("ERROR", f"{newer}."),))
    try:
        found = _status(armature, item)
        return found if found.state == "BROKEN" else replace(found, lines=(*found.lines, *lacking(item)))
    except RigError as error:
        return Status("BROKEN", HEADLINES["BROKEN"], (Line("ERROR", str(error)),))


def _status(armature: Object, item: PropertyGroup) -> Status:
    kept = _last_built(armature, item)
    if kept is not None and _is_current(kept, armature, item):
        state: State = "UP_TO_DATE" if kept.verb else "BROKEN"
        lines = serious_first((*_suspects(item, kept.signature), *lines_of(armature, item, kept)))
        return Status(state, HEADLINES[state], lines)
    if item.built_hash and item.built_hash == rooted_signature(armature, item, item.built_root):
        lines = serious_first((*_suspects(item, item.built_hash), *kept_lines(item.results)))
        return Status("UP_TO_DATE", HEADLINES["UP_TO_DATE"], lines)
    lines = serious_first(obstacles(item))
    if kept is None and not item.built_hash:
        filled = any(reference.enabled for reference in item.examples)
        headline = HEADLINES["NEVER_BUILT"].format(verb=item.name) if filled else HEADLINES["EMPTY"]
        return Status("NEVER_BUILT", headline, lines)
    built = bool(item.built_hash) or (kept is not None and kept.verb is not None)
    return Status("OUT_OF_DATE", HEADLINES["OUT_OF_DATE" if built else "UNBUILT"], lines)


def shown_status(armature: Object, item: PropertyGroup) -> Status:
    """Return the state of a verb for panels, cached until something changes."""
    return while_unchanged(("status", armature.session_uid, item.uid), lambda: status(armature, item))


def _suspects(item: PropertyGroup, now: str) -> tuple[Line, ...]:
    """Return lines about likely mistakes in a verb's examples, none if these have changed since they were checked."""
    return kept_lines(item.suspects) if item.checked_hash == now else ()


def lines_of(armature: Object, item: PropertyGroup, built: Built) -> tuple[Line, ...]:
    """Return sentences about a built verb, and about what its examples' annotations lack."""
    if built.verb is None:
        return built.lines
    return latest(("looked over", *_user(armature, item)), built, lambda: (*built.lines, *annotated(item)))


def note_built(armature: Object, item: PropertyGroup, built: Built) -> None:
    """Store in the file what a verb was built from and the sentences about it; only operators call this."""
    note(armature.verbs_adverbs)
    note_bones(armature, item.examples)
    item.built_hash, item.built_root = built.signature, built.root
    keep_lines(item.results, lines_of(armature, item, built))
    for reference in item.examples:
        example = referenced(reference)
        if example is not None:
            reference.action_name, reference.example_name = reference.action.name, example.name


def verb_signature(armature: Object, item: PropertyGroup, root: str = "") -> str:
    """Return the digest of all sources of a verb; without `root`, for the root that it was last built with."""
    kept = _last_built(armature, item)
    if not root:
        root = kept.root if kept is not None and kept.root else item.built_root
    return rooted_signature(armature, item, root)


def _is_current(kept: Built, armature: Object, item: PropertyGroup) -> bool:
    """Return whether nothing has changed since the verb was built; after a failure its name must be the same too."""
    named = kept.verb is not None or kept.name == item.name
    return named and kept.signature == rooted_signature(armature, item, kept.root)


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
    lines = (*figures(item, verb), *doubts(item, verb, remarks), *_renamed(armature, False))
    return Built(content[1], item.name, verb, rig, lines)


def _renamed(armature: Object, failed: bool) -> Iterator[Line]:
    """Yield a line about bones that seem to have been renamed, with guesses of their current names.

    A verb that could be built can only use wrong bones if some have swapped their names.
    """
    from .mapping_bones import has_exchanged, told_lost

    told = told_lost(armature) if failed or has_exchanged(armature) else ""
    if told:
        yield Line("WARNING", told)


def _made(armature: Object, item: PropertyGroup) -> tuple[Content, Made]:
    """Return a built verb with its key, built now if none is cached under that key.

    Keys of actions are read again before a verb is built.
    """
    from .refinement import build

    for action in {row.action for row in item.examples if row.enabled and row.action is not None}:
        glance_at(action, armature)
    kept = kept_made(armature, item)
    if kept is None:
        read_anew(armature)
        kept = kept_made(armature, item)
    if kept is None:
        made = build(armature, item)
        kept = content_of(armature, item, made[1].root), made
        keep_made(*kept)
    return kept
