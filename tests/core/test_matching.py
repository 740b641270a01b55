"""Which bones of two skeletons correspond, and how a pose goes over from one to the other."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure.matching import (
    Resting,
    carried_over,
    laid_along,
    match_bones,
    same_names,
    size_ratio,
    way_to_body,
)

NAMES = ("Hips", "Spine", "LeftArm", "LeftForeArm", "LeftHand", "LeftUpLeg", "LeftLeg", "LeftFoot")
PARENTS = (-1, 0, 1, 2, 3, 0, 5, 6)
LEGS = (("LeftUpLeg", "LeftFoot"),)
HEADS = np.array([(0, 0, 9), (0, 0, 11), (2, 0, 14), (5, 0, 14), (8, 0, 14), (1, 0, 8), (1, 0, 4), (1, 0, 1)], float)


def _resting(seed: int = 1) -> Resting:
    turns = Rotation.random(len(NAMES), random_state=seed).as_quat()[:, [3, 0, 1, 2]]
    return Resting("one", NAMES, PARENTS, HEADS, turns)


def _named(resting: Resting, prefix: str) -> Resting:
    return replace(resting, owner="other", names=tuple(prefix + name for name in resting.names))


def _matrices(quaternions: np.ndarray) -> np.ndarray:
    return (
        Rotation.from_quat(quaternions.reshape(-1, 4)[:, [1, 2, 3, 0]])
        .as_matrix()
        .reshape(*quaternions.shape[:-1], 3, 3)
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mixamorig:{}", "mixamorig1:{}"),
        ("{}", "mixamorig:{}"),
        ("Armature|a:{}", "{}"),
        ("Bip01 {}", "Bip001 {}"),
        ("mixamorig_{}", "{}"),
        ("{}", "{}"),
    ],
)
def test_names_are_the_same_but_for_what_all_begin_with(one: str, other: str):
    parts = ["Hips", "Left Arm", "Right Arm", "Left Leg", "Right Leg"]
    found = same_names([one.format(part) for part in parts], [other.format(part) for part in parts])
    assert found == {one.format(part): other.format(part) for part in parts}


def test_sides_are_no_prefix_and_names_that_become_alike_are_left_apart():
    assert same_names(["Left Arm", "Left Leg"], ["Right Arm", "Right Leg"]) == {}
    assert same_names(["a:Hips", "b:Hips", "a:Head"], ["Hips", "Head"]) == {"a:Head": "Head"}


def test_a_missing_end_of_a_chain_is_told_on_either_side():
    one, other = _resting(), _named(_resting(2), "m:")
    short = replace(other, names=other.names[:4] + ("m:Extra",) + other.names[5:])
    match = match_bones(one, short, "Hips", LEGS)
    assert (match.surplus, match.missing) == (("m:Extra",), ("LeftHand",))
    assert match.pairs.tolist() == [0, 1, 2, 3, -1, 5, 6, 7]


@pytest.mark.parametrize("bone", ["Hips", "LeftUpLeg", "LeftFoot", "LeftLeg"])
def test_what_cannot_be_missing_is_named(bone: str):
    one, other = _resting(), _named(_resting(2), "m:")
    spoilt = replace(other, names=tuple("m:X" if name == f"m:{bone}" else name for name in other.names))
    with pytest.raises(RigError, match=f"'other' has no bone that corresponds to '{bone}'"):
        match_bones(one, spoilt, "Hips", LEGS)
    if bone != "Hips":
        with pytest.raises(RigError, match=f"'other' has no bone that corresponds to '{bone}'"):
            match_bones(spoilt, one, "m:Hips", (), None, LEGS)


def _without(resting: Resting, bone: int) -> Resting:
    """A skeleton without a bone, whose own bones hang from the one above it."""
    kept = [place for place in range(len(resting.names)) if place != bone]
    parents = [resting.parents[bone] if resting.parents[p] == bone else resting.parents[p] for p in kept]
    names = tuple(resting.names[place] for place in kept)
    parents = tuple(parent - (parent > bone) for parent in parents)
    return Resting(resting.owner, names, parents, resting.heads[kept], resting.turns[kept])


@pytest.mark.parametrize("bone", ["Spine", "LeftArm", "LeftForeArm"])
@pytest.mark.parametrize("swapped", [False, True])
def test_a_bone_missing_inside_a_chain_leaves_the_others_turned_as_they_are(bone: str, swapped: bool):
    one, other = _resting(), _without(_named(_resting(2), "m:"), NAMES.index(bone))
    one, other = (other, one) if swapped else (one, other)
    match = match_bones(one, other, one.names[0], ())
    assert (match.surplus, match.missing) == (((bone,), ()) if swapped else ((), (bone,)))
    frames = Rotation.random(3 * len(other.names), random_state=3).as_quat()[:, [3, 0, 1, 2]].reshape(3, -1, 4)
    turns, unlike = laid_along(one, other, match)
    assert np.allclose(turns, (1.0, 0.0, 0.0, 0.0)) and not unlike
    shown = carried_over(one, other, match.pairs, turns, frames)
    have = match.pairs >= 0
    seen = _matrices(shown) @ np.swapaxes(_matrices(one.turns), -1, -2)
    turned = _matrices(frames) @ np.swapaxes(_matrices(other.turns), -1, -2)
    assert np.allclose(seen[:, have], turned[:, match.pairs[have]])


def test_a_leg_with_a_bone_more_is_as_long():
    one = _resting()
    names, parents = (*NAMES[:6], "Twist", *NAMES[6:]), (-1, 0, 1, 2, 3, 0, 5, 6, 7)
    twisted = Resting("other", names, parents, np.insert(HEADS, 6, (1, 0, 6), axis=0), np.tile(one.turns[:1], (9, 1)))
    for own, other in ((one, twisted), (twisted, one)):
        assert size_ratio(own, other, match_bones(own, other, "Hips", LEGS).pairs, LEGS) == pytest.approx(1.0)


def test_a_bone_that_hangs_elsewhere_corresponds_all_the_same():
    one, other = _resting(), _named(_resting(2), "m:")
    match = match_bones(one, replace(other, parents=(-1, 0, 0, 2, 3, 0, 5, 6)), "Hips", ())
    assert match.pairs.tolist() == list(range(8)) and not match.surplus and not match.missing


def test_what_is_above_the_root_need_not_correspond():
    one = _resting()
    names, parents = ("World", *NAMES), (-1, *(parent + 1 for parent in PARENTS))
    heads, turns = np.vstack([np.zeros(3), HEADS]), np.vstack([one.turns[:1], one.turns])
    other = Resting("other", names, parents, heads, turns)
    match = match_bones(one, other, "Hips", LEGS)
    assert (match.pairs.tolist(), match.surplus, match.missing) == (list(range(1, 9)), (), ())
    match = match_bones(other, one, "Hips", LEGS)
    assert (match.pairs.tolist(), match.surplus, match.missing) == ([-1, *range(8)], (), ())


def test_bones_that_lie_alike_are_not_turned_whatever_their_proportions():
    one, other = _resting(), _named(_resting(2), "m:")
    stretched = replace(other, heads=other.heads * (1.3, 1.0, 0.9) + (0.0, 0.2, 0.0))
    match = match_bones(one, stretched, "Hips", ())
    turns, unlike = laid_along(one, stretched, match)
    assert np.allclose(turns, (1.0, 0.0, 0.0, 0.0))
    assert not unlike


def test_an_arm_that_hangs_is_turned_as_a_whole():
    one, other = _resting(), _named(_resting(2), "m:")
    heads = HEADS.copy()
    hang = Rotation.from_euler("Y", 50.0, degrees=True)
    heads[2:5] = HEADS[2] + hang.apply(HEADS[2:5] - HEADS[2])
    match = match_bones(one, replace(other, heads=heads), "Hips", ())
    turns, unlike = laid_along(one, replace(other, heads=heads), match)
    assert np.allclose(_matrices(turns)[2:5], hang.as_matrix(), atol=1e-5)
    assert np.allclose(_matrices(turns)[[0, 1, 5, 6, 7]], np.eye(3), atol=1e-9)
    assert not unlike


def test_an_arm_that_points_across_is_told():
    one, other = _resting(), _named(_resting(2), "m:")
    heads = HEADS.copy()
    heads[2:5] = HEADS[2] + Rotation.from_euler("Z", 120.0, degrees=True).apply(HEADS[2:5] - HEADS[2])
    _, unlike = laid_along(one, replace(other, heads=heads), match_bones(one, other, "Hips", ()))
    assert unlike == ("LeftArm",)


def test_a_pose_turns_every_bone_from_rest_as_the_other_is_turned():
    one, other = _resting(), _named(_resting(2), "m:")
    match = match_bones(one, other, "Hips", ())
    frames = Rotation.random(5 * len(NAMES), random_state=3).as_quat()[:, [3, 0, 1, 2]].reshape(5, -1, 4)
    shown = carried_over(one, other, match.pairs, laid_along(one, other, match)[0], frames)
    turned = _matrices(frames) @ np.swapaxes(_matrices(other.turns), -1, -2)
    assert np.allclose(_matrices(shown) @ np.swapaxes(_matrices(one.turns), -1, -2), turned)


def test_a_figure_is_as_much_larger_as_its_legs_are_longer():
    one, other = _resting(), _named(_resting(2), "m:")
    heads = HEADS.copy()
    heads[[6, 7]] = HEADS[5] + 0.5 * (HEADS[[6, 7]] - HEADS[5])
    short = replace(other, heads=heads)
    assert size_ratio(one, short, np.arange(8), [("LeftUpLeg", "LeftFoot")]) == pytest.approx(2.0)
    assert size_ratio(one, short, np.arange(8), []) < 1.5
    with pytest.raises(RigError, match="have zero length"):
        size_ratio(one, replace(other, heads=np.zeros((8, 3))), np.arange(8), [])


def test_how_the_hips_rest_under_a_joint_on_top_tells_nothing_if_they_are_shifted():
    one = _resting()
    names, parents = ("Top", *NAMES), (-1, *(parent + 1 for parent in PARENTS))
    own, other = (
        Resting("one", names, parents, np.vstack([top, HEADS]), np.vstack([one.turns[:1], one.turns]))
        for top in (np.zeros(3), np.array([50.0, 400.0, 9.0]))
    )
    match = match_bones(own, other, "Top", ())
    way = way_to_body(own, match.pairs, "Top", lambda bone: names[bone] == "Hips")
    assert [names[bone] for bone in way] == ["Top", "Hips"]
    assert size_ratio(own, other, match.pairs, (), way[1:]) == pytest.approx(1.0)
    turns, unlike = laid_along(own, other, match, way[1:])
    assert np.allclose(turns, (1.0, 0.0, 0.0, 0.0)) and not unlike
    assert way_to_body(own, match.pairs, "Top", lambda _bone: False) == (0,)
    assert way_to_body(own, match.pairs, "LeftArm", lambda _bone: True) == (names.index("LeftArm"),)
