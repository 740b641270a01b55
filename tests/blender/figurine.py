"""A figure of three bones with strides to annotate, and a record of everything in a file that operators may change."""

import importlib
from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.action_hash import digests
from blender.installed import MODULE

FIRST, LAST, MIDDLE = 1, 25, 13


def part(name: str):
    """Import a module of the installed extension."""
    return importlib.import_module(f"{MODULE}.{name}")


def figurine(name: str = "Figurine"):
    """Make an armature object with the bones Root, Leg and Foot the active object, and return it."""
    data = bpy.data.armatures.new(name)
    armature = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    for bone, parent, head, tail in (
        ("Root", "", (0, 0, 1.0), (0, 0, 1.2)),
        ("Leg", "Root", (0, 0, 0.9), (0, 0, 0.1)),
        ("Foot", "Leg", (0, 0, 0.1), (0, -0.2, 0.0)),
    ):
        made = data.edit_bones.new(bone)
        made.head, made.tail, made.parent = head, tail, data.edit_bones.get(parent)
    bpy.ops.object.mode_set(mode="OBJECT")
    for bone in armature.pose.bones:
        bone.rotation_mode = "QUATERNION"
    return armature


def write_curves(armature, action, curves: dict[tuple[str, int], np.ndarray], frames: np.ndarray) -> None:
    """Key values at frames on F-curves given by data path and component."""
    versions = part("bridge.blender.versions")
    bag = versions.bag_for_write(armature, action)
    for (path, index), values in curves.items():
        curve = versions.fcurve_ensure(bag, path, index, "keys")
        curve.keyframe_points.add(len(frames))
        keys = np.stack([frames, values], axis=-1).astype(np.float32)
        curve.keyframe_points.foreach_set("co", keys.ravel())
        curve.keyframe_points.foreach_set("interpolation", np.ones(len(frames), dtype=np.int32))
        curve.update()


def stride(armature, name: str, swing: float = 0.4, last: int = LAST):
    """Make and assign an action in which the figurine goes along -Y while its leg swings."""
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    frames = np.arange(FIRST, last + 1)
    share = (frames - FIRST) / max(1, last - FIRST)
    angle = swing * np.sin(2 * np.pi * share)
    leg = 'pose.bones["Leg"].rotation_quaternion'
    curves = {
        ('pose.bones["Root"].location', 2): swing * share,
        ('pose.bones["Root"].location', 1): 0.02 * np.cos(4 * np.pi * share),
        (leg, 0): np.cos(angle / 2),
        (leg, 1): np.sin(angle / 2),
    }
    write_curves(armature, action, curves, frames)
    return action


def assign(armature, action) -> None:
    """Assign an action to the armature."""
    part("bridge.blender.versions").assign_action(armature, action)


def annotate(armature, action, **values: float):
    """Mark an action as a cyclic example with a keytime in the middle, by operators; returns the example."""
    assign(armature, action)
    bpy.ops.verbs_adverbs.example_add()
    bpy.context.scene.frame_set(MIDDLE)
    bpy.ops.verbs_adverbs.keytime_add(name="middle")
    for adverb, value in values.items():
        bpy.ops.verbs_adverbs.value_set(adverb=adverb, value=value)
    return action.verbs_adverbs.examples[0]


def keytimes(example) -> list[tuple[str, float]]:
    """Names and frames of an example's keytimes."""
    return [(keytime.name, keytime.frame) for keytime in example.keytimes]


def markers(action) -> dict[str, int]:
    """Frames of an action's pose markers by the names of their keytimes."""
    return {marker.name.partition("\u2009")[0]: marker.frame for marker in action.pose_markers}


def stand_on_foot(armature) -> None:
    """Let the foot stand from frame 3 to 9 in each example of the armature's first verb."""
    for reference in armature.verbs_adverbs.verbs[0].examples:
        assign(armature, reference.action)
        assert bpy.ops.verbs_adverbs.contact_add(bone="Foot") == {"FINISHED"}
        assert bpy.ops.verbs_adverbs.window_add(start=3.0, end=9.0) == {"FINISHED"}


