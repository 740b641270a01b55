"""Mapping bone names that verbs, examples and actions use to the current names of the bones."""

import json
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass

import bpy
from bpy.types import Action, Object

from ...core.detect.corresponding_bones import Guess, exchanged, guess_bones
from ...core.errors import RigError, listed, quoted
from ..action.generated_action import is_generated
from ..data.bones.names import (
    LEFT_OUT,
    Bearer,
    BoneNames,
    keyed_names,
    names_on,
    rewrite,
    store_former,
)
from ..data.bones.seen import is_before, lying_now, note_anew, seen_before
from ..data.director import director_of
from ..data.schema import ROOT_IS_OBJECT, note
from .verb_cache import still_refined

NEVER = ("", ROOT_IS_OBJECT)
"""Values of bone name properties that are not bone names."""


@dataclass(frozen=True)
class Mentioned:
    """A bone name that is used somewhere.

    Parameters
    ----------
    name : the name; if it was already mapped, what it was mapped to.
    places : descriptions of what uses it.
    is_bone : whether a bone currently has this name.
    guess : the bone that it probably refers to, None if unknown.
    """

    name: str
    places: tuple[str, ...]
    is_bone: bool
    guess: Guess | None


@dataclass(frozen=True)
class _Source:
    """Bone names that are used together: in one action, in one example, or on the armature."""

    told: str
    names: tuple[str, ...]


def mentioned(armature: Object) -> list[Mentioned]:
    """Return the bone names that an armature's verbs and their examples use.

    Those without a bone come first, with those that seem to be another bone's now; each of these has a guess if
    there is one.
    """
    sources, bones = list(_sources(armature)), armature.data.bones
    seen, present = seen_before(armature), lying_now(armature)
    places: dict[str, dict[str, None]] = {}
    for source in sources:
        for name in source.names:
            places.setdefault(name, {})[source.told] = None
    swapped = exchanged(seen, present)
    doubtful = [name for name in places if name not in bones or name in swapped]
    guesses = guess_bones(doubtful, seen, present, _beside(sources, doubtful, set(present)))
    found = [Mentioned(name, tuple(places[name]), name in bones, guesses.get(name)) for name in places]
    return sorted(found, key=lambda one: (one.name not in doubtful, one.guess is None, one.name))


def _beside(sources: list[_Source], doubtful: list[str], bones: set[str]) -> dict[str, set[str]]:
    """Return the bones that are used together with each doubtful name that is not a bone."""
    found: dict[str, set[str]] = {name: set() for name in doubtful if name not in bones}
    sure = bones - set(doubtful)
    for source in sources:
        for name in found.keys() & set(source.names):
            found[name] |= sure & set(source.names)
    return found


def _sources(armature: Object) -> Iterator[_Source]:
    names = BoneNames(armature)
    for group, name, told in names_on(armature):
        stored = getattr(group, name)
        if stored not in NEVER and told:
            yield _Source(told, (stored,))
    for action in _actions(armature):
        meant = names.of_curves(action)
        found = dict.fromkeys(meant.bone(name) for name in keyed_names(action, armature))
        yield _Source(f"action '{action.name}'", tuple(name for name in found if name != LEFT_OUT))
        for example in action.verbs_adverbs.examples:
            on = names.of_contacts(example)
            found = dict.fromkeys(on.bone(contact.bone) for contact in example.contacts)
            yield _Source(f"contacts of '{example.name}'", tuple(name for name in found if name != LEFT_OUT))


def _actions(armature: Object) -> list[Action]:
    """Return actions of the armature's verbs."""
    rows = (row for verb in armature.verbs_adverbs.verbs for row in verb.examples)
    return list(dict.fromkeys(row.action for row in rows if row.action is not None))


