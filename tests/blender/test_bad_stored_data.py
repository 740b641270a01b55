"""Curves, sliders, commands and floors that hold what they should not: told in a sentence, and nothing is changed."""

import warnings

import bpy
import numpy as np
import pytest
from blender.figurine import FIRST, LAST, assert_says, assign, everything, refused, stand_on_foot, write_curves
from blender.stage import part, walking_biped
from corruption.stored import write_raw

OPS = bpy.ops.verbs_adverbs
FRAMES = np.arange(FIRST, LAST + 1.0)

NO_NUMBERS = {"text": "text", "digits": "7", "array": [1.0, 2.0], "empty": [], "group": {"a": 1.0}, "object": None}
NOT_FINITE = (float("nan"), float("inf"), -float("inf"))
MISTAKES = (1e30, -1e30, 2147483647.0)


@pytest.fixture
def director(armature):
    OPS.director_add()
    return armature.verbs_adverbs.director


def hold(director, name: str, kind: str) -> None:
    """Let a custom property hold something that is no number."""
    director[name] = director if kind == "object" else NO_NUMBERS[kind]


def add_curve(owner, action, path: str, index: int) -> None:
    write_curves(owner, action, {(path, index): 0.1 * np.sin(FRAMES)}, FRAMES)


def add_command() -> None:
    OPS.command_add(verb="stride", frame=3.0)


def printed_nothing_bad(capfd) -> None:
    printed = capfd.readouterr()
    assert "Traceback" not in printed.out + printed.err and "Warning" not in printed.err


def flat_floor(change=None):
    """A square with four corners, changed before anybody stands on it."""
    mesh = bpy.data.meshes.new("floor")
    mesh.from_pydata([(-9, -9, 0), (9, -9, 0), (9, 9, 0), (-9, 9, 0)], [], [(0, 1, 2, 3)])
    if change is not None:
        change(mesh)
    return linked(bpy.data.objects.new("floor", mesh))


def linked(made):
    bpy.context.collection.objects.link(made)
    return made


@pytest.mark.parametrize(
    ("path", "index"),
    [
        ('pose.bones["Leg"].rotation_quaternion', 5),
        ('pose.bones["Root"].location', 7),
        ("location", 7),
        ("rotation_euler", 6),
        ('["many"]', 7),
        ('pose.bones["Leg"]["many"]', 9),
    ],
    ids=str,
)
def test_a_component_that_a_property_does_not_have_is_left_out(armature, capfd, path: str, index: int):
    armature["many"], armature.pose.bones["Leg"]["many"] = [1.0, 2.0, 3.0], [1.0, 2.0]
    action = armature.verbs_adverbs.verbs[0].examples[1].action
    add_curve(armature, action, path, index)
    for operator in (OPS.verb_build, OPS.live_on, OPS.live_off):
        assert operator() == {"FINISHED"}
    lines = [line.text for line in armature.verbs_adverbs.verbs[0].results]
    said = next(line for line in lines if "index" in line)
    assert_says(said, "'stride 1'", path, f"index {index}", "are ignored")
    assert OPS.bake(length="CYCLES") == {"FINISHED"}
    printed_nothing_bad(capfd)


@pytest.mark.parametrize(
    ("path", "index"),
    [
        ('["group"]', 0),
        ('["object"]', 0),
        ('pose.bones["Leg"]', 0),
        ('pose.bones["Leg"].bone', 0),
        ("animation_data.action", 0),
        ('pose.bones["Leg"].matrix', 3),
        ('pose.bones["Leg"].length', 0),
    ],
    ids=str,
)
def test_what_no_key_can_move_is_left_out(armature, capfd, path: str, index: int):
    armature["group"], armature["object"] = {"a": 1.0}, armature.data
    add_curve(armature, armature.verbs_adverbs.verbs[0].examples[1].action, path, index)
    for operator in (OPS.live_on, OPS.performance_write, OPS.live_off, OPS.verb_build):
        assert operator() == {"FINISHED"}
    lines = [line.text for line in armature.verbs_adverbs.verbs[0].results]
    assert_says(next(line for line in lines if path in line), "'stride 1'", "are ignored")
    printed_nothing_bad(capfd)


@pytest.mark.parametrize("path", ["location", "rotation_euler", '["energy"]', '["command"]', '["many"]'])
def test_a_director_may_have_curves_of_components_that_are_not_there(armature, director, capfd, path: str):
    director["many"] = [1.0, 2.0]
    action = bpy.data.actions.new("own")
    assign(director, action)
    add_curve(director, action, path, 7)
    for operator in (OPS.live_on, OPS.adverbs_key, OPS.performance_write, OPS.live_off):
        assert operator() == {"FINISHED"}
    printed_nothing_bad(capfd)


