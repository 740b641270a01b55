"""Drawing a body around a skeleton of any origin, of round cones between its joints that are as thick as a person."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .raster import Cone

Array = NDArray[np.float64]

_PERSON = 1.78
_LEG_SHARE = 0.56
_LEG = ((0.0, 0.083), (0.40, 0.056), (0.50, 0.054), (0.80, 0.037), (0.92, 0.030), (1.0, 0.024))
_ARM = ((0.0, 0.052), (0.40, 0.040), (0.50, 0.039), (0.78, 0.029), (0.85, 0.034), (1.0, 0.022))


@dataclass(frozen=True)
class Build:
    """Which joints of a skeleton are which parts of a body; chains of joints run outwards.

    Parameters
    ----------
    pelvis, chest : joints at which legs and arms branch off.
    spine : chain from pelvis to chest.
    legs, arms : chains from hip joint and collar bone to their ends.
    neck : chain from the neck to the head, or to its top.
    """

    pelvis: int
    chest: int
    spine: tuple[int, ...]
    legs: tuple[tuple[int, ...], ...]
    arms: tuple[tuple[int, ...], ...]
    neck: tuple[int, ...]


def build_of(positions: Array, parents: NDArray[np.intp]) -> Build | None:
    """Find a person's parts in a skeleton; None if it is not built like a person."""
    children = [[c for c in range(len(parents)) if parents[c] == j] for j in range(len(parents))]

    def chain(joint: int) -> tuple[int, ...]:
        found = [joint]
        while len(children[found[-1]]) == 1:
            found.append(children[found[-1]][0])
        return tuple(found)

    def length(joints: tuple[int, ...]) -> float:
        return float(np.sum(np.linalg.norm(np.diff(positions[list(joints)], axis=0), axis=-1)))

    pelvis = chain(int(np.flatnonzero(parents < 0)[0]))[-1]
    branches = [chain(child) for child in children[pelvis]]
    spines = [branch for branch in branches if children[branch[-1]]]
    if len(spines) != 1 or len(branches) < 3:
        return None
    chest = spines[0][-1]
    limbs = sorted((chain(child) for child in children[chest]), key=length)
    if len(limbs) < 3 or any(children[limb[-1]] for limb in limbs):
        return None
    legs = sorted((branch for branch in branches if branch not in spines), key=length)[-2:]
    return Build(pelvis, chest, spines[0], tuple(legs), tuple(limbs[-2:]), limbs[0])


def body_cones(positions: Array, parents: NDArray[np.intp], colour: Array, towards: Array) -> list[Cone]:
    """Return the cones of a body.

    Parameters
    ----------
    positions : (J, 3) in metres, Z up.
    parents : (J,) index of each joint's parent, -1 for none.
    colour : (3,) linear RGB.
    towards : (3,) direction to the viewer: limbs on the far side are drawn a little darker.
    """
    build = build_of(positions, parents)
    if build is None:
        return _sticks(positions, parents, colour)
    leg = max(_length(positions, (build.pelvis, *limb)) for limb in build.legs)
    size = leg / _LEG_SHARE / _PERSON * 0.9
    cones = _trunk(positions, build, size, colour) + _head(positions, build, size, colour)
    legs = [(_to_the_toes(positions[list(leg)], size), _LEG) for leg in build.legs]
    arms = [(_to_the_fingers(positions[list(arm[1:])], size), _ARM) for arm in build.arms]
    for limb, profile in legs + arms:
        far = np.dot(limb[0] - positions[build.pelvis], towards) < 0.0
        cones += _limb(limb, profile, size, colour * (0.80 if far else 1.0))
    return cones


def _length(positions: Array, joints: tuple[int, ...]) -> float:
    return float(np.sum(np.linalg.norm(np.diff(positions[list(joints)], axis=0), axis=-1)))


def _sticks(positions: Array, parents: NDArray[np.intp], colour: Array) -> list[Cone]:
    bones = [(positions[p], positions[j]) for j, p in enumerate(parents) if p >= 0]
    size = float(np.max(np.ptp(positions, axis=0)))
    radii = [np.clip(0.14 * np.linalg.norm(b - a), 0.01 * size, 0.05 * size) for a, b in bones]
    return [Cone(a, b, float(r), 0.8 * float(r), colour) for (a, b), r in zip(bones, radii, strict=True)]


