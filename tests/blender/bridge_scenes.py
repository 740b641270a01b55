"""Figures, motions and actions that the tests of the bridge read, made without the extension's own writers."""

import importlib
from collections.abc import Iterable, Iterator
from types import ModuleType

import bpy
import numpy as np
from blender.installed import MODULE
from mathutils import Matrix, Quaternion, Vector

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
MODES = (*EULER_ORDERS, "QUATERNION", "AXIS_ANGLE")
PROPERTY = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
BONES = (
    ("Base", None, (0.0, 0.1, 0.0), (0.0, 0.6, 0.1), 0.3),
    ("Hips", "Base", (0.0, 0.0, 1.0), (0.1, 0.0, 1.3), -0.7),
    ("Spine", "Hips", (0.0, 0.05, 1.3), (0.0, 0.0, 1.8), 1.9),
    ("Head", "Spine", (0.02, 0.0, 1.8), (0.0, -0.2, 2.0), 0.1),
    ("Leg", "Hips", (0.2, 0.0, 0.95), (0.25, -0.1, 0.5), -2.4),
    ("Foot", "Leg", (0.25, -0.1, 0.5), (0.2, 0.05, 0.1), 0.8),
    ("Prop", None, (1.0, 0.0, 0.2), (1.0, 0.3, 0.2), 0.0),
)
TURNING = ("Hips", "Spine", "Head", "Leg", "Foot")


class Part:
    """A part of the installed extension, whose modules are imported when they are first used."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, module: str) -> ModuleType:
        return importlib.import_module(f"{MODULE}.{self._name}.{module}")


bridge, figure = Part("bridge"), Part("core.figure")


def make_figure(name: str = "Figure") -> bpy.types.Object:
    """Make an armature with arbitrary rest poses; its data are made once and used by all figures of a file."""
    data = bpy.data.armatures.get("FigureData")
    armature = bpy.data.objects.new(name, data or bpy.data.armatures.new("FigureData"))
    bpy.context.collection.objects.link(armature)
    if data is None:
        bpy.context.view_layer.objects.active = armature
        bpy.ops.object.mode_set(mode="EDIT")
        for bone, parent, head, tail, roll in BONES:
            made = armature.data.edit_bones.new(bone)
            made.head, made.tail, made.roll = head, tail, roll
            made.parent = armature.data.edit_bones.get(parent) if parent else None
        bpy.ops.object.mode_set(mode="OBJECT")
    bpy.context.view_layer.update()
    return armature


def put_keys(
    armature: bpy.types.Object, action: bpy.types.Action, path: str, frames: np.ndarray, values: np.ndarray
) -> None:
    """Key every component of a property, linearly between the keys."""
    values = values.reshape(len(frames), -1)
    bag = bridge.blender.versions.bag_for_write(armature, action)
    for index in range(values.shape[1]):
        curve = bridge.blender.versions.fcurve_ensure(bag, path, index, path)
        curve.keyframe_points.add(len(frames))
        flat = np.stack([frames, values[:, index]], axis=1).astype(np.float32)
        curve.keyframe_points.foreach_set("co", flat.ravel())
        curve.keyframe_points.foreach_set("interpolation", np.ones(len(frames), dtype=np.int32))
        curve.update()


def in_mode(rotations: np.ndarray, mode: str, rng: np.random.Generator | None = None) -> np.ndarray:
    """Return quaternions (F, 4) as components of a rotation mode, converted by Blender itself.

    With `rng` the components are as awkward as captured ones can be: quaternions and axes with random signs, and whole
    turns added to each Euler angle of each key.
    """
    turned = [Quaternion(q) for q in rotations]
    if mode == "QUATERNION":
        signs = rng.choice([-1.0, 1.0], (len(turned), 1)) if rng else 1.0
        return rotations * signs
    if mode == "AXIS_ANGLE":
        signs = rng.choice([-1.0, 1.0], (len(turned), 1)) if rng else 1.0
        return np.array([[q.angle, *q.axis] for q in turned]) * signs
    angles = np.array([q.to_euler(mode) for q in turned])
    return angles + (2.0 * np.pi * rng.integers(-2, 3, angles.shape) if rng else 0.0)


def wandering(seed: int, count: int, size: float = 1.5) -> np.ndarray:
    """Smooth rotations (F, 4) by large angles about axes that change slowly."""
    rng = np.random.default_rng(seed)
    t = np.linspace(0.0, 2.0 * np.pi, count)[:, None]
    vectors = (
        rng.normal(size=3) + size * np.sin(t + rng.uniform(0.0, 6.0, 3)) + 0.5 * np.sin(2.0 * t + rng.normal(size=3))
    )
    return figure.quaternion.exp(vectors)


def travelling(count: int) -> np.ndarray:
    """Path (F, 3) of a root that goes forward by two units and bounces."""
    t = np.linspace(0.0, 1.0, count)
    return np.stack([0.3 * np.sin(5.0 * t), -2.0 * t, 0.1 * np.cos(9.0 * t)], axis=1)


def key_figure(
    armature: bpy.types.Object,
    name: str,
    mode: str = "QUATERNION",
    rng: np.random.Generator | None = None,
    frames: np.ndarray | None = None,
    turning: Iterable[str] = TURNING,
) -> bpy.types.Action:
    """Set a figure's bones to a rotation mode, and key a motion in it that travels with the hips."""
    action = bpy.data.actions.new(name)
    frames = np.arange(1.0, 41.0) if frames is None else frames
    for seed, bone in enumerate(turning):
        armature.pose.bones[bone].rotation_mode = mode
        path = f'pose.bones["{bone}"].{PROPERTY.get(mode, "rotation_euler")}'
        put_keys(armature, action, path, frames, in_mode(wandering(seed, len(frames)), mode, rng))
    put_keys(armature, action, 'pose.bones["Hips"].location', frames, travelling(len(frames)))
    return action


