"""Mirroring an action: a new action with left and right swapped, and with the example of the old one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Action, FCurve, Object, PropertyGroup
from numpy.typing import NDArray

from ...core.detect.bone_roles import BoneRoles, FigureBones
from ...core.detect.mirroring import Symmetry, mirror_take, swapped_names, symmetry_at_rest, symmetry_of_pose
from ...core.errors import RigError, VerbsError, listed
from ...core.figure import quaternion as quat
from ...core.figure.channels import ROOT_LOCATION, Channels, with_rotations
from ...core.verb.example import Take
from ..action.tracks import Track, baked_tracks, new_action, rest_track, write_tracks
from ..action.write_pose import make_plan
from ..blender.versions import bag_unassigned
from ..data.annotate import set_value, value_of
from ..data.curves import OBJECT, Keyed, components, gather, parse_path
from ..data.schema import ROOT_IS_OBJECT
from ..data.structure import Layout, layout_of, write_layout
from ..rig.parts import rotation_of
from ..rig.rig import Rig
from ..rig.roles import rest_bones, roles_of, upright
from .clips.finding import cycles_of
from .clips.observing import body_root, read_whole

Array = NDArray[np.float64]

HANGS = 0.5
"""Distance that the feet must hang below the hips for the rest pose to be usable, as a fraction of the leg length."""
ALIKE = 1e-5
"""Tolerance for the precision of keys; for values above 1, relative to the value."""
TURNING = "turn"
"""Name of an adverb that turns a figure, unless it measures something else."""
OF_A_KEY = ("type", "interpolation", "easing", "back", "amplitude", "period", "handle_left_type", "handle_right_type")


@dataclass(frozen=True, eq=False)
class Mirrored:
    """The new action, its example (None if the old one had none), and warnings."""

    action: Action
    item: PropertyGroup | None
    warnings: tuple[str, ...]


def turning_adverbs(verb: PropertyGroup | None, names: Iterable[str]) -> set[str]:
    """Return the adverbs that describe a turn: by what the verb measures or, if nothing, by the name."""
    used = {one.name: one.measure for one in verb.adverbs} if verb is not None else {}  # pyright: ignore[reportGeneralTypeIssues]
    measures = {name: used.get(name, "NONE") for name in names}
    return {
        name
        for name, measure in measures.items()
        if measure == "TURN_RATE" or (measure == "NONE" and TURNING in name.lower())
    }


def mirror_action(
    armature: Object, action: Action, item: PropertyGroup | None, negated: Collection[str], fps: float
) -> Mirrored:
    """Make a new action that is the mirror image of an armature's action; the new action is not assigned.

    Parameters
    ----------
    item : example of the action to mirror with it; None for none.
    negated : names of adverbs whose values change their sign, such as a turn.
    fps : frame rate of the action's keys, in frames per second.

    Raises
    ------
    VerbsError
        If the action cannot be read, or the armature's left and right bones do not correspond.
    """
    roles, keyed = roles_of(armature), gather(action, armature)
    if not roles.pairs:
        raise RigError(
            f"No bones of '{armature.name}' have left and right names. Rename them, such as hand.L and hand.R."
        )
    rig, channels, take, start = read_whole(armature, action, body_root(armature, keyed, roles.root), fps, keyed)
    symmetry = _symmetry(armature, rig, channels, take, roles)
    seen = mirror_take(take, channels, symmetry)
    layout, warnings = (None, ()) if item is None else _layout(armature, action, item, symmetry, roles, fps)
    plan, frames = make_plan(armature, channels), start + take.times * fps
    tracks = list(baked_tracks(plan, values_of(channels, seen), frames, 0.0, 0.0))
    if OBJECT in keyed.transforms and rig.root != ROOT_IS_OBJECT:
        tracks += still_object(keyed.transforms[OBJECT], frames[0])
    with new_action(f"{action.name} mirrored") as made:
        written = write_tracks(bag_unassigned(armature, made), tracks, handles=True)
        take_keys(written, keyed, dict(roles.pairs) | {right: left for left, right in roles.pairs}, frames)
        made.use_fake_user = True
        if layout is None:
            return Mirrored(made, None, tuple(roles.remarks))
        copy = write_layout(made, None, made.name, layout, fps)
        for value in item.values:  # pyright: ignore[reportGeneralTypeIssues]
            set_value(made, copy, value.name, -value.value if value.name in negated else value.value)
    return Mirrored(made, copy, tuple(roles.remarks) + warnings)


def why_apart(verb: PropertyGroup, example: PropertyGroup, mirrored: PropertyGroup) -> str:
    """Return why a verb cannot be built of an example and the one that it mirrors; empty if it can."""
    names, others = ([keytime.name for keytime in one.keytimes] for one in (example, mirrored))
    if names != others:
        return f"its keytimes begin with '{others[0]}', not with '{names[0]}'"
    values = [[value_of(one, used.name) for used in verb.adverbs] for one in (example, mirrored)]
    if values[0] and None not in values[0] and values[0] == values[1]:
        return "its adverb values are the same, as none of them changes sign"
    return ""


def _symmetry(armature: Object, rig: Rig, channels: Channels, take: Take, roles: BoneRoles) -> Symmetry:
    """Find the symmetry of an armature in its rest pose or, if that is not symmetric, in the motion's mean pose.

    Rigs made by animators have a symmetric rest pose. In files without a mesh it is often just the first frame, and in
    captured skeletons it may be meaningless.
    """
    pairs = [(rig.joints[a], rig.joints[b]) for a, b in roles.pairs if a in rig.joints and b in rig.joints]
    told: list[RigError] = []
    if _rests_upright(rest_bones(armature), roles):
        turn = upright(armature)
        if rig.root != ROOT_IS_OBJECT:
            turn = turn @ np.array(armature.data.bones[rig.root].matrix_local)[:3, :3]
        try:
            return symmetry_at_rest(channels.skeleton, pairs, rotation_of(turn))
        except RigError as uneven:
            told.append(uneven)
    try:
        return symmetry_of_pose(channels.skeleton, pairs, _mean_pose(channels, take))
    except RigError as uneven:
        raise RigError(" ".join((str((*told, uneven)[0]), *roles.remarks))) from None


def _mean_pose(channels: Channels, take: Take) -> Array:
    """Return mean rotation (J, 4) of each joint over a take, without the root's headings."""
    rotations = np.tile(channels.static, (len(take.times), 1, 1))
    rotations[:, channels.rotating] = take.rotations
    root = rotations[:, 0]
    heading = quat.yaw_of(quat.multiply(root, quat.conjugate(quat.mean(root))))
    rotations[:, 0] = quat.multiply(quat.from_yaw(-heading), root)
    return quat.mean(rotations)


