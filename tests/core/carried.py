"""One body under the published names of bones, in several rest poses, and a generated walk carried by it."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from verbs_adverbs.core.biped.figure import BONES, JOINTS, rest_orientations, rest_point
from verbs_adverbs.core.biped.walk import build_gait
from verbs_adverbs.core.detect.bone_roles import BonePoint, BoneRoles, FigureBones, FootRoles
from verbs_adverbs.core.detect.find_roles import standing_figure
from verbs_adverbs.core.detect.observed import Foot, Observed, guessed_heel, observe
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.skeleton import point_positions

from .detected import Events, gone, headings
from .published_skeletons import Published

_PLACES: dict[str, tuple[str, tuple[float, float, float]]] = {
    "floor": ("Hips", (0.0, 0.0, 0.0)),
    "hips": ("Hips", rest_point("Hips")),
    "spine": ("Spine", rest_point("Spine")),
    "chest": ("Chest", rest_point("Chest")),
    "neck": ("Neck", rest_point("Neck")),
    "head": ("Head", rest_point("Head")),
    "top": ("Head", (0.0, 0.0, 1.78)),
    "clavicle": ("Shoulder", (0.025, 0.0, 1.425)),
    "arm": ("UpperArm", (0.18, 0.0, 1.44)),
    "forearm": ("LowerArm", (0.46, 0.0, 1.44)),
    "hand": ("Hand", (0.71, -0.005, 1.44)),
    "fingers": ("Hand", (0.78, -0.007, 1.44)),
    "fingertip": ("Hand", (0.88, -0.01, 1.44)),
    "thumb": ("Hand", (0.75, -0.05, 1.43)),
    "thigh": ("UpperLeg", (0.095, 0.0, 0.94)),
    "half_thigh": ("UpperLeg", (0.095, -0.006, 0.725)),
    "shin": ("LowerLeg", (0.095, -0.012, 0.51)),
    "half_shin": ("LowerLeg", (0.095, -0.001, 0.3)),
    "foot": ("Foot", (0.095, 0.01, 0.085)),
    "half_foot": ("Foot", (0.095, -0.06, 0.055)),
    "heel": ("Foot", (0.095, 0.065, 0.0)),
    "toe": ("Toes", (0.095, -0.13, 0.025)),
    "tip": ("Toes", (0.095, -0.2, 0.025)),
}  # fmt: skip
"""Bone of the biped that carries a place, and where the place is at rest; of those at a side, at the left."""
RESTS = ("T", "A", "heap")


@dataclass(frozen=True, eq=False)
class Body:
    """A skeleton of published names as it rests, and how the biped carries its joints.

    Parameters
    ----------
    bones : the bones at rest.
    carriers : (J,) joints of the biped.
    offsets, turns : (J, 3) and (J, 4) the joints in the frames of their carriers.
    """

    bones: FigureBones
    carriers: np.ndarray
    offsets: np.ndarray
    turns: np.ndarray


def tree_of(skeleton: Published) -> tuple[list[str], list[int], list[tuple[str, str]]]:
    """Return names, parents and places, each with its side, of the bones of a skeleton."""
    names: list[str] = []
    parents: list[int] = []
    places: list[tuple[str, str]] = []
    above: list[dict[str, int]] = []
    for line in skeleton.tree:
        level = len(line) - len(line.lstrip())
        pattern, place = line.strip().rsplit(" @", 1)
        del above[level:]
        made: dict[str, int] = {}
        for side, mark in zip("LR", skeleton.sides, strict=True) if "{}" in pattern else [("", "")]:
            made[side] = len(names)
            carried = above[-1] if above else {}
            parents.append(carried.get(side, carried.get("", -1)))
            names.append(pattern.format(mark))
            places.append((place, side))
        above.append(made)
    return names, parents, places


def body_of(skeleton: Published, rest: str, seed: int = 5) -> Body:
    """Return the body under the names of a skeleton, in T-pose, in A-pose, or with a rest pose that tells nothing."""
    names, parents, places = tree_of(skeleton)
    heads = np.array([_point(*place) for place in places])
    carriers = np.array([JOINTS[_carrier(*place)] for place in places])
    turns = quat.normalize(np.random.default_rng(seed).normal(size=(len(names), 4)))
    orientations = rest_orientations()[carriers]
    points = np.array([rest_point(BONES[joint].name) for joint in carriers])
    offsets = quat.rotate(quat.conjugate(orientations), heads - points)
    seen = heads if rest == "T" else _lowered(heads, places) if rest == "A" else _heap(heads, parents, turns)
    return Body(FigureBones(tuple(names), tuple(parents), seen, tails_of(parents, seen)), carriers, offsets, turns)


def _carrier(place: str, side: str) -> str:
    name = _PLACES[place][0]
    return name if name in JOINTS else f"{name}_{side}"


def _point(place: str, side: str) -> np.ndarray:
    return np.array(_PLACES[place][1]) * ([-1.0, 1.0, 1.0] if side == "R" else 1.0)


def tails_of(parents: list[int], heads: np.ndarray) -> np.ndarray:
    """Tails (J, 3) at the heads of the first children; the last bones go on as their parents do, for 5 cm at most."""
    tails = np.empty_like(heads)
    for bone, parent in enumerate(parents):
        first = next((child for child, above in enumerate(parents) if above == bone), None)
        onward = heads[bone] - heads[parent] if parent >= 0 else np.zeros(3)
        onward = onward * min(1.0, 0.05 / max(float(np.linalg.norm(onward)), 1e-9))
        tails[bone] = heads[bone] + onward if first is None else heads[first]
    return tails


def _lowered(heads: np.ndarray, places: list[tuple[str, str]]) -> np.ndarray:
    """Return heads in A-pose: the arms 50 degrees down from the shoulders."""
    found = heads.copy()
    for row, (place, side) in enumerate(places):
        if _PLACES[place][0] in ("UpperArm", "LowerArm", "Hand"):
            sign = -1.0 if side == "R" else 1.0
            turn = quat.from_axis_angle([0.0, 1.0, 0.0], np.radians(50.0) * sign)
            shoulder = _point("arm", side)
            found[row] = shoulder + quat.rotate(turn, heads[row] - shoulder)
    return found


def _heap(heads: np.ndarray, parents: list[int], turns: np.ndarray) -> np.ndarray:
    """Return heads where each bone rests as it lies in a turned frame of its parent."""
    found = np.zeros_like(heads)
    for bone, parent in enumerate(parents):
        if parent >= 0:
            found[bone] = found[parent] + quat.rotate(quat.conjugate(turns[parent]), heads[bone] - heads[parent])
    return found


@dataclass(frozen=True, eq=False)
class Carried:
    """A walk as the joints of a skeleton move in it: positions (T, J, 3), orientations (T, J, 4) and its strikes."""

    times: np.ndarray
    positions: np.ndarray
    orientations: np.ndarray
    strikes: Events


@cache
def _walk(rate: float, mood: float, begin: float, cycles: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, Events]:
    """Times, positions and orientations of the biped's joints in a walk from phase `begin` on, and its strikes."""
    gait = build_gait(mood, 0.0, 0.0)
    period, (times, (places, turned)) = gait.style.period, gone(gait, rate, begin, cycles)
    phases = [(side, cycle + shift) for side, shift in (("L", 0.5), ("R", 0.0)) for cycle in range(-3, 6)]
    return times, places, turned, [(f"{side}_down", (phase - begin) * period) for side, phase in phases]


