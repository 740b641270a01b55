"""Which bones the names stored in actions refer to, and what is stored about an armature's bones."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import bpy
from bpy.props import CollectionProperty, EnumProperty, FloatVectorProperty, PointerProperty, StringProperty
from bpy.types import Action, Object, PropertyGroup

from ....core.errors import RigError
from ...blender.versions import curves_of
from ..action_properties import VERBS_ADVERBS_TextItem
from ..schema import ENDS, ROOT_IS_OBJECT

OBJECT = ""
"""Bone name used for data paths of the object itself."""
LEFT_OUT = ""
"""Bone name used where a name is mapped to no bone."""
PATHS = 8192
"""Number of parsed data paths that are cached."""
_BONE = re.compile(r'(pose\.bones\[")((?:[^"\\]|\\.)*)("\])(.+)', re.DOTALL)


@lru_cache(maxsize=PATHS)
def parse_path(path: str) -> tuple[str, str]:
    """Split a data path into the name of the bone (`OBJECT` if there is none) and the rest without its leading dot."""
    found = _BONE.fullmatch(path)
    if not found:
        return OBJECT, path
    return bpy.utils.unescape_identifier(found[2]), found[4].removeprefix(".")


def bone_path(bone: str, prop: str) -> str:
    """Return the data path of a transform property of a bone, or of the object itself."""
    if bone in {OBJECT, ROOT_IS_OBJECT}:
        return prop
    return f'pose.bones["{bpy.utils.escape_identifier(bone)}"].{prop}'


@dataclass(frozen=True)
class Names:
    """Which bones the names in the curves of one action, or in the contacts of one example, refer to.

    Parameters
    ----------
    own : the mapping stored for it: names, and the bones that they refer to.
    others : the mapping for names that are not bones.
    bones : names that are bones.
    """

    own: Mapping[str, str] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)
    bones: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.own or self.others)

    def bone(self, name: str) -> str:
        """Return the bone that a name refers to, `LEFT_OUT` if it is left out; the name itself if it is not mapped."""
        return self.own.get(name, name if name in self.bones else self.others.get(name, name))

    def path(self, path: str) -> str:
        """Return a data path with the name of the bone that it refers to; `LEFT_OUT` if that is left out."""
        name = parse_path(path)[0]
        bone = self.bone(name) if name != OBJECT else name
        if bone == name:
            return path
        return _BONE.sub(lambda f: f[1] + bpy.utils.escape_identifier(bone) + f[3] + f[4], path) if bone else LEFT_OUT

    def name_of(self, bone: str) -> str | None:
        """Return the name that refers to a bone; None if none does."""
        found = [bone, *(name for name, meant in {**self.others, **self.own}.items() if meant == bone)]
        return next((name for name in found if self.bone(name) == bone), None)


NOTHING = Names()


class BoneNames:
    """Which bones names refer to on one armature, read once for many actions."""

    def __init__(self, armature: Object) -> None:
        self._stored = [_Stored(one) for one in armature.verbs_adverbs.bone_names.former]
        self._bones = frozenset(bone.name for bone in armature.data.bones) if self._stored else frozenset[str]()
        self._others: dict[str, str] = {}
        for one in self._stored:
            self._others |= {name: bone for name, bone in one.bones.items() if name not in self._bones}

    def of_curves(self, action: Action) -> Names:
        """Return the mapping of names in an action's curves; a copy has that of the action that it was copied from."""
        if not self._stored:
            return NOTHING
        found = next((one for one in self._stored if action in one.actions), None)
        if found is None:
            uids = {example.uid for example in action.verbs_adverbs.examples}
            found = next((one for one in self._stored if uids & one.copied), None)
        return self._names(found)

    def of_contacts(self, example: PropertyGroup) -> Names:
        """Return the mapping of names in the contacts of an example."""
        return self._names(next((one for one in self._stored if example.uid in one.examples), None))

    def _names(self, found: "_Stored | None") -> Names:
        if not self._stored:
            return NOTHING
        return Names(found.bones if found is not None else {}, self._others, self._bones)


class _Stored:
    """Former names, and the actions and examples that have them, as they are stored."""

    def __init__(self, item: PropertyGroup) -> None:
        self.bones: dict[str, str] = {pair.name: pair.bone for pair in item.bones}
        self.actions = {entry.action for entry in item.actions if entry.action is not None}
        self.copied = {uid for entry in item.actions for uid in entry.examples.split()}
        self.examples = {entry.text for entry in item.examples}


def names_in_curves(armature: Object, action: Action) -> Names:
    """Return the mapping of bone names in the curves of one action for an armature."""
    return BoneNames(armature).of_curves(action)


def names_in_contacts(armature: Object, example: PropertyGroup) -> Names:
    """Return the mapping of bone names in the contacts of one example for an armature."""
    return BoneNames(armature).of_contacts(example)


