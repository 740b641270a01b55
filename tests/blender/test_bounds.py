"""Whatever is set beyond all bounds is refused in a sentence, before memory is taken for it; what is long is not."""

import resource
from collections.abc import Iterator

import bpy
import numpy as np
import pytest
from blender.figurine import assert_says, assign, build_refused, refused, write_curves
from blender.performance import biped_with_graph, performing_biped
from blender.stage import drag, live_biped, pose_of, walking_biped

OPS = bpy.ops.verbs_adverbs
ROOM = 3 << 30


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """No test here may take more than a few gigabytes: what is absurd fails at once, and takes down nobody else."""
    with open("/proc/self/statm") as file:
        present = int(file.read().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (present + ROOM, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.fixture
def live():
    return live_biped()


def director_of(armature):
    return armature.verbs_adverbs.director


@pytest.mark.parametrize("start", [-(2**31), -10_000_000, 2**31 - 1])
def test_a_performance_begins_within_reach(live, capfd, start: int):
    director_of(live).verbs_adverbs.start_frame = start
    assert_says(refused(OPS.performance_write, capfd), "'Biped director'", str(start))


def test_a_performance_does_not_have_a_million_frames(live, capfd):
    director_of(live).verbs_adverbs.start_frame = -1_000_000
    assert_says(refused(OPS.performance_write, capfd), "'Biped director'", "-1000000", "1000061")


def test_a_score_does_not_have_a_million_frames(capfd):
    armature = performing_biped(walk=20)
    for start in (-(2**31), -1_000_000):
        director_of(armature).verbs_adverbs.start_frame = start
        assert_says(refused(OPS.performance_write, capfd), "'Biped director'", str(start))
    assert_says(refused(OPS.bake_performance, capfd, frame_end=100), "'Biped director'", "-1000000")


def test_a_performance_does_not_last_for_days(live, capfd):
    render = bpy.context.scene.render
    render.fps, render.fps_base = 1, 1e5
    assert_says(refused(OPS.performance_write, capfd), "seconds", "frame rate")


def test_what_stands_in_the_way_is_told_after_a_change_too_and_the_old_motion_stays(live, capfd):
    bpy.context.scene.frame_set(30)
    before = pose_of(live)
    director = director_of(live)
    director.verbs_adverbs.start_frame = -(2**31)
    drag(director)
    bpy.ops.wm.save_as_mainfile(filepath=bpy.app.tempdir + "far.blend")
    assert "Traceback" not in "".join(capfd.readouterr())
    director.verbs_adverbs.start_frame = 1
    drag(director)
    bpy.ops.wm.save_as_mainfile(filepath=bpy.app.tempdir + "near.blend")
    bpy.context.scene.frame_set(30)
    assert np.allclose(pose_of(live), before, atol=1e-5)


def test_a_file_with_an_absurd_start_frame_opens_and_says_so(live, capfd):
    path = bpy.app.tempdir + "absurd.blend"
    director_of(live).verbs_adverbs.start_frame = -(2**31)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert director_of(bpy.context.object).verbs_adverbs.start_frame == -(2**31)
    assert_says(refused(OPS.performance_write, capfd), "'Biped director'", str(-(2**31)))


def test_a_performance_that_begins_too_far_away_cannot_be_performed_live(capfd):
    armature = biped_with_graph()
    assert OPS.director_add() == {"FINISHED"}
    director_of(armature).verbs_adverbs.start_frame = -(2**31)
    assert_says(refused(OPS.live_on, capfd), "'Biped director'", str(-(2**31)))


def test_a_bake_has_an_end(live, capfd):
    assert_says(refused(OPS.bake, capfd, cycles=2**31 - 1), "cycles", "'walk'")
    far = {"length": "RANGE", "frame_start": 1e9, "frame_end": 1e9 + 1000.0}
    assert_says(refused(OPS.bake, capfd, **far), "1e+09")
    assert_says(refused(OPS.bake, capfd, length="RANGE", frame_end=1e5, step=0.01), "step")


@pytest.mark.long
def test_a_bake_of_keyed_adverbs_begins_within_reach(live, capfd):
    director = director_of(live)
    for frame, mood in ((1, -1.0), (50, 1.0)):
        director["mood"] = mood
        director.keyframe_insert('["mood"]', frame=frame)
    director.verbs_adverbs.start_frame = -1_000_000
    assert_says(refused(OPS.bake, capfd, length="RANGE", frame_end=100.0), "'Biped director'", "-1000000")
    director.verbs_adverbs.start_frame = -(2**31)
    assert_says(refused(OPS.bake, capfd, cycles=2), "'Biped director'", str(-(2**31)))


@pytest.mark.parametrize("count", [100_000_000, 2**31 - 1])
def test_a_verb_has_no_millions_of_control_points(armature, capfd, count: int):
    armature.verbs_adverbs.verbs[0].control_points = count
    assert_says(build_refused(capfd), "'stride'", str(count), "control points")


def test_an_idle_verb_with_too_many_control_points_is_not_begun(armature, capfd):
    verb = armature.verbs_adverbs.verbs[0]
    verb.control_points = 10_000
    assert_says(build_refused(capfd), "'stride'", "10000", "control points")


def test_a_kernel_reaches_within_bounds(armature, capfd):
    armature.verbs_adverbs.verbs[0].radius_factor = 1e30
    assert_says(build_refused(capfd), "'stride'", "radius")


@pytest.mark.parametrize("what", ["keytimes", "contacts", "windows"])
def test_an_example_has_no_thousands_of_anything(armature, capfd, what: str):
    example = armature.verbs_adverbs.verbs[0].examples[1].action.verbs_adverbs.examples[0]
    if what == "keytimes":
        last = example.keytimes[-1]
        last.name = "late"
        for row in range(1000):
            item = example.keytimes.add()
            item.uid, item.name, item.frame = 1000 + row, f"k{row}", 25.0
    else:
        contact = example.contacts.add()
        contact.bone = "Foot"
        for _ in range(1000):
            if what == "contacts":
                example.contacts.add().bone = "Foot"
            else:
                contact.windows.add()
    assert_says(build_refused(capfd), "'stride 1'", "no more than")


def test_a_cycle_of_no_length_is_not_repeated_for_ever(armature, capfd):
    for row in armature.verbs_adverbs.verbs[0].examples:
        example = row.action.verbs_adverbs.examples[0]
        example.fps = 1e9
        contact = example.contacts.add()
        contact.bone = "Foot"
        window = contact.windows.add()
        window.start, window.end = 2.0, 10.0
    assert OPS.verb_build() == {"FINISHED"}
    assert_says(refused(OPS.live_on, capfd), "'stride'", "seconds", "frame rate")


def test_a_slider_shows_no_cycles_of_no_length(armature, capfd):
    examples = [row.action.verbs_adverbs.examples[0] for row in armature.verbs_adverbs.verbs[0].examples]
    for example in examples:
        contact = example.contacts.add()
        contact.bone = "Foot"
        window = contact.windows.add()
        window.start, window.end = 2.0, 10.0
    assert OPS.live_on() == {"FINISHED"}
    bpy.context.scene.frame_set(9)
    for example in examples:
        example.fps = 1e30
    director = director_of(armature)
    name = armature.verbs_adverbs.adverbs[0].name
    director[name] = director[name] + 0.1
    director.update_tag()
    assert OPS.verb_build() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert "Traceback" not in "".join(capfd.readouterr())


def test_no_example_has_a_million_frames(armature, capfd):
    row = armature.verbs_adverbs.verbs[0].examples[1]
    _stretch(armature, row.action, 900_000.0)
    example = row.action.verbs_adverbs.examples[0]
    example.keytimes[-1].frame = example.end = 900_000.0
    assert_says(build_refused(capfd), "'stride 1'", "too long")


def test_keytimes_are_not_found_in_a_million_frames(capfd):
    armature = walking_biped()
    action = bpy.data.actions["Walk plain"].copy()
    assign(armature, action)
    _stretch(armature, action, 900_000.0)
    assert_says(refused(OPS.keytimes_find, capfd), "'Walk plain.001'", "too long")


def test_no_transition_is_suggested_for_a_verb_of_an_hour(capfd):
    armature = biped_with_graph()
    armature.verbs_adverbs.transitions.clear()
    for row in armature.verbs_adverbs.verbs["stand"].examples:
        row.action.verbs_adverbs.examples[0].fps = 0.01
    assert_says(refused(OPS.transitions_suggest, capfd), "'stand'", "seconds")


def test_a_score_has_no_end_of_commands(capfd):
    armature = performing_biped(walk=20)
    director = director_of(armature)
    curve = next(iter(_curves(director, "command")))
    frames = np.arange(50_000) * 0.1
    curve.keyframe_points.clear()
    curve.keyframe_points.add(len(frames))
    number = armature.verbs_adverbs.verbs["walk"].number
    curve.keyframe_points.foreach_set("co", np.stack([frames, np.full(len(frames), number)], 1).ravel())
    curve.update()
    assert_says(refused(OPS.performance_write, capfd), "50000 commands")


def test_an_hour_at_sixty_frames_a_second_is_played(armature, capfd):
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = 60, 216_000
    assert OPS.verb_build() == {"FINISHED"} and OPS.live_on() == {"FINISHED"}
    curves = _curves(armature)
    assert max(curve.range()[1] for curve in curves) == 216_000.0
    scene.frame_set(215_999)
    assert np.isfinite(pose_of(armature)).all()


def _stretch(armature, action, last: float) -> None:
    """Give an action one more key far away."""
    write_curves(armature, action, {('["far away"]', 0): np.zeros(2)}, np.array([1.0, last]))


def _curves(owner, name: str = "") -> list:
    from blender.stage import part

    return [
        c for c in part("bridge.blender.versions").curves_of(owner.animation_data.action, owner) if name in c.data_path
    ]


def test_a_slider_dragged_a_million_frames_on_shows_what_has_long_come_to_rest():
    armature = biped_with_graph()
    assert OPS.live_on(verb="wave") == {"FINISHED"}
    shown = []
    for frame, energy in ((1_200, 0.2), (1_000_000, 0.4), (1_200, 0.4)):
        bpy.context.scene.frame_set(frame)
        drag(director_of(armature), energy=energy)
        shown.append(pose_of(armature))
    assert np.abs(shown[0] - shown[1]).max() > 1e-3
    assert np.abs(shown[1] - shown[2]).max() < 1e-6
