"""A biped whose hand reaches, and where Blender shows the hand."""

import bpy
import numpy as np
from blender.stage import go_to, opened_again, part

HAND = "Hand_R"


def reaching_biped():
    """Return the biped with the verb 'reach' over x, y and z, measured and built."""
    return opened_again("reaching biped", _add)


def _add() -> None:
    bpy.context.scene.frame_end = 60
    assert bpy.ops.verbs_adverbs.add_biped(walk=False, reach=True) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.measure() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}


def refined_biped():
    """Return the biped with the verb 'reach', refined by six pseudo-examples."""
    return opened_again("refined biped", _refine)


def _refine() -> None:
    _add()
    the_verb(bpy.context.object).refinement.count = 6
    assert bpy.ops.verbs_adverbs.refine() == {"FINISHED"}


def the_verb(armature):
    return armature.verbs_adverbs.verbs["reach"]


def built(armature):
    return part("bridge.authoring.verbs").built_for(armature, the_verb(armature))


def keytime_frame(armature, adverbs) -> float:
    """Frame of the keytime 'reach' for some adverbs."""
    verb, scene = built(armature).verb, bpy.context.scene
    start = armature.verbs_adverbs.director.verbs_adverbs.start_frame
    return start + float(verb.keytimes(np.array(adverbs))[1]) * scene.render.fps / scene.render.fps_base


def hand(armature) -> np.ndarray:
    """Place of the tip of the hand in the world, as Blender evaluates it now."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(seen.matrix_world @ seen.pose.bones[HAND].tail)


def hand_at(armature, frame: float) -> np.ndarray:
    go_to(frame)
    return hand(armature)


def sliders(armature) -> np.ndarray:
    director = armature.verbs_adverbs.director
    return np.array([director[name] for name in "xyz"])
