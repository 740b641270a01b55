"""A walk of the biped as a function of mood, slope and turn: examples for a first verb."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import BONES, JOINTS, local_rotations
from .footsteps import FootCurve, Path, foot_turn
from .gait_style import FASTEST_TURN, STEEPEST, Style, style_of
from .generated import Generated, Plant, frame_times
from .upper_body import ANKLE_FROM_BALL, hip_joint, lean_rotation, leg_lengths, place_leg, place_upper_body

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

_SIDES = (("L", 1.0, 0.5), ("R", -1.0, 0.0))
_FRONT = np.array([0.0, -1.0, 0.0])
_HARMONICS = 4
_SAMPLES = 256


@dataclass(frozen=True, eq=False)
class Gait:
    """A walk, cyclic in everything but its travel along the path.

    Parameters
    ----------
    style, path : how it walks and where.
    lean : radians to the left into a turn.
    height : complex amplitudes of the pelvis' height over the floor, one for each harmonic of the cycle.
    """

    style: Style
    path: Path
    lean: float
    height: NDArray[np.complex128]

    def pelvis_height(self, phases: Array) -> Array:
        """Height (T,) of the hip bone over the floor at phases (T,) of the cycle."""
        orders = np.arange(len(self.height))
        return np.real(np.exp(2j * np.pi * phases[:, None] * orders) @ self.height)


def build_gait(mood: float, slope: float, turn: float) -> Gait:
    """Work out a walk: where the feet step, and how high the pelvis may be for the legs to reach them.

    Parameters
    ----------
    mood : from -1, sad, to 1, happy.
    slope : from -1, 12 degrees down, to 1, 12 degrees up.
    turn : from -1, 45 degrees a second to the right, to 1, as much to the left.
    """
    style = style_of(mood, slope, turn)
    path = Path(FASTEST_TURN * turn * style.period / style.stride, float(np.tan(STEEPEST * slope)))
    speed = style.stride / style.period
    lean = float(np.arctan(1.7 * FASTEST_TURN * turn * speed / 9.81))
    gait = Gait(style, path, lean, np.zeros(1, dtype=np.complex128))
    phases = np.arange(_SAMPLES) / _SAMPLES
    room = _room_above(gait, phases)
    amplitudes = np.fft.rfft(room)[: _HARMONICS + 1] / _SAMPLES
    amplitudes[1:] *= 2.0 * style.bounce
    height = Gait(style, path, lean, amplitudes).pelvis_height(phases)
    amplitudes[0] -= np.max(height - room) + style.crouch
    return Gait(style, path, lean, amplitudes)


def _room_above(gait: Gait, phases: Array) -> Array:
    """Height (T,) over the floor up to which the pelvis may rise for both legs to reach their feet."""
    pelvis, turns = _pelvis(gait, phases)
    room = np.full(len(phases), np.inf)
    for side, left, shift in _SIDES:
        ankle = _feet(gait, phases, left, shift)[0]
        hip = hip_joint(pelvis, turns, side)
        away = np.sum((ankle - hip)[:, :2] ** 2, axis=-1)
        reach = gait.style.reach * sum(leg_lengths())
        room = np.minimum(room, ankle[:, 2] + np.sqrt(reach**2 - away) - hip[:, 2])
    return room


def _pelvis(gait: Gait, phases: Array) -> tuple[Array, Array]:
    """Position (T, 3) of the hip bone, its height counted by `gait`, and how it is turned from rest (T, 4)."""
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


def _feet(gait: Gait, phases: Array, left: float, shift: float) -> tuple[Array, Array, Array, Array]:
    """Ankle (T, 3), turns from rest (T, 4) of foot and toes, and heading (T,) of one foot, at any phases (T,)."""
    style, path = gait.style, gait.path
    own = phases - shift
    cycle = np.floor(own)
    state = FootCurve(style, path, left).at(own - cycle)
    plant = style.stride * (cycle + shift + style.under) + ANKLE_FROM_BALL[1]
    course = state[:, :3].copy()
    course[:, 0] += plant
    heading = path.curvature * plant + state[:, 3]
    foot, toes = (foot_turn(heading, state[:, column], path.grade) for column in (4, 5))
    ankle = path.place(course) + quat.rotate(foot, ANKLE_FROM_BALL)
    return ankle, foot, toes, heading


def walk_pose(gait: Gait, phases: Array) -> tuple[Array, Array]:
    """Pose of the biped at phases (T,) of the cycle, which go on beyond [0, 1).

    Returns
    -------
    rotations : (T, J, 4) rotation of each joint from its rest, the root's absolute.
    root : (T, 3) position of the root; at phase 0 the path begins below it.
    """
    pelvis, hips = _pelvis(gait, phases)
    turns = np.tile(quat.IDENTITY, (len(phases), len(BONES), 1))
    turns[:, JOINTS["Hips"]] = hips
    heading = gait.path.curvature * gait.style.stride * phases
    place_upper_body(turns, gait.style, 2.0 * np.pi * phases, heading, gait.lean)
    for side, left, shift in _SIDES:
        ankle, foot, toes, foot_heading = _feet(gait, phases, left, shift)
        forward = quat.rotate(quat.from_yaw(0.5 * (heading + foot_heading)), _FRONT)
        place_leg(turns, side, pelvis, ankle, foot, toes, forward)
    return local_rotations(turns), pelvis


def walk_keytimes(style: Style) -> Array:
    """Seconds (5,) of `KEYTIME_NAMES` in a walk of `style`."""
    return style.period * np.array([0.0, style.duty - 0.5, 0.5, style.duty, 1.0])


def walk(mood: float = 0.0, slope: float = 0.0, turn: float = 0.0, rate: float = 30.0, margin: int = 4) -> Generated:
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
    style = gait.style
    times = frame_times(style.period, rate, margin)
    rotations, root = walk_pose(gait, times / style.period)
    plants = tuple(
        Plant(f"Toes_{side}", "HEAD", ((style.period * (shift + style.flat), style.period * (shift + style.duty)),))
        for side, _, shift in _SIDES
    )
    words = _words(mood, ("sad", "happy")) + _words(slope, ("downhill", "uphill")) + _words(turn, ("right", "left"))
    return Generated(
        name="Walk " + (" ".join(words) or "plain"),
        adverbs={"mood": mood, "slope": slope, "turn": turn},
        times=times,
        rotations=rotations,
        root=root,
        keytime_names=KEYTIME_NAMES,
        keytimes=walk_keytimes(style),
        plants=plants,
        kind="travelling",
        cyclic=True,
    )


def _words(value: float, ends: tuple[str, str]) -> list[str]:
    if value == 0.0:
        return []
    word = ends[1] if value > 0.0 else ends[0]
    return [word if abs(value) == 1.0 else f"{word} {abs(value):g}"]
