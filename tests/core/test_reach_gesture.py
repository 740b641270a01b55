"""The generated reaches: the hand is where it is asked to be, and the feet stay where they are."""

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton
from verbs_adverbs.core.biped.standing import REACH_EXAMPLES, REACH_RANGES, REACHING_HAND, reach, reach_pose
from verbs_adverbs.core.figure.skeleton import forward_kinematics, point_positions

SKELETON = biped_skeleton()
FASTEST = np.radians(18.0)
"""Of any joint in a thirtieth of a second."""


def _joints(rotations: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    locations = np.zeros((*rotations.shape[:2], 3))
    locations[:, 0] = root
    return forward_kinematics(SKELETON, rotations, locations)


def test_at_its_keytime_the_tip_of_the_hand_is_at_every_asked_place_of_the_box():
    rng = np.random.default_rng(3)
    hand = JOINTS[REACHING_HAND]
    for place in rng.uniform(*REACH_RANGES.T, size=(20, 3)):
        pose = reach_pose(place, rng.uniform(-0.5, 0.5), np.ones(1))
        tip = point_positions(*_joints(*pose), hand, SKELETON.tails[hand])[0]
        assert np.linalg.norm(tip - place) < 1e-9


@pytest.mark.parametrize("example", REACH_EXAMPLES, ids=lambda example: " ".join(f"{v:g}" for v in example[:3]))
def test_its_feet_stand_still_and_no_joint_is_thrown_about(example: tuple[float, ...]):
    made = reach(*example)
    joints, _ = _joints(made.rotations, made.root)
    for side in "LR":
        assert np.ptp(joints[:, JOINTS[f"Toes_{side}"]], axis=0).max() < 1e-6
    cosines = np.abs(np.sum(made.rotations[1:] * made.rotations[:-1], axis=-1)).clip(0.0, 1.0)
    assert 2.0 * np.arccos(cosines).max() < FASTEST


def test_it_begins_and_ends_hanging_in_the_same_pose():
    made = reach(-0.2, -0.5, 1.2)
    assert np.abs(made.rotations[0] - made.rotations[-1]).max() < 1e-6
    assert made.keytimes[1] == pytest.approx(0.65)
