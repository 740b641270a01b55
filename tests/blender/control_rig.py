"""A small control rig made with plain bpy: feet and knees are keyed in space, and the legs follow by IK."""

import importlib

import bpy
import numpy as np
from blender.bridge_scenes import put_keys
from blender.installed import MODULE

SIDES = ("L", "R")
FPS = 24.0


def part(name: str):
    """Import a module of the installed extension."""
    return importlib.import_module(f"{MODULE}.{name}")


def make_control_rig(name: str = "Puppet", loose_knees: bool = True):
    """Make a rig of a root control, hips, a spine and two IK legs; with `loose_knees` knee controls have no parent."""
    bones = {bone.name: bone for bone in part("core.biped.figure").BONES}
    armature = bpy.data.objects.new(name, bpy.data.armatures.new(name))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    edit = armature.data.edit_bones

    def add(bone, head, tail, parent, z_axis):
        made = edit.new(bone)
        made.head, made.tail, made.parent = head, tail, edit.get(parent)
        made.align_roll(z_axis)

    add("root", (0.0, 0.0, 0.0), (0.0, 0.4, 0.0), "", (0.0, 0.0, 1.0))
    add("hips", bones["Hips"].head, bones["Hips"].tail, "root", bones["Hips"].z_axis)
    add("spine", bones["Spine"].head, bones["Chest"].tail, "hips", bones["Spine"].z_axis)
    for side in SIDES:
        thigh, shin, foot = (bones[f"{part_of}_{side}"] for part_of in ("UpperLeg", "LowerLeg", "Foot"))
        add(f"thigh.{side}", thigh.head, thigh.tail, "hips", thigh.z_axis)
        add(f"shin.{side}", shin.head, shin.tail, f"thigh.{side}", shin.z_axis)
        add(f"foot.{side}", foot.head, foot.tail, f"shin.{side}", foot.z_axis)
        add(f"foot_ik.{side}", foot.head, foot.tail, "root", foot.z_axis)
        x, y, z = shin.head
        add(f"knee.{side}", (x, y - 0.5, z), (x, y - 0.6, z), "" if loose_knees else "root", (0.0, 0.0, 1.0))
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    armature.pose.bones["hips"]["IK_FK"] = 1
    for side in SIDES:
        _constrain(armature, side)
    bpy.context.view_layer.update()
    return armature


def _constrain(armature, side: str) -> None:
    held = armature.pose.bones[f"shin.{side}"].constraints.new("IK")
    held.target, held.subtarget, held.chain_count = armature, f"foot_ik.{side}", 2
    held.pole_target, held.pole_subtarget, held.pole_angle = armature, f"knee.{side}", _pole_angle(armature, side)
    turned = armature.pose.bones[f"foot.{side}"].constraints.new("COPY_ROTATION")
    turned.target, turned.subtarget = armature, f"foot_ik.{side}"
    for constraint in (held, turned):
        driver = constraint.driver_add("influence").driver
        variable = driver.variables.new()
        variable.targets[0].id, variable.targets[0].data_path = armature, 'pose.bones["hips"]["IK_FK"]'
        driver.expression = variable.name


def _pole_angle(armature, side: str) -> float:
    """Approximate pole angle of the IK with which the thigh stays as it is at rest."""
    thigh, knee = armature.data.bones[f"thigh.{side}"], armature.data.bones[f"knee.{side}"]
    towards = thigh.matrix_local.to_3x3().inverted() @ (knee.head_local - thigh.head_local)
    return float(-np.arctan2(towards.z, towards.x))


