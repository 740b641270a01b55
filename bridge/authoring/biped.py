"""The example biped in Blender: an armature with a simple body, actions of generated motions, and their verbs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Context, Object, PropertyGroup
from numpy.typing import NDArray

from ...core.biped.carrying import BOX, CARRIES, CARRY_RANGES, FACING, PALM
from ...core.biped.cast import ENDS, REACHES, STANCES, WALKS, WAVES, Role, roles, ways
from ...core.biped.figure import BONES, Bone, Generated, joint_ranges, rest_orientations
from ...core.biped.standing import (
    REACH_ADVERBS,
    REACH_KEYTIMES,
    REACH_RANGES,
    REACHING_END,
    REACHING_HAND,
)
from ...core.figure import quaternion as quat
from ..action.tracks import Keys, write_keys
from ..blender.versions import bag_for_write
from ..data.annotate import add_contact, add_example, add_keytime, add_window, rename_keytime, set_value
from ..data.bones.names import bone_path
from ..data.schema import PLACES
from .definitions import add_adverb, add_reference, add_verb, use_adverb
from .transitions import suggest_all

Array = NDArray[np.float64]

FIRST_FRAME = 1.0
_SIDES = 12
_WIDER = {"Hips": 1.55, "Spine": 1.35, "Chest": 1.50, "Foot": 1.15, "Toes": 1.35, "Hand": 1.25}
_TAPER = {"Hips": 0.90, "Spine": 1.05, "Chest": 0.75, "Neck": 0.95, "Toes": 0.9}
_OVERLAP = {
    "Hips": (1.0, 0.6),
    "Spine": (0.6, 0.6),
    "Chest": (0.6, 0.35),
    "Foot": (1.0, 0.9),
    "Shoulder": (0.6, 1.0),
    "Head": (0.1, 0.0),
}
_CAP = np.radians([-72.0, -40.0, 0.0])
_COLOUR = (0.62, 0.64, 0.68, 1.0)
_BOX_COLOUR = (0.55, 0.36, 0.18, 1.0)
_HANDS = ("Hand_L", "Hand_R")
_SLACK = 1.1
"""Largest distance of hands that hold the box, as a multiple of their largest distance in the examples."""
_TINY = 0.001
"""Smallest scale of an armature by which the distance of its hands is divided."""
RANGE = (-1.0, 1.0)


@dataclass(frozen=True, eq=False)
class ExampleAction:
    """A written action, and the generated motion it plays.

    Parameters
    ----------
    action : its name is the motion's.
    generated : keytimes, planted ends and adverbs of the motion.
    first_frame : frame of the motion's time 0.
    fps : frame rate of the action, in frames per second.
    """

    action: Action
    generated: Generated
    first_frame: float
    fps: float

    def frame(self, seconds: float) -> float:
        """Return the frame of the action at `seconds` from the motion's start."""
        return self.first_frame + seconds * self.fps


def add_biped(context: Context) -> Object:
    """Add the biped with its body at the 3D cursor, make it the active object and return the armature object.

    Requires Object Mode. No action is made: see `walk_actions` and the functions after it.
    """
    data = bpy.data.armatures.new("Biped")
    armature = bpy.data.objects.new("Biped", data)
    context.collection.objects.link(armature)
    for selected in context.selected_objects:
        selected.select_set(False)
    armature.select_set(True)
    context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        _make_bones(data)
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
        _limit(bone)
    armature.location = context.scene.cursor.location
    armature.show_in_front, armature.data.display_type = True, "STICK"
    body = build_body(armature)
    context.collection.objects.link(body)
    return armature


def _make_bones(data: bpy.types.Armature) -> None:
    for bone in BONES:
        made = data.edit_bones.new(bone.name)
        made.head, made.tail = bone.head, bone.tail
        made.align_roll(bone.z_axis)
        parent = data.edit_bones.get(bone.parent)
        if parent is not None:
            made.parent = parent
            made.use_connect = (parent.tail - made.head).length < 1e-6


