"""Generation of a walk of the biped for any mood, slope and turn, as examples of a first verb."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import (
    ANKLE_FROM_BALL,
    BALL_HEIGHT,
    BONES,
    JOINTS,
    MARGIN,
    Generated,
    Plant,
    ease,
    foot_turn,
    frame_times,
    heel,
    hip_joint,
    lean_rotation,
    leg_lengths,
    local_rotations,
    place_leg,
    place_upper_body,
    quintic,
    rest_point,
)
from .walk_style import FASTEST_TURN, STEEPEST, Style, style_of

Array = NDArray[np.float64]

KEYTIME_NAMES = ("R_down", "L_up", "L_down", "R_up", "R_down")
WALK_ADVERBS: dict[str, tuple[str, str]] = {
    "mood": ("sad", "happy"),
    "slope": ("downhill", "uphill"),
    "turn": ("right", "left"),
}
WALK_EXAMPLES: tuple[tuple[float, float, float], ...] = (
    (0, 0, 0), (-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1),
    (-1, -1, 0), (-1, 1, 0), (1, -1, 0), (1, 1, 0), (-1, 0, -1), (-1, 0, 1), (1, 0, -1), (1, 0, 1),
)  # fmt: skip

_FRONT = np.array([0.0, -1.0, 0.0])
_HARMONICS = 4
_SAMPLES = 256
_BALL_FROM_HEEL = np.array([0.0, *(rest_point("Toes_L") - heel("L"))[1:]])
_SMALL = 1e-4
_LURCHED = 0.24


@dataclass(frozen=True)
class Path:
    """The path of the body: a circular arc with a constant grade, which begins at the origin.

    Parameters
    ----------
    curvature : turn in radians a metre, positive to the left.
    grade : rise in metres a metre.
    """

    curvature: float
    grade: float

    def place(self, course: Array) -> Array:
        """Return the points (T, 3) at courses (T, 3): metres along the path, to its left, and above its floor."""
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
        """Return the courses (T, 3) of points (T, 3) within half a circle of the path: the inverse of `place`."""
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
    """Motion of one foot over its own cycle, which begins with its heel strike.

    Parameters
    ----------
    style : style of the walk.
    path : path of the body.
    left : 1 for the left foot, -1 for the right one.
    """

    style: Style
    path: Path
    left: float

    def at(self, phases: Array) -> Array:
        """Return the state (T, 6) of the foot at phases (T,) in [0, 1).

        The columns are the course of the ball of the foot from where it is planted (3), its heading, and the pitch of
        foot and toes relative to the floor, positive with the heel up. Angles are in radians.
        """
        style = self.style
        swing = (phases - style.duty) / (1.0 - style.duty)
        return np.where((swing < 0.0)[:, None], self._stance(phases), self._swing(np.clip(swing, 0.0, 1.0)))

    def _stance(self, phases: Array) -> Array:
        """Return the state during stance: the foot rolls over its heel, lies flat, and rolls over its ball."""
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
        """Return the state at `u` in [0, 1] of the swing, from toe-off to strike: quintics between the two contacts."""
        style = self.style
        span = 1.0 - style.duty
        ends = np.array([style.duty - _SMALL, style.duty, 0.0, _SMALL])
        leaving, left, down, coming = self._stance(ends)
        stride = np.array([style.stride, 0.0, 0.0, self.path.curvature * style.stride, 0.0, 0.0])
        start_speed, end_speed = (left - leaving) * span / _SMALL, (coming - down) * span / _SMALL
        push = np.zeros(6)
        push[0] = 3.5 * style.stride
        state = quintic(u, left, start_speed, push, down + stride, end_speed, -push)
        state[:, 2] += 64.0 * style.clearance * (u * (1.0 - u)) ** 3 + 30.0 * style.lift * u**3 * (1.0 - u) ** 4
        state[:, 5] = state[:, 4] * ease(u / 0.75)
        return state


@dataclass(frozen=True)
class Step:
    """One foot of a gait: its side (1 or -1 for left or right), the phase of its heel strike, and its style."""

    side: str
    left: float
    shift: float
    style: Style


def even_steps(style: Style) -> tuple[Step, ...]:
    """Return the steps of a gait with symmetric feet, half a cycle apart."""
    return tuple(Step(side, left, shift, style) for side, left, shift in (("L", 1.0, 0.5), ("R", -1.0, 0.0)))


@dataclass(frozen=True, eq=False)
class Gait:
    """A walk with all precomputed data for its poses.

    Parameters
    ----------
    style : manner of walking.
    path : path of the body.
    lean : lean to the left, into a turn, in radians.
    height : complex amplitudes of the pelvis' height over the floor, one for each harmonic of the cycle.
    steps : the feet.
    lurch : radians by which the body above the hips leans over the right foot during its support.
    """

    style: Style
    path: Path
    lean: float
    height: NDArray[np.complex128]
    steps: tuple[Step, ...]
    lurch: float = 0.0

    def pelvis_height(self, phases: Array) -> Array:
        """Return the height (T,) of the hip bone over the floor at phases (T,) of the cycle."""
        orders = np.arange(len(self.height))
        return np.real(np.exp(2j * np.pi * phases[:, None] * orders) @ self.height)


def build_gait(mood: float, slope: float, turn: float) -> Gait:
    """Return a walk: its path, and the heights of the pelvis at which the legs reach the feet.

    Parameters
    ----------
    mood : from -1, sad, to 1, happy.
    slope : from -1, 12 degrees down, to 1, 12 degrees up.
    turn : from -1, 45 degrees a second to the right, to 1, as much to the left.
    """
    style = style_of(mood, slope, turn)
    path = Path(FASTEST_TURN * turn * style.period / style.stride, float(np.tan(STEEPEST * slope)))
    return fitted_gait(style, path, FASTEST_TURN * turn, even_steps(style))


def fitted_gait(
    style: Style, path: Path, rate: float, steps: tuple[Step, ...], rises: tuple[complex, ...] = ()
) -> Gait:
    """Return a gait with heights of the pelvis at which the legs reach the feet.

    Parameters
    ----------
    style : manner of walking.
    path : path of the body.
    rate : turn to the left in radians a second, into which the body leans.
    steps : the feet.
    rises : complex amplitudes of an additional rise and fall, once per cycle, twice and so on.
    """
    lean = float(np.arctan(1.7 * rate * style.stride / style.period / 9.81))
    gait = Gait(style, path, lean, np.zeros(1, dtype=np.complex128), steps)
    phases = np.arange(_SAMPLES) / _SAMPLES
    room = _room_above(gait, phases)
    amplitudes = np.fft.rfft(room)[: _HARMONICS + 1] / _SAMPLES
    amplitudes[1:] *= 2.0 * style.bounce
    amplitudes[1 : 1 + len(rises)] += rises
    height = replace(gait, height=amplitudes).pelvis_height(phases)
    amplitudes[0] -= np.max(height - room) + style.crouch
    return replace(gait, height=amplitudes)


def _room_above(gait: Gait, phases: Array) -> Array:
    """Return the largest height (T,) of the pelvis over the floor at which both legs reach their feet."""
    pelvis, turns = _pelvis(gait, phases)
    room = np.full(len(phases), np.inf)
    for step in gait.steps:
        ankle = _feet(gait, phases, step)[0]
        hip = hip_joint(pelvis, turns, step.side)
        away = np.sum((ankle - hip)[:, :2] ** 2, axis=-1)
        reach = gait.style.reach * sum(leg_lengths())
        room = np.minimum(room, ankle[:, 2] + np.sqrt(reach**2 - away) - hip[:, 2])
    return room


def _pelvis(gait: Gait, phases: Array) -> tuple[Array, Array]:
    """Return positions (T, 3) and rotations from rest (T, 4) of the hip bone."""
    style, cycle = gait.style, 2.0 * np.pi * phases
    along = style.stride * phases
    left = style.sway * -np.cos(cycle - 2.0 * np.pi * 0.5 * style.duty)
    course = np.stack([along, left, gait.pelvis_height(phases)], axis=-1)
    turns = lean_rotation(
        gait.path.curvature * along + np.radians(style.pelvis_yaw) * np.cos(cycle),
        0.5 * gait.lean + np.radians(style.pelvis_list) * np.cos(cycle - 2.0 * np.pi * 0.19),
        np.full_like(phases, np.radians(style.pelvis_pitch)),
    )
    return gait.path.place(course), turns


def _feet(gait: Gait, phases: Array, step: Step) -> tuple[Array, Array, Array, Array]:
    """Return ankle (T, 3), rotations from rest (T, 4) of foot and toes, and heading (T,) of one foot at phases (T,)."""
    style, path = step.style, gait.path
    own = phases - step.shift
    cycle = np.floor(own)
    state = FootCurve(style, path, step.left).at(own - cycle)
    plant = style.stride * (cycle + step.shift + style.under) + ANKLE_FROM_BALL[1]
    course = state[:, :3].copy()
    course[:, 0] += plant
    heading = path.curvature * plant + state[:, 3]
    foot, toes = (foot_turn(heading, state[:, column], path.grade) for column in (4, 5))
    ankle = path.place(course) + quat.rotate(foot, ANKLE_FROM_BALL)
    return ankle, foot, toes, heading


def walk_pose(gait: Gait, phases: Array) -> tuple[Array, Array]:
    """Return the pose of the biped at phases (T,) of the cycle, beyond [0, 1) with continued travel.

    Returns
    -------
    rotations : (T, J, 4) rotation of each joint from rest, the root's absolute.
    root : (T, 3) position of the root; the path begins below its position at phase 0.
    """
    pelvis, hips = _pelvis(gait, phases)
    turns = np.tile(quat.IDENTITY, (len(phases), len(BONES), 1))
    turns[:, JOINTS["Hips"]] = hips
    heading = gait.path.curvature * gait.style.stride * phases
    place_upper_body(turns, gait.style, 2.0 * np.pi * phases, heading, gait.lean)
    if gait.lurch:
        _lurch(turns, heading, gait.lurch * np.cos(2.0 * np.pi * (phases - _LURCHED)))
    for step in gait.steps:
        ankle, foot, toes, foot_heading = _feet(gait, phases, step)
        forward = quat.rotate(quat.from_yaw(0.5 * (heading + foot_heading)), _FRONT)
        place_leg(turns, step.side, pelvis, ankle, foot, toes, forward)
    return local_rotations(turns), pelvis


def _lurch(turns: Array, heading: Array, right: Array) -> None:
    """Lean all bones above the hips in `turns` (T, J, 4) to the right by radians (T,), spine and head less."""
    facing = quat.from_yaw(heading)
    for bone, joint in JOINTS.items():
        if bone == "Hips" or "Leg" in bone or "Foot" in bone or "Toes" in bone:
            continue
        share = {"Spine": 0.5, "Neck": 0.7, "Head": 0.35}.get(bone, 1.0)
        axis = quat.rotate(facing, np.array([0.0, -1.0, 0.0]))
        turns[:, joint] = quat.multiply(quat.exp((share * right)[:, None] * axis), turns[:, joint])


def walk_keytimes(style: Style) -> Array:
    """Return the seconds (5,) of `KEYTIME_NAMES` in a walk of `style`."""
    return style.period * np.array([0.0, style.duty - 0.5, 0.5, style.duty, 1.0])


def cycle_of(
    name: str,
    adverbs: dict[str, float],
    gait: Gait,
    keytime_names: tuple[str, ...],
    keytimes: Array,
    rate: float,
    margin: int = MARGIN,
) -> Generated:
    """Return a cycle of a gait, whose keytimes are given in seconds (M,)."""
    period = gait.style.period
    times = frame_times(period, rate, margin)
    rotations, root = walk_pose(gait, times / period)
    plants = tuple(
        Plant(f"Toes_{s.side}", "HEAD", ((period * (s.shift + s.style.flat), period * (s.shift + s.style.duty)),))
        for s in gait.steps
    )
    return Generated(name, adverbs, times, rotations, root, keytime_names, keytimes, plants, "travelling", cyclic=True)


def walk(
    mood: float = 0.0, slope: float = 0.0, turn: float = 0.0, rate: float = 30.0, margin: int = MARGIN
) -> Generated:
    """Generate one cycle of a walk.

    Parameters
    ----------
    mood : from -1, sad, to 1, happy.
    slope : from -1, 12 degrees down, to 1, 12 degrees up.
    turn : from -1, 45 degrees a second to the right, to 1, as much to the left.
    rate : frames a second.
    margin : frames before and after the cycle.
    """
    gait = build_gait(mood, slope, turn)
    places = (mood, slope, turn)
    words = [word for place, ends in zip(places, WALK_ADVERBS.values(), strict=True) for word in _words(place, ends)]
    name, adverbs = "Walk " + (" ".join(words) or "plain"), dict(zip(WALK_ADVERBS, places, strict=True))
    return cycle_of(name, adverbs, gait, KEYTIME_NAMES, walk_keytimes(gait.style), rate, margin)


def _words(value: float, ends: tuple[str, str]) -> list[str]:
    if value == 0.0:
        return []
    word = ends[1] if value > 0.0 else ends[0]
    return [word if abs(value) == 1.0 else f"{word} {abs(value):g}"]
