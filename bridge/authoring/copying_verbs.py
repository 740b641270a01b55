"""Copying whole verbs to another armature: examples, adverbs, measures, layers and transitions."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import bpy
from bpy.types import Action, Object, PropertyGroup

from ...core.errors import RigError, VerbError, quoted
from ..blender.jobs import at_once
from ..blender.naming import free_name
from ..data.bones.names import BoneNames, contacts_on_bones
from ..data.bones.seen import Lain, lain, store_lying
from ..data.current import at, is_linked, is_newer
from ..data.director import keep_in_step
from ..data.example_list import referenced
from ..data.layer_properties import chosen_bones
from ..data.schema import BUILT, ROOT_IS_OBJECT, new_uid, note
from .conforming import conform_actions, corresponding, is_same
from .definitions import add_adverb, add_reference, add_verb
from .measuring import fill_measured, measured_adverbs

OWN_NAMES = frozenset({"uid", "name", "verb", "verb_name", "source", "target", "source_name", "target_name", "number"})
"""Properties that are not copied from a verb, a layer or a transition, since they are unique or set separately."""
ADVERB = "minimum", "maximum", "default", "unit", "description", "low_end", "high_end"
FOOT = "thigh", "ankle", "ball", "heel"
LISTS = "adverbs", "feet", "verbs"
SETTINGS = "root", "active_verb", "active_adverb", "next_number", "schema"
"""Properties that copying sets on an armature, besides adding to its lists."""


@dataclass(frozen=True, eq=False)
class Copied:
    """The names of the new verbs, and sentences about what was left out or is doubtful."""

    verbs: tuple[str, ...]
    warnings: tuple[str, ...]


def copy_verbs(armature: Object, source: Object, uids: Collection[str], told: Mapping[str, str], fps: float) -> Copied:
    """Copy verbs of another armature with everything that belongs to them; it and its actions are not changed.

    Examples are copied as `conform_actions` does, unless both armatures have the same bones at rest: then the verbs
    share their actions. Measured adverbs are measured again on the armature. Targets and refinements are not copied.

    Parameters
    ----------
    armature : the armature that gets the verbs.
    source : the armature that has them, which may be linked.
    uids : identifiers of the verbs that are copied.
    told : corresponding bones of the other armature for bones of the armature, as far as set by the user.
    fps : frame rate of the actions' keys, in frames per second.

    Raises
    ------
    VerbsError
        If the bones that the verbs need do not correspond, which the message names, or a verb cannot be read. Nothing
        has changed then.
    """
    verbs = [verb for verb in source.verbs_adverbs.verbs if verb.uid in uids]
    check_source(armature, source)
    if not verbs:
        raise VerbError(f"No verb of '{source.name}' was chosen. Tick at least one.")
    partners = {theirs: mine for mine, theirs in corresponding(armature, source, told).items()}
    _check_needed(armature, source, verbs, partners)
    actions = _actions(source, verbs)
    same = is_same(armature, source)
    before, known = _before(armature), set(bpy.data.actions)
    try:
        made = None if same else conform_actions(armature, actions, fps, source, told)
        new = dict(zip(actions, actions if made is None else made.actions, strict=True))
        called, uid_of = _write(armature, source, verbs, partners, new)
        for name in () if same else called:
            verb = armature.verbs_adverbs.verbs[name]
            if measured_adverbs(verb):
                with at_once({}):  # writing cannot pause until the next slice
                    fill_measured(armature, verb, True)
    except Exception:
        _take_back(armature, before, known)
        raise
    _copy_transitions(armature, source, uid_of)
    warnings = [*(made.warnings if made is not None else ()), *_copy_layers(armature, source, partners, uid_of)]
    chosen = at(source.verbs_adverbs.verbs, source.verbs_adverbs.active_verb)
    name = called[verbs.index(chosen) if chosen in verbs else 0]
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find(name)
    keep_in_step(armature)
    return Copied(tuple(called), tuple(dict.fromkeys(warnings)))


def check_source(armature: Object, source: Object) -> None:
    """Check that an armature has verbs that can be copied to another one.

    Raises
    ------
    VerbsError
        If it has none, is the same armature, or was made by a newer version.
    """
    if source == armature:
        raise VerbError(f"'{armature.name}' already has these verbs. Choose another armature to copy from.")
    if not len(source.verbs_adverbs.verbs):
        raise VerbError(f"'{source.name}' has no verbs to copy. Choose an armature that has some.")
    if is_newer(source.verbs_adverbs):
        raise VerbError(
            f"The verbs of '{source.name}' were made by a newer version of Verbs & Adverbs. Update the extension."
        )


def _actions(source: Object, verbs: Sequence[PropertyGroup]) -> list[Action]:
    """Return actions of the verbs' examples.

    Raises
    ------
    VerbError
        If one was removed.
    """
    rows = [(verb, row) for verb in verbs for row in verb.examples]
    for verb, row in rows:
        if referenced(row) is None:
            raise VerbError(
                f"Example '{row.example_name}' of verb '{verb.name}' of '{source.name}' no longer exists. Remove it "
                "from the verb first."
            )
    return list(dict.fromkeys(row.action for _, row in rows))


def _needed(source: Object, verbs: Sequence[PropertyGroup]) -> Iterator[tuple[str, str]]:
    """Yield bones of the other armature that are required for copying its verbs, with their purposes."""
    own, names = source.verbs_adverbs, BoneNames(source)
    if own.root not in ("", ROOT_IS_OBJECT):
        yield own.root, "root"
    for foot in own.feet:
        yield from ((bone, f"foot {foot.name}") for name in FOOT if (bone := getattr(foot, name)))
    for verb in verbs:
        yield from ((used.bone, f"measure of '{verb.name}'") for used in verb.adverbs if used.bone)
        for row in verb.examples:
            example = referenced(row)
            found = contacts_on_bones(example, names.of_contacts(example)) if example is not None else ()
            yield from ((bone, "contacts of its examples") for _, bone in found)


def _check_needed(
    armature: Object, source: Object, verbs: Sequence[PropertyGroup], partners: Mapping[str, str]
) -> None:
    lost = {bone: what for bone, what in _needed(source, verbs) if bone and bone not in partners}
    if lost:
        what = next(iter(lost.values()))
        raise RigError(
            f"'{armature.name}' has no bone that corresponds to {quoted(lost)} of '{source.name}' ({what}). Choose one "
            "in the dialog, or give corresponding bones the same name."
        )


def bones_to_pair(armature: Object, source: Object) -> list[tuple[str, str, str]]:
    """Return bones that the other armature's verbs need and that have other names here, for the user to check.

    Each has the bone that is guessed to correspond, empty for none, and its purpose.
    """
    partners = {theirs: mine for mine, theirs in corresponding(armature, source, {}).items()}
    needed = {bone: what for bone, what in _needed(source, source.verbs_adverbs.verbs) if bone}
    differ = {bone: partners.get(bone, "") for bone in needed if partners.get(bone) != bone}
    return [(bone, mine, needed[bone]) for bone, mine in differ.items()]


@dataclass(frozen=True, eq=False)
class _Before:
    """The stored data of an armature before anything was copied to it.

    Parameters
    ----------
    counts : lengths of its lists.
    settings : its settings by name.
    adverbs : ranges and other properties of its adverbs, by the adverbs' names.
    lying : recorded rest pose of its bones.
    """

    counts: Mapping[str, int]
    settings: Mapping[str, object]
    adverbs: Mapping[str, Sequence[object]]
    lying: Sequence[Lain]


def _before(armature: Object) -> _Before:
    rig = armature.verbs_adverbs
    return _Before(
        {name: len(getattr(rig, name)) for name in LISTS},
        {name: getattr(rig, name) for name in SETTINGS},
        {item.name: [getattr(item, prop) for prop in ADVERB] for item in rig.adverbs},
        lain(armature),
    )


def _take_back(armature: Object, before: _Before, known: set[Action]) -> None:
    """Restore the stored data of an armature, and remove the actions that were made."""
    rig = armature.verbs_adverbs
    for name, count in before.counts.items():
        items = getattr(rig, name)
        while len(items) > count:
            items.remove(len(items) - 1)
    for name, values in before.adverbs.items():
        for prop, value in zip(ADVERB, values, strict=True):
            setattr(rig.adverbs[name], prop, value)
    store_lying(armature, before.lying)
    for action in set(bpy.data.actions) - known:
        bpy.data.actions.remove(action)
    keep_in_step(armature)
    for name, value in before.settings.items():
        setattr(rig, name, value)


def _write(
    armature: Object,
    source: Object,
    verbs: Sequence[PropertyGroup],
    partners: Mapping[str, str],
    new: Mapping[Action, Action],
) -> tuple[list[str], dict[str, str]]:
    """Write the verbs; return their names, and the new identifier for the identifier of each copied one."""
    rig, theirs = armature.verbs_adverbs, source.verbs_adverbs
    note(rig)
    for name in dict.fromkeys(used.name for verb in verbs for used in verb.adverbs):
        if name not in rig.adverbs and name in theirs.adverbs:
            made = add_adverb(armature, name)
            for prop in ADVERB:
                setattr(made, prop, getattr(theirs.adverbs[name], prop))
    _copy_roles(armature, source, partners)
    called, uid_of = list[str](), dict[str, str]()
    for verb in verbs:
        item = add_verb(armature, free_name(verb.name, (one.name for one in rig.verbs)))
        for prop in (*BUILT, "goes_on"):
            setattr(item, prop, getattr(verb, prop))
        for used in verb.adverbs:
            copy = item.adverbs.add()
            _copy(used, copy)
            copy.name, copy.bone = used.name, partners.get(used.bone, "")
        for row in verb.examples:
            _copy_example(item, row, new[row.action])
        called.append(item.name)
        uid_of[verb.uid] = item.uid
    return called, uid_of


def _copy_example(verb: PropertyGroup, row: PropertyGroup, action: Action) -> None:
    """Add the copy of an example to a verb: it has the same index among the action's examples."""
    old = row.action.verbs_adverbs.examples
    place = next(place for place, example in enumerate(old) if example.uid == row.example_uid)
    copy = add_reference(verb, action, action.verbs_adverbs.examples[place])
    copy.enabled, copy.control_points, copy.encoding = row.enabled, row.control_points, row.encoding


