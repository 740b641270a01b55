"""What becomes of the strips of a plan, and of what hangs on them: deleted, copied, built upon, without their verb."""

import sys

import bpy
import pytest
from blender.performance import OPS
from blender.stage import part
from blender.talking_biped import add_talking_biped, read_words
from blender.test_talking import SUBTITLES, drag, said, span, speech_of, strips, talking


@pytest.fixture
def armature(tmp_path) -> bpy.types.Object:
    """A biped that talks, with its plan in the sequencer."""
    armature = talking(tmp_path)
    assert OPS.talk() == {"FINISHED"}
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    return armature


@pytest.fixture
def empty_when_muted(extension, monkeypatch):
    """Every version hides the scene behind muted strips, as those before Blender 4.5 do."""
    monkeypatch.setattr(part("bridge.layers.plan_strips"), "renders_muted_strips", lambda: True)


def rest() -> None:
    part("bridge.session.handlers")._lay_plans()


def remove(*names: str) -> None:
    for name in names:
        part("bridge.blender.versions").remove_strip(bpy.context.scene, strips()[name])


def own_strips(armature) -> dict:
    found = part("bridge.layers.said").own_strips(armature.verbs_adverbs.director)
    return {strip.name: strip for strip, _ in found}


def test_strips_that_the_user_deletes_give_rendering_through_the_sequencer_back(empty_when_muted, armature):
    render = bpy.context.scene.render
    assert not render.use_sequencer
    names = list(own_strips(armature))
    remove(*names[1:])
    speech_of(armature).words[1].gesture = speech_of(armature).words[3].gesture = ""
    assert not render.use_sequencer
    for name in list(own_strips(armature)):
        remove(name)
    rest()
    assert render.use_sequencer and not speech_of(armature).rendered_strips
    render.use_sequencer = False
    rest()
    assert not render.use_sequencer


def test_strips_of_the_users_own_that_are_not_rendered_are_told(empty_when_muted, director):
    told, versions = part("bridge.layers.plan_strips").unrendered_told, part("bridge.blender.versions")
    assert told(director) == ""
    strip = versions.new_strip(bpy.context.scene, "COLOR", "backdrop", 30, 1, 40)
    assert "'backdrop' will not be rendered" in told(director)
    strip.mute = True
    assert told(director) == ""
    strip.mute = False
    bpy.context.scene.render.use_sequencer = True
    assert told(director) == ""


def test_two_directors_whose_plans_are_shown_share_what_is_switched_off(empty_when_muted, armature, tmp_path):
    add_talking_biped()
    read_words(SUBTITLES, tmp_path)
    second = bpy.context.object
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    render = bpy.context.scene.render
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert own_strips(armature) and not own_strips(second) and not render.use_sequencer
    bpy.context.view_layer.objects.active = armature
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert not strips() and render.use_sequencer


def test_a_drag_stays_when_the_verb_of_its_gesture_is_removed(armature):
    words, before = speech_of(armature).words, [word.target for word in said(armature)]
    strips()["indicate"].frame_start += 3
    strips()["offer"].frame_start += 4
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("indicate")
    assert OPS.verb_remove() == {"FINISHED"}
    rest()
    fps = bpy.context.scene.render.fps
    assert "indicate" not in strips()
    assert words[3].target == pytest.approx(before[3] + 3.0 / fps, abs=1e-5)
    assert words[1].target == pytest.approx(before[1] + 4.0 / fps, abs=1e-5)
    assert [word.target for word in said(armature)] == pytest.approx([word.target for word in words], abs=1e-6)


def build_on(name: str) -> None:
    """Put an effect strip of the user's on a strip."""
    editor = bpy.context.scene.sequence_editor
    held = part("bridge.blender.versions").strips_within(editor)
    first, (start, end) = strips()[name], map(int, span(strips()[name]))
    known = held.bl_rna.functions["new_effect"].parameters
    until = {"length": end - start} if "length" in known else {"frame_end": end}
    given = {"input1" if "input1" in known else "seq1": first, **until}
    held.new_effect(name="mine", type="GAUSSIAN_BLUR", channel=40, frame_start=start, **given)


