"""Actions in the mirror: what Blender plays of them, and what their examples say."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import annotation_of, find, imported, laid_over, played_frames
from blender.stage import part, walking_biped
from verbs_adverbs.demo.captures import assign
from verbs_adverbs.demo.operate import Refused, do

TURNS = ("bn2_walk-turn-right_normal_029", "bn2_walk-turn-right_exhausted_003", "bn2_walk_normal_001_full")
LONG_TAKE = TURNS[2]
METRES = 1e-4
FRAMES = np.arange(4.0, 60.0, 7.0)
NAMES = ["R_down", "L_up", "L_down", "R_up", "R_down"]


def mirror(armature, name: str, **options: object) -> bpy.types.Action:
    assign(armature, bpy.data.actions[name])
    do("action_mirror", **options)
    return bpy.data.actions[f"{name} mirrored"]


def in_the_mirror(armature, joints: np.ndarray) -> np.ndarray:
    """Places (T, J, 3) of the bones' partners, seen in the plane between left and right."""
    names = [bone.name for bone in armature.pose.bones]
    partner = {"L": "R", "R": "L"}
    rows = [names.index(n[:-1] + partner[n[-1]]) if n[-2:] in ("_L", "_R") else row for row, n in enumerate(names)]
    return joints[:, rows] * np.array([-1.0, 1.0, 1.0])


def apart(armature, name: str, made: bpy.types.Action) -> float:
    expected = in_the_mirror(armature, played_frames(armature, bpy.data.actions[name], FRAMES)[0])
    seen = laid_over(played_frames(armature, made, FRAMES)[0], expected)[0]
    return float(np.abs(seen - expected).max())


@pytest.fixture
def armature(mocap):
    return imported(mocap, TURNS)


def test_every_bone_of_a_rig_is_where_its_partner_is_in_the_mirror():
    armature = walking_biped()
    name = armature.animation_data.action.name
    made = mirror(armature, name)
    assert apart(armature, name, made) < METRES


def test_captured_motion_whose_rest_is_no_pose_is_mirrored_too(armature):
    made = mirror(armature, TURNS[0])
    assert apart(armature, TURNS[0], made) < 0.02


def test_the_mirrored_example_begins_with_the_same_foot_and_turns_the_other_way(armature, mocap: Path):
    find(*TURNS, verb="walk")
    for adverb, measure in (("turn", "TURN_RATE"), ("speed", "SPEED")):
        do("adverb_add", name=adverb, minimum=-90.0, maximum=90.0)
        armature.verbs_adverbs.verbs["walk"].adverbs[adverb].measure = measure
    do("measure")
    made = mirror(armature, LONG_TAKE, choices=[{"name": "turn", "chosen": True}, {"name": "speed", "chosen": False}])
    (example,) = made.verbs_adverbs.examples
    source = bpy.data.actions[LONG_TAKE].verbs_adverbs.examples[0]
    assert [keytime.name for keytime in example.keytimes] == NAMES
    assert example.values["turn"].value == pytest.approx(-source.values["turn"].value)
    assert example.values["speed"].value == pytest.approx(source.values["speed"].value)
    assert [contact.bone for contact in example.contacts] == [contact.bone for contact in source.contacts]
    assert all(contact.windows for contact in example.contacts)
    verb = armature.verbs_adverbs.verbs["walk"]
    assert [reference.action for reference in verb.examples][-1] == made
    do("verb_build")
    assert annotation_of(mocap, LONG_TAKE)["keytime_names"] == NAMES


def test_a_right_turn_in_the_mirror_measures_as_a_left_turn(armature):
    find(*TURNS, verb="walk")
    do("adverb_add", name="turn", minimum=-90.0, maximum=90.0)
    armature.verbs_adverbs.verbs["walk"].adverbs["turn"].measure = "TURN_RATE"
    made = mirror(armature, TURNS[0])
    do("measure")
    left, right = (
        action.verbs_adverbs.examples[0].values["turn"].value for action in (made, bpy.data.actions[TURNS[0]])
    )
    assert right < -50.0
    assert left == pytest.approx(-right, abs=25.0)


def test_an_action_without_the_other_cycle_keeps_its_span_and_says_so(armature, capfd):
    find(TURNS[1], verb="walk")
    action = bpy.data.actions[TURNS[1]]
    start, end = action.verbs_adverbs.examples[0].start, action.verbs_adverbs.examples[0].end
    action.use_frame_range = True
    action.frame_start, action.frame_end = round(start) - 1, round(end) + 1
    (example,) = mirror(armature, TURNS[1]).verbs_adverbs.examples
    said = capfd.readouterr().out
    assert (
        "mirrored' was added to verb 'walk' but not ticked: its keytimes begin with 'L_down', not with 'R_down'" in said
    )
    references = armature.verbs_adverbs.verbs["walk"].examples
    assert [(reference.action == action, reference.enabled) for reference in references] == [
        (True, True),
        (False, False),
    ]
    assert [keytime.name for keytime in example.keytimes] == ["L_down", "R_up", "R_down", "L_up", "L_down"]
    assert (example.start, example.end) == (start, end)


def test_contacts_that_no_other_cycle_shows_are_told(armature):
    find(LONG_TAKE)
    action = bpy.data.actions[LONG_TAKE]
    example = action.verbs_adverbs.examples[0]
    example.contacts[0].bone = "Spine"
    fps = part("bridge.data.annotate").fps_of(example, bpy.context.scene)
    made = part("bridge.authoring.mirroring").mirror_action(armature, action, example, set(), fps)
    assert "Spine" not in [contact.bone for contact in made.item.contacts]
    assert made.warnings == ("The mirrored example lacks the contacts of Spine: mark them there.",)


def test_bones_without_left_and_right_are_told_in_a_sentence():
    armature = walking_biped()
    for bone in armature.data.bones:
        bone.name = bone.name.replace("_L", " one").replace("_R", " other")
    with pytest.raises(Refused, match="left and right"):
        mirror(armature, armature.animation_data.action.name)