def poses(armature: bpy.types.Object, frames: Iterable[float]) -> Iterator[dict[str, Matrix]]:
    """Yield for each frame the evaluated matrices of all bones, in the space of the armature's parent."""
    for frame in frames:
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        yield {bone.name: armature.matrix_basis @ bone.matrix for bone in armature.pose.bones}


def take_of(armature: bpy.types.Object, action: bpy.types.Action, start: float, end: float, root: str = "") -> tuple:
    """Channels, take and complaints of one span of an action; the root is guessed unless given."""
    keyed = bridge.data.curves.gather(action, armature)
    rig = bridge.rig.rig.read_rig(armature, root or bridge.rig.rig.guess_root(armature, [(keyed, start, end)]))
    reading = bridge.action.read_action.read_action(action, armature, rig, start, end)
    span = bridge.action.channels.Span(reading, action.name, start, 30.0)
    channels, takes, complaints = bridge.action.channels.read_channels(rig, armature, [span])
    return channels, takes[0], (*rig.complaints, *reading.complaints, *complaints)


def joints_of(channels: object, take: object) -> np.ndarray:
    """Positions (F, J, 2, 3) of every joint's head and tail in a take, by core's forward kinematics."""
    rotations = np.tile(channels.static, (len(take.times), 1, 1))
    rotations[:, channels.rotating] = take.rotations
    locations = np.zeros((*rotations.shape[:2], 3))
    columns, joints, axes = channels.location_scalars
    locations[:, joints, axes] = take.scalars[:, columns]
    locations[:, 0] = take.root
    heads, turns = figure.skeleton.forward_kinematics(channels.skeleton, rotations, locations)
    return np.stack([heads, heads + figure.quaternion.rotate(turns, channels.skeleton.tails)], axis=2)


def seen_joints(armature: bpy.types.Object, channels: object, frames: Iterable[float]) -> np.ndarray:
    """Positions (F, J, 2, 3) of the joints' heads and tails, as Blender evaluates them."""
    bones = [armature.data.bones[name] for name in channels.skeleton.names if name != "<object>"]
    ends = [(bone.name, Vector((0.0, bone.length, 0.0))) for bone in bones]
    return np.array(
        [[(pose[name].translation, pose[name] @ tail) for name, tail in ends] for pose in poses(armature, frames)]
    )


def angle(first: np.ndarray, second: np.ndarray) -> float:
    """Largest angle in degrees between rotations (..., 4)."""
    return float(np.degrees(figure.quaternion.angle_between(first, second).max()))
