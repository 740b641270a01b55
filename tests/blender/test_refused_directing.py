"""What a director lags behind - ranges, a take, a target - is made up for when it plays, not when that is refused."""

import bpy
import pytest
from blender.figurine import MIDDLE, assert_says, assign, everything, part, refused, striding_figurine

OPS = bpy.ops.verbs_adverbs


@pytest.fixture
def armature():
    """A striding figurine whose energy is how high its foot is, and follows a target; its verb plays."""
    made = striding_figurine()
    assert OPS.measure_place(bone="Foot", end="TAIL", keytime="middle", x="", y="", z="energy") == {"FINISHED"}
    assert OPS.director_add() == OPS.target_add() == {"FINISHED"}
    return made


def _range(armature) -> None:
    armature.verbs_adverbs.adverbs[0].maximum = 2.5


def _take(armature) -> None:
    director = armature.verbs_adverbs.director
    played = director.animation_data.action
    action = played.copy() if played is not None else bpy.data.actions.new("take")
    action.name = "taken up"
    assign(director, action)
    note = action.verbs_adverbs.take
    note.uid, note.seed, note.start_verb = "other", 77, armature.verbs_adverbs.verbs[0].uid
    value = note.values.add()
    value.name, value.value = "energy", 0.25


def _target(armature) -> None:
    armature.verbs_adverbs.director.location.z += 0.125


LAGS = {"range": _range, "take": _take, "target": _target}


@pytest.fixture(params=LAGS)
def behind(request):
    """Let a director lag behind."""
    return LAGS[request.param]


def _no_verb(armature) -> str:
    armature.verbs_adverbs.director.verbs_adverbs.verb = "gone"
    return "no verb 'gone'"


def _no_size(armature) -> str:
    armature.scale = 0.0, 0.0, 0.0
    return "the scale 0, 0, 0"


def _no_end(_armature) -> str:
    bpy.context.scene.frame_end = 1000000
    return "frames"


def _no_way(armature) -> str:
    director = armature.verbs_adverbs.director
    OPS.transition_add(source=armature.verbs_adverbs.verbs[0].uid, target=armature.verbs_adverbs.verbs[1].uid)
    OPS.command_add(verb="other", frame=3.0)
    OPS.command_add(verb="stride", frame=100.0)
    director.verbs_adverbs.performance.active = True
    return "cannot be followed"


def _second_verb(armature) -> None:
    names = [reference.action.name for reference in armature.verbs_adverbs.verbs[0].examples]
    OPS.verb_add(name="other")
    OPS.verb_examples_add(choices=[{"name": n, "action": n, "uid": "", "chosen": True} for n in names])
    OPS.verb_adverb_toggle(index=0)
    armature.verbs_adverbs.active_verb = 0


@pytest.mark.parametrize("hinder", [_no_verb, _no_size, _no_end, _no_way])
@pytest.mark.parametrize("name", ["performance_write", "generated_keep", "live_on"])
def test_what_cannot_be_played_brings_nothing_in_step(armature, director, capfd, behind, hinder, name: str):
    if hinder == _no_verb and name == "live_on":
        pytest.skip("the verb is said with it")
    _second_verb(armature)
    assert OPS.live_on() == {"FINISHED"}
    told = hinder(armature)
    behind(armature)
    assert_says(refused(getattr(OPS, name), capfd), told)


def test_what_can_be_played_is_brought_in_step(armature, director, behind):
    assert OPS.live_on() == {"FINISHED"}
    behind(armature)
    before = everything()
    assert OPS.performance_write() == {"FINISHED"}
    assert everything() != before
    before = everything()
    assert OPS.performance_write() == {"FINISHED"}
    assert {k: v for k, v in everything().items() if "director" in k} == {
        k: v for k, v in before.items() if "director" in k
    }


def test_a_take_that_is_assigned_is_heeded_where_what_was_played_before_cannot_be(armature, director):
    OPS.verb_add(name="empty")
    director.verbs_adverbs.performance.start_verb = armature.verbs_adverbs.verbs["empty"].uid
    director.verbs_adverbs.performance.active = True
    director.verbs_adverbs.live = True
    _take(armature)
    _range(armature)
    assert OPS.performance_write() == {"FINISHED"}
    assert director.verbs_adverbs.performance.seed == 77


def _curves(owner) -> list:
    return part("bridge.blender.versions").curves_of(owner.animation_data.action, owner)


def _linked(director, folder):
    """The director's action is linked from another file."""
    action = director.animation_data.action
    bpy.data.libraries.write(str(folder / "library.blend"), {action}, fake_user=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True) as (_, wanted):
        wanted.actions = [action.name]
    assign(director, wanted.actions[0])
    return "linked from another file"


def _locked(director, _folder) -> str:
    for curve in _curves(director):
        curve.lock = True
    return "locked"


