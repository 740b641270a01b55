"""What a verb says of itself after renaming, and changes of its keys and marks that are easy to miss."""

import bpy
import numpy as np
import pytest
from blender.figurine import FIRST, annotate, part, state, stride, striding_figurine

OPS = bpy.ops.verbs_adverbs


def curves(armature) -> list:
    return part("bridge.blender.versions").curves_of(armature.animation_data.action, armature)


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "loaded"])
def test_a_renamed_verb_plays_and_bakes_under_its_new_name(armature, verb, kept: bool):
    OPS.verb_build()
    if not kept:
        part("bridge.blender.store").forget()
    OPS.verb_rename(name="march")
    assert state(armature, verb) == "UP_TO_DATE"
    assert part("bridge.authoring.verbs").verb_for(armature, verb).name == "march"
    OPS.bake(cycles=1)
    baked = armature.animation_data.action
    assert baked.name.startswith("march") and baked.verbs_adverbs.examples[0].name == "march"


def test_a_renamed_verb_is_not_built_anew(armature, verb):
    before = part("bridge.authoring.verbs").verb_for(armature, verb)
    OPS.verb_rename(name="march")
    after = part("bridge.authoring.verbs").verb_for(armature, verb)
    assert after.mixture is before.mixture and after is part("bridge.authoring.verbs").verb_for(armature, verb)


def test_a_renamed_verb_that_cannot_be_built_says_so_under_its_new_name(armature, verb):
    for reference in verb.examples:
        reference.enabled = False
    verbs, errors = part("bridge.authoring.verbs"), part("core.errors")
    for name in ("stride", "march"):
        verb.name = name
        with pytest.raises(errors.VerbsError, match=f"'{name}'"):
            verbs.verb_for(armature, verb)


def test_changed_samples_of_a_curve_put_a_verb_out_of_date(armature, verb):
    curve = curves(armature)[0]
    curve.convert_to_samples(1, 26)
    part("bridge.data.content").forget_actions()
    OPS.verb_build()
    assert len(curve.sampled_points) == 25 and state(armature, verb) == "UP_TO_DATE"
    curve.sampled_points[3].co[1] += 0.5
    armature.animation_data.action.update_tag()
    assert state(armature, verb) == "OUT_OF_DATE"


def test_how_far_a_key_swings_back_counts_where_it_does(armature, verb):
    key = curves(armature)[0].keyframe_points[3]
    key.interpolation = "BACK"
    OPS.verb_build()
    key.back = 7.0
    assert state(armature, verb) == "OUT_OF_DATE"


def test_a_modifier_is_heeded_whether_or_not_it_is_the_chosen_one(armature, verb):
    curve = curves(armature)[0]
    muted, heeded = (curve.modifiers.new("NOISE") for _ in range(2))
    muted.mute = True
    seen = []
    for chosen in (muted, heeded):
        chosen.active = True
        part("bridge.blender.store").forget()
        seen.append(
            part("bridge.authoring.verbs").verb_for(armature, verb).motion([1.0]).sample(np.linspace(0.0, 1.0, 9))
        )
    assert np.array_equal(*seen)


def test_a_bone_that_no_longer_inherits_rotation_is_told_of_anew(armature, verb):
    OPS.verb_build()
    armature.data.bones["Foot"].use_inherit_rotation = False
    assert state(armature, verb) == "OUT_OF_DATE"


def test_the_scenes_rate_counts_for_an_example_without_one(armature, verb):
    verb.examples[0].action.verbs_adverbs.examples[0].fps = 0.0
    OPS.verb_build()
    bpy.context.scene.render.fps = 48
    assert state(armature, verb) == "OUT_OF_DATE"


def test_markers_of_an_action_are_looked_up_once_however_many_examples_it_has(armature, verb, monkeypatch):
    action = stride(armature, "many")
    for _ in range(5):
        annotate(armature, action)
    for example in action.verbs_adverbs.examples:
        reference = verb.examples.add()
        reference.action, reference.example_uid = action, example.uid
    markers, asked = part("bridge.data.markers"), []
    look_up = markers.keytime_markers
    monkeypatch.setattr(markers, "keytime_markers", lambda action: asked.append(action.name) or look_up(action))
    assert part("bridge.authoring.verbs").status(armature, verb).state == "NEVER_BUILT"
    assert asked.count("many") == 1 and len(asked) == 4


def test_a_file_that_is_opened_again_has_its_verbs_at_once(armature, tmp_path):
    OPS.verb_build()
    verb_for = part("bridge.authoring.verbs").verb_for
    built, path = verb_for(armature, armature.verbs_adverbs.verbs[0]), str(tmp_path / "again.blend")
    name = armature.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    for _ in range(2):
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
        opened = bpy.data.objects[name]
        assert verb_for(opened, opened.verbs_adverbs.verbs[0]) is built
    opened.verbs_adverbs.verbs[0].control_points += 1
    assert verb_for(opened, opened.verbs_adverbs.verbs[0]) is not built


def test_a_file_saved_before_its_verbs_were_built_has_them_at_once_when_they_were_built_since(armature, tmp_path):
    verb_for, path, name = part("bridge.authoring.verbs").verb_for, str(tmp_path / "before.blend"), armature.name
    bpy.ops.wm.save_as_mainfile(filepath=path)
    built = verb_for(armature, armature.verbs_adverbs.verbs[0])
    assert armature.verbs_adverbs.reference_root
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    opened = bpy.data.objects[name]
    assert not opened.verbs_adverbs.reference_root
    assert verb_for(opened, opened.verbs_adverbs.verbs[0]) is built


def test_a_keytime_that_was_never_moved_is_told_of_but_not_where_as_many_are_alike():
    armature = striding_figurine((-1.0, -0.5, 0.5, 1.0))
    verb = armature.verbs_adverbs.verbs[0]
    actions = [reference.action for reference in verb.examples]

    def told() -> list[str]:
        found = part("bridge.authoring.diagnosis.told").odd_segments(verb, part("bridge.data.markers").ActionMarkers())
        return [f"{example.id_data.name}: {text}" for example, _, text in found]

    assert told() == []
    for count, action in enumerate(actions[:2], 1):
        next(marker for marker in action.pose_markers if marker.name.startswith("middle")).frame = FIRST + 1
        assert [text.partition(":")[0] for text in told()] == ([actions[0].name] if count == 1 else [])
