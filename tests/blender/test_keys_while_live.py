"""What somebody sets in the action that a live verb plays is not lost: it plays on, or it is kept."""

import bpy
import numpy as np
import pytest
from blender.action_hash import keys_in
from blender.performance import biped_with_graph
from blender.performer import begin, end, play
from blender.stage import drag, go_to, live_biped, miss_of, rested, saved_and_loaded

OPS = bpy.ops.verbs_adverbs
FRAME = 20
SCALE = 'pose.bones["Head"].scale'
TURN = 'pose.bones["Head"].rotation_quaternion'
TURNED = (0.5, 0.5, -0.5, 0.5)


@pytest.fixture
def armature():
    made = live_biped()
    go_to(FRAME)
    return made


def director_of(armature):
    return armature.verbs_adverbs.director


def scale_head(armature) -> None:
    """As auto keying does for a bone that is scaled in Pose Mode at two frames; the verb scales none."""
    head = armature.pose.bones["Head"]
    for frame, size in ((FRAME - 10, 1.0), (FRAME, 1.5)):
        head.scale = (size, size, size)
        head.keyframe_insert("scale", frame=frame)


def turn_head(armature) -> None:
    """As auto keying does for a bone that is turned in Pose Mode; the verb turns it at every frame."""
    head = armature.pose.bones["Head"]
    head.rotation_quaternion = TURNED
    head.keyframe_insert("rotation_quaternion", frame=FRAME)


def head_scale(armature) -> float:
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return seen.pose.bones["Head"].scale.x


def holding(path: str, values) -> list[bpy.types.Action]:
    """Actions with these keys at the frame, on all components of a property."""
    return [
        action
        for action in bpy.data.actions
        if all(
            any(abs(frame - FRAME) + abs(value - wanted) < 1e-5 for frame, value in keys_in(action).get((path, i), ()))
            for i, wanted in enumerate(values)
        )
    ]


def kept_apart(armature, path: str, values) -> list[bpy.types.Action]:
    """Actions with these keys that the verb does not play."""
    return [action for action in holding(path, values) if action != armature.animation_data.action]


def is_scaled_as_keyed(armature) -> bool:
    go_to(FRAME - 10)
    small = head_scale(armature)
    go_to(FRAME)
    return abs(small - 1.0) < 1e-6 and abs(head_scale(armature) - 1.5) < 1e-6


def test_a_bone_that_is_scaled_is_scaled_still_when_sliders_are_moved(armature, tmp_path):
    scale_head(armature)
    for mood in (0.8, -0.4):
        drag(director_of(armature), mood=mood)
        rested(tmp_path)
        assert is_scaled_as_keyed(armature)
        assert miss_of_hips(armature, FRAME) < 1e-5
    assert OPS.performance_write() == {"FINISHED"}
    assert is_scaled_as_keyed(armature)
    armature = saved_and_loaded(tmp_path)
    drag(director_of(armature), mood=0.1)
    rested(tmp_path)
    assert is_scaled_as_keyed(armature)


def miss_of_hips(armature, frame: float) -> float:
    """How far the verb is missed where the head's size does not count."""
    head = armature.pose.bones["Head"]
    before, head.scale = tuple(head.scale), (1.0, 1.0, 1.0)
    try:
        return miss_of(armature, frame)
    finally:
        head.scale = before


def test_a_bone_that_is_scaled_is_in_a_kept_action_after_switching_off(armature, tmp_path):
    scale_head(armature)
    drag(director_of(armature), mood=0.8)
    rested(tmp_path)
    assert OPS.live_off() == {"FINISHED"}
    armature = saved_and_loaded(tmp_path)
    (kept,) = kept_apart(armature, SCALE, (1.5, 1.5, 1.5))
    armature.animation_data.action = kept
    assert is_scaled_as_keyed(armature)


@pytest.mark.parametrize("how", ["slider", "compute", "frames", "keyed slider"])
def test_keys_of_what_the_verb_moves_are_kept_before_they_are_written_over(armature, how, tmp_path):
    turn_head(armature)
    if how == "compute":
        assert OPS.performance_write() == {"FINISHED"}
    elif how == "frames":
        bpy.context.scene.frame_end += 10
    elif how == "keyed slider":
        assert OPS.adverbs_key() == {"FINISHED"}
    else:
        drag(director_of(armature), mood=0.8)
    armature = saved_and_loaded(tmp_path)
    assert len(kept_apart(armature, TURN, TURNED)) == 1
    go_to(FRAME + 5)
    assert director_of(armature).verbs_adverbs.live
    if how != "keyed slider":
        assert miss_of(armature, FRAME + 5) < 1e-5


def test_what_was_kept_is_known_still_when_a_later_step_is_undone(armature, tmp_path):
    turn_head(armature)
    drag(director_of(armature), mood=0.8)
    rested(tmp_path)
    (kept,) = kept_apart(armature, TURN, TURNED)
    assert director_of(armature).verbs_adverbs.kept == kept
    bpy.ops.ed.undo_push(message="kept")
    # Undo leaves the director as it is only if both steps agree on it, which the first step after a drag does not.
    bpy.data.actions.new("Something else")
    bpy.ops.ed.undo_push(message="something else")
    director_of(armature).verbs_adverbs.generated.name = "Renamed"
    bpy.context.scene.frame_end += 10
    bpy.ops.ed.undo_push(message="renamed")
    rested(tmp_path)
    assert director_of(armature).verbs_adverbs.generated != bpy.data.actions["Renamed"]
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    own, (kept,) = director_of(armature).verbs_adverbs, kept_apart(armature, TURN, TURNED)
    assert own.generated == armature.animation_data.action and own.kept == kept


