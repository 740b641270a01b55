"""The bones with which a figure looks, and messages about what its gaze cannot reach."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import radians

import numpy as np
from numpy.typing import NDArray

from ..aim.gaze import NEAR, Gaze, GazeJoint, gaze_of, missed_by
from ..detect.bone_names import find_pairs, read_name
from ..detect.bone_roles import BoneRoles, FigureBones
from ..errors import RigError
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.skeleton import Skeleton
from ..figure.vector_components import joined
from .gazing import Gazing, Path

Array = NDArray[np.float64]

HEAD_TURNS, NECK_TURNS, TORSO_TURNS = radians(50.0), radians(30.0), radians(30.0)
"""Largest yaw in radians of the head on the neck, of the neck on the torso, and of the whole torso."""
UPWARD = 2.0 / 3.0
"""Largest pitch of these, as a share of their yaw."""
MOST_TORSO, MOST_NECK = 3, 2
"""Numbers of torso and neck bones that rotate, those nearest the head."""
SHORT = 1e-6
"""Length, as a share of the figure's height, below which feet do not show the facing direction."""


@dataclass(frozen=True, eq=False)
class GazeBones:
    """Bones with which a figure looks.

    Parameters
    ----------
    head : name of the head.
    neck, torso : names from the root outwards; either may be empty.
    eyes : the left one and the right one, or a single one, or none.
    front : (3,) horizontal facing direction of the figure at rest.
    """

    head: str
    neck: tuple[str, ...]
    torso: tuple[str, ...]
    eyes: tuple[str, ...]
    front: Array


def find_gaze_bones(figure: FigureBones, roles: BoneRoles) -> GazeBones:
    """Return the bones with which a figure looks.

    Parameters
    ----------
    figure : the bones at rest.
    roles : roles of these bones; the root, hands and feet are used.

    Raises
    ------
    RigError
        If no bone is a head.
    """
    index = {name: bone for bone, name in enumerate(figure.names)}
    hands = [set(figure.chain(index[hand])) for hand in roles.hands]
    legs = {bone for foot in roles.feet for bone in figure.chain(index[foot.ankle])}
    head = _head(figure, hands, legs)
    if head is None:
        raise RigError("The armature has no head bone for looking. Name a bone 'Head', or leave out looks.")
    root = index.get(roles.root, 0)
    above = [bone for bone in figure.chain(head)[1:] if bone not in legs and bone != root]
    arms = set[int].intersection(*hands) if hands else set[int]()
    neck = [bone for bone in above if bone not in arms] if arms else above[:1]
    torso = [bone for bone in above if bone not in neck][:MOST_TORSO]
    names = [tuple(figure.names[bone] for bone in found[::-1]) for found in (neck[:MOST_NECK], torso)]
    return GazeBones(figure.names[head], names[0], names[1], _eyes(figure, head), _front(figure, roles))


def _head(figure: FigureBones, hands: Sequence[set[int]], legs: set[int]) -> int | None:
    """Return the bone named head (the plainest name, then the nearest to the root), else the top of the trunk."""
    limbs = legs.union(*hands) - (set[int].intersection(*hands) if hands else set[int]())
    readings = [read_name(name) for name in figure.names]
    named = [b for b, one in enumerate(readings) if "head" in one.parts and not one.helps and b not in limbs]
    if named:
        return min(named, key=lambda b: (readings[b].strange, len(figure.chain(b)), b))
    arms = set[int].intersection(*hands) if hands else set[int]()
    if len(hands) < 2 or not arms:
        return None
    bone = max(arms, key=lambda b: len(figure.chain(b)))
    found: int | None = None
    while True:
        others = [b for b in figure.children(bone) if b not in limbs and not readings[b].helps]
        upward = [b for b in others if figure.heads[b, 2] >= figure.heads[bone, 2]]
        if not upward or (found is not None and len(upward) > 1):
            return found
        found = bone = max(upward, key=lambda b: (figure.tails[b, 2], -b))


def _eyes(figure: FigureBones, head: int) -> tuple[str, ...]:
    """Return the eyes below a head: the pair with the plainest names, else a single one."""
    readings = {name: read_name(name) for name in figure.names}
    carried = [name for bone, name in enumerate(figure.names) if head in figure.chain(bone)[1:]]
    eyes = [name for name in carried if "eye" in readings[name].parts and not readings[name].helps]

    def plain(name: str) -> tuple[int, int, int]:
        """Return a sort key: plain names first, then those near the root, then by index."""
        return readings[name].strange, len(figure.chain(figure.names.index(name))), figure.names.index(name)

    pairs = [pair for pair in find_pairs(figure.names)[0] if set(pair) <= set(eyes)]
    if pairs:
        return min(pairs, key=lambda pair: plain(pair[0]))
    return tuple(eyes) if len(eyes) == 1 else ()