def bone_of_contact(armature: Object | None, example: PropertyGroup | None, contact: PropertyGroup) -> str:
    """Return the armature's bone that has a contact point of an example, empty if it is left out."""
    if armature is None or example is None:
        return contact.bone
    return names_in_contacts(armature, example).bone(contact.bone)


def name_for_contact(armature: Object, example: PropertyGroup, bone: str) -> str:
    """Return the name under which a bone is stored in the contacts of an example.

    Raises
    ------
    RigError
        If in this example the bone's name refers to another bone, and no name refers to the bone.
    """
    name = names_in_contacts(armature, example).name_of(bone)
    if name is None:
        raise RigError(
            f"In the contacts of example '{example.name}', the name '{bone}' refers to another bone that used to have "
            f"this name. Rename bone '{bone}' of '{armature.name}'."
        )
    return name


def contacts_on_bones(example: PropertyGroup, names: Names) -> Iterator[tuple[PropertyGroup, str]]:
    """Yield the contacts of an example, each with its bone, without those that are left out."""
    for contact in example.contacts:
        bone = names.bone(contact.bone) if names else contact.bone
        if bone != LEFT_OUT or not names:
            yield contact, bone


def keyed_names(action: Action, armature: Object) -> tuple[str, ...]:
    """Return names of bones in an action's curves, each once, in the order of the curves."""
    found = dict.fromkeys(parse_path(curve.data_path)[0] for curve in curves_of(action, armature))
    return tuple(name for name in found if name != OBJECT)


def former_names(armature: Object, action: Action) -> list[str]:
    """Return names in an action's curves of bones that have other names now, so that Blender does not move them."""
    names = names_in_curves(armature, action)
    return [name for name in keyed_names(action, armature) if names.bone(name) != name] if names else []


def names_on(armature: Object) -> Iterator[tuple[PropertyGroup, str, str]]:
    """Yield everything on an armature itself that names a bone: the group, its property, and a description."""
    own = armature.verbs_adverbs
    yield own, "root", "root"
    yield own, "reference_root", ""
    for foot in own.feet:
        yield from ((foot, name, f"foot {foot.name}") for name in ("thigh", "ankle", "ball", "heel"))
    for verb in own.verbs:
        yield verb, "built_root", ""
        yield from ((used, "bone", f"measure of '{verb.name}'") for used in verb.adverbs)
        yield from ((target, "bone", f"target of '{verb.name}'") for target in verb.targets)
    for layer in own.layers:
        yield from ((bone, "text", f"layer '{layer.name}'") for bone in layer.bones)


def compose(
    former: Mapping[str, str], mapped: Mapping[str, str], is_before: bool, bones: frozenset[str]
) -> dict[str, str]:
    """Return the mapping of names after a renaming, from the one before it.

    Parameters
    ----------
    former : names, and the bones that they referred to.
    mapped : current names of bones, by their names when `former` was stored.
    is_before : whether the names are from before the renaming; else Blender has already renamed them, and only names
        that are not bones are mapped.
    bones : names of current bones.
    """
    found = {name: mapped.get(bone, bone) for name, bone in former.items()}
    for name, bone in mapped.items():
        if name not in former and (is_before or name not in bones):
            found[name] = bone
    return {name: bone for name, bone in found.items() if name != bone}


@dataclass(frozen=True)
class Bearer:
    """Something whose bone names are mapped: an action's curves, or the contacts of an example.

    Parameters
    ----------
    thing : the action, or the example.
    names : its mapping of names before.
    is_before : as in `compose`.
    """

    thing: Action | PropertyGroup
    names: Names
    is_before: bool


def store_former(armature: Object, mapped: Mapping[str, str], bearers: list[Bearer]) -> None:
    """Store which bones former names refer to after a renaming.

    Mappings that were already stored for other actions and examples are updated too.
    """
    stored, bones = armature.verbs_adverbs.bone_names.former, frozenset(bone.name for bone in armature.data.bones)
    groups: dict[frozenset[tuple[str, str]], tuple[list[Action], list[str]]] = {}

    def add(meant: dict[str, str], actions: list[Action], uids: list[str]) -> None:
        group = groups.setdefault(frozenset(meant.items()), ([], []))
        group[0].extend(actions)
        group[1].extend(uids)

    done = {one.thing if isinstance(one.thing, Action) else one.thing.uid for one in bearers}
    for one in map(_Stored, stored):
        meant = compose(one.bones, mapped, False, bones)
        add(meant, [a for a in one.actions if a not in done], [uid for uid in one.examples if uid not in done])
    for one in bearers:
        meant = compose(one.names.own, mapped, one.is_before, bones)
        if isinstance(one.thing, Action):
            add(meant, [one.thing], [])
        else:
            add(meant, [], [one.thing.uid])
    stored.clear()
    for meant, (actions, uids) in groups.items():
        if meant:
            _write(stored.add(), dict(sorted(meant)), actions, uids)


