"""What is said where keytimes cannot be found, or not all of them: each a sentence, and nothing is changed."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from blender.bridge_scenes import put_keys
from blender.figurine import assert_says, refused
from blender.stage import part, walking_biped
from verbs_adverbs.demo.operate import Refused, do


def _current(armature) -> bpy.types.Action:
    return armature.animation_data.action


def _plain(armature) -> bpy.types.Action:
    """The assigned walk without its annotation."""
    action = _current(armature)
    do("example_remove")
    return action


def _told(action: bpy.types.Action) -> str:
    return " ".join(line.text for line in action.verbs_adverbs.found)


def _refused(operator: str, **options: object) -> str:
    """The sentence with which an operator says no; nothing is there that was not before, and nothing is gone."""
    before = _everything()
    with pytest.raises(Refused) as told:
        do(operator, **options)
    assert _everything() == before
    return str(told.value)


def _everything() -> tuple[object, ...]:
    armatures = [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]
    examples = [
        (action.name, e.name, [(k.name, k.frame) for k in e.keytimes], [(c.bone, len(c.windows)) for c in e.contacts])
        for action in bpy.data.actions
        for e in action.verbs_adverbs.examples
    ]
    verbs = [(a.name, v.name, len(v.examples)) for a in armatures for v in a.verbs_adverbs.verbs]
    names = [sorted(kind.keys()) for kind in (bpy.data.actions, bpy.data.objects, bpy.data.scenes)]
    return examples, verbs, names, [a.animation_data and a.animation_data.action for a in armatures]


def _keytimes(action: bpy.types.Action) -> list[tuple[str, float]]:
    return [(keytime.name, keytime.frame) for keytime in action.verbs_adverbs.examples[0].keytimes]


def _close(found: list[tuple[str, float]], expected: list[tuple[str, float]]) -> bool:
    frames = np.array([[frame for _, frame in keytimes] for keytimes in (found, expected)])
    return [n for n, _ in found] == [n for n, _ in expected] and bool(np.abs(np.diff(frames, axis=0)).max() < 1.0)


def _crane() -> bpy.types.Action:
    """Bones one upon the other that swing; no feet, nothing left or right."""
    data = bpy.data.armatures.new("Crane")
    crane = bpy.data.objects.new("Crane", data)
    bpy.context.collection.objects.link(crane)
    bpy.context.view_layer.objects.active = crane
    bpy.ops.object.mode_set(mode="EDIT")
    for level in range(4):
        bone = data.edit_bones.new(f"arm {level}")
        bone.head, bone.tail, bone.parent = (0, 0, level), (0, 0.2, level + 1), data.edit_bones.get(f"arm {level - 1}")
    bpy.ops.object.mode_set(mode="OBJECT")
    action, frames = bpy.data.actions.new("Swing"), np.arange(1.0, 30.0)
    put_keys(crane, action, 'pose.bones["arm 1"].rotation_euler', frames, np.outer(np.sin(0.2 * frames), np.eye(3)[0]))
    return action


@pytest.fixture
def action(armature):
    return _plain(armature)


@pytest.fixture
def armature():
    return walking_biped()


def test_a_figure_without_feet_is_told_where_to_choose_them():
    _crane()
    said = _refused("keytimes_find", verb="crane")
    assert "Armature 'Crane': No feet were found" in said and "Choose the bones of heels and toes under" in said
    do("feet_find")
    assert not any(foot.ball for foot in bpy.context.object.verbs_adverbs.feet)
    assert "The ball of foot 'L' is not chosen. Choose one" in _refused("keytimes_find", verb="crane")


def test_the_rows_of_feet_that_are_not_found_are_filled_in_as_far_as_can_be(armature):
    _plain(armature)
    for row, bone in enumerate(armature.data.bones):
        bone.name = {"Foot_L": "foot.L"}.get(bone.name, f"b{row}" if bone.name[-2:] == "_R" else bone.name)
    do("feet_find")
    left, right = armature.verbs_adverbs.feet
    assert (left.name, left.ankle, left.ball, right.name) == ("L", "foot.L", "Toes_L", "R")
    for ours, theirs in ((left.thigh, right.thigh), (left.ankle, right.ankle), (left.ball, right.ball)):
        across = np.array(armature.data.bones[theirs].head_local) * np.array([-1.0, 1.0, 1.0])
        assert np.allclose(across, armature.data.bones[ours].head_local, atol=1e-5)


def test_feet_that_are_found_again_replace_what_was_chosen(armature):
    do("feet_find")
    found = [(foot.name, foot.ankle, foot.ball) for foot in armature.verbs_adverbs.feet]
    armature.verbs_adverbs.feet["L"].ball = "Hand_L"
    do("feet_find")
    assert [(foot.name, foot.ankle, foot.ball) for foot in armature.verbs_adverbs.feet] == found


def test_selected_bones_become_a_foot(armature):
    do("feet_find")
    assert not bpy.ops.verbs_adverbs.foot_take.poll()
    bpy.ops.object.mode_set(mode="POSE")
    foot, action = armature.verbs_adverbs.feet["L"], _plain(armature)
    foot.ball = ""
    assert "The ball of foot 'L' is not chosen" in _refused("keytimes_find", verb="")
    for chosen, stored in TAKEN.items():
        _select(armature, chosen)
        foot.ball, foot.ankle, foot.thigh, foot.heel, foot.ball_end = "", "", "Hips", "Foot_R", "TAIL"
        do("foot_take", side="L")
        assert (foot.thigh, foot.ankle, foot.ball, foot.ball_end, foot.heel) == (*stored, "HEAD", "")
    do("keytimes_find", verb="")
    assert {contact.bone for contact in action.verbs_adverbs.examples[0].contacts} == {"Toes_L", "Toes_R"}
    for chosen, told in NOT_TAKEN.items():
        _select(armature, chosen)
        assert told in _refused("foot_take", side="L")
        assert foot.ball == "Toes_L"
    with pytest.raises(Refused, match="no foot 'X'. Press Find Feet first"):
        do("foot_take", side="X")


TAKEN = {
    ("UpperLeg_L", "LowerLeg_L", "Foot_L", "Toes_L"): ("UpperLeg_L", "Foot_L", "Toes_L"),
    ("Foot_L", "Toes_L"): ("UpperLeg_L", "Foot_L", "Toes_L"),
    ("Toes_L",): ("UpperLeg_L", "Foot_L", "Toes_L"),
}
NOT_TAKEN = {(): "In Pose Mode, select the toe of foot 'L'", ("Foot_R", "Toes_L"): "do not belong to the same leg"}


def _select(armature, names: tuple[str, ...]) -> None:
    for bone in armature.pose.bones:
        holder = bone if "select" in bone.bl_rna.properties else bone.bone
        holder.select = bone.name in names


def test_what_has_no_left_and_right_has_no_mirror_image():
    _crane()
    assert "No bones of 'Crane' have left and right names. Rename them, such as hand.L and hand.R." in _refused(
        "action_mirror"
    )


def test_a_figure_of_one_leg_makes_a_cycle_of_its_own_steps(armature, action):
    lost = [bone.name for bone in armature.data.bones["UpperLeg_L"].children_recursive] + ["UpperLeg_L"]
    bpy.ops.object.mode_set(mode="EDIT")
    for name in lost:
        armature.data.edit_bones.remove(armature.data.edit_bones[name])
    bpy.ops.object.mode_set(mode="OBJECT")
    said = _refused("keytimes_find", verb="")
    assert "bones that 'Biped' does not have: 'Foot_L'" in said and "delete their curves" in said
    bag = part("bridge.blender.versions").bag_for_write(armature, action)
    for curve in [curve for curve in bag.fcurves if any(f'"{name}"' in curve.data_path for name in lost)]:
        bag.fcurves.remove(curve)
    do("keytimes_find", verb="")
    assert [name for name, _ in _keytimes(action)] == ["R_down", "R_up", "R_down"]
    assert "Only foot 'R' of 'Walk plain' is known" in _told(action) and "Choose the other foot's bones" in _told(
        action
    )


@pytest.mark.parametrize("height", [0.7, -1.3, 40.0])
def test_a_floor_that_is_not_at_zero_is_found(armature, height: float):
    action = _current(armature)
    expected = _keytimes(action)
    do("example_remove")
    for curve in _curves(action):
        if curve.data_path.endswith("location") and curve.array_index == 1:
            for key in curve.keyframe_points:
                key.co[1] += height
            curve.update()
    do("keytimes_find", verb="")
    assert _close(_keytimes(action), expected)


@pytest.mark.parametrize("name", ["Walk uphill", "Walk downhill", "Walk sad uphill"])
def test_a_floor_that_slopes_is_found(armature, name: str):
    action = armature.animation_data.action = bpy.data.actions[name]
    expected = _keytimes(action)
    do("example_remove")
    do("keytimes_find", verb="")
    assert _close(_keytimes(action), expected)


def test_a_bone_that_is_gone_is_told(armature):
    do("feet_find")
    armature.verbs_adverbs.feet["R"].ball = "no such bone"
    with pytest.raises(Refused, match="'no such bone', which 'Biped' does not have"):
        do("keytimes_find")


def test_one_foot_makes_a_cycle_of_its_own_steps_and_says_so(armature, action, capfd):
    do("feet_find")
    feet = armature.verbs_adverbs.feet
    feet.remove(feet.find("L"))
    do("keytimes_find", verb="")
    assert [keytime.name for keytime in action.verbs_adverbs.examples[0].keytimes] == ["R_down", "R_up", "R_down"]
    assert "Only foot 'R'" in _told(action)
    doubts = sum(line.kind == "WARNING" for line in action.verbs_adverbs.found)
    assert (
        f"Found 1 example; {doubts} warning{'s' if doubts > 1 else ''}, listed under Example" in capfd.readouterr().out
    )


def test_an_error_stands_beside_the_mouse_on_lines_and_loses_no_word():
    text = "The feet of 'Walk plain' jitter by 4 % of the leg length, so contacts are unreliable. " * 5
    lines = part("operators.operator_base").on_lines("ERROR", text).split("\n")
    assert max(len(line) for line in lines) <= 101 and len(lines) > 3
    assert "".join(lines) == text.strip(), "the status bar leaves out the ends of lines"
    assert part("operators.operator_base").on_lines("INFO", text) == text


def test_feet_are_found_and_what_the_user_chose_is_taken(armature, action):
    do("feet_find")
    for foot in armature.verbs_adverbs.feet:
        foot.ball, foot.ball_end, foot.ankle, foot.heel = f"Foot_{foot.name}", "TAIL", f"Foot_{foot.name}", ""
    do("keytimes_find", verb="")
    contacts = action.verbs_adverbs.examples[0].contacts
    assert [(contact.bone, contact.end) for contact in contacts] == [("Foot_L", "TAIL"), ("Foot_R", "TAIL")]


def test_a_clip_without_a_contact_says_so(action):
    for curve in _curves(action):
        curve.mute = not curve.data_path.endswith("location")
    said = _refused("keytimes_find", verb="glide")
    assert said.count("'Walk plain'") == 1
    assert "No foot of 'Walk plain' ever touches the floor. Check the heel and toe bones" in said


def test_a_clip_of_one_step_names_its_strikes(action):
    action.use_frame_range = True
    first, last = action.frame_range
    action.frame_start, action.frame_end = first, first + round(0.45 * (last - first))
    said = _refused("keytimes_find", verb="step")
    assert "'Walk plain' has no whole cycle, only these foot strikes: 'R_down' at 0.15 s. Use a longer piece" in said


def test_a_clip_whose_cycle_cannot_be_stored_is_left_out_of_several(armature, monkeypatch):
    finding = part("bridge.authoring.clips.finding")
    actions = [one.action for one in armature.verbs_adverbs.verbs["walk"].examples][:3]
    usual = finding.layout_of

    def reversed_in_one(clip, *told):
        layout = usual(clip, *told)
        return replace(layout, keytimes=layout.keytimes[::-1]) if clip.action == actions[1] else layout

    monkeypatch.setattr(finding, "layout_of", reversed_in_one)
    found = finding.find_examples(armature, actions, 30.0)
    assert [action for action, _ in found.examples] == [actions[0], actions[2]]
    assert_says(" ".join(found.warnings), f"'{actions[1].name}' was left out", "Choose an end after the start")


def test_mirrored_names_that_collide_are_told(armature):
    armature.data.bones["Spine"].name = "leftHand_R"
    armature.data.bones["Hand_L"].name = "leftHand_L"
    armature.data.bones["Hand_R"].name = "rightHand_R"
    said = _refused("action_mirror")
    assert "Bones 'leftHand_R' and 'rightHand_R' are a pair, but their parents are neither a pair" in said
    assert "Rename one of them" in said


def test_two_bones_that_claim_one_partner_are_told(armature):
    armature.data.bones["Chest"].name = "HAND_L"
    armature.data.bones["Hand_L"].name = "hand_L"
    said = _refused("action_mirror")
    assert "Bone 'hand_L' is in no left/right pair, but its parent is. Rename it." in said
    assert "Bones 'HAND_L' and 'hand_L' both look like the left counterpart of 'Hand_R'. Rename one" in said


def test_an_action_of_another_armature_cannot_be_asked_for():
    walking_biped()
    bpy.data.actions.new("stranger")
    with pytest.raises(Refused, match="no action 'stranger' that moves 'Biped'"):
        do("keytimes_find", choices=[{"name": "stranger", "chosen": True}])


def _curves(action: bpy.types.Action):
    bag = action if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbag(action.slots[0])
    return list(bag.fcurves)


def test_next_cycle_is_grey_where_there_is_no_other_and_says_so(action):
    do("keytimes_find", verb="")
    assert "one whole cycle" in _told(action)
    assert not bpy.ops.verbs_adverbs.cycle_choose.poll()
    with pytest.raises(RuntimeError, match="has no other cycle"):
        bpy.ops.verbs_adverbs.cycle_choose()


def _go_on(action: bpy.types.Action, first: int, last: int, share: float) -> None:
    """Let a walk whose cycle lies between two frames go on for a share of a cycle more, in plain keys."""
    for curve in _curves(action):
        gained = curve.evaluate(last) - curve.evaluate(first)
        frames = range(first + 1, first + 1 + round(share * (last - first)))
        for frame, value in [(frame, curve.evaluate(frame)) for frame in frames]:
            curve.keyframe_points.insert(frame + last - first, value + gained)
        curve.update()


def test_next_cycle_counts_cycles_with_the_keytimes_of_the_example():
    action = _plain(walking_biped())
    do("keytimes_find", verb="")
    (example,) = action.verbs_adverbs.examples
    first, last = round(example.start), round(example.end)
    _go_on(action, first, last, 0.7)
    do("keytimes_find", verb="")
    assert "one whole cycle" in _told(action) and action.verbs_adverbs.cycles > 1
    assert not bpy.ops.verbs_adverbs.cycle_choose.poll()
    with pytest.raises(RuntimeError, match="no other cycle with the keytimes of this example"):
        bpy.ops.verbs_adverbs.cycle_choose()
    _go_on(action, first, last, 1.5)
    do("keytimes_find", verb="")
    start = example.start
    do("cycle_choose")
    assert example.start != start


def test_no_feet_are_found_where_there_are_no_bones(capfd):
    armature = bpy.data.objects.new("Bare", bpy.data.armatures.new("Bare"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    assert_says(refused(bpy.ops.verbs_adverbs.feet_find, capfd), "'Bare' has no bones")
