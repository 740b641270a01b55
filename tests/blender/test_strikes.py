"""Punches, kicks and lifts made of actions: hand or foot is at the dragged target wherever it lies, at every weight."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.stage import go_to, part
from verbs_adverbs.demo.actions.kick import KICK_EXAMPLES, kick
from verbs_adverbs.demo.actions.lift import LIFT_EXAMPLES, lift
from verbs_adverbs.demo.actions.punch import PUNCH_EXAMPLES, punch

OPS = bpy.ops.verbs_adverbs
FPS = 60
COUNT = 20
CENTIMETRE = 0.01
LATTICE = np.linspace(0.0, 1.0, 4)

CASES = {
    "punch": (punch, PUNCH_EXAMPLES, "Hand_R", "TAIL", "hit", {"x": "side", "z": "height"}),
    "kick": (kick, KICK_EXAMPLES, "Toes_R", "HEAD", "strike", {"x": "side", "z": "height"}),
    "lift": (lift, LIFT_EXAMPLES, "Hand_R", "TAIL", "grasp", {"y": "distance"}),
}


def make(name: str, motion: Callable, places: tuple, bone: str, end: str, keytime: str, axes: dict[str, str]):
    """A biped with the verb, measured, refined by the operators, and an Empty to be reached for."""
    bpy.context.scene.render.fps, bpy.context.scene.frame_end = FPS, 200
    armature = part("bridge.authoring.biped").add_biped(bpy.context)
    written = part("bridge.authoring.biped").write_actions(
        armature, [motion(*place, rate=FPS) for place in places], FPS
    )
    verb = part("bridge.authoring.biped").define_verb(armature, name, written)
    told = {axis: axes.get(axis, "") for axis in "xyz"}
    assert OPS.measure_place(bone=bone, end=end, keytime=keytime, **told) == {"FINISHED"}
    assert OPS.measure() == {"FINISHED"}
    verb.refinement.count = COUNT
    assert OPS.refine() == {"FINISHED"}
    assert OPS.target_add() == {"FINISHED"}
    assert OPS.live_on() == {"FINISHED"}
    return armature, verb


def range_of(armature, name: str) -> np.ndarray:
    adverb = armature.verbs_adverbs.adverbs[name]
    return adverb.minimum + LATTICE * (adverb.maximum - adverb.minimum)


@pytest.mark.parametrize("name", CASES)
def test_hand_or_foot_is_within_a_centimetre_of_the_target_at_every_weight(name: str, tell: Callable[[str], None]):
    motion, places, bone, end, keytime, axes = CASES[name]
    armature, verb = make(name, motion, places, bone, end, keytime, axes)
    director = armature.verbs_adverbs.director
    target, live = verb.targets[0].object, part("bridge.session.live")
    built = part("bridge.authoring.verbs").built_for(armature, verb).verb
    rows = ["xyz".index(axis) for axis in axes]
    free = [adverb for adverb in built.adverb_names if adverb not in axes.values()]
    wanted = [range_of(armature, adverb) for adverb in (*axes.values(), *free)]
    missed = []
    for values in np.stack(np.meshgrid(*wanted), axis=-1).reshape(-1, len(wanted)):
        place = np.array(target.location)
        place[rows] = values[: len(axes)]
        target.location = place
        for adverb, value in zip(free, values[len(axes) :], strict=True):
            director[adverb] = float(value)
        bpy.context.view_layer.update()
        live.flush()
        asked = [float(director[n]) for n in built.adverb_names]
        at = built.keytimes(np.array(asked))[built.keytime_names.index(keytime)]
        go_to(director.verbs_adverbs.start_frame + float(at) * FPS)
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        shown = seen.matrix_world @ getattr(seen.pose.bones[bone], end.lower())
        missed.append(np.linalg.norm((np.array(shown) - place)[rows]))
    tell(f"{name} in Blender, {len(missed)} places: {100 * max(missed):.2f} cm at most")
    assert max(missed) <= CENTIMETRE
