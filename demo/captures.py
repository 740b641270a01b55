"""Importing a folder of BVH files with a `keytimes.json`, and annotating the actions by the extension's operators."""

import contextlib
import io
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Action, Object

from .operate import Refused, add_verb, do, installed, make_active, say

FIRST_FRAME = 1
METRES = 0.01
HALF = 0.5
"""Rows by which a toe that is planted in one row alone is taken to be planted before and after it."""
SIDES = ("L", "R")


@dataclass(frozen=True)
class SuggestedVerb:
    """A verb that `keytimes.json` suggests.

    Parameters
    ----------
    name : name of the verb.
    adverbs : names of its adverbs.
    subtract, divide : numbers per adverb by which measured values were turned into places.
    clips : files of its examples.
    places : places of the examples, by adverb.
    """

    name: str
    adverbs: tuple[str, ...]
    subtract: tuple[float, ...]
    divide: tuple[float, ...]
    clips: tuple[str, ...]
    places: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Folder:
    """The contents of a `keytimes.json`: its records of clips, by file name, and its suggested verbs."""

    path: Path
    clips: dict[str, dict[str, Any]]
    verbs: tuple[SuggestedVerb, ...]


def read_folder(path: Path) -> Folder:
    """Read `keytimes.json` of a folder.

    Raises
    ------
    Refused
        If there is none, it is not JSON, or a suggested verb has a clip of which it has no record.
    """
    told = path / "keytimes.json"
    if not told.is_file():
        raise Refused(f"{path} has no keytimes.json. Add one, or let keytimes be found with --detect.")
    try:
        data = json.loads(told.read_text(encoding="utf-8"))
    except ValueError as wrong:
        raise Refused(f"{told} cannot be read: {wrong}.") from None
    verbs = [
        SuggestedVerb(
            verb["name"],
            tuple(verb["adverbs"]),
            tuple(verb["subtract"]),
            tuple(verb["then_divide_by"]),
            tuple(example["file"] for example in verb["examples"]),
            tuple(tuple(example["at"]) for example in verb["examples"]),
        )
        for verb in data["suggested_verbs"]
    ]
    clips = {clip["file"]: clip for clip in data["clips"]}
    for verb in verbs:
        for file in verb.clips:
            if file not in clips:
                raise Refused(f"{told} suggests '{file}' for verb '{verb.name}', but has no record of that clip.")
    return Folder(path, clips, tuple(verbs))


def import_clips(folder: Folder, files: list[str]) -> tuple[Object, dict[str, Action]]:
    """Import BVH files as actions of one armature: the first of those whose bones most of the files have.

    Actions of other skeletons are copied for it by the extension. A file with which that cannot be done is left out,
    and a sentence says why.

    Raises
    ------
    Refused
        If there is no file to import, or one is not there.
    """
    lost = [file for file in files if not (folder.path / file).is_file()]
    if lost or not files:
        said = f"has no file '{lost[0]}', which its keytimes.json names" if lost else "has no BVH files for its verbs"
        raise Refused(f"{folder.path} {said}.")
    found = {file: _imported(folder.path / file, update_fps=file == files[0]) for file in files}
    kinds = Counter(frozenset(one.data.bones.keys()) for one in found.values())
    armature = max(found.values(), key=lambda one: kinds[frozenset(one.data.bones.keys())])
    armature.name = "Captured"
    actions: dict[str, Action] = {}
    for file, imported in found.items():
        action = imported.animation_data.action
        if imported != armature:
            action = _copied_for(armature, imported, action)
        if action is not None:
            action.use_fake_user = True
            actions[file] = action
    make_active(armature)
    return armature, actions


def _imported(path: Path, update_fps: bool) -> Object:
    """Import a BVH file, and return its armature."""
    with contextlib.redirect_stdout(io.StringIO()):
        bpy.ops.import_anim.bvh(
            filepath=str(path),
            global_scale=METRES,
            frame_start=FIRST_FRAME,
            update_scene_fps=update_fps,
            update_scene_duration=False,
        )
    return bpy.context.view_layer.objects.active


