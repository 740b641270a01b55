"""Good files, made once and opened for each corruption: a character in several states of work."""

from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np

from .state import MARK

OPS = bpy.ops.verbs_adverbs
END = 40
MOST = 5
"""Number of examples of a verb; few, so that verbs are built and compared quickly."""


def _new_scene() -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.frame_end = END


def _things() -> None:
    """Add other things to the scene: a floor, a curve, a keyed Empty, and a second armature with an NLA strip."""
    here = bpy.context.collection.objects
    corners = [(-9, -9, 0), (9, -9, 0), (9, 9, 0.4), (-9, 9, 0.4)]
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata(corners, [], [(0, 1, 2, 3)])
    here.link(bpy.data.objects.new("Ground", mesh))
    line = bpy.data.curves.new("Path", "CURVE")
    line.dimensions = "3D"
    line.splines.new("POLY").points.add(2)
    for point, place in zip(line.splines[0].points, ((0, 0), (0, -3), (2, -5)), strict=True):
        point.co = (*place, 0.0, 1.0)
    here.link(bpy.data.objects.new("Path", line))
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    here.link(lamp)
    lamp.keyframe_insert("location", frame=1)
    lamp["note"] = "mine"
    other = bpy.data.objects.new("Other", bpy.data.armatures.new("Other"))
    here.link(other)
    own = bpy.data.actions.new("Other action")
    other.keyframe_insert("location", frame=1)
    other.keyframe_insert("location", frame=20)
    own = other.animation_data.action
    other.animation_data.nla_tracks.new().strips.new("strip", 1, own)
    other.animation_data.action = None


def _biped(**verbs: bool) -> bpy.types.Object:
    _things()
    assert OPS.add_biped(**{"walk": False, **verbs}) == {"FINISHED"}
    armature = bpy.context.object
    for item in armature.verbs_adverbs.verbs:
        while len(item.examples) > MOST:
            bpy.data.actions.remove(item.examples[0].action)
            item.examples.remove(0)
    return armature


def _build_all(armature: bpy.types.Object) -> None:
    for index in range(len(armature.verbs_adverbs.verbs)):
        armature.verbs_adverbs.active_verb = index
        assert OPS.verb_build() == {"FINISHED"}


def _waving() -> None:
    """Make a character whose verbs are built but not switched on, with an NLA strip of its own."""
    armature = _biped(wave=True, stand=True)
    _build_all(armature)
    data = armature.animation_data_create()
    data.nla_tracks.new().strips.new("own", 1, bpy.data.actions[0])
    assert OPS.director_add() == {"FINISHED"}


def _walking() -> None:
    """Make a character with a walk switched on, whose adverbs are keyed, one of them driven."""
    armature = _biped(walk=True)
    _build_all(armature)
    assert OPS.live_on() == {"FINISHED"}
    director = armature.verbs_adverbs.director
    adverbs = [item.name for item in armature.verbs_adverbs.adverbs]
    for frame, value in ((1, -0.5), (40, 0.7)):
        director[adverbs[0]] = value
        director.keyframe_insert(f'["{adverbs[0]}"]', frame=frame)
    director.driver_add(f'["{adverbs[1]}"]').driver.expression = "0.3"
    bpy.context.view_layer.update()


def _performing() -> None:
    """Make a character that performs a score over a floor."""
    armature = _biped(wave=True, stand=True)
    _build_all(armature)
    assert OPS.transitions_suggest() == {"FINISHED"}
    verbs = {item.name: item.uid for item in armature.verbs_adverbs.verbs}
    assert OPS.start_verb(verb=verbs["stand"]) == {"FINISHED"}
    performance = armature.verbs_adverbs.director.verbs_adverbs.performance
    performance.floor, performance.target = bpy.data.objects["Ground"], bpy.data.objects["Path"]
    assert OPS.command_add(verb="wave", frame=12) == {"FINISHED"}
    assert OPS.command_add(verb="stand", frame=30) == {"FINISHED"}
    performance.active = True
    assert OPS.live_on() == {"FINISHED"}


def _reaching() -> None:
    """Make a character with a reach that is measured, refined and switched on, and has a target."""
    armature = _biped(reach=True)
    assert OPS.measure() == {"FINISHED"}
    item = armature.verbs_adverbs.verbs[0]
    item.refinement.count = 2
    assert OPS.refine() == {"FINISHED"}
    assert OPS.live_on() == {"FINISHED"}
    assert OPS.target_add() == {"FINISHED"}


