"""Which bones look: head, neck and torso of skeletons with published names, eyes by their names, and nothing else."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.detect.bone_roles import FigureBones
from verbs_adverbs.core.detect.find_roles import find_roles
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.gesture.gaze_bones import find_gaze_bones

from .carried import RESTS, body_of, tree_of
from .published_skeletons import PUBLISHED


@pytest.mark.parametrize("name", PUBLISHED)
def test_head_neck_and_torso_of_published_skeletons_are_found(name: str) -> None:
    body = body_of(PUBLISHED[name], next(iter(RESTS)))
    roles = find_roles(body.bones)
    _, _, places = tree_of(PUBLISHED[name])
    found = find_gaze_bones(body.bones, roles)
    place = {bone: one for bone, (one, _) in zip(body.bones.names, places, strict=True)}
    told = found.head, found.neck, found.torso
    assert place[found.head] == "head", told
    assert {place[bone] for bone in found.neck} <= {"neck"}, told
    carries = {"neck"} if name.startswith("3ds Max Biped") else set[str]()
    assert found.torso and {place[bone] for bone in found.torso} <= {"spine", "chest", "waist", "belly"} | carries, told
    assert found.eyes == ()
    assert abs(float(found.front @ [0.0, 0.0, 1.0])) < 1e-9 and abs(float(np.linalg.norm(found.front)) - 1.0) < 1e-9


def with_more(figure: FigureBones, names: tuple[str, ...]) -> FigureBones:
    """The figure with further bones on its head."""
    head = figure.names.index("mixamorig:Head")
    more = np.repeat(figure.heads[head][None], len(names), axis=0)
    parents = (*figure.parents, *([head] * len(names)))
    heads, tails = np.concatenate([figure.heads, more]), np.concatenate([figure.tails, more + [0.0, -0.01, 0.0]])
    return FigureBones((*figure.names, *names), parents, heads, tails)


@pytest.mark.parametrize(
    ("names", "eyes"),
    [
        (("LeftEye", "RightEye", "Jaw", "LeftEyelid", "RightEyelid"), ("LeftEye", "RightEye")),
        (("eye.L", "eye.R", "eye_target.L", "eye_target.R", "brow.L", "brow.R"), ("eye.L", "eye.R")),
        (("Eye",), ("Eye",)),
        (("eyebrow.L", "eyebrow.R", "eye_lid.L", "eye_lid.R"), ()),
    ],
)
def test_eyes_are_found_by_their_names_and_no_other_bone_of_the_face(names: tuple[str, ...], eyes: tuple[str, ...]):
    figure = with_more(body_of(PUBLISHED["Mixamo"], next(iter(RESTS))).bones, names)
    assert find_gaze_bones(figure, find_roles(figure)).eyes == eyes


def test_a_head_without_a_name_ends_the_trunk_above_the_arms() -> None:
    figure = body_of(PUBLISHED["Mixamo"], next(iter(RESTS))).bones
    roles, names = find_roles(figure), list(figure.names)
    names[names.index("mixamorig:Head")] = "Bone"
    assert find_gaze_bones(replace(figure, names=tuple(names)), roles).head == "Bone"


def test_a_figure_without_a_head_is_told_so() -> None:
    figure = body_of(PUBLISHED["Mixamo"], next(iter(RESTS))).bones
    hips = [figure.names.index("mixamorig:Hips")]
    one = FigureBones((figure.names[hips[0]],), (-1,), figure.heads[hips], figure.tails[hips])
    with pytest.raises(RigError, match="no head bone for looking"):
        find_gaze_bones(one, find_roles(one))
