"""Layers over what a director plays: added, started, refused, performed, baked and undone in Blender."""

import bpy
import numpy as np
import pytest
from blender.layering import ARM, add_layer, apart, ask, degrees, poses, state, waving
from blender.performance import OPS, biped_with_graph, performing_biped
from blender.performer import begin, character, end, play, session, take
from blender.stage import go_to, part, state_of


@pytest.fixture
def armature():
    return waving()


def test_a_wave_is_started_at_a_frame_and_moves_the_waving_arm_alone():
    armature, frames = waving(), range(1, 120, 3)
    before = poses(armature, frames)
    layer = add_layer(armature, "wave")
    assert [bone.text for bone in layer.bones] == ["Shoulder_R"]
    ask(layer, "start", 30)
    after = poses(armature, frames)
    changed = {name for name, way in apart(before, after).items() if way > 1e-6}
    assert changed == set(ARM)
    late = np.array(frames) > 30
    assert apart(before, after, ~late)["UpperArm_R"] < 1e-6
    assert apart(before, after, late)["UpperArm_R"] > 0.5
    go_to(20)
    assert state(armature, layer).kind == "off"
    go_to(45)
    assert state(armature, layer).kind == "executing"
    go_to(119)
    assert state(armature, layer).kind == "finished"


def test_a_slider_shows_the_layered_pose_at_once_as_the_timeline_will(armature):
    ask(add_layer(armature, "wave"), "start", 10)
    go_to(40)
    assert OPS.performance_write() == {"FINISHED"}
    director = armature.verbs_adverbs.director
    director["wave weight"], director["mood"] = 0.5, 0.7
    director.update_tag()
    bpy.context.view_layer.update()
    part("bridge.session.sliders").notice_moved(director, bpy.context.scene)
    shown = {bone.name: np.array([bone.matrix_basis]) for bone in armature.pose.bones}
    assert max(apart(shown, poses(armature, [40])).values()) < 1e-4


def test_a_weight_that_is_keyed_takes_the_layer_back(armature):
    before = poses(armature, [60])
    layer = add_layer(armature, "wave", times=0)
    ask(layer, "start", 5)
    director = armature.verbs_adverbs.director
    director["wave weight"] = 0.0
    director.keyframe_insert('["wave weight"]', frame=20)
    assert max(apart(before, poses(armature, [60])).values()) < 1e-5


def test_a_layer_plays_in_the_score_and_in_its_bake_as_on_the_timeline():
    armature = performing_biped(walk=30.0)
    layer = add_layer(armature, "wave", times=2)
    ask(layer, "start", 50)
    frames = [40, 55, 70, 90, 110, 150, 190]
    seen = poses(armature, frames)
    assert OPS.bake_performance(frame_start=1, frame_end=200, assign=True) == {"FINISHED"}
    assert armature.animation_data.action != armature.verbs_adverbs.director.verbs_adverbs.generated
    assert max(apart(seen, poses(armature, frames)).values()) < 1e-4


def test_a_range_is_baked_with_layers_and_a_cycle_without(armature):
    ask(add_layer(armature, "wave"), "start", 10)
    frames = [12, 30, 45, 60]
    seen = poses(armature, frames)
    assert OPS.bake(length="RANGE", frame_start=1, frame_end=80, animated=True, assign=True) == {"FINISHED"}
    assert max(apart(seen, poses(armature, frames)).values()) < 1e-4


def carrying_and_hailing():
    """The biped with a layer that has the right arm from frame 10 on, and one that needs it at frame 40."""
    armature = waving()
    first, second = add_layer(armature, "wave", times=0), add_layer(armature, "wave")
    first.name, second.name = "carry", "hail"
    part("bridge.data.director").keep_in_step(armature)
    ask(first, "start", 10)
    ask(second, "start", 40)
    return armature, first, second


def test_what_another_layer_has_is_refused_in_words_and_each_remedy_works():
    armature, first, second = carrying_and_hailing()
    assert OPS.performance_write() == {"FINISHED"}
    go_to(41)
    told = state(armature, second)
    assert told.kind == "refused" and told.holder == "carry"
    assert "'Shoulder_R'" in told.text and "until it is stopped" in told.text
    ask(second, "instead", 41)
    assert OPS.performance_write() == {"FINISHED"}
    go_to(60)
    assert state(armature, second).kind == "executing" and state(armature, first).kind == "finished"
    assert bpy.ops.verbs_adverbs.layer_clear() == {"FINISHED"}
    ask(second, "after", 41)
    ask(first, "stop", 50)
    assert OPS.performance_write() == {"FINISHED"}
    go_to(45)
    assert state(armature, second).kind == "queued"
    go_to(120)
    assert state(armature, first).kind == "finished" and state(armature, second).kind in ("started", "executing")


