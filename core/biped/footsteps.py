"""Feet of the generated walk: plants that stand still on a sloped, winding path, and swings between them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import BALL_HEIGHT, heel, rest_point
from .gait_style import Style
from .generated import ease

Array = NDArray[np.float64]

_BALL_FROM_HEEL = np.array([0.0, *(rest_point("Toes_L") - heel("L"))[1:]])
_SMALL = 1e-4


@dataclass(frozen=True)
class Path:
    """The line along which the body travels: an arc of a circle that climbs, seen from its start at the origin.

    Parameters
    ----------
    curvature : radians a metre, positive to the left.
    grade : metres of rise a metre.
    """

    curvature: float
    grade: float

    def place(self, course: Array) -> Array:
        """Points (T, 3) of courses (T, 3): metres along the path, to its left, and above its floor."""
        along, left, height = np.moveaxis(course, -1, 0)
        heading = self.curvature * along
        half = 0.5 * heading
        chord = along * np.asarray(np.sinc(half / np.pi), dtype=np.float64)
        return np.stack(
            [
                chord * np.sin(half) + left * np.cos(heading),
                -chord * np.cos(half) + left * np.sin(heading),
                self.grade * along + height,
            ],
            axis=-1,
        )

    def course(self, points: Array) -> Array:
        """Courses (T, 3) of points (T, 3) less than half a circle along the path: the inverse of `place`."""
        x, y, z = np.moveaxis(points, -1, 0)
        if abs(self.curvature) < 1e-9:
            along, left = -y, x
        else:
            radius = 1.0 / self.curvature
            sign = np.sign(self.curvature)
            along = np.arctan2(-y * sign, (radius - x) * sign) * radius
            left = radius - sign * np.hypot(radius - x, y)
        return np.stack([along, left, z - self.grade * along], axis=-1)


@dataclass(frozen=True, eq=False)
class FootCurve:
    """One foot's motion over its own cycle, which begins as its heel comes down.

    Parameters
    ----------
    style, path : of the walk.
    left : 1 for the left foot, -1 for the right one.
    """

    style: Style
    path: Path
    left: float

    def at(self, phases: Array) -> Array:
        """State (T, 6) at phases (T,) in [0, 1).

        Columns: course of the ball of the foot from where it is planted (3); heading; pitch of the foot and of its toes
        against the floor, positive with the heel up; angles in radians.
        """
        style = self.style
        swing = (phases - style.duty) / (1.0 - style.duty)
        return np.where((swing < 0.0)[:, None], self._stance(phases), self._swing(np.clip(swing, 0.0, 1.0)))

    def _stance(self, phases: Array) -> Array:
        """State while the foot is down: over its heel, flat, over its ball."""
        style = self.style
        rocking = 1.0 - np.clip(phases / style.flat, None, 1.0)
        pushing = np.clip((phases - style.heel_off) / (style.duty - style.heel_off), 0.0, None)
        pitch = np.radians(style.push) * pushing**2.2 - np.radians(style.strike) * rocking**2
        heading = np.full_like(phases, self.left * np.radians(style.toe_out))
        course = np.zeros((len(phases), 3))
        course[:, 1] = self.left * style.half_width
        course[:, 2] = BALL_HEIGHT
        ball = self.path.place(course)
        flat = foot_turn(heading, np.zeros_like(pitch), self.path.grade)
        tipped = foot_turn(heading, np.minimum(pitch, 0.0), self.path.grade)
        ball += quat.rotate(tipped, _BALL_FROM_HEEL) - quat.rotate(flat, _BALL_FROM_HEEL)
        toes = np.minimum(pitch, 0.0)
        return np.concatenate([self.path.course(ball), np.stack([heading, pitch, toes], axis=-1)], axis=-1)

    def _swing(self, u: Array) -> Array:
        """State at `u` in [0, 1] between the toes' leaving and the heel's landing: quintics that fit both plants."""
        style = self.style
        span = 1.0 - style.duty
        ends = np.array([style.duty - _SMALL, style.duty, 0.0, _SMALL])
        leaving, left, down, coming = self._stance(ends)
        stride = np.array([style.stride, 0.0, 0.0, self.path.curvature * style.stride, 0.0, 0.0])
        start_speed, end_speed = (left - leaving) * span / _SMALL, (coming - down) * span / _SMALL
        push = np.zeros(6)
        push[0] = 3.5 * style.stride
        state = _quintic(u, left, start_speed, push, down + stride, end_speed, -push)
        state[:, 2] += 64.0 * style.clearance * (u * (1.0 - u)) ** 3 + 30.0 * style.lift * u**3 * (1.0 - u) ** 4
        state[:, 5] = state[:, 4] * ease(u / 0.75)
        return state


def foot_turn(heading: Array, pitch: Array, grade: float) -> Array:
    """Rotation (T, 4) from rest of a foot by a heading (T,) and a pitch (T,) against a floor that rises by `grade`."""
    tilt = np.stack([pitch - np.arctan(grade), np.zeros_like(pitch), np.zeros_like(pitch)], axis=-1)
    return quat.multiply(quat.from_yaw(heading), quat.exp(tilt))


def _quintic(u: Array, p0: Array, v0: Array, a0: Array, p1: Array, v1: Array, a1: Array) -> Array:
    """Curve (T, C) at `u` (T,) in [0, 1] with positions, speeds and accelerations (C,) given at both ends."""
    t = u[:, None]
    rest = p1 - p0 - v0 - 0.5 * a0
    speed, bend = v1 - v0 - a0, a1 - a0
    c3 = 10.0 * rest - 4.0 * speed + 0.5 * bend
    c4 = -15.0 * rest + 7.0 * speed - bend
    c5 = 6.0 * rest - 3.0 * speed + 0.5 * bend
    return p0 + t * (v0 + t * (0.5 * a0 + t * (c3 + t * (c4 + t * c5))))