def carry(body: Body, rate: float = 30.0, mood: float = 0.0) -> Carried:
    """Return the generated walk as the joints of a body move in it."""
    times, places, turned, strikes = _walk(rate, mood, -0.35, 2.75)
    orientations = quat.multiply(turned[:, body.carriers], body.turns)
    positions = places[:, body.carriers] + quat.rotate(turned[:, body.carriers], body.offsets)
    return Carried(times, positions, orientations, strikes)


def seen_standing(body: Body, walk: Carried) -> FigureBones:
    """The body as it stands on the average in a walk."""
    tails = np.array([tails_of(list(body.bones.parents), pose) for pose in walk.positions])
    root = next(bone for bone, place in enumerate(body.carriers) if place == JOINTS["Hips"])
    return standing_figure(
        body.bones.names, body.bones.parents, walk.positions, tails, headings(walk.orientations[:, root:])
    )


def observed_by(body: Body, walk: Carried, roles: BoneRoles) -> Observed:
    """What is observed of a walk by the roles of its bones."""
    index = {name: bone for bone, name in enumerate(body.bones.names)}
    frames = walk.positions, walk.orientations
    root, foot = index[roles.root], roles.feet[0]
    chain = body.bones.chain(index[foot.ankle])
    leg = chain[: chain.index(index[foot.thigh]) + 1]
    length = float(np.linalg.norm(np.diff(walk.positions[0, leg], axis=0), axis=1).sum())
    order = [root, *(bone for bone in range(len(index)) if bone != root)]
    feet = [_foot(body, walk, foot, index) for foot in roles.feet]
    heading = headings(walk.orientations[:, root:])
    seen = observe("walk", walk.times, frames, heading, feet, length)
    return replace(seen, joints=seen.joints[:, order])


def _foot(body: Body, walk: Carried, foot: FootRoles, index: dict[str, int]) -> Foot:
    ball = _point_of(body, walk, foot.ball, index, "ball")
    places, turned = walk.positions, walk.orientations
    if foot.heel is not None:
        return Foot(foot.side, (_point_of(body, walk, foot.heel, index, "heel"), ball), index[foot.thigh])
    balls = point_positions(places, turned, ball.joint, ball.offset)[:, None]
    shown = np.concatenate([places, balls], axis=1), np.concatenate([turned, turned[:, [ball.joint]]], axis=1)
    heel = guessed_heel("heel", shown, index[foot.ankle], places.shape[1])
    return Foot(foot.side, (heel, ball), index[foot.thigh])


def _point_of(body: Body, walk: Carried, point: BonePoint, index: dict[str, int], name: str) -> LockPoint:
    joint = index[point.bone]
    if point.end == "HEAD":
        return LockPoint(name, joint, np.zeros(3))
    side = "L" if body.carriers[joint] == JOINTS["Foot_L"] else "R"
    away = rest_orientations()[body.carriers[joint]]
    local = quat.rotate(quat.conjugate(away), _point("toe", side) - _point("foot", side))
    return LockPoint(name, joint, quat.rotate(quat.conjugate(body.turns[joint]), local))
