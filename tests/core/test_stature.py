"""Which way is up for a figure, and how tall it is, however it is turned and whatever hangs from it."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.detect.bone_roles import FigureBones, by_names
from verbs_adverbs.core.detect.stature import stature_of

TALL = 1.7
BONES = {
    "Hips": ("", (0.0, 0.0, 0.9), (0.0, 0.0, 1.0)),
    "Chest": ("Hips", (0.0, 0.0, 1.0), (0.0, 0.0, 1.4)),
    "Head": ("Chest", (0.0, 0.0, 1.45), (0.0, 0.0, TALL)),
    **{
        f"{side}{name}": (f"{side}{above}" if above not in ("Hips", "Chest") else above, head, tail)
        for side, x in (("Left", 1.0), ("Right", -1.0))
        for name, above, head, tail in (
            ("UpLeg", "Hips", (0.1 * x, 0.0, 0.88), (0.1 * x, 0.0, 0.48)),
            ("Leg", "UpLeg", (0.1 * x, 0.0, 0.48), (0.1 * x, 0.0, 0.08)),
            ("Foot", "Leg", (0.1 * x, 0.0, 0.08), (0.1 * x, -0.15, 0.0)),
            ("Arm", "Chest", (0.18 * x, 0.0, 1.4), (0.48 * x, 0.0, 1.4)),
            ("ForeArm", "Arm", (0.48 * x, 0.0, 1.4), (0.75 * x, 0.0, 1.4)),
            ("Hand", "ForeArm", (0.75 * x, 0.0, 1.4), (0.85 * x, 0.0, 1.4)),
        )
    },
}
FINGERS = {
    f"{side}Hand{finger}{joint}": (
        f"{side}Hand" if joint == 1 else f"{side}Hand{finger}{joint - 1}",
        (x * (0.82 + 0.03 * joint), 0.01 * place, 1.4),
        (x * (0.85 + 0.03 * joint), 0.01 * place, 1.4),
    )
    for side, x in (("Left", 1.0), ("Right", -1.0))
    for place, finger in enumerate(("Thumb", "Index", "Middle", "Ring", "Pinky"))
    for joint in (1, 2, 3)
}
TURNS = {
    (axis, upward): np.roll(np.eye(3), axis + 1, axis=0) * (1.0 if upward else -1.0)
    for axis in range(3)
    for upward in (True, False)
}
"""For each axis and way a map (3, 3) that lets what stood along Z stand along it."""


def figure(bones=BONES, called=lambda name: name) -> FigureBones:
    names = list(bones)
    parents = tuple(names.index(above) if above else -1 for above, _, _ in bones.values())
    heads, tails = (np.array([ends[place] for ends in bones.values()]) for place in (1, 2))
    return FigureBones(tuple(map(called, names)), parents, heads, tails)


def turned(bones: FigureBones, turn: np.ndarray) -> FigureBones:
    return replace(bones, heads=bones.heads @ turn.T, tails=bones.tails @ turn.T)


def posed(bones: FigureBones, **moved) -> FigureBones:
    """A figure some of whose bones are moved, with all that they carry."""
    heads, tails = bones.heads.copy(), bones.tails.copy()
    for name, way in moved.items():
        below = [b for b in range(len(bones.names)) if bones.names.index(name) in bones.chain(b)]
        heads[below] += way
        tails[below] += way
    return replace(bones, heads=heads, tails=tails)


@pytest.mark.parametrize(("axis", "upward"), list(TURNS))
@pytest.mark.parametrize("more", [{}, FINGERS], ids=["plain", "fingers"])
@pytest.mark.parametrize("named", [True, False])
def test_a_figure_stands_along_its_axis_whatever_its_hands_have(axis: int, upward: bool, more, named: bool):
    bones = figure({**BONES, **more})
    if not named:
        bones = replace(bones, names=tuple(f"Bone {place}" for place in range(len(bones.names))))
        hanging = {f"Bone {list(BONES).index(f'{side}Arm')}": (0.0, 0.0, -0.3) for side in ("Left", "Right")}
        bones = posed(bones, **hanging)
    found = stature_of([turned(bones, TURNS[axis, upward])])
    assert (found.axis, found.upward) == (axis, upward)
    assert found.tall == pytest.approx(TALL, rel=0.02)


def test_raised_arms_and_a_cape_make_nobody_taller():
    cape = {"Cape": ("Hips", (0.0, 0.3, 0.9), (0.0, 0.6, -0.5))}
    raised = posed(figure({**BONES, **cape}), LeftForeArm=(0.0, 0.0, 0.9), RightForeArm=(0.0, 0.0, 0.9))
    assert stature_of([raised]).tall == pytest.approx(TALL, rel=0.02)


def test_who_sits_is_upright_and_as_tall_as_when_standing_before():
    thighs = {"LeftUpLeg": (0.0, -0.35, 0.1), "RightUpLeg": (0.0, -0.35, 0.1)}
    sitting = posed(figure(), Hips=(0.0, 0.0, -0.4), **thighs)
    found = stature_of([figure(), sitting, sitting])
    assert (found.axis, found.upward) == (2, True) and found.tall == pytest.approx(TALL, rel=0.02)


def test_an_end_that_an_importer_made_up_is_no_part_of_a_foot():
    shin = np.array(BONES["LeftLeg"][2]) - BONES["LeftLeg"][1]
    made_up = {
        name: (above, head, tuple(np.array(head) + shin) if name.endswith("Foot") else tail)
        for name, (above, head, tail) in BONES.items()
    }
    assert [foot.ball.end for foot in by_names(figure()).feet] == ["TAIL", "TAIL"]
    assert [foot.ball.end for foot in by_names(figure(made_up)).feet] == ["HEAD", "HEAD"]
    assert stature_of([figure(made_up)]).tall == pytest.approx(TALL - 0.08, rel=0.02)