def _copied_for(armature: Object, imported: Object, action: Action) -> Action | None:
    """Copy an imported action for the armature, and remove what was imported; None if that cannot be."""
    conforming = installed({"one": "bridge.authoring.conforming"}).one
    data, name, made = imported.data, action.name, None
    if conforming.is_same(armature, imported):
        made = action
    else:
        make_active(armature)
        known = set(bpy.data.actions)
        try:
            do("actions_conform", choices=[{"name": name, "chosen": True}])
            (made,) = set(bpy.data.actions) - known
        except Refused as reason:
            say(f"  {reason}")
    bpy.data.objects.remove(imported)
    bpy.data.armatures.remove(data)
    if made != action:
        bpy.data.actions.remove(action)
    if made is not None:
        made.name = name
    return made


def assign(armature: Object, action: Action) -> None:
    """Assign an action to the armature that was made for another armature with the same bones."""
    animation = armature.animation_data_create()
    animation.action = action
    if hasattr(animation, "action_slot") and animation.action_slot is None:
        animation.action_slot = action.slots[0]


def tag_clip(armature: Object, action: Action, clip: dict[str, Any], values: dict[str, float]) -> None:
    """Annotate an action as one example: span, keytimes, contacts, adverb values."""
    assign(armature, action)
    rows = clip.get("keytimes_sub") or clip["keytimes"]
    frames = [FIRST_FRAME + row for row in rows]
    kind = "TRAVELLING" if clip["cyclic"] else "STATIONARY"
    do("example_add", span="CUSTOM", start=frames[0], end=frames[-1], kind=kind, cyclic=clip["cyclic"])
    for name, frame in zip(clip["keytime_names"][1:-1], frames[1:-1], strict=True):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        do("keytime_add", name=name)
    keytimes = action.verbs_adverbs.examples[0].keytimes
    for index in (0, len(frames) - 1):
        action.verbs_adverbs.examples[0].active_keytime = index
        if keytimes[index].name != clip["keytime_names"][index]:
            do("keytime_rename", name=clip["keytime_names"][index])
    for toe, windows in clip.get("toe_planted", {}).items():
        do("contact_add", bone=_toe(armature, clip["file"], toe), end="HEAD")
        for first, last in windows:
            half = HALF if first == last else 0.0
            do("window_add", start=FIRST_FRAME + first - half, end=FIRST_FRAME + last + half, snap=False)
    for name, value in values.items():
        do("value_set", adverb=name, value=value)


def _toe(armature: Object, file: str, toe: str) -> str:
    """Return the bone of the armature that a record of planted toes names: L and R stand for Toes_L and Toes_R."""
    wanted = f"Toes_{toe}" if toe in SIDES else toe
    named = installed({"one": "core.figure.matching"}).one.same_names([wanted], armature.data.bones.keys())
    if wanted not in named:
        raise Refused(f"'{file}' has planted toes '{wanted}' in keytimes.json, but its armature has no such bone.")
    return named[wanted]


def define_verbs(armature: Object, actions: dict[str, Action], folder: Folder) -> None:
    """Annotate the clips of all suggested verbs, define their adverbs, and build the verbs.

    The adverbs' ranges are [-1, 1], and further where examples lie beyond. Clips without action are left out.
    """
    values: dict[str, dict[str, float]] = {}
    for verb in folder.verbs:
        for file, place in zip(verb.clips, verb.places, strict=True):
            values.setdefault(file, {}).update(zip(verb.adverbs, place, strict=True))
    define_adverbs(armature, folder.verbs)
    for file, given in values.items():
        if file in actions:
            tag_clip(armature, actions[file], folder.clips[file], given)
    for verb in folder.verbs:
        marked = [actions[file] for file in verb.clips if file in actions]
        if marked:
            add_verb(armature, verb.name, verb.adverbs, marked)
        else:
            say(f"  Verb '{verb.name}' is left out, for all its clips are.")


def define_adverbs(armature: Object, verbs: Iterable[SuggestedVerb]) -> None:
    """Define those adverbs of suggested verbs that the armature lacks, with ranges that reach -1, 1 and all places."""
    places: dict[str, list[float]] = {}
    for verb in verbs:
        for place in verb.places:
            for name, value in zip(verb.adverbs, place, strict=True):
                places.setdefault(name, [-1.0, 1.0]).append(value)
    for name, reached in places.items():
        if name not in armature.verbs_adverbs.adverbs:
            do("adverb_add", name=name, minimum=min(reached), maximum=max(reached), default=0.0)