def _baked() -> None:
    """Make a character to which the bake of a gesture is assigned."""
    _build_all(_biped(wave=True))
    assert OPS.live_on() == {"FINISHED"}
    assert OPS.bake() == {"FINISHED"}


def _little() -> None:
    """Make an armature of three bones with four short actions in a verb of two adverbs, which is built quickly."""
    _things()
    armature = _three_bones()
    assert OPS.verb_add(name="go") == {"FINISHED"}
    for adverb in ("energy", "size"):
        assert OPS.adverb_add(name=adverb) == {"FINISHED"}
    for index, place in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1))):
        action = _swing(armature, index)
        assert OPS.example_add() == {"FINISHED"}
        bpy.context.scene.frame_set(7)
        assert OPS.keytime_add(name="middle") == {"FINISHED"}
        assert OPS.contact_add(bone="Foot") == {"FINISHED"}
        assert OPS.window_add(start=2.0, end=5.0) == {"FINISHED"}
        for adverb, value in zip(("energy", "size"), place, strict=True):
            assert OPS.value_set(adverb=adverb, value=value) == {"FINISHED"}
        picked = [{"name": action.name, "action": action.name, "uid": "", "chosen": True}]
        assert OPS.verb_examples_add(choices=picked) == {"FINISHED"}
    assert OPS.verb_build() == {"FINISHED"}
    assert OPS.live_on() == {"FINISHED"}


def _three_bones() -> bpy.types.Object:
    armature = bpy.data.objects.new("Little", bpy.data.armatures.new("Little"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for name, head, tail in (("Root", 1.0, 0.9), ("Leg", 0.9, 0.1), ("Foot", 0.1, 0.0)):
        bone = armature.data.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, head), (0, 0 if name != "Foot" else -0.2, tail), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _swing(armature: bpy.types.Object, index: int) -> bpy.types.Action:
    armature.animation_data_clear()
    root, leg = armature.pose.bones["Root"], armature.pose.bones["Leg"]
    leg.rotation_mode = "XYZ" if index % 2 else "QUATERNION"
    for frame in range(1, 14):
        share = (frame - 1) / 12
        root.location = (0.0, 0.02 * np.cos(12.6 * share), (0.3 + 0.1 * index) * share)
        root.keyframe_insert("location", frame=frame)
        angle = (0.2 + 0.05 * index) * np.sin(6.283 * share)
        leg.rotation_euler, leg.rotation_quaternion = (angle, 0, 0), (np.cos(angle / 2), np.sin(angle / 2), 0, 0)
        leg.keyframe_insert("rotation_euler" if index % 2 else "rotation_quaternion", frame=frame)
    action = armature.animation_data.action
    action.name = f"swing {index}"
    return action


FILES: dict[str, tuple[Callable[[], None], int]] = {
    "little": (_little, 14),
    "waving": (_waving, 3),
    "walking": (_walking, 2),
    "performing": (_performing, 4),
    "reaching": (_reaching, 2),
    "baked": (_baked, 3),
}
"""For each file the function that makes it, and how often it is chosen: more often if it is quick to play."""


def prepare(folder: Path) -> Iterator[None]:
    """Make the files that do not exist yet, and mark what belongs to the user; a window may draw between the steps."""
    for name, (make, _) in FILES.items():
        target = folder / f"{name}.blend"
        if target.is_file():
            continue
        _new_scene()
        yield
        make()
        yield
        _mark()
        bpy.ops.wm.save_as_mainfile(filepath=str(target), copy=True)


def _mark() -> None:
    written_by_us = {item.verbs_adverbs.generated for item in bpy.data.objects}
    directors = {item.verbs_adverbs.director for item in bpy.data.objects}
    keyed = {one.animation_data.action for one in directors if one and one.animation_data}
    for one in bpy.data.actions:
        one.use_fake_user = True
        if one not in written_by_us | keyed and not one.verbs_adverbs.take.uid:
            one[MARK] = 1
    for kind in (bpy.data.objects, bpy.data.armatures, bpy.data.meshes):
        for one in kind:
            if one not in directors:
                one[MARK] = 1