def _copy_roles(armature: Object, source: Object, partners: Mapping[str, str]) -> None:
    """Copy root and feet that were chosen for the other armature, unless the armature has its own."""
    rig, theirs = armature.verbs_adverbs, source.verbs_adverbs
    if not rig.root and theirs.root:
        rig.root = partners.get(theirs.root, theirs.root)
    for foot in theirs.feet if not len(rig.feet) else ():
        made = rig.feet.add()
        _copy(foot, made)
        made.name = foot.name
        for name in FOOT:
            setattr(made, name, partners.get(getattr(foot, name), ""))


def _copy_transitions(armature: Object, source: Object, uid_of: Mapping[str, str]) -> None:
    """Copy the transitions among the verbs that were copied."""
    rig = armature.verbs_adverbs
    names = {verb.uid: verb.name for verb in rig.verbs}
    for old in source.verbs_adverbs.transitions:
        if old.source in uid_of and old.target in uid_of:
            made = rig.transitions.add()
            _copy(old, made)
            made.uid, made.source, made.target = new_uid(), uid_of[old.source], uid_of[old.target]
            made.source_name, made.target_name = names[made.source], names[made.target]


def _copy_layers(
    armature: Object, source: Object, partners: Mapping[str, str], uid_of: Mapping[str, str]
) -> Iterator[str]:
    """Copy the layers that play copied verbs; yield what is left out of their masks."""
    rig, made = armature.verbs_adverbs, dict[str, PropertyGroup]()
    for old in source.verbs_adverbs.layers:
        if old.verb not in uid_of:
            continue
        bones = chosen_bones(source, old)
        if not bones:
            yield f"Layer '{old.name}' no longer moves any bones of '{source.name}': left out."
            continue
        lost, moved = [bone for bone in bones if bone not in partners], [bone for bone in bones if bone in partners]
        if lost:
            yield f"Layer '{old.name}' also moves {quoted(lost)}, which '{armature.name}' does not have: left out."
        mask = _mask_alike(armature, old, [partners[bone] for bone in moved], set(partners.values()))
        if mask.told:
            yield mask.told
        if not mask.collection and not mask.bones:
            continue
        layer = rig.layers.add()
        layer.uid, layer.verb = new_uid(), uid_of[old.verb]
        layer.verb_name = next(verb.name for verb in rig.verbs if verb.uid == layer.verb)
        layer.name = free_name(old.name, (one.name for one in rig.layers if one.uid != layer.uid))
        _copy(old, layer)
        layer.collection = mask.collection
        for bone in mask.bones:
            layer.bones.add().text = bone
        made[old.uid] = layer
    for old in source.verbs_adverbs.layers:
        for pair in old.pairs if old.uid in made else ():
            if pair.layer in made:
                copy = made[old.uid].pairs.add()
                copy.layer, copy.held = made[pair.layer].uid, pair.held