def map_bones(armature: Object, mapped: Mapping[str, str]) -> str:
    """Map bone names to bones that have other names now, wherever they are used.

    Names on the armature are rewritten; the mapping of names in actions is stored on the armature, and the actions are
    not changed.

    Parameters
    ----------
    mapped : for each name the bone that it refers to, empty to leave it out.

    Raises
    ------
    RigError
        If a bone does not exist, a name is not used anywhere, is mapped to itself, or two that are used
        together would refer to one bone. Nothing has changed then.

    Returns
    -------
    What was done, as a sentence.
    """
    _check(armature, mapped)
    bearers = list(_bearers(armature, mapped))
    leaves_out = LEFT_OUT in mapped.values()
    with nullcontext() if leaves_out else still_refined(armature, {bone: name for name, bone in mapped.items()}):
        note(armature.verbs_adverbs)
        known = {name for name in seen_before(armature) if name not in mapped and name not in armature.data.bones}
        store_former(armature, mapped, bearers)
        rewrite(armature, lambda name: mapped.get(name, name))
        _rename_saved(armature, mapped)
    note_anew(armature, known & {one.name for one in mentioned(armature)})
    found = [f"'{name}' to '{bone}'" for name, bone in mapped.items() if bone]
    out = [name for name, bone in mapped.items() if not bone]
    return "; ".join([*([f"Mapped {listed(found)}"] if found else []), *([f"left out {quoted(out)}"] if out else [])])


def _check(armature: Object, mapped: Mapping[str, str]) -> None:
    if not len(armature.verbs_adverbs.verbs):
        raise RigError(f"'{armature.name}' has no verbs, so there are no bones to map. Add a verb first.")
    if not mapped:
        raise RigError("No name was mapped. Choose a bone for at least one name, or leave one out.")
    bones = armature.data.bones
    sources = list(_sources(armature))
    known = {name for source in sources for name in source.names} | {getattr(g, n) for g, n, _ in names_on(armature)}
    for name, bone in mapped.items():
        if name not in known:
            raise RigError(f"Nothing on '{armature.name}' uses a bone name '{name}'. Choose one of the listed names.")
        if bone and bone not in bones:
            raise RigError(f"'{armature.name}' has no bone '{bone}' to map '{name}' to. Choose one of its bones.")
        if bone == name:
            raise RigError(f"'{name}' is mapped to itself. Choose another bone, or leave it unmapped.")
    for source in sources:
        meant: dict[str, str] = {}
        for name in source.names:
            bone = mapped.get(name, name)
            if bone != LEFT_OUT and bone in meant:
                raise RigError(
                    f"Both '{meant[bone]}' and '{name}' would be mapped to bone '{bone}' in {source.told}. Choose "
                    "another bone for one of them, or leave it out."
                )
            meant[bone] = name


def _bearers(armature: Object, mapped: Mapping[str, str]) -> Iterator[Bearer]:
    """Yield the curves and contacts of the file that use one of the mapped names."""
    names = BoneNames(armature)
    for action in bpy.data.actions:
        meant, called = names.of_curves(action), keyed_names(action, armature)
        if action.users and not is_generated(action) and any(meant.bone(name) in mapped for name in called):
            yield Bearer(action, meant, is_before(armature, action, mapped))
        for example in action.verbs_adverbs.examples:
            on = names.of_contacts(example)
            if any(on.bone(contact.bone) in mapped for contact in example.contacts):
                yield Bearer(example, on, True)


def _rename_saved(armature: Object, mapped: Mapping[str, str]) -> None:
    """Rename bones in the pose that is restored when the armature's verb is disabled."""
    for holder in {armature, director_of(armature)} - {None}:
        own = holder.verbs_adverbs
        try:
            state = json.loads(own.saved_pose) if own.saved_pose else None
        except (ValueError, RecursionError):
            state = None
        if isinstance(state, dict) and isinstance(state.get("bones"), list):
            state["bones"] = [mapped.get(str(name)) or name for name in state["bones"]]
            own.saved_pose = json.dumps(state)


def has_exchanged(armature: Object) -> bool:
    """Return whether bones seem to have swapped names since their rest pose was recorded."""
    return bool(exchanged(seen_before(armature), lying_now(armature)))


def told_lost(armature: Object) -> str:
    """Return a sentence on which bones are missing and the guesses for them; empty if none are missing."""
    lost = [one for one in mentioned(armature) if not one.is_bone or one.guess is not None]
    if not lost:
        return ""
    guesses = [f"'{one.name}' may now be '{one.guess.bone}' ({one.guess.reason})" for one in lost if one.guess]
    others = [one.name for one in lost if one.guess is None]
    said = [f"{listed(guesses, 2)}"] if guesses else []
    said += [f"{quoted(others)} {'does' if len(others) == 1 else 'do'} not exist"] if others else []
    return f"Bones of '{armature.name}' were renamed: {'; '.join(said)}. Press Map Bones to match them."
