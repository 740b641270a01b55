"""More gaits: a walk with an injured right leg, a run, a turn on the spot and a side step."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from .figure import Generated
from .key_poses import STANDING, Tracks, hips_at, keyed_motion, step, trunk
from .walk import KEYTIME_NAMES, Gait, Path, Step, cycle_of, even_steps, fitted_gait
from .walk_style import FASTEST_TURN, NEUTRAL

Array = NDArray[np.float64]

STEP_KEYTIMES: tuple[str, ...] = ("start", "apart", "together", "end")
TURN_EXAMPLES: tuple[tuple[float], ...] = ((30.0,), (60.0,), (90.0,))
"""Degrees of the turns on the spot."""
SIDE_STEP_EXAMPLES: tuple[tuple[float], ...] = ((0.2,), (0.35,), (0.5,))
"""Metres of the side steps."""
INJURED_ADVERBS: tuple[str, ...] = ("speed", "turn", "limp")
INJURED_RANGES = np.array([[-1.0, 1.0], [-1.0, 1.0], [0.0, 1.0]])
"""Ranges of the injured walk: from slow to brisk, from right to left, and from sound to lame."""
INJURED_EXAMPLES: tuple[tuple[float, float, float], ...] = (
    (0.0, 0.0, 0.5),
    *((speed, turn, limp) for speed in (-1.0, 1.0) for turn in (-1.0, 1.0) for limp in (0.0, 1.0)),
)
RUN_KEYTIMES: tuple[str, ...] = ("R_down", "R_up", "L_down", "L_up", "R_down")
RUN_EXAMPLES: tuple[tuple[float], ...] = ((0.0,), (-1.0,), (1.0,))
_TURN_RUNNING, _LEANS = np.radians(50.0), 0.5
_DIP, _BOUND = 0.022, 0.035
_RUN = replace(
    NEUTRAL,
    period=0.72, stride=2.05, duty=0.36, flat=0.05, heel_off=0.17, under=0.15, half_width=0.045, toe_out=5.0,
    strike=8.0, push=58.0, clearance=0.10, lift=0.44, reach=0.985, crouch=0.0, bounce=0.0,
    sway=0.008, pelvis_yaw=9.0, pelvis_list=4.0, pelvis_pitch=9.0,
    spine=9.0, chest=13.0, neck=16.0, head=3.0, nod=1.5, chest_yaw=13.0, chest_list=1.5,
    arm_spread=14.0, arm_offset=-14.0, arm_swing=36.0, elbow=86.0, elbow_swing=14.0, wrist=6.0,
)  # fmt: skip


def injured_walk(speed: float, turn: float, limp: float, rate: float = 30.0) -> Generated:
    """Generate one cycle of a walk that spares the right leg.

    Its stance on that leg is short and stiff, the sound foot comes down early, and the body leans over.

    Parameters
    ----------
    speed : from -1, slow, to 1, brisk.
    turn : from -1, 45 degrees a second to the right, to 1, as much to the left.
    limp : from 0, sound, to 1, lame.
    rate : frames a second.
    """
    gait = injured_gait(speed, turn, limp)
    left, right = gait.steps
    seconds = [0.0, left.shift + left.style.duty - 1.0, left.shift, right.style.duty, 1.0]
    name = f"Injured walk speed {speed:g} turn {turn:g} limp {limp:g}"
    adverbs = dict(zip(INJURED_ADVERBS, (speed, turn, limp), strict=True))
    return cycle_of(name, adverbs, gait, KEYTIME_NAMES, gait.style.period * np.array(seconds), rate)


def injured_gait(speed: float, turn: float, limp: float) -> Gait:
    """Return the gait of an injured walk; see `injured_walk`."""
    bend = abs(turn)
    style = replace(
        NEUTRAL,
        period=1.16 * (1.0 - 0.14 * speed + 0.14 * limp) * (1.0 + 0.04 * bend),
        stride=1.14 * (1.0 + 0.24 * speed - 0.26 * limp) * (1.0 - 0.12 * bend),
        pelvis_pitch=NEUTRAL.pelvis_pitch + 4.0 * limp,
        chest=NEUTRAL.chest + 2.0 * speed + 8.0 * limp,
        spine=NEUTRAL.spine + 5.0 * limp,
        neck=NEUTRAL.neck + 10.0 * limp,
        head=NEUTRAL.head + 9.0 * limp,
        nod=NEUTRAL.nod + 1.0 * limp,
        arm_swing=NEUTRAL.arm_swing * (1.0 + 0.3 * speed) * (1.0 - 0.45 * limp),
        elbow=NEUTRAL.elbow + 6.0 * speed + 16.0 * limp,
        arm_spread=NEUTRAL.arm_spread + 7.0 * limp,
        sway=NEUTRAL.sway * (1.0 - 0.3 * bend + 0.5 * limp),
        half_width=NEUTRAL.half_width + 0.02 * limp,
    )
    push = NEUTRAL.push * (1.0 + 0.12 * speed)
    sound = replace(style, duty=0.62 + 0.07 * limp, push=push * (1.0 - 0.15 * limp), strike=20.0 - 6.0 * limp)
    lame = replace(
        style,
        duty=0.62 - 0.09 * limp,
        push=push * (1.0 - 0.55 * limp),
        strike=20.0 - 15.0 * limp,
        flat=0.08 - 0.03 * limp,
        under=style.under - 0.05 * limp,
        lift=style.lift * (1.0 - limp),
        toe_out=style.toe_out + 9.0 * limp,
    )
    steps = (Step("L", 1.0, 0.5 - 0.08 * limp, sound), Step("R", -1.0, 0.0, lame))
    path = Path(FASTEST_TURN * turn * style.period / style.stride, 0.0)
    dip = -_DIP * limp * np.exp(-2j * np.pi * 0.27)
    gait = fitted_gait(style, path, FASTEST_TURN * turn, steps, (complex(dip),))
    return replace(gait, lurch=np.radians(8.0) * limp)


def run(turn: float = 0.0, rate: float = 30.0) -> Generated:
    """Generate one cycle of a run.

    Parameters
    ----------
    turn : from -1, 50 degrees a second to the right, to 1, as much to the left.
    rate : frames a second.
    """
    gait = run_gait(turn)
    style = gait.style
    keytimes = style.period * np.array([0.0, style.duty, 0.5, 0.5 + style.duty, 1.0])
    return cycle_of(f"Run turn {turn:g}", {"turn": turn}, gait, RUN_KEYTIMES, keytimes, rate)


def run_gait(turn: float) -> Gait:
    """Return the gait of a run: the body is lowest in support, and highest in flight."""
    style = replace(_RUN, stride=_RUN.stride * (1.0 - 0.1 * abs(turn)))
    path = Path(_TURN_RUNNING * turn * style.period / style.stride, 0.0)
    lowest = 2.0 * np.pi * style.duty
    bound = -_BOUND * np.exp(-1j * lowest)
    return fitted_gait(style, path, _LEANS * _TURN_RUNNING * turn, even_steps(style), (0.0, complex(bound)))


def turn_in_place(degrees: float, side: str = "L", rate: float = 30.0) -> Generated:
    """Generate a turn on the spot: the foot of that side opens, the other one follows; the head goes first.

    Parameters
    ----------
    degrees : angle of the turn.
    side : direction of the turn, ``'L'`` or ``'R'``.
    rate : frames a second.
    """
    way = 1.0 if side == "L" else -1.0
    angle = way * degrees
    size = degrees / 90.0
    instants = _step_instants(0.50 + 0.10 * size)
    turned = {name: _turned_foot(STANDING[f"foot_{name}"], angle) for name in ("L", "R")}
    tracks = _stepping(instants, side, turned)
    start, apart, together, end = instants.values()
    first, (second_x, second_y) = 0.55 * float(STANDING[f"foot_{_other(side)}"][0]), (0.7 * turned[side][:2]).tolist()
    places = [hips_at(), hips_at(first, 0.0, -0.026), hips_at(second_x, second_y, -0.030), hips_at(), hips_at()]
    moments = [start, 0.55 * apart, 0.5 * (apart + together), together + 0.12, end]
    tracks["pelvis"] = list(zip(moments, places, strict=True))
    for part, early, forward in (("hips", 0.0, 1.2), ("chest", 0.08, 2.0), ("head", 0.22, 3.4)):
        middle = trunk(0.5 * angle, -way * 1.5, forward + 1.0)
        keys = [(0.04, trunk(0.0, 0.0, forward)), (apart - early, middle)]
        keys += [(together - 1.3 * early + 0.12, trunk(angle, 0.0, forward)), (end, trunk(angle, 0.0, forward))]
        tracks[part] = keys
    name = f"Turn {'left' if side == 'L' else 'right'} {degrees:g}"
    return keyed_motion(name, {"turn_angle": degrees}, tracks, instants, rate, kind="travelling")


def side_step(metres: float, side: str = "L", rate: float = 30.0) -> Generated:
    """Generate a step aside: the foot of that side goes, the body over it, and the other foot comes after.

    Parameters
    ----------
    metres : length of the step.
    side : side of the step, ``'L'`` or ``'R'``.
    rate : frames a second.
    """
    way = 1.0 if side == "L" else -1.0
    far = way * metres
    instants = _step_instants(0.44 + 0.18 * metres)
    gone = {name: STANDING[f"foot_{name}"] + np.array([far, *np.zeros(6)]) for name in ("L", "R")}
    tracks = _stepping(instants, side, gone)
    start, apart, together, end = instants.values()
    first, lands, low = -way * 0.045, 0.45 * far, -0.024 - 0.09 * metres
    tracks["pelvis"] = [
        (start, hips_at()), (0.40 * apart, hips_at(first, 0.0, -0.034)), (apart, hips_at(lands, -0.005, low - 0.01)),
        (0.55 * together + 0.45 * apart, hips_at(far + way * 0.055, 0.0, low)),
        (together + 0.16, hips_at(far - way * 0.012, 0.0, 0.5 * low - 0.012)), (end, hips_at(far)),
    ]  # fmt: skip
    lean = 2.0 + 5.0 * metres
    for part, share, forward in (("hips", 0.4, 1.2), ("chest", 1.0, 2.0), ("head", 0.5, 3.4)):
        tracks[part] = [
            (start, trunk(forward=forward)), (0.45 * apart, trunk(0.0, share * way * lean, forward + 1.0)),
            (0.5 * (apart + together), trunk(0.0, -0.8 * share * way * lean, forward + 1.5)),
            (together + 0.1, trunk(0.0, 0.3 * share * way * lean, forward)), (end, trunk(forward=forward)),
        ]  # fmt: skip
    name = f"Side step {'left' if side == 'L' else 'right'} {metres:g}"
    return keyed_motion(name, {"step_size": metres}, tracks, instants, rate, kind="travelling")


def _step_instants(seconds: float) -> dict[str, float]:
    """Return the keytimes of two steps of the given seconds each; the second one begins sooner."""
    return dict(zip(STEP_KEYTIMES, (0.0, seconds + 0.1, 1.9 * seconds + 0.12, 1.9 * seconds + 0.55), strict=True))


def _stepping(instants: dict[str, float], side: str, there: dict[str, Array]) -> Tracks:
    """Return tracks in which the foot of `side` and then the other one step to their keys; all else keeps standing."""
    _, apart, together, end = instants.values()
    other = _other(side)
    tracks: Tracks = {part: [(0.0, key), (end, key)] for part, key in STANDING.items()}
    tracks[f"foot_{side}"] = step((0.16, STANDING[f"foot_{side}"]), (apart, there[side]), 0.06)
    tracks[f"foot_{other}"] = step((apart + 0.10, STANDING[f"foot_{other}"]), (together, there[other]), 0.06)
    return tracks


def _other(side: str) -> str:
    return "R" if side == "L" else "L"


def _turned_foot(key: Array, degrees: float) -> Array:
    """Return the key (7,) of a foot rotated about the centre of the figure."""
    turned = key.copy()
    turned[:3] = quat.rotate(quat.from_yaw(np.radians(degrees)), key[:3])
    turned[3] += np.radians(degrees)
    return turned