def test_only_what_is_set_anew_is_kept_anew(armature, tmp_path):
    turn_head(armature)
    for mood in (0.8, 0.3, -0.5):
        drag(director_of(armature), mood=mood)
        rested(tmp_path)
        assert len(kept_apart(armature, TURN, TURNED)) == 1
    count = len(bpy.data.actions)
    assert OPS.live_off() == {"FINISHED"}
    assert len(bpy.data.actions) == count - 1
    assert len(kept_apart(armature, TURN, TURNED)) == 1


def edit_value(curve) -> None:
    curve.keyframe_points[FRAME - 1].co.y = 7.0
    curve.update()


def edit_interpolation(curve) -> None:
    curve.keyframe_points[FRAME - 1].interpolation = "BOUNCE"
    curve.update()


def delete_key(curve) -> None:
    curve.keyframe_points.remove(curve.keyframe_points[FRAME - 1])


def add_noise(curve) -> None:
    curve.modifiers.new("NOISE").strength = 2.0


@pytest.mark.parametrize(
    ("edit", "loss"),
    [
        (edit_value, "slider"),
        (edit_interpolation, "slider"),
        (delete_key, "slider"),
        (add_noise, "slider"),
        (add_noise, "switching off"),
        (edit_value, "switching off"),
    ],
)
def test_edits_of_its_curves_are_kept(armature, edit, loss, tmp_path):
    action = armature.animation_data.action
    edit(curve_of(action, 'pose.bones["Hips"].location', 0))
    edited = shape(action)
    if loss == "slider":
        drag(director_of(armature), mood=0.8)
        rested(tmp_path)
    else:
        assert OPS.live_off() == {"FINISHED"}
    armature = saved_and_loaded(tmp_path)
    others = [one for one in bpy.data.actions if one != armature.animation_data.action]
    assert [shape(one) for one in others].count(edited) == 1


def curve_of(action, path: str, index: int):
    bag = action if not hasattr(action, "layers") else action.layers[0].strips[0].channelbags[0]
    return bag.fcurves.find(path, index=index)


def shape(action) -> tuple | None:
    """What the edits change of the hips' first curve: values, interpolations, modifiers; None where there is none."""
    curve = curve_of(action, 'pose.bones["Hips"].location', 0) if keys_in(action) else None
    if curve is None:
        return None
    keys = curve.keyframe_points
    values = np.array([key.co for key in keys])
    bounces = sum(key.interpolation == "BOUNCE" for key in keys)
    return values.tobytes(), len(keys), bounces, len(curve.modifiers)


def test_markers_in_the_played_action_are_kept_when_it_is_switched_off(armature, tmp_path):
    armature.animation_data.action.pose_markers.new("here").frame = 7
    assert OPS.live_off() == {"FINISHED"}
    saved_and_loaded(tmp_path)
    assert "here" in {marker.name for action in bpy.data.actions for marker in action.pose_markers}


def test_undo_and_redo_lose_no_keys(armature, tmp_path):
    bpy.ops.ed.undo_push(message="live")
    turn_head(armature)
    bpy.ops.ed.undo_push(message="turned")
    drag(director_of(armature), mood=0.8)
    rested(tmp_path)
    bpy.ops.ed.undo_push(message="slider")
    armature = bpy.data.objects["Biped"]
    assert len(kept_apart(armature, TURN, TURNED)) == 1
    bpy.ops.ed.undo()
    armature = bpy.data.objects["Biped"]
    assert armature.animation_data.action in holding(TURN, TURNED)
    bpy.ops.ed.redo()
    armature = bpy.data.objects["Biped"]
    assert len(kept_apart(armature, TURN, TURNED)) == 1
    go_to(FRAME)
    assert miss_of(armature, FRAME) < 1e-5
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    assert holding(TURN, TURNED) == []


def test_a_render_keeps_keys_before_it_writes(armature):
    turn_head(armature)
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples = "CYCLES", 1
    scene.render.resolution_x = scene.render.resolution_y = 8
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    scene.collection.objects.link(camera)
    scene.camera = camera
    director_of(armature)["mood"] = 0.8
    bpy.ops.render.render()
    assert len(kept_apart(armature, TURN, TURNED)) == 1


def test_performing_keeps_keys_that_were_set_before(tmp_path):
    armature = biped_with_graph()
    assert OPS.live_on() == {"FINISHED"}
    turn_head(armature)
    scale_head(armature)
    clock = begin(armature)
    assert play(clock, 1.0) and end() == []
    armature = saved_and_loaded(tmp_path)
    assert len(kept_apart(armature, TURN, TURNED)) == 1
    assert len(kept_apart(armature, SCALE, (1.5, 1.5, 1.5))) == 1


def test_keys_are_kept_when_another_verb_is_chosen(tmp_path):
    armature = biped_with_graph()
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    turn_head(armature)
    scale_head(armature)
    assert OPS.director_verb(verb="wave") == {"FINISHED"}
    assert len(kept_apart(armature, TURN, TURNED)) == 1
    assert is_scaled_as_keyed(armature)
    assert director_of(armature).verbs_adverbs.verb == "wave"


def test_a_bake_that_takes_the_place_of_what_is_played_keeps_keys(armature, tmp_path):
    turn_head(armature)
    assert OPS.bake(name="baked") == {"FINISHED"}
    armature = saved_and_loaded(tmp_path)
    assert armature.animation_data.action.name == "baked"
    assert len(kept_apart(armature, TURN, TURNED)) == 1


def test_it_is_said_where_the_keys_are(armature, tmp_path, capfd):
    turn_head(armature)
    assert OPS.live_off() == {"FINISHED"}
    (kept,) = kept_apart(armature, TURN, TURNED)
    assert f"were saved in action '{kept.name}'" in capfd.readouterr().out
