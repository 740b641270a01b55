"""What was performed is not lost: not to other buttons, to copies, or to an end before the first frame."""

import bpy
import pytest
from blender.crowding import copied
from blender.performance import OPS, begin_with
from blender.performer import begin, character, command, end, missed, noting, play, session, walker
from blender.stage import drag, part, state_of

SEEN = 1e-3


@pytest.fixture
def armature():
    yield from walker()


def numbers(armature) -> list[int]:
    return [key.number for key in part("bridge.data.commands").command_keys(armature.verbs_adverbs.director)]


def number(armature, verb: str) -> int:
    return armature.verbs_adverbs.verbs[verb].number


@pytest.fixture
def clock(armature):
    return begin(armature)


def test_while_performing_nothing_else_takes_the_armature(armature, clock):
    assert play(clock, 2.0, {1.0: lambda: command(armature, "wave")})
    others = "bake", "bake_performance", "live_off", "live_on", "performance_write", "adverb_rename", "command_add"
    for name in others:
        assert not getattr(OPS, name).poll(), name
    assert play(clock, 0.5) and end() == []
    assert numbers(armature) == [number(armature, "wave")]
    assert OPS.bake_performance.poll()


def test_a_slider_that_holds_text_is_refused_and_nothing_has_changed(armature):
    before, director = state_of(armature), armature.verbs_adverbs.director
    director["mood"] = "happy"
    with pytest.raises(Exception, match="mood"):
        begin(armature)
    assert session() is None and state_of(armature) == before
    assert not director.verbs_adverbs.performance.in_hand and OPS.bake_performance.poll()
    assert OPS.adverb_rename.poll() and OPS.adverb_add(name="pride") == {"FINISHED"}
    assert director["mood"] == armature.verbs_adverbs.adverbs["mood"].default


def test_a_slider_that_becomes_text_meanwhile_is_told(armature, clock):
    assert play(clock, 0.5)
    armature.verbs_adverbs.director["mood"] = "happy"
    assert play(clock, 0.5) and "mood" in character().problem
    armature.verbs_adverbs.director["mood"] = 0.0


def test_verbs_without_contacts_are_performed_too(armature):
    for action in bpy.data.actions:
        for example in action.verbs_adverbs.examples:
            example.contacts.clear()
    clock = begin(armature)
    assert play(clock, 1.0) and end() == []
    assert armature.verbs_adverbs.director.verbs_adverbs.live


def test_an_end_before_the_first_frame_keeps_the_score(armature, clock):
    assert play(clock, 1.0, {0.5: lambda: command(armature, "wave")}) and end() == []
    begin(armature)
    assert end() == [] and numbers(armature) == [number(armature, "wave")]


def test_a_driven_slider_that_moved_is_told(armature):
    director = armature.verbs_adverbs.director
    empty = bpy.data.objects.new("Control", None)
    bpy.context.collection.objects.link(empty)
    variable = (curve := director.driver_add('["mood"]')).driver.variables.new()
    variable.type, variable.targets[0].id, curve.driver.expression = "TRANSFORMS", empty, variable.name
    bpy.context.view_layer.update()
    clock = begin(armature)

    def pull() -> None:
        empty.location.x = 0.8
        bpy.context.view_layer.update()

    assert play(clock, 2.0, {1.0: pull})
    assert end() == [
        "'mood' is controlled by a driver or NLA strips. On playback it follows these, not your performance."
    ]


def test_a_copy_made_while_performing_is_not_in_hand_afterwards(armature, clock):
    assert play(clock, 0.5)
    copied(armature, linked=False)
    assert play(clock, 0.5) and end() == []
    assert part("bridge.session.live_characters").left_half_done() == []


def test_a_linked_copy_that_is_performed_leaves_the_first_score_alone(armature, clock):
    assert play(clock, 1.0, {0.5: lambda: command(armature, "wave")}) and end() == []
    other = copied(armature, linked=True)
    clock = begin(other)
    assert play(clock, 1.0, {0.2: lambda: command(other, "stand")}) and end() == []
    assert numbers(armature) == [number(armature, "wave")]
    assert numbers(other) == [number(other, "stand")]


def test_each_take_is_kept_beside_the_last_one_and_plays_again_as_it_was_performed(armature):
    begin_with(armature, "stand")
    first = performed(armature, {0.3: lambda: command(armature, "walk"), 1.5: lambda: turn(armature, 0.6)})
    director = armature.verbs_adverbs.director
    former = director.animation_data.action.name
    begin_with(armature, "walk")
    going = performed(armature, {0.2: lambda: turn(armature, -0.8), 1.0: lambda: command(armature, "wave")})
    assert missed(armature, going) < SEEN
    latter = director.animation_data.action
    assert latter.name != former and former in bpy.data.actions and bpy.data.actions[former].use_fake_user
    assert OPS.take_choose(take=former) == {"FINISHED"} and missed(armature, first) < SEEN
    director.animation_data.action = latter
    bpy.context.view_layer.update()
    part("bridge.data.content").forget_actions()
    part("bridge.session.live").flush()
    assert missed(armature, going) < SEEN


def test_a_take_replaces_the_last_one_only_when_that_is_chosen(armature):
    performed(armature, {0.3: lambda: command(armature, "wave")})
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.performance.replaces = True
    action, count = director.animation_data.action, len(bpy.data.actions)
    performed(armature, {0.3: lambda: command(armature, "stand")})
    assert director.animation_data.action == action and len(bpy.data.actions) == count
    assert numbers(armature) == [number(armature, "stand")]


def test_where_the_former_take_is_and_where_the_new_one_ends_is_said(armature):
    bpy.context.scene.frame_end = 20
    performed(armature, {0.3: lambda: command(armature, "wave")})
    former = armature.verbs_adverbs.director.animation_data.action.name
    clock = begin(armature)
    going = session()
    assert play(clock, 2.0, {0.3: lambda: command(armature, "stand")}) and end() == []
    told = " ".join(going.said)
    assert f"kept as '{former}'" in told and "Fit Scene" in told and "20" in told


def turn(armature, value: float) -> None:
    drag(armature.verbs_adverbs.director, turn=value)


def performed(armature, ask) -> dict:
    """Perform for four seconds; returns the root's places by frame."""
    clock, seen = begin(armature), {}
    assert play(clock, 4.0, ask, each=noting(armature, seen)) and end() == []
    assert len(seen) > 40
    return seen