def delete_bone(armature, name: str) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.remove(armature.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")


def add_to_verb(*actions) -> None:
    """Pick the only example of each action for the chosen verb."""
    picked = [{"name": action.name, "action": action.name, "uid": "", "chosen": True} for action in actions]
    bpy.ops.verbs_adverbs.verb_examples_add(choices=picked)


def striding_figurine(energies: tuple[float, ...] = (-1.0, 0.0, 1.0)):
    """Make a figurine with the verb 'stride' over 'energy', built from one action for each energy."""
    armature = figurine()
    bpy.ops.verbs_adverbs.verb_add(name="stride")
    bpy.ops.verbs_adverbs.adverb_add(name="energy")
    actions = [stride(armature, f"stride {i}", 0.4 + 0.1 * i) for i in range(len(energies))]
    for action, energy in zip(actions, energies, strict=True):
        annotate(armature, action, energy=energy)
    add_to_verb(*actions)
    return armature


def _properties(owner) -> str:
    group = getattr(owner, "verbs_adverbs", None)
    return part("bridge.data.content").plain(group) if group else ""


def everything() -> dict[str, object]:
    """Return everything that operators may change, as values that can be compared."""
    bpy.context.view_layer.update()
    found: dict[str, object] = {f"keys of {name}": value for name, value in digests().items()}
    for action in bpy.data.actions:
        markers = sorted((marker.name, marker.frame) for marker in action.pose_markers)
        found[f"action {action.name_full}"] = (_properties(action), markers)
    for item in bpy.data.objects:
        data = item.animation_data
        bones = item.pose.bones if item.pose else ()
        pose = [(bone.name, tuple(map(tuple, bone.matrix_basis))) for bone in bones]
        own = {key: repr(item[key]) for key in item.keys() if isinstance(item[key], int | float | str)}
        drivers = [(driver.data_path, driver.driver.expression) for driver in data.drivers] if data else []
        action = data.action.name if data and data.action else ""
        found[f"object {item.name}"] = (_properties(item), action, pose, own, drivers)
    found["scene"] = (bpy.context.scene.frame_current_final, bpy.context.mode)
    return found


def refused(operator: Callable[..., set[str]], capfd: pytest.CaptureFixture[str], **arguments: object) -> str:
    """Call an operator that must refuse, and return its sentence; nothing may change, and no traceback be printed."""
    before = everything()
    with pytest.raises(RuntimeError) as caught:
        operator(**arguments)
    after = everything()
    changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
    assert not changed, [(key, before.get(key), after.get(key)) for key in changed]
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err + str(caught.value)
    return str(caught.value).strip()


def assert_says(sentence: str, *words: str) -> None:
    """Assert that a sentence contains all these words and ends like a sentence."""
    missing = [word for word in words if word not in sentence]
    assert not missing, f"{missing} not in: {sentence}"
    assert sentence.rstrip().endswith("."), sentence


def build_refused(capfd: pytest.CaptureFixture[str]) -> str:
    """Build the active object's chosen verb, which must be refused, and return the sentence.

    Asking for the verb as playing does must be refused as well, and the panel must say the same.
    """
    sentence = refused(bpy.ops.verbs_adverbs.verb_build, capfd)
    armature = bpy.context.object
    item = armature.verbs_adverbs.verbs[armature.verbs_adverbs.active_verb]
    verbs, errors = part("bridge.authoring.verbs"), part("core.errors")
    with pytest.raises(errors.VerbsError) as caught:
        verbs.verb_for(armature, item)
    assert str(caught.value) in sentence
    found = verbs.status(armature, item)
    assert found.state == "BROKEN" and found.lines[0].text in sentence
    return sentence


def state(armature, verb) -> str:
    """State of a verb as the panel shows it."""
    bpy.context.view_layer.update()
    return part("bridge.authoring.verbs").status(armature, verb).state


def lines(armature, verb, kind: str = "") -> list[str]:
    """Sentences about a verb, of one kind or of all."""
    return [line.text for line in part("bridge.authoring.verbs").status(armature, verb).lines if kind in line.kind]
