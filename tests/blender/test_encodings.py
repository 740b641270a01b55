"""Examples whose curves have other numbers and kinds of control points mix in one verb ([Rose2001] section 3).

What is baked is compared with curves that SciPy fits to the keys, in each example's encoding, and mixes.
"""

import bpy
import numpy as np
import pytest
from blender.figurine import (
    add_to_verb,
    annotate,
    assert_says,
    figurine,
    lines,
    part,
    refused,
    state,
    striding_figurine,
    write_curves,
)
from blender.stage import FPS, built_verb, core_joints, walking_biped
from scipy.interpolate import CubicHermiteSpline, CubicSpline, make_lsq_spline

OPS = bpy.ops.verbs_adverbs
PLACES = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
CURVES = (("CUBIC_B_SPLINE", 0), ("CATMULL_ROM", 18), ("LINEAR", 30))
OF_THE_VERB = 12
FIRST, LAST = 1, 25
KEYED = np.arange(FIRST - 3, LAST + 4)
SAME = 5e-6
LEG = 'pose.bones["Leg"].rotation_quaternion'


def swing(index: int, seconds: np.ndarray) -> np.ndarray:
    """Radians by which the leg is turned in an example: other waves in each."""
    return (0.5 + 0.2 * index) * np.sin((7.0 + 5.0 * index) * seconds + index) + 0.1 * index


def swinging(armature, index: int):
    """Make an action in which the figurine stands and swings its leg, and mark it as an example in its place."""
    action = bpy.data.actions.new(f"swing {index}")
    action.use_fake_user = True
    angle = swing(index, (KEYED - FIRST) / FPS)
    write_curves(armature, action, {(LEG, 0): np.cos(angle / 2), (LEG, 1): np.sin(angle / 2)}, KEYED)
    part("bridge.blender.versions").assign_action(armature, action)
    added = {"span": "CUSTOM", "start": FIRST, "end": LAST, "kind": "STATIONARY", "cyclic": False}
    assert OPS.example_add(**added) == {"FINISHED"}
    for adverb, value in zip(("far", "high"), PLACES[index], strict=True):
        OPS.value_set(adverb=adverb, value=value)
    return action


@pytest.fixture
def mixed():
    """A figurine whose verb has three examples at the corners of a triangle, in three encodings."""
    armature = figurine()
    bpy.context.scene.render.fps = int(FPS)
    OPS.verb_add(name="swing")
    for name in ("far", "high"):
        OPS.adverb_add(name=name, minimum=0.0, maximum=1.0)
    add_to_verb(*[swinging(armature, index) for index in range(len(PLACES))])
    verb = armature.verbs_adverbs.verbs[0]
    verb.kernel, verb.degree, verb.control_points = "CUBIC_B_SPLINE", 1, OF_THE_VERB
    for row, (encoding, count) in zip(verb.examples, CURVES, strict=True):
        row.encoding, row.control_points = encoding, count
    assert OPS.director_add() == {"FINISHED"}
    return armature


def through(encoding: str, controls: np.ndarray):
    """The curve over [0, 1] through control points (C, n): straight, or with the slope from neighbour to neighbour."""
    knots = np.linspace(0.0, 1.0, len(controls) - 2)
    if encoding == "LINEAR":
        return lambda times: np.stack([np.interp(times, knots, c) for c in controls[1:-1].T], axis=-1)
    slopes = (controls[2:] - controls[:-2]) / (2.0 * knots[1])
    return CubicHermiteSpline(knots, controls[1:-1], slopes)


def fitted(encoding: str, count: int, times: np.ndarray, values: np.ndarray):
    """The curve of `count` control points over [0, 1] nearest to `values` (T, n) at `times` (T,)."""
    if encoding == "CUBIC_B_SPLINE":
        knots = np.arange(-3.0, count + 1.0) / (count - 3.0)
        return make_lsq_spline(times, values, knots, k=3)
    columns = np.concatenate([through(encoding, row)(times) for row in np.eye(count)[:, :, None]], axis=-1)
    return through(encoding, np.linalg.lstsq(columns, values, rcond=None)[0])


