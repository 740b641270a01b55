"""A verb says how it stands, tells at once when something changed, and is never played out of date."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest
from blender.figurine import FIRST, LAST, add_to_verb, annotate, figurine, lines, part, state, stride, write_curves

OPS = bpy.ops.verbs_adverbs


def first_curve(armature, action):
    return part("bridge.blender.versions").curves_of(action, armature)[0]


def test_a_verb_says_how_it_stands(armature, verb):
    assert state(armature, verb) == "NEVER_BUILT"
    OPS.verb_build()
    assert state(armature, verb) == "UP_TO_DATE"
    assert any("3 examples" in line for line in lines(armature, verb))


def test_a_built_verb_gives_the_examples_full_weight_at_their_adverbs(armature, verb):
    built = part("bridge.authoring.verbs").verb_for(armature, verb)
    assert np.allclose(built.weights([[-1.0], [0.0], [1.0]]), np.eye(3), atol=1e-9)


def drag_a_marker(armature, verb) -> None:
    action = verb.examples[0].action
    next(marker for marker in action.pose_markers if marker.name.startswith("middle")).frame = 10


def change_a_value(armature, verb) -> None:
    verb.examples[0].action.verbs_adverbs.examples[0].values[0].value = -0.5


def change_a_key(armature, verb) -> None:
    first_curve(armature, armature.animation_data.action).keyframe_points[3].co.y += 0.01


def change_a_key_of_an_action_that_is_not_shown(armature, verb) -> None:
    first_curve(armature, verb.examples[0].action).keyframe_points[3].co.y += 0.01


def mute_a_curve(armature, verb) -> None:
    first_curve(armature, armature.animation_data.action).mute = True


def widen_an_adverb(armature, verb) -> None:
    armature.verbs_adverbs.adverbs[0].maximum = 2.0


def change_an_option(armature, verb) -> None:
    verb.control_points = 24


def switch_an_example_off(armature, verb) -> None:
    verb.examples[1].enabled = False


def delete_an_action(armature, verb) -> None:
    bpy.data.actions.remove(verb.examples[1].action)


def delete_a_bone(armature, verb) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    armature.data.edit_bones.remove(armature.data.edit_bones["Foot"])
    bpy.ops.object.mode_set(mode="OBJECT")


CHANGES = (
    drag_a_marker,
    change_a_value,
    change_a_key,
    change_a_key_of_an_action_that_is_not_shown,
    mute_a_curve,
    widen_an_adverb,
    change_an_option,
    switch_an_example_off,
    delete_an_action,
    delete_a_bone,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_verb_says_at_once_when_something_changed(armature, verb, change: Callable[..., None]):
    OPS.verb_build()
    change(armature, verb)
    assert state(armature, verb) == "OUT_OF_DATE"


@pytest.mark.parametrize("change", [change_a_value, change_a_key, drag_a_marker], ids=lambda change: change.__name__)
def test_a_changed_verb_is_built_anew_before_it_is_played(armature, verb, change: Callable[..., None]):
    verbs = part("bridge.authoring.verbs")
    before = verbs.verb_for(armature, verb)
    assert verbs.verb_for(armature, verb) is before
    change(armature, verb)
    bpy.context.view_layer.update()
    assert verbs.verb_for(armature, verb) is not before
    assert state(armature, verb) == "UP_TO_DATE"


def test_renaming_an_action_does_not_put_a_verb_out_of_date(armature, verb):
    OPS.verb_build()
    verb.examples[0].action.name = "another name"
    assert state(armature, verb) == "UP_TO_DATE"


def test_undoing_a_change_brings_the_verb_up_to_date_again(armature, verb):
    name = armature.name
    OPS.verb_build()
    bpy.ops.ed.undo_push(message="built")
    OPS.adverb_rename("EXEC_DEFAULT", True, name="mood")
    again = bpy.data.objects[name]
    assert state(again, again.verbs_adverbs.verbs[0]) == "OUT_OF_DATE"
    bpy.ops.ed.undo()
    again = bpy.data.objects[name]
    assert state(again, again.verbs_adverbs.verbs[0]) == "UP_TO_DATE"


def test_a_loaded_verb_is_up_to_date_and_plays_the_same(armature, verb, tmp_path):
    OPS.verb_build()
    said = lines(armature, verb)
    times = np.linspace(0.0, 1.0, 7)
    before = part("bridge.authoring.verbs").verb_for(armature, verb).motion([0.3]).sample(times)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"))
    loaded = bpy.data.objects["Figurine"]
    assert state(loaded, loaded.verbs_adverbs.verbs[0]) == "UP_TO_DATE"
    assert lines(loaded, loaded.verbs_adverbs.verbs[0]) == said
    after = part("bridge.authoring.verbs").verb_for(loaded, loaded.verbs_adverbs.verbs[0]).motion([0.3]).sample(times)
    assert np.allclose(before, after, atol=1e-6)


def test_verbs_of_an_appended_armature_come_along_with_their_actions(armature, verb, tmp_path):
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.ops.wm.append(directory=str(tmp_path / "kept.blend" / "Object"), filename="Figurine")
    appended = bpy.data.objects["Figurine"]
    bpy.context.view_layer.objects.active = appended
    assert OPS.verb_build() == {"FINISHED"}
    assert len(bpy.data.actions) == 3


def test_a_copied_armature_builds_verbs_of_its_own(armature, verb):
    copied = armature.copy()
    bpy.context.collection.objects.link(copied)
    bpy.context.view_layer.objects.active = copied
    OPS.verb_build()
    assert state(copied, copied.verbs_adverbs.verbs[0]) == "UP_TO_DATE"
    assert state(armature, verb) == "NEVER_BUILT"


def test_all_verbs_of_an_armature_face_alike(armature):
    OPS.verb_build()
    OPS.verb_add(name="backwards")
    turned = stride(armature, "turned")
    annotate(armature, turned)
    add_to_verb(turned)
    OPS.verb_build()
    verbs = part("bridge.authoring.verbs")
    first, second = (verbs.verb_for(armature, item) for item in armature.verbs_adverbs.verbs)
    assert np.allclose(first.reference, second.reference, atol=1e-6)
    assert state(armature, armature.verbs_adverbs.verbs[0]) == "UP_TO_DATE"


def object_travels(armature, name: str, swing: float):
    """An action in which the object itself goes and turns while the leg swings."""
    action = stride(armature, name, swing)
    frames = np.arange(FIRST, LAST + 1.0)
    turns = {("location", 1): -0.1 * swing * frames, ("rotation_euler", 2): 0.02 * swing * frames}
    write_curves(armature, action, turns, frames)
    return action


def test_playing_or_taking_away_an_action_that_moves_the_object_does_not_put_its_verb_out_of_date():
    armature = figurine()
    OPS.verb_add(name="stride")
    OPS.adverb_add(name="energy")
    for index, energy in enumerate((-1.0, 0.0, 1.0)):
        action = object_travels(armature, f"travel {index}", 0.4 + 0.1 * index)
        annotate(armature, action, energy=energy)
        add_to_verb(action)
    OPS.root_set(root="<object>")
    OPS.verb_build()
    verb = armature.verbs_adverbs.verbs[0]
    bpy.context.scene.frame_set(20)
    assert state(armature, verb) == "UP_TO_DATE"
    armature.animation_data.action = None
    armature.rotation_euler.z = 1.0
    assert state(armature, verb) == "UP_TO_DATE"