def _write(item: PropertyGroup, meant: Mapping[str, str], actions: list[Action], uids: list[str]) -> None:
    for name, bone in meant.items():
        pair = item.bones.add()
        pair.name, pair.bone = name, bone
    for action in sorted(set(actions), key=lambda one: one.name_full):
        entry = item.actions.add()
        entry.action, entry.examples = action, " ".join(example.uid for example in action.verbs_adverbs.examples)
    for uid in sorted(set(uids)):
        item.examples.add().text = uid


def rewrite(armature: Object, meant: Callable[[str], str]) -> None:
    """Rewrite the bone names on an armature itself, and drop bones that are left out from its layers' masks."""
    for group, name, _ in list(names_on(armature)):
        stored = getattr(group, name)
        if stored and meant(stored) != stored:
            setattr(group, name, meant(stored))
    for layer in armature.verbs_adverbs.layers:
        for row in reversed([row for row, bone in enumerate(layer.bones) if bone.text == LEFT_OUT]):
            layer.bones.remove(row)


def as_contacts_of(source: PropertyGroup, target: PropertyGroup) -> None:
    """Give the contacts of an example the mapping of names of the example that they were copied from."""
    _contacts_mean(target.uid, source.uid)


def contacts_written(example: PropertyGroup) -> None:
    """Clear the mapping of names in the contacts of an example, since they were just written with current names."""
    _contacts_mean(example.uid, "")


def _contacts_mean(uid: str, like: str) -> None:
    for armature in bpy.data.objects:
        for one in armature.verbs_adverbs.bone_names.former:
            uids = [entry.text for entry in one.examples]
            if (uid in uids) == (like in uids):
                continue
            if uid in uids:
                one.examples.remove(uids.index(uid))
            else:
                one.examples.add().text = uid


class VERBS_ADVERBS_FootItem(PropertyGroup):
    """Bones of one leg that show when its foot is down."""

    name: StringProperty(name="Side", description="Prefix of keytime names, such as L in L_down")
    thigh: StringProperty(name="Thigh", description="Bone whose head is the hip")
    ankle: StringProperty(name="Ankle", description="Bone whose head is the ankle")
    ball: StringProperty(name="Ball", description="Bone of the ball of the foot, such as the toes")
    ball_end: EnumProperty(name="End", description="End of the bone that touches the floor", items=ENDS, default="HEAD")
    heel: StringProperty(name="Heel", description="Bone of the heel, which lands first; empty to guess its position")
    heel_end: EnumProperty(name="End", description="End of the bone that touches the floor", items=ENDS, default="HEAD")


class VERBS_ADVERBS_FormerBone(PropertyGroup):
    """A name in actions, and the bone that it refers to now."""

    name: StringProperty(name="Name", description="Name of the bone in actions")
    bone: StringProperty(name="Bone", description="Bone that now has this name; empty if left out")


class VERBS_ADVERBS_FormerAction(PropertyGroup):
    """An action whose curves have former names of bones."""

    action: PointerProperty(type=bpy.types.Action, name="Action")
    examples: StringProperty(
        name="Examples",
        description="Identifiers of its examples, separated by spaces, for recognising copies of the action",
    )


class VERBS_ADVERBS_FormerNames(PropertyGroup):
    """Former names of bones, and the actions and examples that have them."""

    bones: CollectionProperty(type=VERBS_ADVERBS_FormerBone)
    actions: CollectionProperty(type=VERBS_ADVERBS_FormerAction)
    examples: CollectionProperty(type=VERBS_ADVERBS_TextItem)


class VERBS_ADVERBS_SeenBone(PropertyGroup):
    """A bone's rest frame when the armature's verbs were last built or edited, to recognize the bone again."""

    name: StringProperty(name="Name")
    parent: StringProperty(name="Parent", description="Parent bone; empty for none")
    rest: FloatVectorProperty(name="Rest", description="Rest matrix in armature space, row by row", size=16)


class VERBS_ADVERBS_BoneNames(PropertyGroup):
    """Former names of an armature's bones, and their recorded rest pose."""

    former: CollectionProperty(type=VERBS_ADVERBS_FormerNames)
    seen: CollectionProperty(type=VERBS_ADVERBS_SeenBone)


CLASSES = (
    VERBS_ADVERBS_FootItem,
    VERBS_ADVERBS_FormerBone,
    VERBS_ADVERBS_FormerAction,
    VERBS_ADVERBS_FormerNames,
    VERBS_ADVERBS_SeenBone,
    VERBS_ADVERBS_BoneNames,
)