def test_what_becomes_of_a_layer_can_be_said_for_one_other_layer_alone():
    armature, first, second = carrying_and_hailing()
    armature.verbs_adverbs.active_layer = 1
    for held, kind in (("SHARE", "executing"), ("WAIT", "queued"), ("USUAL", "refused")):
        assert OPS.layer_beside(other=first.uid, held=held) == {"FINISHED"}
        assert OPS.performance_write() == {"FINISHED"}
        go_to(70)
        assert state(armature, second).kind == kind
        assert state(armature, first).kind == "executing"
    with pytest.raises(RuntimeError, match="does not have that layer"):
        OPS.layer_beside(other=second.uid, held="WAIT")
    assert OPS.layer_beside(other=first.uid, held="WAIT") == {"FINISHED"}
    armature.verbs_adverbs.active_layer = 0
    assert OPS.layer_remove() == {"FINISHED"}
    assert not armature.verbs_adverbs.layers["hail"].pairs


def test_layers_are_performed_and_played_back_as_they_were_performed():
    armature = biped_with_graph()
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["walk"].uid) == {"FINISHED"}
    layer = add_layer(armature, "wave")
    clock, seen = begin(armature), {}

    def start() -> None:
        assert OPS.layer_ask(wish="start", layer=layer.name) == {"FINISHED"}

    def see() -> None:
        frame = session().frames.shown[-1].time * 24.0
        if abs(frame - round(frame)) < 1e-6:
            seen[round(frame) + 1] = {bone.name: np.array([bone.matrix_basis]) for bone in armature.pose.bones}

    assert play(clock, 4.0, {1.0: start, 3.5: start}, each=see)
    assert state(armature, layer).kind in ("started", "executing")
    assert character().problem == "" and end() == []
    for frame in (21, 31, 45, 61, 91):
        assert max(apart(seen[frame], poses(armature, [frame])).values()) < 1e-4, frame
    go_to(45)
    assert state(armature, layer).kind == "executing"


@pytest.mark.parametrize("spoil", ["bone", "verb", "bones", "fade"])
def test_a_layer_that_does_not_fit_any_more_is_told_in_a_sentence_and_nothing_is_lost(armature, spoil: str):
    layer = add_layer(armature, "wave")
    layer.name = "hail"
    part("bridge.data.director").keep_in_step(armature)
    ask(layer, "start", 10)
    assert OPS.performance_write() == {"FINISHED"}
    before = state_of(armature)
    if spoil == "bone":
        layer.bones[0].text = "Shoulder_Q"
    elif spoil == "verb":
        armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("wave")
        assert OPS.verb_remove() == {"FINISHED"}
    elif spoil == "bones":
        layer.bones.clear()
    else:
        layer["fade_in"] = float("nan")
    with pytest.raises(RuntimeError, match="hail"):
        OPS.performance_write()
    assert state_of(armature) == before
    layer.enabled = False
    assert OPS.performance_write() == {"FINISHED"}


def test_layers_are_renamed_moved_and_removed_with_their_sliders(armature):
    add_layer(armature, "wave")
    layer = add_layer(armature, "wave", times=3)
    assert layer.name == "wave 2"
    ask(layer, "start", 12)
    layer.name = "hail"
    assert OPS.performance_write() == {"FINISHED"}
    director = armature.verbs_adverbs.director
    assert "hail plays" in director and "wave 2 plays" not in director
    paths = [curve.data_path for curve in part("bridge.data.adverb_values").all_curves(director)]
    assert '["hail plays"]' in paths
    assert OPS.layer_move(step=-1) == {"FINISHED"}
    assert [one.name for one in armature.verbs_adverbs.layers] == ["hail", "wave"]
    assert OPS.layer_remove() == {"FINISHED"}
    assert [one.name for one in armature.verbs_adverbs.layers] == ["wave"] and "hail plays" not in director
    assert [OPS.layer_move(step=step) for step in (-1, 1)] == [{"CANCELLED"}] * 2
    armature.verbs_adverbs.layers[0].name = " "
    assert armature.verbs_adverbs.layers[0].name == "wave"


def test_a_bone_collection_can_be_the_mask(armature):
    made = armature.data.collections.new("Waving")
    for name in ARM[1:]:
        made.assign(armature.data.bones[name])
    frames = range(1, 100, 5)
    before = poses(armature, frames)
    layer = add_layer(armature, "wave", collection="Waving")
    ask(layer, "start", 20)
    changed = {name for name, way in apart(before, poses(armature, frames)).items() if way > 1e-6}
    assert changed == set(ARM[1:])