def key_walk(armature, generated, first_frame: float = 5.0, in_place: bool = False):
    """Key the controls as a generated walk moves hips, feet and knees; with `in_place` the travel is removed."""
    places, turns, frames = space_of(generated, first_frame, in_place)
    figure, quat = part("core.biped.figure"), part("core.figure.quaternion")
    told = {"hips": (places[:, 0], turns[:, 0])}
    for side in SIDES:
        ankle, knee = (figure.JOINTS[f"{bone}_{side}"] for bone in ("Foot", "LowerLeg"))
        told[f"foot_ik.{side}"] = places[:, ankle], turns[:, ankle]
        ahead = quat.rotate(turns[:, 0], quat.rotate(quat.conjugate(figure.rest_orientations()[0]), [0.0, -0.5, 0.0]))
        told[f"knee.{side}"] = places[:, knee] + ahead, None
    action = bpy.data.actions.new(generated.name + (" in place" if in_place else ""))
    for bone, (place, turn) in told.items():
        key_control(armature, action, bone, frames, place, turn)
    put_keys(armature, action, 'pose.bones["hips"]["IK_FK"]', frames[:1], np.ones(1))
    return part("bridge.authoring.biped").ExampleAction(action, generated, first_frame, FPS)


def space_of(generated, first_frame: float, in_place: bool):
    """Places (F, J, 3) and orientations (F, J, 4) of the biped's joints, and their frames (F,)."""
    figure = part("core.biped.figure")
    skeleton = figure.biped_skeleton()
    locations = np.zeros((len(generated.times), len(skeleton.names), 3))
    locations[:, 0] = generated.root
    places, turns = part("core.figure.skeleton").forward_kinematics(skeleton, generated.rotations, locations)
    if in_place:
        ends = np.array([np.interp([0.0, generated.duration], generated.times, axis) for axis in generated.root.T])
        pace = (ends[:, 1] - ends[:, 0]) * (1.0, 1.0, 0.0) / generated.duration
        places = places - generated.times[:, None, None] * pace
    return places, turns, first_frame + generated.times * FPS


def key_control(armature, action, bone: str, frames, places, turns=None) -> None:
    """Key a bone to places (F, 3) and orientations (F, 4) in the armature's space; bones above it must be at rest."""
    quat = part("core.figure.quaternion")
    rest = np.array(armature.data.bones[bone].matrix_local)
    back = quat.conjugate(quat.from_matrix(rest[:3, :3]))
    put_keys(armature, action, f'pose.bones["{bone}"].location', frames, quat.rotate(back, places - rest[:3, 3]))
    if turns is not None:
        own = quat.continuous(quat.multiply(back, turns))
        put_keys(armature, action, f'pose.bones["{bone}"].rotation_quaternion', frames, own)


def walk_verb(armature, written, contact: str = "foot_ik", end: str = "TAIL"):
    """Define the verb 'walk' over mood from keyed walks, with the contact of each foot on a control."""
    annotate, contacts = part("bridge.data.annotate"), part("bridge.data.annotate")
    definitions = part("bridge.authoring.definitions")
    verb = definitions.add_verb(armature, "walk")
    definitions.add_adverb(armature, "mood", -1.0, 1.0)
    definitions.use_adverb(verb, "mood", True)
    for example in written:
        motion, action = example.generated, example.action
        frames = [example.frame(float(seconds)) for seconds in motion.keytimes]
        item = annotate.add_example(action, motion.name, frames[0], frames[-1], FPS)
        item.kind, item.cyclic = "IN_PLACE" if action.name.endswith("in place") else motion.kind.upper(), True
        for name, frame in zip(motion.keytime_names[1:-1], frames[1:-1], strict=True):
            annotate.add_keytime(action, item, name, frame)
        for index in (0, -1):
            annotate.rename_keytime(action, item.keytimes[index], motion.keytime_names[index])
        for plant in motion.plants:
            point = contacts.add_contact(action, item, f"{contact}.{plant.bone[-1]}", end)
            for down, up in plant.windows:
                contacts.add_window(action, item, point, example.frame(down), example.frame(up), snap=False)
        annotate.set_value(action, item, "mood", motion.adverbs["mood"])
        definitions.add_reference(verb, action, item)
    return verb
