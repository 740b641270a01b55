"""Copying actions of other armatures to an armature with about the same bones."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

from ...core.detect.bone_roles import BoneRoles
from ...core.detect.corresponding_bones import corresponding_bones
from ...core.errors import ActionError, listed, quoted
from ...core.figure import quaternion as quat
from ...core.figure.channels import Channels, Scalar
from ...core.figure.matching import carried_over
from ...core.figure.skeleton import forward_kinematics
from ...core.verb.example import Take
from ..action.tracks import baked_tracks, new_action, write_tracks
from ..action.write_pose import make_plan
from ..blender.animation import keyed_in
from ..blender.jobs import remembered
from ..blender.versions import bag_unassigned
from ..data.annotate import keep_found, set_value
from ..data.bones.names import bone_path, keyed_names, names_in_curves
from ..data.content import action_content, called_now
from ..data.current import is_newer
from ..data.curves import OBJECT, Keyed, gather
from ..data.structure import layout_of, write_layout
from ..rig.parts import keyed_now, rotation_of
from ..rig.rig import Rig, read_rig
from ..rig.roles import rest_bones, roles_of
from .clips.likeness import SHIFTED, Likeness, compared, likeness_of, look, playing, roles_in
from .mirroring import still_object, values_of

Array = NDArray[np.float64]

SAME = 1e-5
"""Tolerance for equal rest frames, for their axes and as a fraction of the figure's size."""


@dataclass(frozen=True, eq=False)
class Conformed:
    """The new actions.

    Parameters
    ----------
    actions : one for each that was copied.
    warnings : sentences about what was left out or is doubtful.
    unmatched : those of them about bones without a counterpart, at most one per action.
    """

    actions: tuple[Action, ...]
    warnings: tuple[str, ...]
    unmatched: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Copy:
    """The data to write: rows (F, width) of channels at frames (F,), and remarks about them."""

    channels: Channels
    values: Array
    frames: Array
    unmatched: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def remarks(self) -> tuple[str, ...]:
        """All remarks."""
        return self.unmatched + self.doubts


def armature_of_action(action: Action, armature: Object) -> Object | None:
    """Return the other armature that an action is for: one that plays it, else one that has all the bones it moves.

    None if the action is for `armature` itself, or for none.
    """
    rigs = [thing for thing in bpy.data.objects if thing.type == "ARMATURE" and thing.pose is not None]
    playing = [rig for rig in rigs if keyed_in(rig) == action]
    if playing:
        return None if armature in playing else playing[0]
    moved = keyed_names(action, armature)
    meant = {rig: names_in_curves(rig, action) for rig in rigs}
    fitting = [rig for rig in rigs if moved and all(meant[rig].bone(name) in rig.data.bones for name in moved)]
    return None if armature in fitting else next(iter(fitting), None)


def is_same(armature: Object, other: Object) -> bool:
    """Return whether two armatures have the same bones at rest, so that actions play the same on both."""
    mine, theirs = armature.data.bones, other.data.bones
    names = mine.keys()
    if set(names) != set(theirs.keys()):
        return False
    frames = np.array([[bones[name].matrix_local for name in names] for bones in (mine, theirs)])
    size = max(float(np.ptp(frames[0, :, :3, 3])), SAME)
    frames[:, :, :3, 3] /= size
    carriers = [[bones[name].parent and bones[name].parent.name for name in names] for bones in (mine, theirs)]
    return carriers[0] == carriers[1] and bool(np.abs(frames[0] - frames[1]).max() <= SAME)


def check_alike(armature: Object, action: Action) -> None:
    """Check that an action of another armature can be copied for an armature, judging by its bones.

    Raises
    ------
    VerbsError
        If it cannot; the sentence names the bone.
    """
    likeness_of(armature, _armature_of(action, armature), action, roles_of(armature))


