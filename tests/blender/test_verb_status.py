"""A verb says how it stands, tells at once when something changed, and is never played out of date."""

import bpy
import numpy as np
import pytest
from blender.figurine import (
    FIRST,
    LAST,
    add_to_verb,
    annotate,
    delete_bone,
    figurine,
    lines,
    part,
    state,
    stride,
    write_curves,
)

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


def shown(armature):
    return first_curve(armature, armature.animation_data.action)


def example(verb):
    return verb.examples[0].action.verbs_adverbs.examples[0]


def drag_a_marker(armature, verb) -> None:
    markers = verb.examples[0].action.pose_markers
    next(marker for marker in markers if marker.name.startswith("middle")).frame = 10


def move_a_key(curve) -> None:
    curve.keyframe_points[3].co.y += 0.01


CHANGES = {
    "a marker is dragged": drag_a_marker,
    "a value": lambda armature, verb: setattr(example(verb).values[0], "value", -0.5),
    "a key": lambda armature, verb: move_a_key(shown(armature)),
    "a key of an action that is not shown": lambda armature, verb: move_a_key(
        first_curve(armature, verb.examples[0].action)
    ),
    "a curve is muted": lambda armature, verb: setattr(shown(armature), "mute", True),
    "an adverb is widened": lambda armature, verb: setattr(armature.verbs_adverbs.adverbs[0], "maximum", 2.0),
    "an option": lambda armature, verb: setattr(verb, "control_points", 24),
    "an example is off": lambda armature, verb: setattr(verb.examples[1], "enabled", False),
    "an action is deleted": lambda armature, verb: bpy.data.actions.remove(verb.examples[1].action),
    "a bone is deleted": lambda armature, verb: delete_bone(armature, "Foot"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_verb_says_at_once_when_something_changed(armature, verb, change: str):
    OPS.verb_build()
    CHANGES[change](armature, verb)
    assert state(armature, verb) == "OUT_OF_DATE"


@pytest.mark.parametrize("change", ["a value", "a key", "a marker is dragged"])
def test_a_changed_verb_is_built_anew_before_it_is_played(armature, verb, change: str):
    verbs = part("bridge.authoring.verbs")
    before = verbs.verb_for(armature, verb)
    assert verbs.verb_for(armature, verb) is before
    CHANGES[change](armature, verb)
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