def expected(shares: tuple[float, ...], curves=CURVES) -> np.ndarray:
    """Radians (F,) of the leg at the frames of the examples, mixed by `shares` of the examples."""
    seconds = (KEYED - FIRST) / FPS
    duration = (LAST - FIRST) / FPS
    total = np.zeros((LAST - FIRST + 1, 2))
    for index, (share, (encoding, own)) in enumerate(zip(shares, curves, strict=True)):
        angle = 0.5 * swing(index, seconds)
        keys = CubicSpline(seconds, np.stack([np.cos(angle), np.sin(angle)], axis=-1), bc_type="natural")
        times = np.linspace(0.0, 1.0, 4 * max(own or OF_THE_VERB, OF_THE_VERB) + 1)
        poses = keys(duration * times)
        poses /= np.linalg.norm(poses, axis=1, keepdims=True)
        total += share * fitted(encoding, own or OF_THE_VERB, times, poses)(np.linspace(0.0, 1.0, len(total)))
    return 2.0 * np.arctan2(total[:, 1], total[:, 0])


def baked(armature, far: float, high: float) -> np.ndarray:
    """Radians (F,) of the leg in a bake at a place."""
    director = armature.verbs_adverbs.director
    director["far"], director["high"] = far, high
    assert OPS.bake(length="RANGE", frame_start=FIRST, frame_end=LAST) == {"FINISHED"}
    found = part("bridge.blender.versions").curves_of(armature.animation_data.action, armature)
    curves = {curve.array_index: curve for curve in found if curve.data_path == LEG}
    real, about_x = ([curves[index].evaluate(frame) for frame in range(FIRST, LAST + 1)] for index in (0, 1))
    return 2.0 * np.arctan2(about_x, real)


def apart(one: np.ndarray, other: np.ndarray) -> float:
    """Largest difference of two angles, whole turns aside."""
    return float(np.abs(np.remainder(one - other + np.pi, 2.0 * np.pi) - np.pi).max())


@pytest.mark.parametrize(("far", "high"), [(0.3, 0.25), (0.1, 0.8), (1.2, -0.3)])
def test_three_encodings_bake_as_the_mixture_of_their_curves(mixed, far: float, high: float):
    shares = (1.0 - far - high, far, high)
    found = baked(mixed, far, high)
    assert apart(found, expected(shares)) < SAME
    for plain in ((("CUBIC_B_SPLINE", 0),) * 3, (("CUBIC_B_SPLINE", 0), ("CUBIC_B_SPLINE", 18), CURVES[2])):
        assert apart(found, expected(shares, plain)) > 100.0 * SAME


@pytest.mark.parametrize("index", range(len(PLACES)))
def test_an_example_at_its_place_is_its_own_curve_whatever_the_others_are(mixed, index: int):
    shares = tuple(float(other == index) for other in range(len(PLACES)))
    found = baked(mixed, *PLACES[index])
    assert apart(found, expected(shares)) < SAME
    others = [row for row in mixed.verbs_adverbs.verbs[0].examples if row.action.name != f"swing {index}"]
    for row in others:
        row.control_points, row.encoding = 40, "CATMULL_ROM"
    assert apart(found, baked(mixed, *PLACES[index])) < SAME


def test_what_an_example_has_of_its_own_puts_its_verb_out_of_date_until_it_is_as_the_verbs_again():
    armature = striding_figurine()
    verb = armature.verbs_adverbs.verbs[0]
    OPS.verb_build()
    row = verb.examples[1]
    for name, value, before in (("control_points", 24, 0), ("encoding", "LINEAR", "CUBIC_B_SPLINE")):
        setattr(row, name, value)
        assert state(armature, verb) == "OUT_OF_DATE"
        setattr(row, name, before)
        assert state(armature, verb) == "UP_TO_DATE"
    row.control_points = 24
    verb_for = part("bridge.authoring.verbs").verb_for
    groups = verb_for(armature, verb).mixture.groups
    assert sorted((group.spans, len(group.members)) for group in groups) == [(24, 1), (64, 2)]