def corresponding(
    armature: Object, source: Object, told: Mapping[str, str], roles: Sequence[BoneRoles] = ()
) -> dict[str, str]:
    """Return the corresponding bones of another armature for bones of an armature, whatever their names.

    Parameters
    ----------
    told : correspondences set by the user.
    roles : roles of the bones of both, if known from motions.
    """
    own, other = roles or (roles_of(armature), roles_of(source))
    return corresponding_bones(rest_bones(armature), rest_bones(source), own, other, told)


def conform_actions(
    armature: Object,
    actions: Sequence[Action],
    fps: float,
    source: Object | None = None,
    told: Mapping[str, str] | None = None,
) -> Conformed:
    """Copy actions of other armatures to an armature, with their examples; the copies are not assigned.

    Parameters
    ----------
    armature : the armature that gets the copies.
    actions : actions of other armatures, which are not changed.
    fps : frame rate of the actions' keys, in frames per second.
    source : their armature, with any bone names; by default each action's is looked up, and its bones
        match those of the same name.
    told : corresponding bones of `source` for bones of the armature, as far as set by the user.

    Raises
    ------
    VerbsError
        If one cannot be read, or its bones do not correspond; none is copied then.
    """
    pairs = [(source or _armature_of(action, armature), action) for action in actions]
    roles, named = roles_in(armature, playing(armature), fps), None
    if source is not None:
        named = corresponding(armature, source, told or {}, (roles, roles_in(source, actions, fps)))
    copies = [_copied(armature, rig, action, fps, roles, named) for rig, action in pairs]
    still = {prop for owner, prop in keyed_now(armature) if owner == OBJECT}
    made: list[Action] = []
    with ExitStack() as stack:
        for (rig, action), copy in zip(pairs, copies, strict=True):
            one = stack.enter_context(new_action(f"{action.name} on {armature.name}"))
            plan = make_plan(armature, copy.channels)
            tracks = [*baked_tracks(plan, copy.values, copy.frames, 0.0, 0.0), *still_object(still, copy.frames[0])]
            write_tracks(bag_unassigned(armature, one), tracks, handles=True)
            one.use_fake_user = True
            _copy_examples(likeness_of(armature, rig, action, roles, named), rig, action, one, fps)
            if copy.remarks:
                keep_found(one, [("WARNING", text) for text in copy.remarks])
            made.append(one)
    warnings, unmatched = ([text for copy in copies for text in copy.remarks], [t for c in copies for t in c.unmatched])
    return Conformed(tuple(made), tuple(warnings), tuple(unmatched))


def _armature_of(action: Action, armature: Object) -> Object:
    source = armature_of_action(action, armature)
    if source is None:
        raise ActionError(
            f"No other armature uses '{action.name}', so its rest pose is not known. Assign it to the armature that it "
            "was made for."
        )
    return source


def _copied(
    armature: Object, source: Object, action: Action, fps: float, roles: BoneRoles, named: Mapping[str, str] | None
) -> _Copy:
    digest = called_now(action_content(action, source, thorough=True), names_in_curves(source, action)).digest
    uids, told = (armature.session_uid, source.session_uid, action.session_uid), repr((roles, named))

    def copy() -> _Copy:
        return _copy(armature, source, action, fps, likeness_of(armature, source, action, roles, named))

    return remembered(("conformed", uids, digest, fps, told), copy)


def _copy(armature: Object, source: Object, action: Action, fps: float, like: Likeness) -> _Copy:
    seen = look(source, action, like.partner(like.root), fps)
    places, turns = _set_down(seen.rig, gather(action, source), seen.places, seen.turns)
    like = compared(like, armature, seen._replace(places=places, turns=turns))
    names, channels = seen.channels.skeleton.names, seen.channels
    order = np.array([like.other.names.index(name) for name in names])
    every = np.tile(quat.IDENTITY, (len(places), len(like.other.names), 1))
    every[:, order] = turns
    shown = carried_over(like.own, like.posed, like.match.pairs, like.turns, every)
    shifts = _shifts(like, channels, seen.take.scalars)
    whereabouts = dict(zip(names, places.swapaxes(0, 1), strict=True))
    made, values = _values(read_rig(armature, like.root), like, shown, whereabouts, shifts)
    told = _remarks(like, action, armature, channels, shifts)
    return _Copy(made, values, seen.frames, _unmatched(like, action, armature), told)


