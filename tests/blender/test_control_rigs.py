"""Control rigs: feet, hands and poles that do not follow the root go where it goes."""

import bpy
import numpy as np
import pytest
from blender.control_rig import FPS, SIDES, key_walk, make_control_rig, part, walk_verb
from blender.rigify_rig import key_as_fk, key_rigify_walk, make_rigify
from blender.stage import drag, go_to

CLOSE = 0.005
MOODS = (-1.0, 0.0, 1.0)


def feet_of(armature, frames) -> np.ndarray:
    """Heads and tails (T, 2, 2, 3) of the deforming feet in the armature's parent's space."""
    found = []
    for frame in frames:
        go_to(float(frame))
        found.append(feet_of_now(armature))
    return np.array(found)


def feet_of_now(armature) -> np.ndarray:
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    space = part("bridge.data.director").into_space(seen)
    prefix = "DEF-" if "DEF-foot.L" in seen.pose.bones else ""
    bones = [seen.pose.bones[f"{prefix}foot.{side}"] for side in SIDES]
    return np.array([[space @ seen.matrix_world @ point for point in (b.head, b.tail)] for b in bones])


def assign(armature, action) -> None:
    part("bridge.blender.versions").bag_for_write(armature, action)


def puppet(in_place: bool = False, **made):
    """A control rig with the verb 'walk' over mood, and its keyed walks."""
    walk = part("core.biped.walk").walk
    armature = make_control_rig(**made)
    written = [key_walk(armature, walk(mood, rate=FPS), in_place=in_place) for mood in MOODS]
    walk_verb(armature, written)
    return armature, written


def verb_of(armature):
    return part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])


def directed(armature):
    """The director of the armature, whose verb is on."""
    if bpy.ops.verbs_adverbs.live_on.poll():
        assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return armature.verbs_adverbs.director


def baked(armature, mood: float, **options):
    """The verb at a mood as a new action, from frame 5 on, assigned."""
    verb, bake = verb_of(armature), part("bridge.session.bake")
    director = directed(armature)
    director["mood"] = mood
    chosen = bake.BakeOptions(cycles=1, start=5.0, annotate=False, **options)
    baked_verb = bake.bake_of_verb(armature, verb, chosen, bpy.context.scene)
    return part("bridge.session.bakes.baked").write_new(armature, baked_verb)


@pytest.fixture(autouse=True)
def empty_scene(extension):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=False)


def test_the_travelling_set_is_what_does_not_follow_the_root():
    armature, _ = puppet()
    channels = verb_of(armature).channels
    names = [channels.skeleton.names[t.joint] for t in channels.travelling]
    assert channels.skeleton.names[0] == "hips"
    assert sorted(names) == ["foot_ik.L", "foot_ik.R", "knee.L", "knee.R"]


@pytest.mark.parametrize("loose_knees", [True, False])
def test_feet_are_where_the_source_has_them_at_the_examples(loose_knees, tell):
    armature, written = puppet(loose_knees=loose_knees)
    for example, mood in zip(written, MOODS, strict=True):
        frames = np.arange(5.0, 5.0 + example.generated.duration * FPS)
        source = source_feet(armature, example, frames)
        assign(armature, baked(armature, mood, lock_feet=False))
        worst = apart(feet_of(armature, frames), source)
        tell(f"  mood {mood:g}: {100 * worst:.2f} cm")
        assert np.ptp(source[:, 0, 0, 1]) > 0.3
        assert worst < CLOSE


def source_feet(armature, example, frames) -> np.ndarray:
    """Feet of the keyed walk itself; no verb is on afterwards."""
    if bpy.ops.verbs_adverbs.live_off.poll():
        bpy.ops.verbs_adverbs.live_off()
    assign(armature, example.action)
    return feet_of(armature, frames)


