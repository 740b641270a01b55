"""The generated stance is a cycle that breathes on two planted feet."""

import numpy as np
from verbs_adverbs.core.biped.figure import biped_skeleton
from verbs_adverbs.core.biped.standing import stance, stance_pose, wave
from verbs_adverbs.core.figure.skeleton import forward_kinematics

PHASES = np.linspace(0.0, 1.0, 61)


def _joints(rotations: np.ndarray, root: np.ndarray) -> np.ndarray:
    locations = np.zeros((len(root), rotations.shape[1], 3))
    locations[:, 0] = root
    return forward_kinematics(biped_skeleton(), rotations, locations)[0]


def test_the_feet_do_not_move():
    joints = _joints(*stance_pose(PHASES))
    names = biped_skeleton().names
    feet = joints[:, [names.index(name) for name in ("Foot_L", "Toes_L", "Foot_R", "Toes_R")]]
    assert np.ptp(feet, axis=0).max() < 1e-9
    assert np.ptp(joints[:, names.index("Chest")], axis=0).max() > 0.003


def test_the_end_is_the_beginning_and_the_middle_is_smooth():
    joints = _joints(*stance_pose(PHASES))
    assert np.abs(joints[0] - joints[-1]).max() < 1e-12
    around = np.concatenate([joints[-4:-1], joints[:4]])
    assert np.abs(np.diff(around, 3, axis=0)).max() < 1e-4


def test_it_stands_where_the_wave_stands():
    standing, waving = stance(), wave()
    first = [_joints(made.rotations[:1], made.root[:1]) for made in (standing, waving)]
    names = biped_skeleton().names
    feet = [names.index(name) for name in ("Foot_L", "Toes_L", "Foot_R", "Toes_R")]
    assert np.abs(first[0] - first[1])[0, feet].max() < 0.005
    assert np.abs(first[0] - first[1]).max() < 0.15
