"""How the bones of two armatures correspond, and in which poses of both they are compared."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

from ....core.detect.bone_roles import BoneRoles, FigureBones
from ....core.errors import VerbsError
from ....core.figure import quaternion as quat
from ....core.figure.channels import Channels
from ....core.figure.matching import Match, Resting, laid_along, match_bones, nearest_pose, size_ratio, way_to_body
from ....core.verb.example import Take
from ...blender.animation import keyed_in
from ...data.curves import gather
from ...rig.parts import rotation_of
from ...rig.rig import Rig
from ...rig.roles import rest_bones, roles_of, upright
from .observing import read_whole, seen_frames, standing_in

Array = NDArray[np.float64]

SHIFTED = 1e-4
"""Smallest shift of a bone within the body that is copied, as a fraction of the distance of the farthest bone from the
armature's origin."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """The correspondence of an armature's bones with those of the armature of an action.

    Parameters
    ----------
    own, other : the armature, and the action's armature, at rest.
    match : which bones correspond.
    root : bone of `own` that carries the body.
    legs : thigh and ankle of each leg of `own`.
    way : bones of `own` from the root down to the one that carries the body, as found by `way_to_body`.
    ratio : how many times larger `own` is.
    posed : the other armature in the pose in which both are compared, at rest or at a frame of a motion.
    turns : (B, 4) rotations from rest that align bones of `own` with the other's in that pose.
    unlike : bones whose roll is a guess.
    """

    own: Resting
    other: Resting
    match: Match
    root: str
    legs: tuple[tuple[str, str], ...]
    way: tuple[int, ...]
    ratio: float
    posed: Resting
    turns: Array
    unlike: tuple[str, ...]

    def partner(self, bone: str) -> str:
        """Return the name of the other's bone that corresponds to a bone of `own` that has one."""
        return self.other.names[self.match.pairs[self.own.names.index(bone)]]


class Seen(NamedTuple):
    """A whole action as read, at frames (F,), with positions (F, J, 3) and orientations (F, J, 4) of all joints."""

    fps: float
    rig: Rig
    channels: Channels
    take: Take
    frames: Array
    places: Array
    turns: Array


def look(armature: Object, action: Action, root: str, fps: float) -> Seen:
    """Read a whole action, with constraints as Blender evaluates them.

    Raises
    ------
    VerbsError
        If it cannot be read.
    """
    rig, channels, take, start = read_whole(armature, action, root, fps)
    frames = seen_frames(armature, action, channels.skeleton.names, channels, take, start, fps)
    return Seen(fps, rig, channels, take, start + take.times * fps, *frames)


def playing(armature: Object) -> list[Action]:
    """Return the action that an armature plays, if any."""
    action = keyed_in(armature)
    return [action] if action is not None else []


def roles_in(armature: Object, actions: Sequence[Action], fps: float) -> BoneRoles:
    """Return the roles of an armature's bones, found in actions where neither names nor the rest pose show them."""

    def standing() -> Iterator[FigureBones]:
        with suppress(VerbsError):
            yield from standing_in(armature, actions, fps)

    return roles_of(armature, standing())


def likeness_of(
    armature: Object, source: Object, action: Action, roles: BoneRoles, named: Mapping[str, str] | None = None
) -> Likeness:
    """Find which bones of an armature correspond to those of an action's armature, and their rotations at rest.

    Parameters
    ----------
    roles : roles of the armature's bones.
    named : the other's corresponding bone for each bone of the armature; by default that of the same name.

    Raises
    ------
    RigError
        If a required bone has no counterpart.
    """
    own, other = _resting(armature, armature.name), _resting(source, action.name)
    legs, theirs = (tuple((foot.thigh, foot.ankle) for foot in one.feet) for one in (roles, roles_of(source)))
    match = match_bones(own, other, roles.root, legs, named, theirs)
    keyed, least = gather(action, source), SHIFTED * max(bone.head_local.length for bone in source.data.bones)

    def is_shifted(bone: int) -> bool:
        curves = keyed.curves(other.names[match.pairs[bone]], "location").values()
        return any(np.abs(curve.keys[:, 1]).max(initial=0.0) > least for curve in curves)

    way = way_to_body(own, match.pairs, roles.root, is_shifted)
    ratio = size_ratio(own, other, match.pairs, legs, way[1:])
    return Likeness(own, other, match, roles.root, legs, way, ratio, other, *laid_along(own, other, match, way[1:]))


def compared(like: Likeness, armature: Object, seen: Seen) -> Likeness:
    """Compare two figures in poses of their motions, if the roll of bones at rest is a guess.

    Parameters
    ----------
    like : their likeness at rest.
    armature : the armature, sampled at rest and in the middle of the motion that it plays.
    seen : the other's motion; its pose that is most similar to the armature's is used.
    """
    if not like.unlike:
        return like
    order = [like.other.names.index(name) for name in seen.channels.skeleton.names]
    places = np.tile(like.other.heads, (len(seen.places), 1, 1))
    places[:, order] = seen.places
    found = [(len(like.unlike), 0.0, like)]
    for own in _own_poses(like, armature, seen.fps):
        row, alike = nearest_pose(own, like.match, places)
        posed = _in_pose(like.other, seen, row)
        turns, unlike = laid_along(own, posed, like.match, like.way[1:], 0.0)
        from_rest = quat.multiply(turns, quat.multiply(own.turns, quat.conjugate(like.own.turns)))
        found.append((len(unlike), -alike, replace(like, posed=posed, turns=from_rest, unlike=unlike)))
    return min(found, key=lambda one: one[:2])[2]


def _own_poses(like: Likeness, armature: Object, fps: float) -> Iterator[Resting]:
    yield like.own
    for action in playing(armature):
        with suppress(VerbsError):
            seen = look(armature, action, like.root, fps)
            yield _in_pose(like.own, seen, len(seen.places) // 2)


def _in_pose(resting: Resting, seen: Seen, row: int) -> Resting:
    """Return a skeleton in the pose of a frame of a motion."""
    order = [resting.names.index(name) for name in seen.channels.skeleton.names]
    heads, turns = resting.heads.copy(), resting.turns.copy()
    heads[order], turns[order] = seen.places[row], seen.turns[row]
    return replace(resting, heads=heads, turns=turns)


def _resting(armature: Object, owner: str) -> Resting:
    bones, turn = rest_bones(armature), upright(armature)
    frames = np.array([turn @ np.array(armature.data.bones[name].matrix_local)[:3, :3] for name in bones.names])
    return Resting(owner, bones.names, bones.parents, bones.heads, rotation_of(frames))