def apart(played: np.ndarray, source: np.ndarray) -> float:
    """Largest distance between feet that are moved as a whole onto the others."""
    return float(np.linalg.norm(fitted(played, source) - source, axis=-1).max())


def fitted(played: np.ndarray, source: np.ndarray) -> np.ndarray:
    """Places moved and turned on the floor as a whole so that they lie where the source's do."""
    flat = [points[..., 0].ravel() + 1j * points[..., 1].ravel() for points in (played, source)]
    one, other = (points - points.mean() for points in flat)
    turn = np.vdot(one, other)
    moved = one * turn / abs(turn) + flat[1].mean()
    shape = played.shape[:-1]
    return np.stack([moved.real.reshape(shape), moved.imag.reshape(shape), played[..., 2]], axis=-1)


def under_a_parent(armature) -> None:
    """Hang an armature on something that is turned, scaled and moved."""
    parent = bpy.data.objects.new("Ship", None)
    bpy.context.collection.objects.link(parent)
    parent.location, parent.rotation_euler, parent.scale = (3.0, -2.0, 1.5), (0.3, -0.2, 1.1), (1.7, 1.7, 1.7)
    armature.parent = parent
    bpy.context.view_layer.update()


def test_feet_are_the_sources_on_the_timeline_under_a_turned_scaled_and_moved_parent(tell):
    armature, written = puppet()
    under_a_parent(armature)
    armature.location, armature.rotation_euler = (0.4, 0.3, 0.0), (0.0, 0.0, 0.7)
    for example, mood in zip(written, MOODS, strict=True):
        frames = np.arange(5.0, 5.0 + example.generated.duration * FPS)
        source = source_feet(armature, example, frames)
        director = directed(armature)
        director.verbs_adverbs.start_frame = 5
        director.verbs_adverbs.performance.lock_feet = False
        drag(director, mood=mood)
        part("bridge.session.live").flush()
        played = feet_of(armature, frames)
        tell(f"  mood {mood:g}: {100 * apart(played, source):.2f} cm")
        assert apart(played, source) < CLOSE
        assert armature.pose.bones["hips"]["IK_FK"] == 1


def test_walks_in_place_are_played_in_place_and_travelling(tell):
    armature, written = puppet(in_place=True)
    under_a_parent(armature)
    other = make_control_rig("Other")
    going = [key_walk(other, example.generated) for example in written]
    bpy.context.view_layer.objects.active = armature
    for example, goal, mood in zip(written, going, MOODS, strict=True):
        frames = np.arange(5.0, 5.0 + example.generated.duration * FPS)
        here, there = (source_feet(armature, which, frames) for which in (example, goal))
        made = [baked(armature, mood, lock_feet=False, in_place=still) for still in (True, False)]
        bpy.ops.verbs_adverbs.live_off()
        errors = []
        for action, source in zip(made, (here, there), strict=True):
            assign(armature, action)
            errors.append(apart(feet_of(armature, frames), source))
        tell(f"  mood {mood:g}: {100 * errors[0]:.2f} cm in place, {100 * errors[1]:.2f} cm travelling")
        assert errors[0] < CLOSE
        assert errors[1] < 2.0 * CLOSE


def test_a_dragged_slider_shows_what_the_timeline_will_hold():
    armature, _ = puppet()
    under_a_parent(armature)
    director, shown, frames = directed(armature), [], (1, 4, 9, 15, 22, 27, 33)
    director.location, director.rotation_euler.z = (0.6, -0.8, 0.0), 0.9
    for frame in frames:
        drag(director, mood=-0.9)
        part("bridge.session.live").flush()
        go_to(frame)
        drag(director, mood=0.55)
        shown.append(feet_of_now(armature))
    part("bridge.session.live").flush()
    assert np.abs(feet_of(armature, frames) - np.array(shown)).max() < 1e-4