def _limit(bone: bpy.types.PoseBone) -> None:
    """Give a bone of an arm or a leg IK limits."""
    for axis, (low, high) in zip("xyz", np.radians(joint_ranges(bone.name)).tolist(), strict=False):
        setattr(bone, f"use_ik_limit_{axis}", True)
        setattr(bone, f"ik_min_{axis}", low)
        setattr(bone, f"ik_max_{axis}", high)


def walk_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example walks, mood by slope and mood by turn, as actions of the biped; the first one is assigned."""
    return write_actions(armature, WALKS(fps), fps)


def wave_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example waves, energy by height, as actions of the biped; the first one is assigned."""
    return write_actions(armature, WAVES(fps), fps)


def reach_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example reaches to the corners of a box as actions of the biped; the first one is assigned."""
    return write_actions(armature, REACHES(fps), fps)


def stance_actions(armature: Object, fps: float) -> list[ExampleAction]:
    """Write the example stance as an action of the biped, and assign it."""
    return write_actions(armature, STANCES(fps), fps)


def write_actions(armature: Object, motions: Iterable[Generated], fps: float) -> list[ExampleAction]:
    """Write generated motions as actions of the biped, with a fake user, and assign the first one."""
    written = [write_action(armature, motion, fps) for motion in motions]
    if written:
        bag_for_write(armature, written[0].action)
    return written


def write_action(armature: Object, motion: Generated, fps: float, first_frame: float = FIRST_FRAME) -> ExampleAction:
    """Write a generated motion as an action of the biped and assign it.

    Parameters
    ----------
    armature : a biped of `add_biped`.
    motion : what to write, with a key for each of its times.
    fps : frames a second.
    first_frame : frame of the motion's time 0; its margin is before that.
    """
    action = bpy.data.actions.new(motion.name)
    action.use_fake_user = True
    bag = bag_for_write(armature, action)
    frames = (first_frame + motion.times * fps).astype(np.float32)
    root = rest_orientations()[0]
    rotations = motion.rotations.copy()
    rotations[:, 0] = quat.continuous(quat.multiply(quat.conjugate(root), rotations[:, 0]))
    location = quat.rotate(quat.conjugate(root), motion.root - np.array(BONES[0].head))
    moved = [(BONES[0].name, "location", location)]
    moved += [(bone.name, "rotation_quaternion", rotations[:, joint]) for joint, bone in enumerate(BONES)]
    keys = [
        Keys(bone_path(bone, prop), index, bone, frames, column.astype(np.float32), False)
        for bone, prop, values in moved
        for index, column in enumerate(values.T)
    ]
    write_keys(bag, keys, handles=True)
    return ExampleAction(action, motion, first_frame, fps)


def build_body(armature: Object) -> Object:
    """Make the mesh object, parented to `armature` and deformed by it; the caller links it to a collection."""
    pieces = [_piece(bone, orientation) for bone, orientation in zip(BONES, rest_orientations(), strict=True)]
    size = len(pieces[0][0])
    points = np.concatenate([piece[0] for piece in pieces])
    faces = [[index + size * number for index in face] for number, piece in enumerate(pieces) for face in piece[1]]
    mesh = bpy.data.meshes.new(f"{armature.name} body")
    mesh.from_pydata(points.tolist(), [], faces)
    mesh.polygons.foreach_set("use_smooth", np.ones(len(mesh.polygons), dtype=bool))
    mesh.materials.append(_material("Biped body", _COLOUR))
    mesh.update()
    body = bpy.data.objects.new(mesh.name, mesh)
    for number, bone in enumerate(BONES):
        group = body.vertex_groups.new(name=bone.name)
        group.add(range(size * number, size * (number + 1)), 1.0, "REPLACE")
    body.parent = armature
    body.modifiers.new("Armature", "ARMATURE").object = armature
    return body


def _material(name: str, colour: tuple[float, float, float, float]) -> bpy.types.Material:
    found = bpy.data.materials.get(name)
    if found is None:
        found = bpy.data.materials.new(name)
        found.diffuse_color = colour
    return found


def _piece(bone: Bone, orientation: Array) -> tuple[Array, list[list[int]]]:
    """Return the rest points (N, 3) and the faces of a rounded piece around a bone."""
    length = float(np.linalg.norm(np.subtract(bone.tail, bone.head)))
    kind = bone.name.split("_")[0]
    below, above = (_OVERLAP.get(kind, (1.0, 1.0))[end] * bone.radius for end in (0, 1))
    if kind == "Head":
        way = 0.5 - 0.5 * np.cos(np.pi * np.arange(1, 2 * len(_CAP) + 1) / (2 * len(_CAP) + 1))
        along = -below + (length + below + above) * way
        across = bone.radius * np.sqrt(1.0 - (2.0 * way - 1.0) ** 2)
    else:
        along = np.concatenate([below * np.sin(_CAP), length - above * np.sin(_CAP[::-1])])
        across = bone.radius * np.cos(np.concatenate([_CAP, _CAP[::-1]]))
        across[len(_CAP) :] *= _TAPER.get(kind, 0.82)
    angles = 2.0 * np.pi * np.arange(_SIDES) / _SIDES
    ring = np.stack([np.cos(angles) * _WIDER.get(kind, 1.0), np.sin(angles)], axis=-1)
    rings = np.zeros((len(along), _SIDES, 3))
    rings[..., 1] = along[:, None]
    rings[..., [0, 2]] = across[:, None, None] * ring
    points = np.concatenate([rings.reshape(-1, 3), [[0.0, -below, 0.0], [0.0, length + above, 0.0]]])
    return np.array(bone.head) + quat.rotate(orientation, points), _faces(len(along))


def _faces(rings: int) -> list[list[int]]:
    """Return faces of a lathed piece: its rings, then its bottom and its top point."""
    bottom, top, last = rings * _SIDES, rings * _SIDES + 1, (rings - 1) * _SIDES
    faces: list[list[int]] = []
    for side in range(_SIDES):
        ahead = (side + 1) % _SIDES
        faces.append([bottom, side, ahead])
        faces.append([top, last + ahead, last + side])
        for ring in range(0, last, _SIDES):
            faces.append([ring + ahead, ring + side, ring + side + _SIDES, ring + ahead + _SIDES])
    return faces


def annotate_generated(written: ExampleAction) -> PropertyGroup:
    """Annotate a generated action as one example, with span, keytimes, contacts, kind and adverb values."""
    action, motion = written.action, written.generated
    frames = [written.frame(float(seconds)) for seconds in motion.keytimes]
    item = add_example(action, motion.name, frames[0], frames[-1], written.fps)
    item.kind, item.cyclic = motion.kind.upper(), motion.cyclic
    for name, frame in zip(motion.keytime_names[1:-1], frames[1:-1], strict=True):
        add_keytime(action, item, name, frame)
    for index in (0, -1):
        rename_keytime(action, item.keytimes[index], motion.keytime_names[index])
    item.active_keytime = 0
    for plant in motion.plants:
        contact = add_contact(action, item, plant.bone, plant.end)
        for start, end in plant.windows:
            add_window(action, item, contact, written.frame(start), written.frame(end), snap=False)
    item.active_contact = 0
    for name, value in motion.adverbs.items():
        set_value(action, item, name, value)
    return item


def define_reach(armature: Object, written: Sequence[ExampleAction]) -> PropertyGroup:
    """Define the verb 'reach' from the generated reaches; its adverbs measure the position of the hand."""
    for adverb, (low, high) in zip(REACH_ADVERBS, REACH_RANGES.tolist(), strict=True):
        _ensure_adverb(armature, adverb, low, high, "m")
    verb = define_verb(armature, "reach", written)
    for adverb, axis in zip(REACH_ADVERBS, PLACES, strict=True):
        used = verb.adverbs[adverb]
        used.measure, used.bone, used.end, used.keytime = axis, REACHING_HAND, REACHING_END, REACH_KEYTIMES[1]
    return verb


def add_cast(armature: Object, group: str, fps: float) -> None:
    """Add a group of verbs of the cast with their actions, skipping those that already exist.

    The biped's rest pose faces ahead, whichever verb is built first, since measured positions are relative to it.
    """
    stored = armature.verbs_adverbs
    stored.reference, stored.reference_root = rest_orientations()[0].tolist(), BONES[0].name
    for one in roles(group):
        if one.verb not in stored.verbs:
            _add_role(armature, one, fps)
            if one.verb == CARRIES:
                _add_box(armature)


def _add_role(armature: Object, one: Role, fps: float) -> None:
    """Write the examples of a verb of the cast, define it, and set what its adverbs measure."""
    for adverb, (low, high) in one.ranges.items():
        _ensure_adverb(armature, adverb, low, high, one.units.get(adverb, ""))
    verb = define_verb(armature, one.verb, write_actions(armature, one.examples(fps), fps))
    if one.place is None:
        return
    for adverb, axis in one.place.axes.items():
        used = verb.adverbs[adverb]
        used.measure, used.bone, used.end, used.keytime = axis, one.place.bone, one.place.end, one.place.keytime


def _add_box(armature: Object) -> None:
    """Add the box that is carried: constrained between both hands, as wide as their distance, and otherwise hidden."""
    sides = np.array(np.meshgrid(*[(-0.5, 0.5)] * 3, indexing="ij")).reshape(3, 8).T * (*BOX, 1.0)
    mesh = bpy.data.meshes.new(f"{armature.name} box")
    mesh.from_pydata(
        sides.tolist(), [], [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    )
    mesh.materials.append(_material("Biped box", _BOX_COLOUR))
    box = bpy.data.objects.new(mesh.name, mesh)
    armature.users_collection[0].objects.link(box)
    box.parent = armature
    for hand, influence in zip(_HANDS, (1.0, 0.5), strict=True):
        place = box.constraints.new("COPY_LOCATION")
        place.target, place.subtarget, place.head_tail, place.influence = armature, hand, 0.5, influence
    turn = box.constraints.new("COPY_ROTATION")
    turn.target, turn.subtarget = armature, _HANDS[0]
    held = f"angle > {FACING:.3f} and apart < {_SLACK * CARRY_RANGES[1, 1]:.3f} * size"
    for path, index, expression in (
        ("scale", 2, f"apart / max(size, {_TINY:g}) - {2.0 * PALM:g}"),
        ("hide_viewport", -1, f"not ({held})"),
        ("hide_render", -1, f"not ({held})"),
    ):
        _drive_by_hands(armature, box.driver_add(path, index), expression)


def _drive_by_hands(armature: Object, curve: Any, expression: str) -> None:
    """Make a driver depend on the distance of the hands, the angle between them, and the armature's size."""
    driver = curve.driver
    size = driver.variables.new()
    size.name, size.type = "size", "TRANSFORMS"
    size.targets[0].id, size.targets[0].transform_type = armature, "SCALE_AVG"
    for name, kind in (("apart", "LOC_DIFF"), ("angle", "ROTATION_DIFF")):
        if name in expression:
            variable = driver.variables.new()
            variable.name, variable.type = name, kind
            for target, hand in zip(variable.targets, _HANDS, strict=True):
                target.id, target.bone_target = armature, hand
    driver.expression = expression


def join_verbs(armature: Object) -> int:
    """Add the suggested transitions to and from standing and between gaits; return their number.

    Raises
    ------
    VerbsError
        If a verb cannot be built, or two have no similar poses.
    """
    return len(suggest_all(armature, ways([verb.name for verb in armature.verbs_adverbs.verbs])))


def define_verb(armature: Object, name: str, written: Sequence[ExampleAction]) -> PropertyGroup:
    """Define a verb from generated actions: annotate these, and add the adverbs that the armature lacks."""
    verb = add_verb(armature, name)
    for adverb in written[0].generated.adverbs:
        _ensure_adverb(armature, adverb, *RANGE)
        use_adverb(verb, adverb, True)
    for example in written:
        add_reference(verb, example.action, annotate_generated(example))
    verb.active_example = armature.verbs_adverbs.active_adverb = 0
    return verb


def _ensure_adverb(armature: Object, name: str, low: float, high: float, unit: str = "") -> None:
    """Add an adverb that the armature lacks, with the names of its ends."""
    if name not in armature.verbs_adverbs.adverbs:
        item = add_adverb(armature, name, low, high, 0.5 * (low + high), unit)
        item.low_end, item.high_end = ENDS.get(name, ("", ""))