def test_the_own_action_may_have_curves_of_components_that_are_not_there(armature, capfd):
    action = bpy.data.actions.new("own")
    assign(armature, action)
    for path in ("location", 'pose.bones["Leg"].rotation_quaternion', 'pose.bones["Leg"].location'):
        add_curve(armature, action, path, 7)
    assert OPS.live_on() == OPS.live_off() == {"FINISHED"}
    assert armature.animation_data.action == action
    printed_nothing_bad(capfd)


def test_keytimes_are_not_found_where_no_action_is_shown(armature, capfd):
    armature.animation_data.action = None
    assert_says(refused(OPS.keytimes_find, capfd), "No action was chosen", "Tick at least one action")


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_a_slider_that_holds_no_number_is_not_keyed(armature, director, capfd, kind: str):
    hold(director, "energy", kind)
    assert_says(refused(OPS.adverbs_key, capfd), "'energy'", "'Figurine director'", "not a number", "Reset")


@pytest.mark.parametrize("kind", NO_NUMBERS)
@pytest.mark.parametrize("keyed", [False, True], ids=["held", "keyed"])
def test_a_slider_that_holds_no_number_is_not_played(armature, director, capfd, kind: str, keyed: bool):
    if keyed:
        OPS.adverbs_key()
    OPS.live_on()
    hold(director, "energy", kind)
    director.update_tag()
    bpy.context.view_layer.update()
    assert_says(refused(OPS.performance_write, capfd), "'energy'", "'Figurine director'", "not a number")
    assert OPS.adverbs_reset() == OPS.performance_write() == {"FINISHED"}
    assert director["energy"] == 0.0
    assert director.id_properties_ui("energy").as_dict()["soft_max"] == 1.0
    printed_nothing_bad(capfd)


@pytest.mark.parametrize("value", [True, 1], ids=["switch", "whole number"])
def test_a_keyed_slider_that_became_a_switch_or_a_whole_number_is_a_number_again(director, capfd, value: object):
    bpy.context.scene.frame_set(1)
    director["energy"] = -1.0
    OPS.adverbs_key()
    bpy.context.scene.frame_set(21)
    director["energy"] = 1.0
    OPS.adverbs_key()
    director["energy"] = value
    assert OPS.live_on() == {"FINISHED"}
    bpy.context.scene.frame_set(6)
    assert abs(director["energy"] + 0.6875) < 1e-5
    printed_nothing_bad(capfd)


@pytest.mark.parametrize("value", [*NOT_FINITE, *MISTAKES], ids=str)
@pytest.mark.parametrize("score", [False, True], ids=["verb", "score"])
def test_a_slider_beyond_all_bounds_is_told_and_the_pose_stays(armature, director, capfd, value: float, score: bool):
    director.verbs_adverbs.performance.active = score
    OPS.live_on()
    bpy.context.scene.frame_set(7)
    before = [tuple(map(tuple, bone.matrix)) for bone in armature.pose.bones]
    director["energy"] = value
    director.update_tag()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        bpy.context.view_layer.update()
        assert [tuple(map(tuple, bone.matrix)) for bone in armature.pose.bones] == before
        assert_says(refused(OPS.performance_write, capfd), "'energy'", "'Figurine director'", "Correct its slider")
        assert "'energy'" in refused(OPS.live_on, capfd)
        assert "'energy'" in refused(OPS.bake, capfd, length="RANGE", assign=False)
        assert "'energy'" in refused(OPS.adverbs_key, capfd)
    assert OPS.live_off() == {"FINISHED"}
    printed_nothing_bad(capfd)


@pytest.mark.parametrize("value", [*NOT_FINITE[:2], 1e30], ids=str)
def test_a_key_of_a_slider_beyond_all_bounds_is_told_with_its_frame(director, capfd, value: float):
    action = bpy.data.actions.new("own")
    assign(director, action)
    values = np.zeros(len(FRAMES))
    values[4] = value
    write_curves(director, action, {('["energy"]', 0): values}, FRAMES)
    OPS.verb_build()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_says(refused(OPS.live_on, capfd), "'energy'", "frame")


