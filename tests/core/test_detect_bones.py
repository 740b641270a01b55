"""Roles of bones: by what their names mean in published skeletons, else by how the figure stands at rest or walking."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import BONES, JOINTS
from verbs_adverbs.core.detect.bone_names import find_pairs, side_of, told_point
from verbs_adverbs.core.detect.bone_roles import BoneRoles, FigureBones
from verbs_adverbs.core.detect.detection import detect
from verbs_adverbs.core.detect.find_roles import find_roles, likely_feet
from verbs_adverbs.core.detect.observed import Observed

from .carried import RESTS, Body, body_of, carry, observed_by, seen_standing, tree_of
from .detected import Events, found_events, known_walk, misses, within
from .published_skeletons import PUBLISHED, Published

NEAREST = 0.6
"""Frames at 30 a second within which strikes must be found, whatever the bones are called."""
FACELESS = {"Perception Neuron and Noitom Axis"}
"""Skeletons whose feet do not show at rest where they face."""
EDGE = 0.12
"""Seconds at the ends of a walk whose strikes need not be found."""


def _expected(skeleton: Published) -> list[tuple[str, ...]]:
    names = (skeleton.thigh, skeleton.ankle, skeleton.ball, skeleton.heel, skeleton.hand)
    marks = zip("LR", skeleton.sides, strict=True)
    return [(side, *(name.format(mark) for name in names), skeleton.ball_end) for side, mark in marks]


def _found(roles: BoneRoles) -> list[tuple[str, ...]]:
    return [
        (foot.side, foot.thigh, foot.ankle, foot.ball.bone, foot.heel.bone if foot.heel else "", hand, foot.ball.end)
        for foot, hand in zip(roles.feet, roles.hands, strict=True)
    ]


def _strikes_apart(body: Body, roles: BoneRoles) -> float:
    """Largest distance in frames of the strikes found in a walk that a body carries from other ones.

    These are when the walk was made to touch the floor, and those that are found by the walk's own feet.
    """
    walk = carry(body)
    seen = observed_by(body, walk, roles)
    found, own = _strikes(seen), _strikes(known_walk(0.0, 0.0, 0.0).observed)
    made = misses(within(walk.strikes, seen, EDGE), found)
    apart = misses(within(own, seen, EDGE), found), misses(within(found, seen, EDGE), own)
    assert len(made) >= 3
    return float(np.abs(np.concatenate([made, *apart])).max())


def _strikes(seen: Observed) -> Events:
    return [event for event in found_events(detect(seen).contacts) if event[0].endswith("down")]


@pytest.mark.parametrize("name", PUBLISHED)
def test_names_of_published_skeletons_tell_their_bones_roles_in_whatever_pose_they_rest(name: str, tell):
    skeleton, apart = PUBLISHED[name], []
    for rest in RESTS:
        body = body_of(skeleton, rest)
        roles = find_roles(body.bones)
        assert (roles.source, roles.root, roles.remarks) == ("names", skeleton.root, ())
        assert _found(roles) == _expected(skeleton)
        _, _, places = tree_of(skeleton)
        sides = {bone: side for bone, (_, side) in zip(body.bones.names, places, strict=True)}
        assert [(sides[left], sides[right]) for left, right in roles.pairs] == [("L", "R")] * len(roles.pairs)
        assert 2 * len(roles.pairs) == sum(side != "" for side in sides.values())
        apart.append(_strikes_apart(body, roles))
    tell(f"  {name}: strikes at most {max(apart):.2f} frames off")
    assert max(apart) <= NEAREST


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_order_of_bones_and_what_stands_before_a_colon_do_not_matter(name: str):
    skeleton = PUBLISHED[name]
    bones = body_of(skeleton, "T").bones
    depths = [len(bones.chain(bone)) for bone in range(len(bones.names))]
    order = sorted(range(len(bones.names)), key=lambda bone: (depths[bone], bones.names[bone][::-1]))
    place = {bone: row for row, bone in enumerate(order)} | {-1: -1}
    moved = FigureBones(
        tuple("Armature|rig:" + bones.names[bone] for bone in order),
        tuple(place[bones.parents[bone]] for bone in order),
        bones.heads[order],
        bones.tails[order],
    )
    found = [tuple(text.removeprefix("Armature|rig:") for text in foot) for foot in _found(find_roles(moved))]
    assert found == _expected(skeleton)


@pytest.mark.parametrize("rest", RESTS)
def test_where_names_say_nothing_feet_are_found_as_the_figure_stands_at_rest_or_walks(rest: str, tell):
    apart: dict[str, float] = {}
    for name, skeleton in PUBLISHED.items():
        body = body_of(skeleton, rest)
        unnamed = tuple(f"bone {bone}" for bone in range(len(body.bones.names)))
        body = replace(body, bones=replace(body.bones, names=unnamed))
        roles = find_roles(body.bones, [seen_standing(body, carry(body))])
        assert roles.source == ("motion" if rest == "heap" or name in FACELESS else "rest"), name
        assert unnamed[body.bones.names.index(roles.root)] == f"bone {tree_of(skeleton)[0].index(skeleton.root)}"
        _, _, places = tree_of(skeleton)
        for foot, hand in zip(roles.feet, roles.hands, strict=True):
            at = {bone: place for bone, place in zip(unnamed, places, strict=True)}
            assert at[foot.ankle] == ("foot", foot.side), name
            assert at[foot.thigh][0] in ("thigh", "hips"), name
            assert at[foot.ball.bone] in [(what, foot.side) for what in ("foot", "half_foot", "toe")], name
            assert at[hand] in [(what, foot.side) for what in ("hand", "fingers", "fingertip", "thumb")], name
        apart[name] = _strikes_apart(body, roles)
    tell(f"  {len(apart)} skeletons without names: strikes at most {max(apart.values()):.2f} frames off")
    assert max(apart.values()) <= NEAREST


@pytest.mark.parametrize(
    "marks",
    [
        ("Oberschenkel_{}", "Unterschenkel_{}", "Fuss_{}", "Zehen_{}", "links", "rechts"),
        ("cuisse_{}", "mollet_{}", "pied_{}", "orteils_{}", "gauche", "droite"),
        ("muslo.{}", "pantorrilla.{}", "tobillo.{}", "toe.{}", "izq", "der"),
        ("Бедро {}ое", "Голень {}ая", "Стопа {}ая", "Носок {}ый", "лев", "прав"),
        ("{}大腿", "{}小腿", "{}脚", "{}脚尖", "左", "右"),
        ("THIGH{}", "CALF{}", "FOOT{}", "BALL{}", "_LEFT", "_RIGHT"),
        ("{}leg", "{}knee", "{}ankle", "{}ball", "l", "r"),
        ("Leg_{}1", "Leg_{}2", "Foot_{}", "Foot_{}_End", "L", "R"),
    ],
)
def test_legs_are_read_in_other_words_too(marks: tuple[str, ...]):
    *names, left, right = marks
    bones = ["hips", *(name.format(side) for side in (left, right) for name in names)]
    nowhere = np.zeros((9, 3))
    roles = find_roles(FigureBones(tuple(bones), (-1, 0, 1, 2, 3, 0, 5, 6, 7), nowhere, nowhere))
    told = [(foot.side, foot.thigh, foot.ankle, foot.ball.bone, foot.ball.end) for foot in roles.feet]
    assert told == [(side, *(bones[row + k] for k in (0, 2, 3)), "HEAD") for side, row in (("L", 1), ("R", 5))]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Foot.L", "Foot.R"), ("foot_l", "foot_r"), ("L_Foot", "R_Foot"), ("foot.L.001", "foot.R.001"),
        ("LeftFoot", "RightFoot"), ("foot left", "foot right"), ("Bip01 L Foot", "Bip01 R Foot"), ("lfoot", "rfoot"),
        ("LHipJoint", "RHipJoint"), ("DEF-thigh.L.001", "DEF-thigh.R.001"), ("rig:left_leg", "rig:right_leg"),
        ("lThighBend", "rThighBend"), ("左足", "右足"), ("FootL", "FootR"), ("Lf_foot", "Rt_foot"),
    ],
)  # fmt: skip
def test_left_and_right_are_found_in_names(left: str, right: str):
    assert find_pairs(["spine", right, left]) == (((left, right),), ())
    assert (side_of(left), side_of(right), side_of("spine")) == ("L", "R", "")


@pytest.mark.parametrize(
    ("bone", "end", "told"),
    [
        ("foot_ik.L", "HEEL", "left heel (foot_ik.L)"), ("foot_ik.R", "BALL", "ball of right foot (foot_ik.R)"),
        ("MCH-heel.02_rock2.R", "HEAD", "right heel (MCH-heel.02_rock2.R)"), ("foot_ik.L", "TAIL", "foot_ik.L (tail)"),
        ("LeftToeBase", "HEAD", "LeftToeBase (head)"), ("Orgel", "HEAD", "Orgel (head)"),
    ],
)  # fmt: skip
def test_the_limb_is_named_in_words_first_where_a_bones_name_does_not_show_it(bone: str, end: str, told: str):
    assert told_point(bone, end) == told


def test_names_without_a_partner_are_no_pairs():
    assert find_pairs(["leg", "lid", "arm", "collar", "Left", "spine.001"]) == ((), ())


def test_names_that_collide_are_told_in_a_sentence():
    pairs, remarks = find_pairs(["hand.l", "Hand.L", "HAND.R", "foot.L", "foot.R"])
    assert pairs == (("foot.L", "foot.R"),)
    assert remarks == (
        "Bones 'hand.l' and 'Hand.L' both look like the left counterpart of 'HAND.R'. Rename one, or choose the pair.",
    )


def _rest(rename: Callable[[str], str] = lambda name: name) -> FigureBones:
    parents = tuple(JOINTS.get(bone.parent, -1) for bone in BONES)
    heads, tails = (np.array([getattr(bone, end) for bone in BONES]) for end in ("head", "tail"))
    return FigureBones(tuple(rename(bone.name) for bone in BONES), parents, heads, tails)


@pytest.mark.parametrize("scale", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_a_figure_of_unknown_names_is_seen_at_rest_whatever_its_size_and_heading(scale: float, turn: float):
    rest = _rest(lambda name: f"bone {JOINTS[name]}")
    around = scale * np.array([turn, turn, 1.0])
    roles = find_roles(replace(rest, heads=around * rest.heads, tails=around * rest.tails))
    assert (roles.source, roles.root) == ("rest", f"bone {JOINTS['Hips']}")
    assert [(foot.side, foot.thigh, foot.ankle, foot.ball.bone) for foot in roles.feet] == [
        (side, *(f"bone {JOINTS[f'{name}_{side}']}" for name in ("UpperLeg", "Foot", "Toes"))) for side in "LR"
    ]
    assert roles.hands == tuple(f"bone {JOINTS[f'Hand_{side}']}" for side in "LR")
    assert not roles.remarks


def test_sides_that_names_mark_go_before_those_that_feet_show():
    swapped = _rest(lambda name: "b-" + name[:-2][::-1] + {"_L": "_R", "_R": "_L"}.get(name[-2:], name[-2:]))
    roles = find_roles(swapped)
    assert [(foot.side, foot.ankle) for foot in roles.feet] == [("L", "b-tooF_L"), ("R", "b-tooF_R")]
    assert len(roles.pairs) == 8


@pytest.mark.parametrize(("turn", "lies"), [((0, 1, 2), -1.0), ((0, 2, 1), 1.0), ((1, 2, 0), 1.0)])
def test_heights_of_a_rest_pose_that_does_not_stand_tell_nothing(turn: tuple[int, ...], lies: float):
    rest = _rest(lambda name: f"bone {JOINTS[name]}")
    around = np.array([1.0, 1.0, lies])
    roles = find_roles(replace(rest, heads=around * rest.heads[:, turn], tails=around * rest.tails[:, turn]))
    assert (roles.source, roles.feet) == ("", ())
    assert "No feet were found" in roles.remarks[0]
    assert "at rest the figure does not stand on two legs" in roles.remarks[0]


@pytest.mark.parametrize("what", ["the body hangs beside the legs", "the legs lie on the floor"])
def test_a_rest_pose_stands_only_if_its_legs_hang_and_its_body_rises(what: str):
    rest = _rest(lambda name: f"bone {JOINTS[name]}")
    legs = [row for row, bone in enumerate(BONES) if bone.name[:8] in ("UpperLeg", "LowerLeg") or bone.name[0] in "FT"]
    body = [row for row in range(len(BONES)) if row not in legs]
    heads, tails = rest.heads.copy(), rest.tails.copy()
    for ends in (heads, tails):
        if "body" in what:
            ends[body, 2] = 1.9 - ends[body, 2]
        else:
            ends[legs] = ends[legs][:, [0, 2, 1]] * [1.0, 1.0, 0.1] + [0.0, 0.0, 0.85]
    roles = find_roles(replace(rest, heads=heads, tails=tails))
    assert (roles.source, roles.feet) == ("", ())


def test_a_figure_of_four_legs_without_names_is_told_of():
    rest = _rest(lambda name: f"bone {JOINTS[name]}")
    legs = [row for row, bone in enumerate(BONES) if bone.name[:8] in ("UpperLeg", "LowerLeg") or bone.name[0] in "FT"]
    place = {row: len(BONES) + number for number, row in enumerate(legs)}
    behind = np.array([0.0, 0.8, 0.0])
    four = FigureBones(
        (*rest.names, *(f"bone {row}" for row in place.values())),
        (*rest.parents, *(place.get(rest.parents[row], rest.parents[row]) for row in legs)),
        np.concatenate([rest.heads, rest.heads[legs] + behind]),
        np.concatenate([rest.tails, rest.tails[legs] + behind]),
    )
    assert any("more than two legs" in remark for remark in find_roles(four).remarks)


def test_a_figure_of_four_legs_is_told_of_by_its_names():
    legs = [f"{which}{part}.{side}" for side in "LR" for which in ("", "front_") for part in ("thigh", "shin", "foot")]
    nowhere = np.zeros((13, 3))
    parents = (-1, *(0 if row % 3 == 0 else row for row in range(12)))
    roles = find_roles(FigureBones(("spine", *legs), parents, nowhere, nowhere))
    assert [foot.ankle for foot in roles.feet] == ["foot.L", "foot.R"]
    assert roles.remarks == ("The figure has more than two legs: the leg of 'front_foot.L' was left out.",)


def test_a_figure_without_feet_or_with_one_says_so():
    rest = _rest()
    upper = [bone for bone, name in enumerate(rest.names) if "Leg" not in name and name[:4] not in ("Foot", "Toes")]
    none = find_roles(_part(rest, upper))
    assert none.feet == ()
    assert "No feet were found" in none.remarks[0]
    for side in "LR":
        one = find_roles(_part(rest, [b for b, name in enumerate(rest.names) if b in upper or name[-1] == side]))
        assert [(foot.side, foot.ankle) for foot in one.feet] == [(side, f"Foot_{side}")]
        assert "Only one foot" in one.remarks[0]


def _part(rest: FigureBones, bones: list[int]) -> FigureBones:
    place = {bone: row for row, bone in enumerate(bones)}
    floor = np.array([[0.0, 0.0, 0.0]])
    heads, tails = np.concatenate([rest.heads[bones], floor]), np.concatenate([rest.tails[bones], floor])
    parents = tuple(place.get(rest.parents[bone], -1) for bone in bones)
    return FigureBones((*(rest.names[bone] for bone in bones), "ground"), (*parents, -1), heads, tails)


LEGS = ("UpperLeg", "LowerLeg", "Foot", "Toes")


@pytest.mark.parametrize("pose", ["sits on the floor", "crouches", "has one leg in plaster"])
def test_the_likeliest_feet_of_a_figure_that_does_not_stand_are_those_of_its_lowest_limbs(pose: str):
    rest = _rest(lambda name: f"bone {JOINTS[name]}")
    heads, tails = rest.heads.copy(), rest.tails.copy()
    for row, bone in enumerate(BONES):
        for ends in (heads, tails):
            if pose == "sits on the floor" and bone.name[:-2] in LEGS:
                ends[row] = ends[row, [0, 2, 1]] * [1.0, 1.0, 0.5] + [0.0, -0.95, 0.75]
            elif pose == "sits on the floor":
                ends[row, 2] -= 0.2
            elif pose == "crouches" and bone.name[:-2] in LEGS:
                ends[row, 2] *= 0.3
                ends[row, 1] -= 0.5 * float(ends is heads and bone.name[:-2] == "LowerLeg")
            elif pose == "crouches":
                ends[row, 2] -= 0.65
            elif bone.name == "Toes_R":
                ends[row] += [0.0, -0.2, 0.0]
    figure = replace(rest, heads=heads, tails=tails)
    assert find_roles(figure).feet == ()
    feet = likely_feet((), [figure])
    assert [foot.side for foot in feet] == ["L", "R"]
    for foot in feet:
        bones = (foot.thigh, foot.ankle, foot.ball.bone)
        assert {BONES[int(bone.removeprefix("bone "))].name[-1] for bone in bones} == {foot.side}
        assert BONES[int(foot.ball.bone.removeprefix("bone "))].name[:-2] in ("Foot", "Toes")


def test_a_foot_that_its_name_tells_stays_and_the_likeliest_is_put_beside_it():
    rest = _rest(lambda name: f"bone {JOINTS[name]}" if name[-2:] == "_R" else name)
    (known,) = find_roles(rest).feet
    feet = likely_feet((known,), [rest])
    assert feet[0] == known
    assert (feet[1].side, feet[1].ankle) == ("R", f"bone {JOINTS['Foot_R']}")


def test_a_single_chain_has_no_likely_feet():
    points = np.linspace([0.0, 0.0, 0.0], [0.0, 0.0, 5.0], 6)
    chain = FigureBones(tuple("abcde"), (-1, 0, 1, 2, 3), points[:-1], points[1:])
    assert likely_feet((), [chain]) == ()
