"""Styles of walking: the parameters of the generated walk that mood, slope and turn change."""

from dataclasses import dataclass, fields, replace

import numpy as np

STEEPEST = np.radians(12.0)
FASTEST_TURN = np.radians(45.0)


@dataclass(frozen=True)
class Style:
    """A manner of walking. Angles are in degrees, lengths in metres, instants in fractions of the cycle.

    Parameters
    ----------
    period : duration in seconds of a cycle, which is two steps.
    stride : distance that the body travels in a cycle.
    duty : fraction of the cycle in which a foot touches the floor.
    flat : instant, relative to the heel strike, when the foot lies flat.
    heel_off : instant, relative to the heel strike, when the heel rises.
    under : instant when the ankle is below the hip.
    half_width : distance from the path to an ankle.
    toe_out : angle by which a foot points outwards.
    strike : angle by which a foot points up at heel strike.
    push : angle by which a foot points down at toe-off.
    clearance : height of the ball of the swinging foot over its height on the floor.
    lift : additional height of the ball early in the swing, when the heel leads upwards.
    reach : largest distance from hip to ankle as a fraction of the leg's length.
    crouch : how much lower the pelvis is than the legs allow.
    bounce : factor on the rise and fall of the pelvis.
    sway : how far the pelvis moves sideways over the stance leg.
    pelvis_yaw : how far the pelvis turns with the stepping leg.
    pelvis_list : how far the pelvis drops on the stepping side.
    pelvis_pitch : how far the pelvis is tilted forward.
    spine, chest, neck, head : forward lean of these bones from the vertical.
    nod : nod of the head in each step.
    chest_yaw : turn of the chest against the pelvis.
    chest_list, head_list : lean of chest and head over the stance leg.
    shrug : how far the shoulders are raised.
    protract : how far the shoulders are brought forward.
    arm_spread : angle of the upper arms sideways.
    arm_offset : angle of the upper arms forward.
    arm_swing : amplitude of the upper arms' swing.
    elbow : bend of the elbows.
    elbow_swing : increase of that bend as the arm swings forward.
    wrist : bend of the hands towards the palm.
    """

    period: float
    stride: float
    duty: float
    flat: float
    heel_off: float
    under: float
    half_width: float
    toe_out: float
    strike: float
    push: float
    clearance: float
    lift: float
    reach: float
    crouch: float
    bounce: float
    sway: float
    pelvis_yaw: float
    pelvis_list: float
    pelvis_pitch: float
    spine: float
    chest: float
    neck: float
    head: float
    nod: float
    chest_yaw: float
    chest_list: float
    head_list: float
    shrug: float
    protract: float
    arm_spread: float
    arm_offset: float
    arm_swing: float
    elbow: float
    elbow_swing: float
    wrist: float


NEUTRAL = Style(
    period=1.08, stride=1.34, duty=0.62, flat=0.08, heel_off=0.36, under=0.26, half_width=0.07, toe_out=7.0,
    strike=20.0, push=48.0, clearance=0.03, lift=0.05, reach=0.994, crouch=0.0, bounce=1.0,
    sway=0.022, pelvis_yaw=6.0, pelvis_list=4.0, pelvis_pitch=3.0,
    spine=1.0, chest=3.0, neck=12.0, head=1.0, nod=1.0, chest_yaw=6.0, chest_list=1.0, head_list=0.0,
    shrug=0.0, protract=0.0, arm_spread=9.0, arm_offset=-3.0, arm_swing=22.0, elbow=16.0, elbow_swing=9.0, wrist=5.0,
)  # fmt: skip
SAD = Style(
    period=1.44, stride=0.80, duty=0.69, flat=0.06, heel_off=0.44, under=0.29, half_width=0.085, toe_out=4.0,
    strike=5.0, push=30.0, clearance=0.012, lift=0.015, reach=0.993, crouch=0.004, bounce=0.9,
    sway=0.034, pelvis_yaw=3.0, pelvis_list=2.0, pelvis_pitch=-5.0,
    spine=10.0, chest=29.0, neck=47.0, head=42.0, nod=2.0, chest_yaw=3.0, chest_list=3.0, head_list=2.0,
    shrug=-7.0, protract=16.0, arm_spread=4.0, arm_offset=1.0, arm_swing=6.0, elbow=9.0, elbow_swing=2.0, wrist=8.0,
)  # fmt: skip
HAPPY = Style(
    period=0.92, stride=1.54, duty=0.575, flat=0.085, heel_off=0.30, under=0.25, half_width=0.055, toe_out=9.0,
    strike=27.0, push=58.0, clearance=0.05, lift=0.09, reach=0.994, crouch=0.0, bounce=1.35,
    sway=0.028, pelvis_yaw=9.0, pelvis_list=7.0, pelvis_pitch=0.0,
    spine=-4.0, chest=-9.0, neck=0.0, head=-9.0, nod=4.0, chest_yaw=11.0, chest_list=3.0, head_list=5.0,
    shrug=3.0, protract=-6.0, arm_spread=14.0, arm_offset=-3.0, arm_swing=36.0, elbow=36.0, elbow_swing=22.0, wrist=0.0,
)  # fmt: skip


def style_of(mood: float, slope: float, turn: float) -> Style:
    """Return the style of a walk.

    Parameters
    ----------
    mood : from -1, sad, to 1, happy.
    slope : from -1, down, to 1, up a hill of 12 degrees.
    turn : from -1, right, to 1, left.
    """
    base = _blended(NEUTRAL, HAPPY if mood > 0.0 else SAD, abs(mood))
    up, down, bend = max(slope, 0.0), max(-slope, 0.0), abs(turn)
    return replace(
        base,
        period=base.period * (1.0 + 0.10 * up - 0.05 * down + 0.04 * bend),
        stride=base.stride * (1.0 - 0.14 * up - 0.27 * down - 0.12 * bend),
        strike=base.strike * (1.0 - 0.75 * up - 0.2 * down),
        push=base.push * (1.0 + 0.1 * up - 0.3 * down),
        bounce=base.bounce * (1.0 - 0.15 * up - 0.4 * down),
        clearance=base.clearance + 0.03 * up,
        sway=base.sway * (1.0 - 0.3 * bend),
        pelvis_pitch=base.pelvis_pitch + 5.0 * up - 3.0 * down,
        spine=base.spine + 9.0 * up - 6.0 * down,
        chest=base.chest + 12.0 * up - 8.0 * down,
        neck=base.neck + 9.0 * up - 3.0 * down,
        head=base.head + 3.0 * up + 7.0 * down,
        arm_spread=base.arm_spread + 6.0 * down,
        arm_swing=base.arm_swing * (1.0 + 0.1 * up - 0.25 * down),
        elbow=base.elbow + 6.0 * up + 6.0 * down,
    )


def _blended(a: Style, b: Style, weight: float) -> Style:
    mixed = {f.name: (1.0 - weight) * getattr(a, f.name) + weight * getattr(b, f.name) for f in fields(Style)}
    return Style(**mixed)