@pytest.mark.parametrize("kind", [*NO_NUMBERS, "nan", "float", "huge", "switch"])
@pytest.mark.parametrize("keyed", [False, True], ids=["held", "keyed"])
def test_whatever_is_in_the_property_of_commands(armature, director, capfd, kind: str, keyed: bool):
    if keyed:
        add_command()
    others = {"nan": float("nan"), "float": 1.5, "huge": 2**31 - 1, "switch": True}
    if kind in others:
        director["command"] = others[kind]
    else:
        hold(director, "command", kind)
    for operator in (OPS.live_on, OPS.performance_write):
        assert operator() == {"FINISHED"}
    assert OPS.verb_rename(name="stroll") == {"FINISHED"}
    bpy.context.scene.frame_set(5)
    assert OPS.command_add(verb="stroll", frame=9.0) == {"FINISHED"}
    assert director["command"] == armature.verbs_adverbs.verbs["stroll"].number
    assert OPS.command_go() == OPS.command_remove() == {"FINISHED"}
    assert OPS.live_off() == {"FINISHED"}
    printed_nothing_bad(capfd)


@pytest.mark.parametrize(
    "kind",
    ["no faces", "nothing", "Empty", "curve", "light", "armature", "far", "not a number", "at no place", "masked"],
)
@pytest.mark.parametrize("score", [False, True], ids=["verb", "score"])
def test_a_floor_that_nobody_can_stand_on_is_told(armature, director, capfd, kind: str, score: bool):
    stand_on_foot(armature)
    floor = _unfit_floor(kind)
    OPS.verb_build()
    director.verbs_adverbs.performance.active = score
    director.verbs_adverbs.performance.floor = floor
    assert_says(refused(OPS.live_on, capfd), f"'{floor.name}'", "hoose another object")
    assert_says(refused(OPS.bake, capfd, length="RANGE", assign=False), f"'{floor.name}'")
    director.verbs_adverbs.performance.floor = None
    assert OPS.live_on() == {"FINISHED"}
    director.verbs_adverbs.performance.floor = floor
    assert_says(refused(OPS.performance_write, capfd), f"'{floor.name}'")
    assert OPS.live_off() == {"FINISHED"}


def _unfit_floor(kind: str):
    def moved(x: float, factor: float = 1.0):
        def change(mesh) -> None:
            for vertex in mesh.vertices:
                vertex.co *= factor
            mesh.vertices[0].co.x += x

        return change

    if kind == "nothing":
        return linked(bpy.data.objects.new("floor", bpy.data.meshes.new("floor")))
    if kind == "no faces":
        mesh = bpy.data.meshes.new("floor")
        mesh.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
        return linked(bpy.data.objects.new("floor", mesh))
    data = {
        "Empty": lambda: None,
        "curve": lambda: bpy.data.curves.new("floor", type="CURVE"),
        "light": lambda: bpy.data.lights.new("floor", type="POINT"),
        "armature": lambda: bpy.data.armatures.new("floor"),
    }
    if kind in data:
        return linked(bpy.data.objects.new("floor", data[kind]()))
    floor = flat_floor({"far": moved(0.0, 1e30), "not a number": moved(float("nan"))}.get(kind))
    if kind == "at no place":
        floor.location.x = float("nan")
    if kind == "masked":
        floor.vertex_groups.new(name="none")
        floor.modifiers.new("mask", "MASK").vertex_group = "none"
    return floor


def test_a_floor_whose_faces_are_hidden_is_stood_on(armature, director, capfd):
    def hide(mesh) -> None:
        mesh.polygons[0].hide = True

    director.verbs_adverbs.performance.floor = flat_floor(hide)
    assert OPS.live_on() == OPS.live_off() == {"FINISHED"}
    printed_nothing_bad(capfd)


def test_everything_is_as_before_after_a_verb_with_odd_curves_is_off(armature):
    armature["many"] = [1.0, 2.0, 3.0]
    action = armature.verbs_adverbs.verbs[0].examples[1].action
    add_curve(armature, action, '["many"]', 1)
    add_curve(armature, action, '["many"]', 3)
    assign(armature, armature.verbs_adverbs.verbs[0].examples[2].action)
    OPS.live_on()
    OPS.live_off()
    before = everything()
    OPS.live_on()
    bpy.context.scene.frame_set(9)
    bpy.context.scene.frame_set(int(before["scene"][0]))
    OPS.live_off()
    assert list(armature["many"]) == [1.0, 2.0, 3.0]
    assert everything() == before


def test_a_line_of_a_report_whose_kind_nobody_knows_is_told_like_any_other():
    armature = walking_biped()
    verb, verbs = armature.verbs_adverbs.verbs["walk"], part("bridge.authoring.verbs")
    assert OPS.verb_build() == {"FINISHED"}
    before = verbs.status(armature, verb)
    write_raw(verb.results[0], "kind", 77)
    part("bridge.blender.store").forget()
    after = verbs.status(armature, verb)
    assert after.state == "UP_TO_DATE" == before.state
    assert {line.text for line in after.lines} == {line.text for line in before.lines}