class _Mask(NamedTuple):
    """Bones of a copied layer: a bone collection with exactly these, or bones with their descendants.

    Parameters
    ----------
    told : a sentence about differences from the layer that is copied; empty if there are none.
    """

    collection: str
    bones: Sequence[str]
    told: str = ""


def _mask_alike(armature: Object, old: PropertyGroup, bones: Sequence[str], known: Collection[str]) -> _Mask:
    """Return the mask of a copied layer, which moves no bone that the layer does not move.

    Parameters
    ----------
    old : the layer that is copied.
    bones : bones of the armature that correspond to those of the layer.
    known : all bones of the armature that correspond to one of the other's.
    """
    if not old.collection or not bones:
        return _Mask("", bones)
    data: Any = armature.data
    begun = f"Layer '{old.name}' moves bone collection '{old.collection}'"
    there = data.collections_all.get(old.collection)
    if there is not None and {bone.name for bone in there.bones} & set(known) == set(bones):
        return _Mask(old.collection, ())
    lacking = f"{begun}, but '{armature.name}' has no collection of that name with the corresponding bones"
    if not is_linked(data):
        made = data.collections.new(old.collection)
        for bone in bones:
            made.assign(data.bones[bone])
        return _Mask(made.name, (), f"{lacking}: '{made.name}' was added.")
    whole = [bone for bone in bones if {one.name for one in data.bones[bone].children_recursive} <= set(bones)]
    what = f"it now moves {quoted(whole)} and their children" if whole else "left out"
    return _Mask("", whole, f"{lacking}, and none can be added because its data is linked: {what}.")


def _copy(old: PropertyGroup, new: PropertyGroup) -> None:
    """Copy the numbers, enums and texts of a group, except unique properties."""
    for prop in old.bl_rna.properties:
        name = prop.identifier
        if name not in OWN_NAMES and name != "rna_type" and prop.type not in {"COLLECTION", "POINTER"}:
            setattr(new, name, getattr(old, name))