def _set_down(rig: Rig, keyed: Keyed, places: Array, turns: Array) -> tuple[Array, Array]:
    """Return positions and orientations for an object at the origin that faces along -Y.

    The object's own position and heading are where the user has placed it, unless the action moves the object.
    """
    if keyed.transforms.get(OBJECT, {}).keys() - {"scale"}:
        return places, turns
    basis = rig.object.basis
    back = quat.from_yaw(-quat.yaw_of(rotation_of(basis)))
    return quat.rotate(back, places - basis[:3, 3]), quat.multiply(back, turns)


def _shifts(like: Likeness, channels: Channels, scalars: Array) -> dict[str, Array]:
    """Return locations (F, 3) of the bones of `own` within the body, where the action shifts them visibly.

    Within the body they are shifted from rest like the other's; between root and body they are placed like the other's.
    """
    found: dict[str, Array] = {}
    columns, joints, axes = channels.location_scalars
    partners = {int(other): bone for bone, other in enumerate(like.match.pairs) if other >= 0}
    least = SHIFTED * float(np.linalg.norm(like.other.heads, axis=1).max())
    for joint in sorted(set(joints.tolist())):
        bone = partners.get(like.other.names.index(channels.skeleton.names[joint]))
        shift = np.zeros((len(scalars), 3))
        shift[:, axes[joints == joint]] = scalars[:, columns[joints == joint]]
        if bone is None or (bone not in like.way[1:] and np.linalg.norm(shift, axis=1).max() <= least):
            continue
        other, parent = int(like.match.pairs[bone]), like.own.parents[bone]
        above = like.other.parents[other]
        seen = quat.rotate(like.other.turns[other], shift)
        if bone in like.way[1:]:
            seen += like.other.heads[other] - like.other.heads[above]
        seen = like.ratio * quat.rotate(quat.conjugate(like.other.turns[above]), seen)
        seen = quat.rotate(like.posed.turns[above], seen)
        if bone in like.way[1:]:
            seen -= quat.rotate(like.turns[parent], like.own.heads[bone] - like.own.heads[parent])
        turn = quat.multiply(like.turns[parent], like.own.turns[bone])
        found[like.own.names[bone]] = quat.rotate(quat.conjugate(turn), seen)
    return found


def _values(
    rig: Rig, like: Likeness, shown: Array, places: dict[str, Array], shifts: dict[str, Array]
) -> tuple[Channels, Array]:
    """Return channels, and rows (F, width) with orientations (F, B, 4) and the hips above the floor like the other's.

    Parameters
    ----------
    rig : the armature as it was read.
    places : (F, 3) positions of the other's bones, by their names.
    shifts : (F, 3) locations of bones within the body.
    """
    names, count = rig.skeleton.names, len(shown)
    rows = [like.own.names.index(name) for name in names]
    heading = quat.from_yaw(quat.yaw_of(rotation_of(rig.object.basis)))
    rotations = np.tile(quat.IDENTITY, (count, len(names), 1))
    rotations[:, 0] = quat.multiply(heading, shown[:, rows[0]])
    rotating, carrying = [0], {above for b in rows if like.match.pairs[b] >= 0 for above in like.own.chain(b)}
    for joint in range(1, len(names)):
        bone = rows[joint]
        if bone not in carrying:
            continue
        parent = like.own.parents[bone]
        rest = quat.multiply(quat.conjugate(like.own.turns[parent]), like.own.turns[bone])
        turn = quat.multiply(quat.conjugate(shown[:, parent]), shown[:, bone])
        rotations[:, joint] = quat.multiply(quat.conjugate(rest), turn)
        rotating.append(joint)
    moved = {name: shift for name, shift in shifts.items() if not rig.bones[name].connected}
    scalars = tuple(
        Scalar(f"{name} location", rig.joints[name], "location", axis, False, bone_path(name, "location"))
        for name in moved
        for axis in range(3)
    )
    still = np.tile(quat.IDENTITY, (len(names), 1))
    channels = Channels(rig.skeleton, np.array(rotating, dtype=np.intp), scalars, still)
    locations = np.zeros((count, len(names), 3))
    for name, shift in moved.items():
        locations[:, rig.joints[name]] = shift
    hips = [rig.joints[thigh] for thigh, _ in like.legs] or [rig.joints[like.own.names[like.way[-1]]]]
    own = forward_kinematics(rig.skeleton, rotations, locations)[0][:, hips].mean(axis=1)
    other = np.mean([places[like.partner(names[joint])] for joint in hips], axis=0)
    place = rig.object.basis[:3, 3] + quat.rotate(heading, like.ratio * other) - own
    shifted = np.concatenate([np.zeros((count, 0)), *moved.values()], axis=1)
    return channels, values_of(channels, Take(np.arange(float(count)), rotations[:, rotating], place, shifted))


