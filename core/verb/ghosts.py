"""Ghosts: stick figures of a verb at several places of its adverb space, computed together."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels, world_frames
from .verb import Verb

Array = NDArray[np.float64]

WAIST, THICK = 0.18, 0.14
"""Position along a bone where its stick is thickest, and half its thickness there, as shares of the bone's length."""
FACES = np.array(
    [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1), (5, 2, 1), (5, 3, 2), (5, 4, 3), (5, 1, 4)], dtype=np.intp
)
"""Triangles (8, 3) of a stick's corners: its head, the four of its waist, and its tail."""


@dataclass(frozen=True, eq=False)
class Sticks:
    """The bones of a figure as sticks.

    Parameters
    ----------
    joints : (B,) joints whose bones are drawn: animated ones whose bones have a length.
    corners : (B, 6, 3) corners of each stick in the joint's frame, performance units.
    """

    joints: NDArray[np.intp]
    corners: Array


def sticks_of(channels: Channels) -> Sticks:
    """Return the sticks of the bones that `channels` animate."""
    moved = {*channels.rotating.tolist(), *(scalar.joint for scalar in channels.scalars)}
    tails = channels.skeleton.tails
    joints = np.array([j for j in sorted(moved) if np.linalg.norm(tails[j]) > 0.0], dtype=np.intp)
    along: Array = tails[joints]
    length: Array = np.linalg.norm(along, axis=1)[:, None]
    least: Array = np.eye(3)[np.abs(along).argmin(axis=1)] if len(joints) else np.zeros((0, 3))
    level: Array = np.cross(along, least)
    one: Array = level * (THICK * length / np.linalg.norm(level, axis=1)[:, None])
    turned: Array = np.cross(along, one)
    other: Array = turned / length
    waist = WAIST * along
    corners: list[Array] = [np.zeros_like(along), waist + one, waist + other, waist - one, waist - other, along]
    return Sticks(joints, np.stack(corners, axis=1))


def ghost_rows(verb: Verb, places: Array, phases: Array) -> Array:
    """Return rows (P, width) of a verb at `places` (P, D) of its adverb space and generic times `phases` (P,).

    Their travel is 0, so that all figures are at the same place.
    """
    return verb.sample_phases(phases, verb.mixing(places))


def ghost_corners(channels: Channels, sticks: Sticks, rows: Array) -> tuple[Array, Array]:
    """Return the geometry of the figures whose poses are the `rows` (P, width).

    Returns
    -------
    corners : (P, B, 6, 3) corners of their sticks in performance space.
    roots : (P, 7) position and orientation of their roots.
    """
    positions, orientations = world_frames(channels, rows)
    turned = quat.rotate(orientations[:, sticks.joints, None], sticks.corners)
    roots = np.concatenate([positions[:, 0], orientations[:, 0]], axis=1)
    return positions[:, sticks.joints, None] + turned, roots