def test_feet_stand_where_they_are_planted(tell):
    armature, _ = puppet()
    director, frames = directed(armature), np.arange(1.0, 61.0)
    slips = []
    for locks in (False, True):
        director.verbs_adverbs.performance.lock_feet = locks
        drag(director, mood=0.5)
        director.update_tag()
        part("bridge.session.live").flush()
        slips.append(slip(armature, feet_of(armature, frames)[:, :, 1], 0.5))
    tell(f"  planted: {slips[0]:.2f} cm/s free, {slips[1]:.3f} cm/s locked")
    assert slips[0] > 1.0
    assert slips[1] < 0.15


def slip(armature, points: np.ndarray, mood: float) -> float:
    """Largest speed over the floor, centimetres a second, of planted points (T, 2, 3) between frames they stand in."""
    motion, worst = verb_of(armature).motion([mood]), 0.0
    phases = motion.phase(np.arange(len(points)) / FPS)
    for side, windows in enumerate(motion.windows):
        for begin, end in windows:
            since = phases - begin
            inside = since - np.floor(since) < end - begin
            steps = np.linalg.norm(np.diff(points[:, side, :2], axis=0), axis=-1) * FPS * 100.0
            worst = max(worst, float(steps[inside[1:] & inside[:-1]].max()))
    return worst


@pytest.mark.parametrize(
    ("fk", "in_place"),
    [
        (False, False),
        pytest.param(False, True, marks=pytest.mark.long),
        pytest.param(True, False, marks=pytest.mark.long),
        (True, True),
    ],
)
def test_a_rigify_characters_feet_are_the_sources_under_a_parent(in_place, fk, tell):
    armature = make_rigify()
    walk = part("core.biped.walk").walk
    written = [key_rigify_walk(armature, walk(mood, rate=FPS), in_place=in_place) for mood in MOODS[:2]]
    if fk:
        written = [key_as_fk(armature, example) for example in written]
        armature.verbs_adverbs.root = "torso"
    verb = walk_verb(armature, written, contact="toe_fk" if fk else "toe_ik", end="HEAD")
    verb.hold_contacts = not fk  # without the stretch that IK allows, these soles slip by themselves
    under_a_parent(armature)
    names = [verb_of(armature).channels.skeleton.names[t.joint] for t in verb_of(armature).channels.travelling]
    assert sorted(names) == ([] if fk else ["foot_ik.L", "foot_ik.R"])
    for example, mood in zip(written, MOODS[:2], strict=True):
        frames = np.arange(5.0, 5.0 + example.generated.duration * FPS)
        source = source_feet(armature, example, frames)
        action = baked(armature, mood, lock_feet=False, in_place=in_place)
        bpy.ops.verbs_adverbs.live_off()
        assign(armature, action)
        worst = apart(feet_of(armature, frames), source)
        tell(f"  Rigify, {'FK' if fk else 'IK'}{', in place' if in_place else ''}, mood {mood:g}: {100 * worst:.2f} cm")
        assert worst < CLOSE
        assert armature.pose.bones["thigh_parent.L"]["IK_FK"] == (1.0 if fk else 0.0)


def test_examples_that_disagree_in_a_switch_are_named():
    armature, written = puppet()
    bag = part("bridge.blender.versions").bag_for_write(armature, written[1].action)
    curve = next(curve for curve in bag.fcurves if "IK_FK" in curve.data_path)
    curve.keyframe_points[0].co[1] = 0.0
    curve.update()
    said = " ".join(verb_of(armature).report.complaints)
    assert "IK_FK" in said and "'Walk plain'" in said and "cannot be blended" in said


def test_a_contact_on_a_bone_that_only_constraints_move_is_sent_to_its_control():
    armature = make_control_rig()
    written = [key_walk(armature, part("core.biped.walk").walk(rate=FPS))]
    verb = walk_verb(armature, written, contact="foot")
    said = part("bridge.action.examples").read_examples(armature, verb).complaints
    assert any("foot.L (head)" in sentence and "put the contact on the control" in sentence for sentence in said)
