"""Importing a folder of BVH files with a `keytimes.json`, and annotating the actions by the extension's operators."""

import contextlib
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Action, Bone, Object
from mathutils import Vector

from .operate import add_verb, do, make_active

FIRST_FRAME = 1
METRES = 0.01


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
    """Read `keytimes.json` of a folder."""
    data = json.loads((path / "keytimes.json").read_text(encoding="utf-8"))
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
    return Folder(path, {clip["file"]: clip for clip in data["clips"]}, tuple(verbs))


def import_clips(folder: Folder, files: list[str]) -> tuple[Object, dict[str, Action]]:
    """Import BVH files as actions of one armature; the armature is that of the first file."""
    armature: Object | None = None
    actions: dict[str, Action] = {}
    for file in files:
        with contextlib.redirect_stdout(io.StringIO()):
            bpy.ops.import_anim.bvh(
                filepath=str(folder.path / file),
                global_scale=METRES,
                frame_start=FIRST_FRAME,
                update_scene_fps=armature is None,
                update_scene_duration=False,
            )
        imported = bpy.context.view_layer.objects.active
        actions[file] = imported.animation_data.action
        actions[file].use_fake_user = True
        if armature is None:
            armature = imported
        else:
            _fit_to(armature, imported, actions[file])
            data = imported.data
            bpy.data.objects.remove(imported)
            bpy.data.armatures.remove(data)
    assert armature is not None
    armature.name = "Captured"
    make_active(armature)
    return armature, actions


def _fit_to(armature: Object, imported: Object, action: Action) -> None:
    """Shift the location keys of an import so that it plays the same on `armature`, whose rest pose may differ."""
    bag = action if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbag(action.slots[0])
    for bone in imported.data.bones:
        mine = armature.data.bones[bone.name]
        shift = mine.matrix_local.to_3x3().inverted() @ (_from_parent(bone) - _from_parent(mine))
        for axis in range(3):
            curve = bag.fcurves.find(f'pose.bones["{bone.name}"].location', index=axis)
            if curve is None or abs(shift[axis]) < 1e-7:
                continue
            for key in curve.keyframe_points:
                key.co_ui[1] += shift[axis]
            curve.update()


def _from_parent(bone: Bone) -> Vector:
    return bone.head_local - (bone.parent.head_local if bone.parent else Vector())


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
    for side, windows in clip.get("toe_planted", {}).items():
        do("contact_add", bone=f"Toes_{side}", end="HEAD")
        for first, last in windows:
            do("window_add", start=FIRST_FRAME + first, end=FIRST_FRAME + last, snap=False)
    for name, value in values.items():
        do("value_set", adverb=name, value=value)


def define_verbs(armature: Object, actions: dict[str, Action], folder: Folder) -> None:
    """Annotate the clips of all suggested verbs, define their adverbs with ranges [-1, 1], and build the verbs."""
    values: dict[str, dict[str, float]] = {}
    for verb in folder.verbs:
        for file, place in zip(verb.clips, verb.places, strict=True):
            values.setdefault(file, {}).update(zip(verb.adverbs, place, strict=True))
        for adverb in verb.adverbs:
            if adverb not in armature.verbs_adverbs.adverbs:
                do("adverb_add", name=adverb, minimum=-1.0, maximum=1.0, default=0.0)
    for file, given in values.items():
        tag_clip(armature, actions[file], folder.clips[file], given)
    for verb in folder.verbs:
        add_verb(armature, verb.name, verb.adverbs, [actions[file] for file in verb.clips])
