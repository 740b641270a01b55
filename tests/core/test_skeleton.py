"""Forward kinematics against chains of 4 x 4 matrices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure.channels import Scalar, world_joints, world_points
from verbs_adverbs.core.figure.skeleton import forward_kinematics, point_positions
from verbs_adverbs.core.motion.travel import compose
from verbs_adverbs.demo.diagnostics import root_relative

from .synthetic import random_channels, random_rotations, random_skeleton


def _matrix(rotation: np.ndarray, place: np.ndarray) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3] = Rotation.from_quat(rotation[[1, 2, 3, 0]]).as_matrix()
    matrix[:3, 3] = place
    return matrix


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 9), st.booleans())
def test_joints_stand_where_matrices_put_them(seed: int, joints: int, loose: bool):
    rng = np.random.default_rng(seed)
    skeleton = random_skeleton(rng, joints, loose)
    rotations, locations = random_rotations(rng, 3, joints), rng.normal(size=(3, joints, 3))
    positions, orientations = forward_kinematics(skeleton, rotations, locations)
    tip = np.array([0.1, 0.2, 0.3])
    for row in range(3):
        worlds: list[np.ndarray] = []
        for joint, parent in enumerate(skeleton.parents):
            rest = _matrix(skeleton.rests[joint], skeleton.offsets[joint])
            basis = _matrix(rotations[row, joint], locations[row, joint])
            worlds.append((worlds[parent] if parent >= 0 else np.eye(4)) @ rest @ basis)
            assert np.abs(positions[row, joint] - worlds[joint][:3, 3]).max() < 1e-12
            point = point_positions(positions, orientations, joint, tip)[row]
            assert np.abs(point - (worlds[joint] @ np.append(tip, 1.0))[:3]).max() < 1e-12


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_travel_moves_and_turns_the_whole_figure(seed: int):
    rng = np.random.default_rng(seed)
    channels = random_channels(rng, 6, [Scalar("slide", 2, "location", 1, False, "")])
    values = rng.normal(size=(4, channels.width))
    columns = channels.rotation_columns
    values[:, columns] = random_rotations(rng, 4, len(channels.rotating)).reshape(4, -1)
    origin = rng.normal(size=3)
    moved = values.copy()
    moved[:, :3] = compose(origin, values[:, :3])
    cosine, sine = np.cos(origin[2]), np.sin(origin[2])
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    wanted = world_joints(channels, values) @ turn.T + [origin[0], origin[1], 0.0]
    assert np.abs(world_joints(channels, moved) - wanted).max() < 1e-12
    assert np.abs(root_relative(channels, moved) - root_relative(channels, values)).max() < 1e-12


def test_a_location_channel_slides_its_joint_along_its_own_axis():
    rng = np.random.default_rng(3)
    channels = random_channels(
        rng, 4, [Scalar("slide", 2, "location", 1, False, ""), Scalar("x", -1, "value", 0, True, "")]
    )
    values = np.zeros((2, channels.width))
    values[:, channels.rotation_columns] = random_rotations(rng, len(channels.rotating)).reshape(-1)
    values[1, channels.scalar_columns] = [0.25, 9.0]
    step = np.diff(world_points(channels, values, 2, np.zeros(3)), axis=0)
    assert abs(np.linalg.norm(step) - 0.25) < 1e-12


def test_a_joint_that_is_not_there_is_named():
    with pytest.raises(RigError, match="no joint 'Tail'.*Choose"):
        random_skeleton(np.random.default_rng(0), 3).index("Tail")