def _unmatched(like: Likeness, action: Action, armature: Object) -> tuple[str, ...]:
    """Return a sentence about bones without a counterpart, if there are any."""
    told: list[str] = []
    match, own = like.match, armature.name
    if match.surplus:
        told.append(f"{_bones(match.surplus)} of '{action.name}' {_are(match.surplus)} not in '{own}': left out")
    if match.aside:
        verb = "does" if len(match.aside) == 1 else "do"
        told.append(f"{_bones(match.aside)} of '{action.name}' {verb} not descend from the root: left out")
    if match.missing:
        told.append(f"{_bones(match.missing)} of '{own}' {_are(match.missing)} not in '{action.name}': not moved")
    return ("; ".join([*told[:1], *(f"b{text[1:]}" for text in told[1:])]) + ".",) if told else ()


def _remarks(
    like: Likeness, action: Action, armature: Object, channels: Channels, shifts: dict[str, Array]
) -> tuple[str, ...]:
    """Return sentences about what else was left out of a copy or is doubtful in it."""
    told: list[str] = []
    fixed = [name for name in shifts if armature.data.bones[name].use_connect]
    if fixed:
        told.append(
            f"'{action.name}' moves {_bones(fixed, 'bone')}, but connected bones in '{armature.name}' cannot move: "
            "left out."
        )
    if like.unlike:
        told.append(
            f"In the rest poses of '{armature.name}' and '{action.name}', {_bones(like.unlike, 'bone')} point in quite "
            "different directions: their roll is a guess. Check it."
        )
    other = [s.label for s in channels.scalars if s.kind == "value" or (s.kind == "scale" and not s.held)]
    if other:
        told.append(
            f"'{action.name}' also animates {listed(other)}: left out, as only bone locations and rotations are copied."
        )
    return tuple(told)


def _bones(names: Sequence[str], word: str = "Bone") -> str:
    return f"{word}{'' if len(names) == 1 else 's'} {quoted(names)}"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _copy_examples(like: Likeness, source: Object, action: Action, made: Action, fps: float) -> None:
    """Copy the examples of an action, with contacts on the bones that correspond, and with their adverb values."""
    if is_newer(action.verbs_adverbs):
        return
    pairs = zip(like.own.names, like.match.pairs.tolist(), strict=True)
    partners = {like.other.names[other]: name for name, other in pairs if other >= 0}
    for item in action.verbs_adverbs.examples:
        layout = layout_of(source, item)
        contacts = tuple((partners[bone], *others) for bone, *others in layout.contacts if bone in partners)
        layout = replace(layout, contacts=contacts)
        name = made.name if item.name == action.name else item.name
        copy = write_layout(made, None, name, layout, item.fps if item.fps > 0.0 else fps)
        for value in item.values:  # pyright: ignore[reportGeneralTypeIssues]
            set_value(made, copy, value.name, value.value)