@pytest.mark.parametrize("name", ["offer", "welcome"])
def test_an_effect_on_a_strip_stays_while_the_plan_is_laid_anew(armature, name):
    build_on(name)
    laid = {key: span(strip) for key, strip in own_strips(armature).items()}
    phases = part("bridge.blender.versions").strips_within(strips()["offer"])
    inside = sorted(span(one) for one in phases)
    drag(strips()[name], 5)
    drag(strips()["indicate"], 2)
    assert strips()["mine"].input_1 == strips()[name] and span(strips()["mine"]) == span(strips()[name])
    drag(strips()[name], -5)
    drag(strips()["indicate"], -2)
    assert {key: span(strip) for key, strip in own_strips(armature).items()} == laid
    phases = part("bridge.blender.versions").strips_within(strips()["offer"])
    assert sorted(span(one) for one in phases) == inside
    assert {strip.channel for strip in own_strips(armature).values()} <= {1, 2, 3, 4}
    assert part("bridge.layers.plan_strips").hide_plan(armature.verbs_adverbs.director) == 1
    assert not strips()


def test_a_copied_director_leaves_the_strips_to_the_first_one(armature):
    director, names = armature.verbs_adverbs.director, set(strips())
    copied = director.copy()
    bpy.context.scene.collection.objects.link(copied)
    is_shown = part("bridge.layers.plan_strips").is_shown
    assert is_shown(director) and not is_shown(copied)
    part("bridge.session.live").flush()
    drag(strips()["offer"], 4)
    assert set(strips()) == names and not any(part("bridge.layers.said").dragged(copied))
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert not strips()


def test_a_copied_character_shows_a_plan_of_its_own(armature):
    first = own_strips(armature)
    bpy.ops.object.select_all(action="DESELECT")
    for one in (armature, armature.verbs_adverbs.director):
        one.hide_set(False)
        one.select_set(True)
    bpy.ops.object.duplicate()
    part("bridge.session.live").flush()
    twin = next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")
    assert twin != armature and twin.verbs_adverbs.director != armature.verbs_adverbs.director
    bpy.context.view_layer.objects.active = twin
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    second = own_strips(twin)
    assert len(second) == len(first) and not set(first) & set(second)
    before = [word.target for word in said(armature)]
    drag(next(strip for name, strip in second.items() if name.startswith("offer")), 6)
    assert [word.target for word in said(armature)] == before
    assert said(twin)[1].target == pytest.approx(before[1] + 0.25, abs=1e-5)
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert own_strips(armature) and set(strips()) >= set(first) and not own_strips(twin)


def test_strips_of_a_copied_scene_are_those_of_its_own_director(armature):
    scene, names = bpy.context.scene, set(strips())
    assert bpy.ops.scene.new(type="FULL_COPY") == {"FINISHED"}
    other = bpy.context.scene
    assert other != scene and set(strips()) == names
    twin = next(one for one in other.objects if one.type == "ARMATURE" and one != armature)
    director = twin.verbs_adverbs.director
    assert director != armature.verbs_adverbs.director and part("bridge.layers.plan_strips").is_shown(director)
    bpy.context.view_layer.objects.active = twin
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    assert set(strips()) == names
    before = [word.target for word in said(twin)]
    drag(strips()["offer"], 6)
    assert said(twin)[1].target == pytest.approx(before[1] + 0.25, abs=1e-5)
    bpy.context.window.scene = scene
    assert [word.target for word in said(armature)] == pytest.approx(before)
    bpy.context.window.scene = other
    assert OPS.plan_strips(show=False) == {"FINISHED"}
    assert not strips()
    bpy.context.window.scene = scene
    assert set(strips()) == names


def test_a_curve_with_a_fake_user_is_nobody_elses(tmp_path):
    armature = talking(tmp_path)
    director, is_shared = armature.verbs_adverbs.director, part("bridge.layers.gestures").is_shared
    assert not is_shared(director)
    assert OPS.curve_edit() == {"FINISHED"}
    tree = director.verbs_adverbs.speech.curve
    tree.use_fake_user = True
    assert not is_shared(director)
    copied = director.copy()
    assert is_shared(director) and is_shared(copied)


def test_an_example_without_keytimes_between_its_ends_is_seen_to_be_no_gesture_without_mathematics(
    extension, monkeypatch
):
    complaints = part("bridge.layers.gestures").gesture_complaints
    example = part("bridge.data.annotate").add_example(bpy.data.actions.new("plain"), "plain", 1.0, 9.0, 24.0)
    package = part("bridge").__name__.rpartition(".")[0]
    for name in ("gesture.gesture", "motion.clip"):
        monkeypatch.setitem(sys.modules, f"{package}.core.{name}", None)
    assert complaints(example, bpy.context.scene) == []