@pytest.mark.parametrize("strips", ["OVERRIDE", "COMBINE"])
def test_strips_of_base_and_layers_play_as_the_one_action_does(strips: str):
    armature = performing_biped(walk=30.0)
    layer = add_layer(armature, "wave", times=2)
    ask(layer, "start", 50)
    frames = [10, 40, 50, 53, 55.5, 70, 90, 110, 130, 150, 190]
    seen = poses(armature, frames)
    own = bpy.data.actions.new("mine")
    assert OPS.bake_performance(frame_start=1, frame_end=200, strips=strips) == {"FINISHED"}
    data = armature.animation_data
    assert data.action is None and not armature.verbs_adverbs.director.verbs_adverbs.live
    assert [track.name for track in data.nla_tracks] == ["Biped base", "Biped wave"]
    found = poses(armature, frames)
    whole = [n for n, frame in enumerate(frames) if frame == round(frame)]
    assert max(apart(seen, found, whole).values()) < 1e-3
    assert max(degrees(seen[name], found[name]) for name in seen) < 0.1
    top = data.nla_tracks.new()
    top.name = "by hand"
    top.strips.new("mine", 1, own)
    assert OPS.live_on() == {"FINISHED"}
    assert OPS.bake_performance(frame_start=1, frame_end=150, strips=strips) == {"FINISHED"}
    assert [track.name for track in data.nla_tracks] == ["Biped base", "Biped wave", "by hand"]
    assert data.nla_tracks["by hand"].strips[0].action == own
    assert max(apart(seen, poses(armature, frames), [3, 5]).values()) < 1e-4


def test_layers_and_adverbs_have_no_slider_of_the_same_name(armature):
    assert OPS.adverb_add(name="wave weight") == {"FINISHED"}
    with pytest.raises(RuntimeError, match="wave weight"):
        add_layer(armature, "wave")
    assert not armature.verbs_adverbs.layers
    assert OPS.adverb_remove() == {"FINISHED"}
    add_layer(armature, "wave")
    with pytest.raises(RuntimeError, match="wave plays"):
        OPS.adverb_add(name="wave plays")


def test_a_start_before_another_one_leaves_that_one_a_start(armature):
    layer = add_layer(armature, "wave")
    for frame in (150, 10, 80):
        ask(layer, "start", frame)
    assert OPS.performance_write() == {"FINISHED"}
    heard = (
        part("bridge.session.live_characters")
        .characters[armature.verbs_adverbs.director.session_uid]
        .played.recording.happenings
    )
    started = [round(told.time * 24.0 + 1.0) for told in heard if told.kind == "started"]
    assert started == [10, 80, 150]


def test_what_is_on_by_hand_stays_on_until_it_is_stopped(armature):
    layer = add_layer(armature, "wave", times=0, finishes=False)
    director = armature.verbs_adverbs.director
    director["wave plays"] = 1.0
    ask(layer, "stop", 80)
    assert OPS.performance_write() == {"FINISHED"}
    go_to(60)
    assert state(armature, layer).kind == "executing"
    go_to(110)
    assert state(armature, layer).kind == "finished"


def test_a_muted_or_driven_switch_is_told_and_nothing_is_keyed(armature):
    layer = add_layer(armature, "wave")
    ask(layer, "start", 30)
    director = armature.verbs_adverbs.director
    (curve,) = [c for c in part("bridge.data.adverb_values").all_curves(director) if "plays" in c.data_path]
    curve.mute = True
    before = [tuple(point.co) for point in curve.keyframe_points]
    with pytest.raises(RuntimeError, match="muted"):
        ask(layer, "stop", 50)
    assert [tuple(point.co) for point in curve.keyframe_points] == before
    assert OPS.layer_clear() == {"FINISHED"}
    director.driver_add('["wave plays"]')
    with pytest.raises(RuntimeError, match="driver"):
        ask(layer, "start", 50)


def test_an_arrow_moves_no_layer():
    armature = biped_with_graph()
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs["walk"].uid) == {"FINISHED"}
    add_layer(armature, "wave")
    begin(armature)
    director = armature.verbs_adverbs.director
    for _ in range(3):
        take().nudge_next(1)
    assert director["wave plays"] == 0.0 and director["wave weight"] == 1.0
    assert end() == []


def test_tracks_of_the_user_are_never_emptied():
    armature = performing_biped(walk=30.0)
    ask(add_layer(armature, "wave"), "start", 50)
    mine = bpy.data.actions.new("mine")
    track = armature.animation_data.nla_tracks.new()
    track.name = "Biped wave"
    track.strips.new("mine", 1, mine)
    for _ in range(2):
        assert OPS.bake_performance(frame_start=1, frame_end=120, strips="OVERRIDE") == {"FINISHED"}
        assert OPS.live_on() == {"FINISHED"}
    tracks = armature.animation_data.nla_tracks
    assert [one.action for one in tracks[0].strips] == [mine] and len(tracks) == 3


def test_a_layer_that_changes_nothing_any_more_has_no_strip_left():
    armature = performing_biped(walk=30.0)
    layer = add_layer(armature, "wave")
    ask(layer, "start", 50)
    assert OPS.bake_performance(frame_start=1, frame_end=120, strips="OVERRIDE") == {"FINISHED"}
    assert OPS.live_on() == {"FINISHED"}
    assert OPS.layer_clear() == {"FINISHED"}
    second = add_layer(armature, "wave")
    ask(second, "start", 70)
    assert OPS.bake_performance(frame_start=1, frame_end=120, strips="OVERRIDE") == {"FINISHED"}
    assert [track.name for track in armature.animation_data.nla_tracks] == ["Biped base", "Biped wave 2"]