def _rests_upright(bones: FigureBones, roles: BoneRoles) -> bool:
    """Return whether the legs hang down at rest; in some captured skeletons the rest pose is a meaningless heap."""
    for foot in roles.feet:
        hip, ankle = (bones.heads[bones.names.index(name)] for name in (foot.thigh, foot.ankle))
        chain = bones.chain(bones.names.index(foot.ankle))
        steps = [np.linalg.norm(bones.heads[a] - bones.heads[b]) for a, b in zip(chain, chain[1:], strict=False)]
        below = [bones.names[bone] for bone in chain]
        count = below.index(foot.thigh) if foot.thigh in below else 1
        if hip[2] - ankle[2] < HANGS * float(np.sum(steps[:count])):
            return False
    return True


def values_of(channels: Channels, take: Take) -> Array:
    """Return the rows (F, width) of a take's channels; travel remains part of the root's motion."""
    values = np.zeros((len(take.times), channels.width))
    values[:, ROOT_LOCATION] = take.root
    values[:, channels.scalar_columns] = take.scalars
    return with_rotations(channels, values, take.rotations)


def still_object(keyed: Collection[str], frame: float) -> list[Track]:
    """Return tracks with a rest key for each object transform that the old action keys; the root moves instead."""
    return [rest_track(OBJECT, prop, frame) for prop in keyed if prop != "scale"]


