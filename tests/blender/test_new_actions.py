"""New actions by the clip operators: what Blender plays of them and of the actions that they are made of."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import imported, laid_over, played_frames
from blender.figurine import figurine, part, write_curves
from blender.stage import walking_biped
from verbs_adverbs.demo.captures import assign
from verbs_adverbs.demo.operate import Refused, do

METRES = 1e-4
CLIP = "bn2_walk_normal_001_full"


def new(armature: bpy.types.Object, name: str, operator: str, **options: object) -> bpy.types.Action:
    """The action that an operator makes of another one."""
    assign(armature, bpy.data.actions[name])
    known = set(bpy.data.actions)
    do(operator, **options)
    (made,) = set(bpy.data.actions) - known
    return made


def joints(armature: bpy.types.Object, action: bpy.types.Action, frames: np.ndarray) -> np.ndarray:
    """Places (T, J, 3) of the bones as Blender plays them."""
    return played_frames(armature, action, frames)[0]


@pytest.fixture
def walker() -> tuple[bpy.types.Object, str]:
    armature = walking_biped()
    return armature, armature.animation_data.action.name


@pytest.fixture
def whole(walker: tuple[bpy.types.Object, str]) -> tuple[bpy.types.Object, str]:
    """A walk without examples, so that whole actions are edited, which begin and end on a frame."""
    for action in bpy.data.actions:
        action.verbs_adverbs.examples.clear()
    return walker


def span(name: str) -> tuple[float, float]:
    first, last = bpy.data.actions[name].frame_range
    assert first == round(first) and last == round(last)
    return first, last


def test_a_loop_goes_on_pass_after_pass(whole):
    armature, name = whole
    first, last = span(name)
    made = new(armature, name, "action_loop", times=3)
    assert made.frame_range[1] - made.frame_range[0] == pytest.approx(3.0 * (last - first), abs=1e-3)
    frames = np.arange(first, last)
    source = joints(armature, bpy.data.actions[name], frames)
    for number in range(3):
        played = joints(armature, made, frames + number * (last - first))
        assert np.abs(laid_over(played, source)[0] - source).max() < METRES
    path = joints(armature, made, np.arange(first, first + 3.0 * (last - first)))[:, 0]
    assert (
        np.linalg.norm(np.diff(path, axis=0), axis=1).max()
        < 1.5 * np.linalg.norm(np.diff(source[:, 0], axis=0), axis=1).max()
    )
    assert armature.animation_data.action == made and bpy.data.actions[name].use_fake_user


def test_the_example_is_carried_over_with_its_contacts(walker):
    armature, name = walker
    source = bpy.data.actions[name].verbs_adverbs.examples[0]
    made = new(armature, name, "action_loop", times=2, play=False)
    (example,) = made.verbs_adverbs.examples
    assert len(example.keytimes) == 2 * len(source.keytimes) - 1
    length = source.keytimes[-1].frame - source.keytimes[0].frame
    assert [k.frame for k in example.keytimes][-1] == pytest.approx(source.keytimes[0].frame + 2.0 * length, abs=1e-3)
    assert [c.bone for c in example.contacts] and all(c.windows for c in example.contacts)
    assert armature.animation_data.action == bpy.data.actions[name]


def test_reversed_twice_is_the_action_again(whole):
    armature, name = whole
    first, last = span(name)
    frames = np.arange(first, last + 1e-3)
    source = joints(armature, bpy.data.actions[name], frames)
    back = new(armature, name, "action_revert")
    played = joints(armature, back, frames)
    assert np.abs(played[::-1] - source).max() < METRES
    again = new(armature, back.name, "action_revert")
    assert np.abs(joints(armature, again, frames) - source).max() < METRES


def test_smoothing_keeps_the_ends_and_calms_what_shakes(mocap: Path):
    armature = imported(mocap, (CLIP,))
    source = bpy.data.actions[CLIP]
    first, last = source.frame_range
    frames = np.arange(first, last + 1e-3)
    made = new(armature, CLIP, "action_smooth", cutoff=3.0)
    before, after = joints(armature, source, frames), joints(armature, made, frames)
    assert np.abs(before[[0, -1]] - after[[0, -1]]).max() < 1e-3
    shaking = [np.abs(np.diff(places, 3, axis=0)).mean() for places in (before, after)]
    assert shaking[1] < 0.5 * shaking[0]
    assert np.linalg.norm(before - after, axis=-1).max() < 0.25


def test_a_warp_moves_keytimes_and_nothing_else(walker):
    armature, name = walker
    source = bpy.data.actions[name]
    keytimes = [k.frame for k in source.verbs_adverbs.examples[0].keytimes]
    moved = [
        keytimes[0] + 1.7 * (frame - keytimes[0]) + (2.0 if 0 < i < len(keytimes) - 1 else 0.0)
        for i, frame in enumerate(keytimes)
    ]
    keys = [{"name": "", "own": own, "moved": to} for own, to in zip(keytimes, moved, strict=True)]
    made = new(armature, name, "action_warp", keys=keys)
    (example,) = made.verbs_adverbs.examples
    assert [k.frame for k in example.keytimes] == pytest.approx(moved, abs=1e-3)
    whole = [i for i, frame in enumerate(moved) if abs(frame - round(frame)) < 1e-6]
    assert len(whole) >= 1
    one, other = joints(armature, source, np.array(keytimes)), joints(armature, made, np.array(moved))
    assert np.abs(one[whole] - other[whole]).max() < METRES
    assert np.abs(one - other).max() < 0.05


def test_a_blend_begins_as_one_action_and_goes_on_as_the_other(whole):
    armature, one = whole
    other = armature.verbs_adverbs.verbs[0].examples[-1].action.name
    made = new(armature, one, "action_blend", other=other, frames=8.0)
    first, last = span(one)
    early = np.arange(first, last - 8.0)
    assert np.abs(joints(armature, made, early) - joints(armature, bpy.data.actions[one], early)).max() < METRES
    starts, ends = span(other)
    late = np.arange(9.0, ends - starts)
    played = joints(armature, made, late + last - 8.0)
    source = joints(armature, bpy.data.actions[other], late + starts)
    assert np.abs(laid_over(played, source)[0] - source).max() < 2e-3
    steps = np.linalg.norm(np.diff(joints(armature, made, np.arange(*made.frame_range)), axis=0), axis=-1).max()
    both = max(
        np.linalg.norm(np.diff(joints(armature, bpy.data.actions[n], np.arange(*span(n))), axis=0), axis=-1).max()
        for n in (one, other)
    )
    assert steps < 1.3 * both


def test_a_blend_at_a_contact_is_made_while_a_foot_stands():
    armature = walking_biped()
    names = [ref.action.name for ref in armature.verbs_adverbs.verbs[0].examples]
    made = new(armature, names[0], "action_blend", other=names[-1], at_contact=True)
    assert any(contact.windows for contact in made.verbs_adverbs.examples[0].contacts)
    for name in names:
        for contact in bpy.data.actions[name].verbs_adverbs.examples[0].contacts:
            contact.windows.clear()
    with pytest.raises(Refused, match=".* and .* have no contacts in common. Mark examples with contacts in both"):
        new(armature, names[0], "action_blend", other=names[-1], at_contact=True)


def test_an_action_embedded_leads_back(whole):
    armature, name = whole
    long = new(armature, name, "action_loop", times=4)
    made = new(armature, long.name, "action_embed", other=name, begin=30.0, frames=6.0)
    assert made.frame_range[1] == pytest.approx(long.frame_range[1], abs=1e-3)
    early = np.arange(1.0, 30.0)
    assert np.abs(joints(armature, made, early) - joints(armature, long, early)).max() < METRES


def curves(action: bpy.types.Action) -> list:
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]


@pytest.mark.parametrize(
    ("operator", "options", "said"),
    [
        ("action_loop", {"times": 2, "overlap": 500.0}, "too few to blend over 500. Blend over fewer"),
        ("action_smooth", {"cutoff": 0.05}, "The filter extends"),
        ("action_smooth", {"cutoff": 900.0}, "A cut-off of 900 Hz is not possible"),
        (
            "action_warp",
            {"keys": [{"name": "a", "own": 1.0, "moved": 5.0}, {"name": "b", "own": 9.0, "moved": 2.0}]},
            "The time warp runs backward",
        ),
        ("action_blend", {"other": "nobody"}, "Choose another action"),
        ("action_embed", {"begin": 3.0, "frames": 500.0}, "Choose another action"),
    ],
)
def test_what_cannot_be_made_is_told_and_nothing_is_left(walker, operator: str, options: dict, said: str):
    armature, name = walker
    assign(armature, bpy.data.actions[name])
    known = set(bpy.data.actions)
    with pytest.raises(Refused, match=said):
        do(operator, **options)
    assert set(bpy.data.actions) == known and armature.animation_data.action.name == name


def keyed(name: str, curves: dict[tuple[str, int], np.ndarray], frames: np.ndarray) -> bpy.types.Action:
    """An action of the active armature with these values at frames."""
    armature = bpy.context.object
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    part("bridge.blender.versions").assign_action(armature, action)
    write_curves(armature, action, curves, frames)
    return action


ROOT, LEG = 'pose.bones["Root"].location', 'pose.bones["Leg"].rotation_quaternion'
FRAMES = np.arange(1.0, 41.0)


def going(name: str = "going", **more: dict) -> bpy.types.Action:
    """The figurine goes along -Y, a tenth of a unit a frame, and its leg swings."""
    angle = 0.4 * np.sin(FRAMES)
    curves = {(ROOT, 2): 0.1 * FRAMES, (LEG, 0): np.cos(angle / 2), (LEG, 1): np.sin(angle / 2)}
    return keyed(name, curves | more.get("curves", {}), FRAMES)


def test_switches_keep_their_steps():
    armature = figurine()
    armature.pose.bones["Leg"]["switch"] = 0
    path = 'pose.bones["Leg"]["switch"]'
    one = going("one", curves={(path, 0): (FRAMES > 20.0) * 1.0})
    other = going("other", curves={(path, 0): np.ones(len(FRAMES))})
    for action in (one, other):
        for curve in curves(action):
            if curve.data_path == path:
                for point in curve.keyframe_points:
                    point.interpolation = "CONSTANT"
    made = new(armature, "one", "action_loop", times=2)
    assert [value_at(made, path, frame) for frame in (5, 20, 21, 39, 45, 70)] == [0, 0, 1, 1, 0, 1]
    back = new(armature, "one", "action_revert")
    assert [value_at(back, path, frame) for frame in (1, 19, 30, 40)] == [1, 1, 0, 0]
    blended = new(armature, "one", "action_blend", other="other", frames=10.0)
    assert [value_at(blended, path, frame) for frame in (5, 60)] == [0, 1]


def value_at(action: bpy.types.Action, path: str, frame: float) -> float:
    return next(curve for curve in curves(action) if curve.data_path == path).evaluate(frame)


def test_an_action_of_a_single_limb_lets_the_figure_walk_on():
    armature = figurine()
    long = new(armature, going().name, "action_loop", times=3)
    angle = np.linspace(0.0, 1.0, len(FRAMES))
    foot = 'pose.bones["Foot"].rotation_quaternion'
    keyed("wave", {(foot, 0): np.cos(angle), (foot, 1): np.sin(angle)}, FRAMES)
    made = new(armature, long.name, "action_embed", other="wave", begin=30.0, frames=5.0)
    frames = np.arange(1.0, 100.0)
    paths = [joints(armature, action, frames)[:, 0] for action in (long, made)]
    assert np.abs(paths[0] - paths[1]).max() < 1e-3
    alone = new(armature, "wave", "action_loop", times=2)
    assert not any("Root" in curve.data_path for curve in curves(alone))


def test_a_warp_moves_the_first_frame_too():
    armature = figurine()
    keys = [{"name": "start", "own": 1.0, "moved": 11.0}, {"name": "end", "own": 40.0, "moved": 61.0}]
    made = new(armature, going().name, "action_warp", keys=keys)
    assert tuple(made.frame_range) == (11.0, 61.0)


def test_an_example_keeps_its_rate_its_values_and_contacts_within_it():
    armature, action = figurine(), going()
    part("bridge.data.annotate").add_example(action, "going", 1.0, 31.0, 60.0)
    example = action.verbs_adverbs.examples[0]
    contacts, annotate = part("bridge.data.annotate"), part("bridge.data.annotate")
    contact = contacts.add_contact(action, example, "Foot", "TAIL")
    contacts.add_window(action, example, contact, 25.0, 38.0, snap=False)
    annotate.set_value(action, example, "mood", 0.5)
    made = new(armature, action.name, "action_loop", times=3).verbs_adverbs.examples[0]
    assert made.fps == 60.0 and made.values["mood"].value == 0.5
    windows = [(window.start, window.end) for window in made.contacts[0].windows]
    assert np.abs(np.subtract(windows, [(25.0, 31.0), (55.0, 61.0), (85.0, 91.0)])).max() < 1e-3


def test_many_passes_overlap():
    armature = figurine()
    made = new(armature, going().name, "action_loop", times=300, overlap=4.0)
    assert made.frame_range[1] == pytest.approx(1.0 + 300 * 39.0 - 299 * 4.0, abs=1e-2)


def test_an_action_without_keys_is_told():
    part("bridge.blender.versions").assign_action(figurine(), bpy.data.actions.new("empty"))
    with pytest.raises(Refused, match="Action 'empty' has no keys for 'Figurine'. Choose an action"):
        do("action_revert")