def _of_locked_group(director, _folder) -> str:
    for curve in _curves(director):
        curve.group.lock = True
    return "locked"


def _edited_strip(director, _folder) -> str:
    data = director.animation_data
    action, track = data.action, data.nla_tracks.new()
    strip = track.strips.new(action.name, 1, action)
    data.action = None
    track.select = strip.select = True
    data.nla_tracks.active = track
    data.use_tweak_mode = True
    assert data.use_tweak_mode
    return "tweak mode"


@pytest.mark.parametrize("forbid", [_linked, _locked, _of_locked_group, _edited_strip])
@pytest.mark.parametrize("name", ["adverbs_key", "command_add"])
def test_what_cannot_be_keyed_brings_nothing_in_step(armature, director, capfd, tmp_path, forbid, name: str):
    assert OPS.target_remove() == {"FINISHED"}
    given = {"verb": "stride", "frame": 3.0} if name == "command_add" else {}
    bpy.context.scene.frame_set(1)
    assert getattr(OPS, name)(**given) == {"FINISHED"}
    told = forbid(director, tmp_path)
    keys = [tuple(point.co) for curve in _curves(director) for point in curve.keyframe_points]
    _range(armature)
    bpy.context.scene.frame_set(MIDDLE)
    assert_says(refused(getattr(OPS, name), capfd, **given | ({"frame": 9.0} if given else {})), told)
    assert [tuple(point.co) for curve in _curves(director) for point in curve.keyframe_points] == keys


@pytest.mark.parametrize("value", ["text", float("nan")], ids=str)
@pytest.mark.parametrize("renamed", [False, True], ids=["named", "renamed"])
def test_a_slider_without_a_number_is_not_keyed_before_it_is_in_step(armature, director, capfd, value, renamed: bool):
    assert OPS.target_remove() == {"FINISHED"}
    director["energy"] = value
    _range(armature)
    if renamed:
        armature.verbs_adverbs.adverbs[0].name = armature.verbs_adverbs.verbs[0].adverbs[0].name = "force"
    assert_says(refused(OPS.adverbs_key, capfd), "'energy'")


def test_a_target_for_a_slider_without_a_number_brings_nothing_in_step(armature, director, capfd):
    assert OPS.target_remove() == {"FINISHED"}
    director["energy"] = "text"
    _range(armature)
    assert_says(refused(OPS.target_add, capfd), "'energy'")


def test_a_take_is_not_chosen_while_a_strip_of_the_director_is_edited(armature, director, capfd, tmp_path):
    OPS.command_add(verb="stride", frame=3.0)
    _take(armature)
    OPS.command_add(verb="stride", frame=3.0)
    _edited_strip(director, tmp_path)
    assert_says(refused(OPS.take_choose, capfd, take="taken up"), "tweak mode")


def test_copies_of_a_director_are_not_put_right_where_its_verb_cannot_be_switched_off(armature, director, capfd):
    assert OPS.live_on() == {"FINISHED"}
    stray = director.copy()
    bpy.context.collection.objects.link(stray)
    data = armature.animation_data
    track = data.nla_tracks.new()
    strip = track.strips.new("strip", 1, armature.verbs_adverbs.verbs[0].examples[0].action)
    track.select = strip.select = True
    data.nla_tracks.active = track
    data.action = None
    data.use_nla = data.use_tweak_mode = True
    assert data.use_tweak_mode and stray.verbs_adverbs.live
    assert_says(refused(OPS.live_off, capfd), "tweak mode")


@pytest.mark.parametrize("live", [False, True], ids=["off", "live"])
@pytest.mark.parametrize("gone", ["scene", "file"])
def test_a_director_that_was_deleted_is_not_replaced_by_one_that_cannot_play(armature, director, capfd, live, gone):
    if live:
        assert OPS.live_on() == {"FINISHED"}
    if gone == "file":
        bpy.data.objects.remove(director)
    else:
        bpy.context.collection.objects.unlink(director)
    told, named = _no_end(armature), armature.verbs_adverbs.director
    assert_says(refused(OPS.live_on, capfd), told)
    assert armature.verbs_adverbs.director == named
    bpy.context.scene.frame_end = 60
    assert (OPS.live_off() if live else OPS.live_on()) == {"FINISHED"}


def test_copies_of_a_director_are_not_put_right_where_its_verb_cannot_begin(armature, director, capfd):
    assert OPS.live_on() == {"FINISHED"}
    stray = director.copy()
    bpy.context.collection.objects.link(stray)
    bpy.context.scene.frame_set(1_048_574)
    bpy.context.view_layer.update()
    assert stray.verbs_adverbs.live
    assert_says(refused(OPS.live_on, capfd, from_here=True), "out of bounds")
    assert stray.verbs_adverbs.live