def _layout(
    armature: Object, action: Action, item: PropertyGroup, symmetry: Symmetry, roles: BoneRoles, fps: float
) -> tuple[Layout, tuple[str, ...]]:
    """Return the mirrored example, and warnings.

    For a cycle that begins with one foot, the cycle of the old action that begins with the other foot is mirrored, so
    that both examples have the same keytimes.
    """
    own, feet = layout_of(armature, item), _other_feet(roles)
    names = tuple(name for name, _ in own.keytimes)
    swapped = swapped_names(names, feet)
    if swapped == names or not item.cyclic:
        return _swapped(own, symmetry, feet), ()
    try:
        choices = [choice for choice in cycles_of(armature, action, fps) if swapped_names(choice.names, feet) == names]
    except VerbsError:
        choices = []
    if not choices:
        return _swapped(own, symmetry, feet), (
            f"Action '{action.name}' has no whole cycle from '{swapped[0]}', which mirrored would begin with "
            f"'{names[0]}'. Make it half a cycle longer, or make it loop, and mirror it again.",
        )
    nearest = min(choices, key=lambda choice: abs(choice.layout.keytimes[0][1] - own.keytimes[0][1]))
    known = {contact[:2] for contact in own.contacts}
    marked = tuple(contact for contact in nearest.layout.contacts if contact[:2] in known)
    lost = listed(sorted(bone for bone, _ in known - {contact[:2] for contact in marked}))
    told = (f"The mirrored example lacks the contacts of {lost}: mark them there.",) if lost else ()
    return _swapped(replace(nearest.layout, kind=item.kind, contacts=marked), symmetry, feet), told


def _swapped(layout: Layout, symmetry: Symmetry, feet: dict[str, str]) -> Layout:
    """Swap the feet's names and the contacts' bones in a layout; contacts keep the order of their bones."""
    joints = symmetry.skeleton.names
    order = [contact[:2] for contact in layout.contacts]
    names = swapped_names(tuple(name for name, _ in layout.keytimes), feet)
    frames = (frame for _, frame in layout.keytimes)
    contacts = [
        (joints[symmetry.partners[joints.index(bone)]] if bone in joints else bone, end, windows)
        for bone, end, windows in layout.contacts
    ]
    contacts.sort(key=lambda contact: order.index(contact[:2]) if contact[:2] in order else len(order))
    return replace(layout, keytimes=tuple(zip(names, frames, strict=True)), contacts=tuple(contacts))


def _other_feet(roles: BoneRoles) -> dict[str, str]:
    names = [foot.side for foot in roles.feet]
    one, other = names if len(names) == 2 else ("L", "R")
    return {one: other, other: one}


def take_keys(curves: Sequence[FCurve], keyed: Keyed, partners: Mapping[str, str], frames: Array) -> None:
    """Replace the dense keys of new curves that equal old curves up to sign by copies of the old curves' few keys.

    Parameters
    ----------
    curves : new curves with a key at each of `frames` (F,).
    keyed : curves of the old action.
    partners : for each bone the name of the one on the other side, whose old curves are compared.
    """
    made: dict[str, dict[int, FCurve]] = {}
    for curve in curves:
        made.setdefault(curve.data_path, {})[curve.array_index] = curve
    for path, mine in made.items():
        bone, prop = parse_path(path)
        old = keyed.curves(partners.get(bone, bone), prop)
        if not mine.keys() <= old.keys() or any(c.goes_on or len(c.fcurve.sampled_points) for c in old.values()):
            continue
        seen = components(old, frames, np.zeros(1 + max(old)))
        baked = np.array([[curve.evaluate(frame) for frame in frames] for curve in mine.values()]).T
        if prop == "rotation_quaternion":
            seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), ALIKE)
        seen = seen[:, list(mine)]
        signs = np.where(np.sum(seen * baked, axis=0) < 0.0, -1.0, 1.0)
        if np.abs(signs * seen - baked).max() <= ALIKE * max(np.abs(seen).max(), 1.0):
            for (index, curve), sign in zip(mine.items(), signs, strict=True):
                _copy(old[index].fcurve, curve, sign)


def _copy(old: FCurve, new: FCurve, sign: float) -> None:
    new.keyframe_points.clear()
    new.keyframe_points.add(len(old.keyframe_points))
    for source, point in zip(old.keyframe_points, new.keyframe_points, strict=True):
        for name in OF_A_KEY:
            setattr(point, name, getattr(source, name))
        for name in ("co", "handle_left", "handle_right"):
            frame, value = getattr(source, name)
            setattr(point, name, (frame, sign * value))
    new.extrapolation, new.auto_smoothing = old.extrapolation, old.auto_smoothing
    new.update()