def _front(figure: FigureBones, roles: BoneRoles) -> Array:
    """Return the horizontal direction (3,) of the feet of a figure; -Y if no feet show it."""
    index = {name: bone for bone, name in enumerate(figure.names)}
    ways = [figure.tails[index[foot.ball.bone]] - figure.heads[index[foot.ankle]] for foot in roles.feet]
    front = np.sum(ways, axis=0) * [1.0, 1.0, 0.0] if ways else np.zeros(3)
    size = float(np.linalg.norm(front))
    return front / size if size > SHORT * figure.height else np.array([0.0, -1.0, 0.0])


def gaze_with(skeleton: Skeleton, bones: GazeBones, root: Array) -> tuple[Gaze, Array]:
    """Return the gaze of a figure that looks with `bones`, and the facing direction (3,) in the root's own frame.

    Parameters
    ----------
    skeleton : skeleton of the figure.
    bones : bones with which it looks.
    root : (4,) rotation of the root at rest, in the space of `bones`.

    Raises
    ------
    RigError
        If the skeleton lacks these joints, or they do not form a chain.
    """
    pose = np.tile(quat.IDENTITY, (len(skeleton.names), 1))
    pose[0] = root
    neck, torso = (
        [GazeJoint(name, 1.0, UPWARD * turns / len(names), turns / len(names), 0.0) for name in names]
        for names, turns in ((bones.neck, NECK_TURNS), (bones.torso, TORSO_TURNS))
    )
    joints = [*neck, GazeJoint(bones.head, 1.0, UPWARD * HEAD_TURNS, HEAD_TURNS, 0.0)]
    joints = [GazeJoint(one.name, one.yaw, one.pitch, one.yaw, one.roll) for one in joints]
    return gaze_of(skeleton, pose, bones.front, joints, bones.eyes, torso), quat.rotate(
        quat.conjugate(root), bones.front
    )


MISSED = np.radians(2.0)
"""Radians by which a target must be missed at its word to be reported."""


def gaze_remarks(
    gazing: Gazing, channels: Channels, rows: Array, times: Array, frame_of: Callable[[float], str]
) -> tuple[str, ...]:
    """Return sentences on glances that do not reach their targets.

    Parameters
    ----------
    gazing : the gaze.
    channels : channels of the rows.
    rows : (T, width) the figure as it is played, with the gaze applied, in performance space.
    times : (T,) times of the rows in seconds, in order.
    frame_of : function that formats a time in messages.
    """
    found: list[str] = []
    for number, glance in enumerate(gazing.glances):
        row = int(np.searchsorted(times, glance.time - 1e-9))
        if isinstance(glance.target, Path) and row < len(times):
            told = _remark(gazing, number, channels, rows[row : row + 1], times[row : row + 1], frame_of)
            found += [f"{glance.told} {told}"] if told else []
    return tuple(found)


def _remark(
    gazing: Gazing, number: int, channels: Channels, row: Array, times: Array, frame_of: Callable[[float], str]
) -> str:
    glance, head = gazing.glances[number], gazing.gaze.head
    place = gazing.places(number, channels, times, row, np.zeros(1))
    eyes = joined(head.ray(head.frames(channels, row)).origins)
    near = NEAR * float(np.linalg.norm(channels.skeleton.tails[head.joint]))
    if float(np.linalg.norm(place - eyes)) < near:
        return "lies inside the head, or just in front of the eyes. Move it away from there."
    if float(missed_by(gazing.gaze, channels, row, place)[0]) < MISSED:
        return ""
    aside = float(np.degrees(gazing.aside(channels, row, eyes, place)[0]))
    way = (place - eyes)[0]
    rise = float(np.degrees(np.arctan2(way[2], np.hypot(way[0], way[1]))))
    reach, height = float(np.degrees(gazing.gaze.aside)), float(np.degrees(gazing.gaze.reach_up))
    what, side = _parts(gazing), "left" if aside > 0.0 else "right"
    if abs(aside) > reach:
        turn = f"{np.ceil(abs(aside) - reach):.0f} degrees"
        return (
            f"is {abs(aside):.0f} degrees to the {side}, but {what} can only turn {reach:.0f}. Let the character turn "
            f"by {turn}, or walk so that it faces the target by {frame_of(glance.time)}."
        )
    if (rise / height) ** 2 + (aside / reach) ** 2 > 1.0:
        up = f"{abs(rise):.0f} degrees {'up' if rise > 0.0 else 'down'}"
        beside = f" and {abs(aside):.0f} to the {side}" if abs(aside) >= 1.0 else ""
        return (
            f"is {up}{beside}, but {what} can only turn {height:.0f} up or down. Let the character stand farther away."
        )
    before = gazing.glances[number - 1] if number else None
    if before is None or glance.time - before.time > gazing.longest:
        return ""
    return (
        f"comes {glance.time - before.time:.2f} s after another look, too soon for a head that turns "
        f"{np.degrees(gazing.speed):.0f} degrees per second, so it arrives late. Give it more time, or increase Head "
        "Speed."
    )


def _parts(gazing: Gazing) -> str:
    """Return the rotating parts in words."""
    names = [*(["eyes"] if gazing.gaze.eyes else []), "head"]
    if gazing.gaze.head.aim.helping:
        return f"{', '.join(names)} and torso"
    return " and ".join(names)
