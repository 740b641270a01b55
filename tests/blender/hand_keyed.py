"""Walks on a Rigify character keyed by hand: a few keys on the controls of torso, feet and arms."""

from dataclasses import dataclass

import bpy
import numpy as np
from blender.control_rig import SIDES, part
from blender.stage import go_to
from mathutils import Euler, Vector

FPS = 24
EIGHTHS, HALF = 8, 4
STANCE = (-20.0, 0.0, 0.0, 0.0, 30.0)
"""Degrees by which the heel is up at each eighth of a cycle, from the heel strike to the other foot's."""
SWING_BEHIND, SWING_UP, SWING_PITCH = (0.25, -0.05, -0.4), (0.13, 0.11, 0.05), (55.0, 20.0, -20.0)
"""The foot in the air at the eighths that follow: steps behind the hips, metres up, degrees."""
DEEP, BOB, SWAY = 0.07, 0.02, 0.025
"""Metres by which the torso is lower than at rest, bobs, and leans to the standing foot."""
TWIST, ARMS = 0.08, 0.5
"""Radians by which the torso twists and the arms swing."""
SOLES = {"BALL": "DEF-toe.{}", "HEEL": "ORG-heel.02.{}"}
"""Bones at whose heads the ball and the heel of a foot really are."""
CYCLES, SETTLE = 3, 0.1
"""Cycles over which a walk is measured, and seconds in which a point that is locked comes down to its height."""


@dataclass(frozen=True)
class Loop:
    """A walk of one cycle.

    Parameters
    ----------
    name : name of its action.
    frames : from the first pose to its return.
    step : metres from one foot's strike to the other's.
    cycles : whether its curves have Cycles modifiers.
    travelling : whether the controls travel.
    """

    name: str
    frames: int
    step: float
    cycles: bool = False
    travelling: bool = False

    @property
    def speed(self) -> float:
        """Metres a second."""
        return 2.0 * self.step * FPS / self.frames


def three_loops(cycles: bool = False, travelling: bool = False) -> tuple[Loop, ...]:
    """Walks of 32, 28 and 24 frames, the shorter the faster."""
    told = (("slow", 32, 0.5), ("plain", 28, 0.6), ("fast", 24, 0.72))
    return tuple(Loop(*one, cycles, travelling) for one in told)


def key_loop(armature, loop: Loop):
    """Key a walk from frame 1 on, eight poses and the first one again, and return its action."""
    action = bpy.data.actions.new(loop.name)
    part("bridge.blender.versions").bag_for_write(armature, action)
    for side in SIDES:
        armature.pose.bones[f"upper_arm_parent.{side}"]["IK_FK"] = 1.0
    for eighth in range(EIGHTHS + 1):
        frame, share = 1.0 + loop.frames * eighth / EIGHTHS, 2.0 * np.pi * eighth / EIGHTHS
        way = 2.0 * loop.step * eighth / EIGHTHS if loop.travelling else 0.0
        for side, later, forward in zip(SIDES, (0, HALF), (1.0, -1.0), strict=True):
            _key_foot(armature, side, frame, (eighth + later) % EIGHTHS, loop.step, way)
            _turn(armature, f"upper_arm_fk.{side}", frame, Euler((ARMS * forward * np.cos(share), 0.0, 0.0)))
        lower, aside = DEEP + BOB * np.sin(2.0 * share), SWAY * np.sin(share - np.pi / EIGHTHS)
        _key(armature, "torso", frame, Vector((aside, -way, -lower)), Euler((0.0, 0.0, TWIST * np.cos(share))))
    for curve in part("bridge.blender.versions").bag_for_write(armature, action).fcurves if loop.cycles else ():
        modifier = curve.modifiers.new("CYCLES")
        if loop.travelling and curve.data_path.endswith("location"):
            modifier.mode_before = modifier.mode_after = "REPEAT_OFFSET"
    return action


def _key_foot(armature, side: str, frame: float, eighth: int, step: float, way: float) -> None:
    """Key an IK foot; while it stands it turns about the point that touches the floor, heel or ball."""
    foot, ball, heel = (
        armature.data.bones[f"{bone}.{side}"].head_local for bone in ("foot_ik", "DEF-toe", "ORG-heel.02")
    )
    if eighth <= HALF:
        behind, up, pitch = step * (eighth / HALF - 0.5), 0.0, STANCE[eighth]
    else:
        row = eighth - HALF - 1
        behind, up, pitch = step * SWING_BEHIND[row], SWING_UP[row], SWING_PITCH[row]
    turn = Euler((np.radians(pitch), 0.0, 0.0))
    arm = foot - Vector((foot.x, ball.y if pitch > 0.0 else heel.y, 0.0))
    moved = turn.to_matrix() @ arm - arm if eighth <= HALF else Vector()
    _key(armature, f"foot_ik.{side}", frame, moved + Vector((0.0, behind - way, up)), turn)