@pytest.mark.parametrize("count", [1, 3, 501, 2**31 - 1])
def test_too_few_or_too_many_control_points_are_refused_in_a_sentence(count: int, capfd):
    armature = striding_figurine()
    armature.verbs_adverbs.verbs[0].examples[1].control_points = count
    told = refused(OPS.verb_build, capfd)
    assert_says(told, "'stride 1'", f"{count} control points of its own", "Set 4 to 500", "0 for as many")


def test_the_report_says_how_many_control_points_follow_an_example_and_then_they_do(mixed):
    verb = mixed.verbs_adverbs.verbs[0]
    row = verb.examples[2]
    row.encoding, row.control_points = "CUBIC_B_SPLINE", 0
    keyed = swing(2, np.arange(LAST - FIRST + 1) / FPS)
    OPS.verb_build()
    (told,) = [line for line in lines(mixed, verb) if "control points of its own" in line]
    assert_says(told, "'swing 2'", "'Leg' by", "them would stay within 2.5 degrees")
    assert np.degrees(apart(baked(mixed, *PLACES[2]), keyed)) > 2.75
    before = baked(mixed, *PLACES[1])
    row.control_points = int(told.partition(" control points of its own")[0].split()[-1])
    OPS.verb_build()
    assert not [line for line in lines(mixed, verb) if "control points of its own" in line]
    assert np.degrees(apart(baked(mixed, *PLACES[2]), keyed)) < 2.75
    assert apart(baked(mixed, *PLACES[1]), before) < SAME


def test_what_closing_a_cycle_turns_is_not_promised_to_more_control_points():
    armature = figurine()
    OPS.verb_add(name="open")
    action = bpy.data.actions.new("open")
    action.use_fake_user = True
    frames = np.arange(FIRST, LAST + 1)
    angle = np.radians(8.0) * (frames - FIRST) / (LAST - FIRST)
    write_curves(armature, action, {(LEG, 0): np.cos(angle / 2), (LEG, 1): np.sin(angle / 2)}, frames)
    annotate(armature, action)
    add_to_verb(action)
    OPS.verb_build()
    told = " ".join(lines(armature, armature.verbs_adverbs.verbs[0]))
    assert_says(told, "'Leg' by 4.0 degrees. More control points would not change that.")


@pytest.mark.long
def test_a_walk_with_held_feet_has_examples_of_three_encodings():
    armature = walking_biped()
    item = armature.verbs_adverbs.verbs["walk"]
    plain = built_verb(armature)
    for index, own in enumerate((("CUBIC_B_SPLINE", 96), ("CATMULL_ROM", 80), ("LINEAR", 120))):
        item.examples[index].encoding, item.examples[index].control_points = own
    verb = built_verb(armature)
    assert verb is not plain and len(verb.mixture.groups) == 4
    times = np.linspace(0.0, 1.0, 50)
    for place in plain.places:
        joints = [core_joints(one, one.motion(place).sample(times * one.duration(place))) for one in (plain, verb)]
        assert np.linalg.norm(joints[0] - joints[1], axis=-1).max() < 0.005


def test_a_mirrored_example_has_as_many_control_points_of_the_same_encoding():
    armature = walking_biped()
    item = armature.verbs_adverbs.verbs["walk"]
    row = item.examples[0]
    row.encoding, row.control_points = "CATMULL_ROM", 80
    part("bridge.blender.versions").assign_action(armature, row.action)
    assert OPS.action_mirror(add_to_verb=True) == {"FINISHED"}
    assert (item.examples[-1].encoding, item.examples[-1].control_points) == ("CATMULL_ROM", 80)
    assert item.examples[-1].action.name.endswith("mirrored")