def _to_the_toes(leg: Array, size: float) -> Array:
    """Hip, knee, ankle, ball and tip (5, 3) of a leg; a skeleton may end at the ball."""
    if len(leg) != 4:
        return leg
    way = (leg[-1] - leg[-2]) * np.array([1.0, 1.0, 0.4])
    return np.concatenate([leg, [leg[-1] + 0.065 * size * way / max(float(np.linalg.norm(way)), 1e-9)]])


def _to_the_fingers(arm: Array, size: float) -> Array:
    """Shoulder, elbow, wrist and finger tips (4, 3) of an arm; a skeleton may end at the wrist."""
    if len(arm) != 3:
        return arm
    way = arm[-1] - arm[-2]
    return np.concatenate([arm, [arm[-1] + 0.15 * size * way / max(float(np.linalg.norm(way)), 1e-9)]])


def _limb(points: Array, profile: tuple[tuple[float, float], ...], size: float, colour: Array) -> list[Cone]:
    steps = np.linalg.norm(np.diff(points, axis=0), axis=-1)
    along = np.concatenate([[0.0], np.cumsum(steps)]) / np.sum(steps)
    radii = size * np.interp(along, *np.transpose(profile))
    return [
        Cone(points[i], points[i + 1], float(radii[i]), float(radii[i + 1]), colour) for i in range(len(points) - 1)
    ]


def _trunk(positions: Array, build: Build, size: float, colour: Array) -> list[Cone]:
    hips = positions[[leg[0] for leg in build.legs]]
    shoulders = positions[[arm[1] for arm in build.arms]]
    chest, pelvis = positions[build.chest], positions[build.pelvis]
    neck = positions[build.neck[0]]
    middle = 0.5 * (np.mean(hips, axis=0) + pelvis)
    waist = 0.45 * chest + 0.55 * pelvis if len(build.spine) < 2 else positions[build.spine[-2]] * 0.7 + 0.3 * chest
    ribs_middle = 0.5 * (chest + neck)
    ribs = ribs_middle + 0.42 * (shoulders - np.mean(shoulders, axis=0))
    loins = middle + 0.45 * (hips - np.mean(hips, axis=0)) + 0.35 * (pelvis - middle)
    cones = [Cone(loins[0], loins[1], 0.102 * size, 0.102 * size, colour)]
    cones += [Cone(ribs[0], ribs[1], 0.112 * size, 0.112 * size, colour)]
    for loin, rib, shoulder in zip(loins, ribs, shoulders, strict=True):
        side = waist + 0.42 * (rib - ribs_middle)
        cones.append(Cone(loin, side, 0.098 * size, 0.092 * size, colour))
        cones.append(Cone(side, rib, 0.092 * size, 0.110 * size, colour))
        cones.append(Cone(ribs_middle + 0.55 * (neck - ribs_middle), shoulder, 0.062 * size, 0.054 * size, colour))
    return cones


def _head(positions: Array, build: Build, size: float, colour: Array) -> list[Cone]:
    neck = positions[list(build.neck)]
    has_top = len(neck) > 2 and np.linalg.norm(neck[-1] - neck[-2]) > 0.06 * size
    base = neck[-2] if has_top else neck[-1]
    up = neck[-1] - neck[-2] if has_top or len(neck) > 1 else neck[-1] - positions[build.chest]
    up = up / np.linalg.norm(up)
    across = positions[build.arms[1][1]] - positions[build.arms[0][1]]
    left = across if np.dot(np.cross(across, up), front_of(positions, build)) > 0.0 else -across
    face = np.cross(up, left)
    face = -face / np.linalg.norm(face)
    crown, jaw = base + size * (0.135 * up + 0.005 * face), base + size * (0.055 * up + 0.035 * face)
    nose = crown + size * (-0.040 * up + 0.080 * face)
    return [
        Cone(neck[0] - 0.03 * up, base + 0.02 * size * up, 0.072 * size, 0.050 * size, colour),
        Cone(jaw, crown, 0.062 * size, 0.098 * size, colour),
        Cone(nose, nose + size * (0.022 * face - 0.012 * up), 0.022 * size, 0.016 * size, colour),
    ]


def front_of(positions: Array, build: Build) -> Array:
    """Direction in which the feet point, from the ankles to the ends of the legs, along the floor."""
    ways = [positions[leg[-1]] - positions[leg[min(2, len(leg) - 2)]] for leg in build.legs]
    return np.sum(ways, axis=0) * np.array([1.0, 1.0, 0.0])
