"""What an armature was before a verb moved it, spoilt by other hands: what can be given back is, the rest is told."""

import json

import bpy
import pytest
from blender.figurine import striding_figurine

OPS = bpy.ops.verbs_adverbs
NAN = float("nan")
PLACE, ROTATION, TURN = (0.3, 0.2, 0.1), (0.8, 0.6, 0.0, 0.0), 0.5


@pytest.fixture
def armature():
    """A figurine, posed by hand and without an action, that a verb moves."""
    made = striding_figurine()
    made.animation_data.action = None
    made.animation_data.use_nla = False
    made.animation_data.action_influence = 0.25
    made.location = (1.0, 2.0, 0.0)
    made.pose.bones["Foot"].location = PLACE
    made.pose.bones["Foot"].rotation_quaternion = ROTATION
    made.pose.bones["Foot"].rotation_euler.x = TURN
    made["dial"] = 7.0
    bpy.context.view_layer.update()
    assert OPS.live_on() == {"FINISHED"}
    bpy.context.scene.frame_set(9)
    return made


def spoil(armature, change) -> None:
    """Change what was kept, as text or by name."""
    own = armature.verbs_adverbs.director.verbs_adverbs
    if isinstance(change, str):
        own.saved_pose = change
        return
    state = json.loads(own.saved_pose)
    change(state)
    own.saved_pose = json.dumps(state)


def switched_off(armature, capfd) -> str:
    """Switch off; returns what was reported."""
    capfd.readouterr()
    generated = armature.verbs_adverbs.director.verbs_adverbs.generated.name
    assert OPS.live_off() == {"FINISHED"}
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err
    assert armature.animation_data is None or armature.animation_data.action is None
    assert generated not in bpy.data.actions
    assert armature.verbs_adverbs.director.verbs_adverbs.saved_pose == ""
    return printed.out


def place_of(armature) -> list[float]:
    return [round(value, 6) for value in armature.pose.bones["Foot"].location]


@pytest.mark.parametrize(
    "text",
    ["x", "{", "[]", "null", "3", '"s"', "NaN", "{}", '{"frame": 1}', "[" * 100_000, ""],
    ids=["word", "open", "list", "null", "number", "text", "nan", "empty", "frame", "deep", "nothing"],
)
def test_a_text_of_somebody_else_is_told_and_the_armature_let_go(armature, capfd, text: str):
    spoil(armature, text)
    assert OPS.performance_write() == {"FINISHED"}
    said = switched_off(armature, capfd)
    assert "Could not restore" in said and "of 'Figurine'" in said and "Check the armature." in said
    assert OPS.live_on() == OPS.live_off() == {"FINISHED"}


@pytest.mark.parametrize("bad", [NAN, 1e300, "text", None, [1.0]], ids=str)
def test_one_bad_number_of_a_bone_leaves_the_others(armature, capfd, bad: object):
    def change(state) -> None:
        state["pose"]["location"][0] = bad

    spoil(armature, change)
    said = switched_off(armature, capfd)
    assert "location of bone Root" in said
    assert place_of(armature) == [round(value, 6) for value in PLACE]


@pytest.mark.parametrize("kind", ["short", "text", "gone", "other"])
def test_a_property_of_the_bones_that_was_not_kept_leaves_the_others(armature, capfd, kind: str):
    def change(state) -> None:
        pose = state["pose"]
        pose["location"] = {"short": pose["location"][:-2], "text": "abc", "other": {"a": 1}}.get(kind)
        if kind == "gone":
            del pose["location"]

    spoil(armature, change)
    said = switched_off(armature, capfd)
    assert "location of its bones" in said
    assert armature.pose.bones["Foot"].rotation_euler.x == TURN


def test_other_bones_are_told_and_the_own_ones_given_back(armature, capfd):
    def change(state) -> None:
        state["bones"][:2] = [state["bones"][1], "Wing"]

    spoil(armature, change)
    assert "Wing" in switched_off(armature, capfd)
    assert place_of(armature) == [round(value, 6) for value in PLACE]


@pytest.mark.parametrize("bad", [[1.0], [1.0, "x", 2.0], NAN, [NAN, 0.0, 0.0], None, 3], ids=str)
def test_a_bad_place_of_the_object_leaves_the_pose(armature, capfd, bad: object):
    def change(state) -> None:
        state["object"]["location"] = bad

    spoil(armature, change)
    assert "location of the object" in switched_off(armature, capfd)
    assert place_of(armature) == [round(value, 6) for value in PLACE]


def test_settings_that_are_none_of_blender_s_become_those_of_a_new_file(armature, capfd):
    def change(state) -> None:
        state["settings"] |= {"use_nla": "x", "action_blend_type": "NEWER", "action_influence": [1], "gone": 1}

    spoil(armature, change)
    said = switched_off(armature, capfd)
    assert "Use NLA" in said or "NLA Evaluation" in said
    data = armature.animation_data
    assert (data.use_nla, data.action_blend_type, data.action_influence) == (True, "REPLACE", 1.0)
    assert place_of(armature) == [round(value, 6) for value in PLACE]


def test_properties_that_are_of_another_kind_are_told_and_the_others_given_back(armature, capfd):
    def change(state) -> None:
        state["values"] = {
            "location": [1.0], "nowhere": 3, "data.name": [1, 2], "": 1, 'pose.bones["Foot"]': 4, '["dial"]': 9.0,
        }  # fmt: skip

    spoil(armature, change)
    said = switched_off(armature, capfd)
    assert "location" in said and "nowhere" in said
    assert armature["dial"] == 9.0
    assert place_of(armature) == [round(value, 6) for value in PLACE]


def test_what_another_version_kept_besides_is_passed_over(armature, capfd):
    def change(state) -> None:
        state |= {"newer": {"a": 1}, "frame": "x", "last_slot": 4}
        state["pose"]["newer"] = state["object"]["newer"] = [1.0]

    spoil(armature, change)
    assert "Could not restore" not in switched_off(armature, capfd)
    assert place_of(armature) == [round(value, 6) for value in PLACE]