def _key(armature, control: str, frame: float, offset: Vector, turn: Euler) -> None:
    """Key a control that is moved and turned in the armature's space from where it is at rest."""
    bone = armature.pose.bones[control]
    bone.location = bone.bone.matrix_local.to_3x3().inverted() @ offset
    bone.keyframe_insert("location", frame=frame)
    _turn(armature, control, frame, turn)


def _turn(armature, control: str, frame: float, turn: Euler) -> None:
    """Key a control that is turned in the armature's space from how it is at rest."""
    bone = armature.pose.bones[control]
    rest = bone.bone.matrix_local.to_3x3()
    turned = (rest.inverted() @ turn.to_matrix() @ rest).to_quaternion()
    if bone.rotation_mode == "QUATERNION":
        bone.rotation_quaternion = turned
        bone.keyframe_insert("rotation_quaternion", frame=frame)
    else:
        bone.rotation_euler = turned.to_euler(bone.rotation_mode)
        bone.keyframe_insert("rotation_euler", frame=frame)


@dataclass(frozen=True)
class Walked:
    """How a walk went that was played, as the bones showed that Blender drew.

    Parameters
    ----------
    slip : largest speed over the floor, in centimetres a second, of a foot that stands: that of whichever of its heel
        and ball is slower, as far as they stand.
    resting : as `slip`, of every heel and ball from `SETTLE` seconds after it has come down.
    limp : by which share the paces of the two half cycles differ, from one foot's strike to the other's.
    """

    slip: float
    resting: float
    limp: float


def walked(armature) -> Walked:
    """Play the verb 'walk', which is on with its feet locked, over some cycles, and measure."""
    director = armature.verbs_adverbs.director
    assert director.verbs_adverbs.performance.lock_feet
    part("bridge.session.live").flush()
    verb = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    motion = verb.motion([director[name] for name in verb.adverb_names])
    frames = np.arange(1.0, 1.0 + CYCLES * motion.duration * FPS)
    names = ["torso", *(bone.format(side) for side in SIDES for bone in SOLES.values())]
    places = np.array([_places(armature, names, frame) for frame in frames])
    phases, steps = motion.phase((frames - 1.0) / FPS), np.linalg.norm(np.diff(places[..., :2], axis=0), axis=-1)
    speeds = {side: np.full((len(SOLES), len(frames) - 1), np.inf) for side in SIDES}
    resting = 0.0
    for contact, windows in zip(verb.contacts, motion.windows, strict=True):
        side, end = verb.channels.skeleton.names[contact.joint][-1], contact.point.rpartition(" ")[2].upper()
        own = steps[:, names.index(SOLES[end].format(side))] * FPS * 100.0
        for begin, finish in windows:
            since = (phases - begin) % 1.0
            inside = (since < finish - begin)[:-1] & (since < finish - begin)[1:] & (np.diff(since) > 0.0)
            speeds[side][list(SOLES).index(end), inside] = own[inside]
            resting = max(resting, own[inside & (since[:-1] * motion.duration > SETTLE)].max(initial=0.0))
    slowest = np.concatenate([one.min(axis=0) for one in speeds.values()])
    return Walked(float(slowest[np.isfinite(slowest)].max()), float(resting), _limp(verb, motion, frames, places[:, 0]))


def _places(armature, names, frame: float) -> list:
    go_to(frame)
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return [np.array(seen.matrix_world @ seen.pose.bones[name].head) for name in names]


def _limp(verb, motion, frames, torso) -> float:
    seconds, phases = (frames - 1.0) / FPS, motion.phase((frames - 1.0) / FPS)
    strikes = dict(zip(verb.keytime_names, verb.phrasing.generic, strict=True))
    told = [float(np.interp(1.0 + strikes[f"{side}_down"] % 1.0, phases, seconds)) for side in "RL"]
    first, second = sorted(told)
    ends = [first, second, first + motion.duration]
    ways = np.stack([np.interp(ends, seconds, axis) for axis in torso[:, :2].T], axis=1)
    one, other = np.linalg.norm(np.diff(ways, axis=0), axis=1) / np.diff(ends)
    return float(abs(one - other) / (0.5 * (one + other)))
