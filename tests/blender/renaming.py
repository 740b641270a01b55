"""A biped that walks, waves over it and reaches, its bones renamed as a user does, and what Blender shows of it."""

from collections.abc import Callable

import bpy
import numpy as np
from blender.action_hash import digests
from blender.stage import go_to, opened_again, poses_at

OPS = bpy.ops.verbs_adverbs
FRAMES = (7.0, 15.5, 22.0)
SAME = 1e-6


def active_biped() -> bpy.types.Object:
    """Return a biped with a wave laid over its walk, a reach that is measured, and a target for its hand."""
    return opened_again("biped to rename", _add)


def _add() -> None:
    bpy.context.scene.frame_end = 60
    assert OPS.add_biped(wave=True, reach=True) == {"FINISHED"}
    armature = bpy.context.object
    own = armature.verbs_adverbs
    own.root = "Hips"
    assert OPS.feet_find() == {"FINISHED"}
    choose(armature, "reach")
    assert OPS.measure() == {"FINISHED"}
    bpy.ops.object.empty_add(location=(-0.3, -0.45, 1.2))
    target = bpy.context.object
    bpy.context.view_layer.objects.active = armature
    assert OPS.target_add() == {"FINISHED"}
    own.verbs["reach"].targets[0].object = target
    own.verbs["reach"].refinement.count = 2
    assert OPS.refine() == {"FINISHED"}
    assert OPS.verb_build(every=True) == {"FINISHED"}
    assert OPS.layer_add(verb=own.verbs["wave"].uid) == {"FINISHED"}
    choose(armature, "walk")
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    go_to(4)
    assert OPS.layer_ask(wish="start", layer="wave") == {"FINISHED"}
    assert OPS.live_off() == {"FINISHED"}
    armature.animation_data.action = own.verbs["walk"].examples[0].action


def choose(armature, verb: str) -> None:
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find(verb)


def shown(armature, verb: str) -> np.ndarray:
    """Matrices (T, J, 4, 4) of all bones in their order, as Blender shows a verb that moves the armature."""
    choose(armature, verb)
    assert OPS.live_on(verb=verb) == {"FINISHED"}
    assert OPS.performance_write() == {"FINISHED"}
    found = poses_at(armature, FRAMES)
    assert OPS.live_off() == {"FINISHED"}
    return found


def all_shown(armature) -> dict[str, np.ndarray]:
    return {verb: shown(armature, verb) for verb in ("walk", "reach")}


def apart(some: dict[str, np.ndarray], others: dict[str, np.ndarray]) -> float:
    assert some.keys() == others.keys()
    return max(float(np.abs(some[name] - others[name]).max()) for name in some)


def rename(armature, called: Callable[[str], str]) -> dict[str, str]:
    """Rename bones, those that exchange names too; returns old and new names of those that changed."""
    names = {bone.name: called(bone.name) for bone in armature.data.bones if called(bone.name) != bone.name}
    bones = {name: armature.data.bones[name] for name in names}
    for name, bone in bones.items():
        bone.name = f"passing {name}"
    for name, bone in bones.items():
        bone.name = names[name]
    assert [bone.name for bone in bones.values()] == list(names.values())
    return names


def hashes(armature) -> dict[str, str]:
    """Digests of the curves of all actions that are examples and that Blender does not rename itself."""
    return digests(action for action in bpy.data.actions if action != armature.animation_data.action)
