"""Operators that do several things check all of them first: what is refused at the second leaves the first undone."""

import bpy
import pytest
from blender.figurine import annotate, assert_says, assign, refused, stride
from blender.stage import walking_biped

OPS = bpy.ops.verbs_adverbs
LONG = "x" * 100


@pytest.fixture
def example(verb):
    """The example of the action that is shown."""
    action = verb.examples[0].action
    assign(bpy.context.object, action)
    return action.verbs_adverbs.examples[0]


@pytest.mark.parametrize("name", [LONG, "command"])
def test_no_adverb_is_added_where_another_axis_cannot_have_its_name(armature, capfd, name: str):
    said = refused(OPS.measure_place, capfd, bone="Foot", keytime="middle", x="along", y="", z=name)
    assert_says(said, f"'{name}'")


def _link(action, folder):
    """The same action linked from another file."""
    bpy.data.libraries.write(str(folder / "library.blend"), {action}, fake_user=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True) as (_, wanted):
        wanted.actions = [action.name]
    return wanted.actions[0]


def test_no_adverb_is_added_for_travel_that_cannot_be_noted(verb, capfd, tmp_path):
    verb.examples[2].action = _link(verb.examples[2].action, tmp_path)
    assert_says(refused(OPS.measure_travel, capfd), "'stride 2'", "linked")


def test_no_adverb_is_added_for_travel_beside_a_measure_that_cannot_be_read(verb, capfd):
    used = verb.adverbs["energy"]
    used.measure, used.bone, used.keytime = "X", "Hand", "middle"
    assert_says(refused(OPS.measure_travel, capfd), "'energy'", "'Hand'")


def test_keytimes_are_not_found_for_a_verb_that_cannot_have_its_name(capfd):
    armature = walking_biped()
    said = refused(OPS.keytimes_find, capfd, verb=LONG)
    assert_says(said, "too long", "verb")
    assert len(armature.verbs_adverbs.verbs) == 1


@pytest.mark.parametrize("frame", [1e30, float("inf")], ids=str)
def test_a_keytime_that_is_nowhere_is_not_chosen(example, capfd, frame: float):
    example.keytimes[1].frame = frame
    bpy.context.scene.frame_set(30)
    assert_says(refused(OPS.keytime_jump, capfd, to="NEXT"), "cannot go to frame")


@pytest.mark.parametrize("frame", [1e30, float("nan")], ids=str)
def test_an_example_that_begins_nowhere_is_not_shown(armature, verb, capfd, frame: float):
    verb.active_example = 1
    verb.examples[1].action.verbs_adverbs.examples[0].start = frame
    assert_says(refused(OPS.verb_example_show, capfd), "cannot go to frame")


def _without_order(example) -> str:
    example.keytimes[1].frame = 40.0
    return "'middle'"


def _without_window(example) -> str:
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=4.0, end=9.0)
    example.contacts[0].windows[0].end = 3.0
    return "'Foot'"


def _with_two_windows(example) -> str:
    OPS.contact_add(bone="Foot")
    OPS.window_add(start=4.0, end=9.0)
    OPS.window_add(start=11.0, end=14.0)
    example.contacts[0].windows[1].start = 8.0
    return "'Foot'"


def _without_keytimes(example) -> str:
    example.keytimes.clear()
    return "no keytimes"


@pytest.mark.parametrize("spoil", [_without_keytimes, _without_order, _without_window, _with_two_windows])
@pytest.mark.parametrize("annotated", [False, True], ids=["bare", "annotated"])
def test_a_structure_that_cannot_be_copied_whole_is_not_copied(armature, example, capfd, spoil, annotated: bool):
    for name in ("long", "longer"):
        target = stride(armature, name, last=49)
        if annotated:
            annotate(armature, target)
    assign(armature, example.id_data)
    told = spoil(example)
    said = refused(OPS.structure_copy, capfd, choices=[{"name": n, "chosen": True} for n in ("long", "longer")])
    assert_says(said, told)


def test_a_structure_is_not_copied_over_an_example_without_a_span(armature, example, capfd):
    for name in ("long", "longer"):
        annotate(armature, stride(armature, name, last=49))
    bpy.data.actions["longer"].verbs_adverbs.examples[0].start = 90.0
    assign(armature, example.id_data)
    said = refused(OPS.structure_copy, capfd, choices=[{"name": n, "chosen": True} for n in ("long", "longer")])
    assert_says(said, "'longer'", "span")


@pytest.mark.parametrize("what", ["adverb_add", "adverb_rename", "adverb_move", "adverb_remove", "measure"])
def test_an_adverb_is_edited_beside_one_that_no_slider_can_be_called_after(armature, verb, capfd, what: str):
    verb.adverbs["energy"].measure, verb.adverbs["energy"].bone, verb.adverbs["energy"].keytime = "Z", "Foot", "middle"
    OPS.adverb_add(name="mood")
    OPS.adverb_add(name="pace")
    armature.verbs_adverbs.active_verb = 0
    for name in ("mood", "pace"):
        OPS.verb_adverb_toggle(index=armature.verbs_adverbs.adverbs.find(name))
    OPS.director_add()
    armature.verbs_adverbs.adverbs["pace"].name = LONG
    armature.verbs_adverbs.active_adverb = 1
    assert getattr(OPS, what)(**{"name": "other"} if what in {"adverb_add", "adverb_rename"} else {}) == {"FINISHED"}
    assert_says(refused(OPS.adverbs_reset, capfd), "too long for a slider")
    armature.verbs_adverbs.adverbs[LONG].name = "pace"
    assert OPS.adverbs_reset() == {"FINISHED"}
    names = [item.name for item in armature.verbs_adverbs.adverbs]
    assert [name for name in names if name not in armature.verbs_adverbs.director] == []
