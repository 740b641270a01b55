"""A biped that walks with layers over it, and comparing its poses."""

import bpy
import numpy as np
from blender.performance import OPS, biped_with_graph
from blender.stage import go_to, part

ARM = ("Shoulder_R", "UpperArm_R", "LowerArm_R", "Hand_R")


def waving() -> bpy.types.Object:
    """Return the biped, which walks at its sliders."""
    armature = biped_with_graph()
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    return armature


def add_layer(armature, verb: str, **settings):
    assert OPS.layer_add(verb=armature.verbs_adverbs.verbs[verb].uid) == {"FINISHED"}
    layer = armature.verbs_adverbs.layers[-1]
    for name, value in settings.items():
        setattr(layer, name, value)
    return layer


def ask(layer, wish: str, frame: float) -> None:
    go_to(frame)
    assert OPS.layer_ask(wish=wish, layer=layer.name) == {"FINISHED"}


def poses(armature, frames) -> dict[str, np.ndarray]:
    if armature.verbs_adverbs.director and OPS.performance_write.poll():
        assert OPS.performance_write() == {"FINISHED"}
    found = {bone.name: [] for bone in armature.pose.bones}
    for frame in frames:
        go_to(frame)
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for bone in seen.pose.bones:
            found[bone.name].append(np.array(bone.matrix_basis))
    return {name: np.array(rows) for name, rows in found.items()}


def apart(some: dict[str, np.ndarray], others: dict[str, np.ndarray], rows=slice(None)) -> dict[str, float]:
    return {name: float(np.abs(some[name][rows] - others[name][rows]).max()) for name in some}


def state(armature, layer):
    return part("bridge.session.live_characters").layer_state(armature, layer, bpy.context.scene)


def degrees(some: np.ndarray, others: np.ndarray) -> float:
    """Largest angle between rotations in matrices (T, 4, 4)."""
    traces = np.einsum("tij,tij->t", some[:, :3, :3], others[:, :3, :3])
    return float(np.degrees(np.arccos(np.clip((traces - 1.0) / 2.0, -1.0, 1.0)).max()))
