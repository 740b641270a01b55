"""What the bench compares with does the same work: the baseline plays the verb that is measured."""

import numpy as np
import pytest
from verbs_adverbs.bench.plain import PlainVerb
from verbs_adverbs.bench.synthetic import make_synthetic, wandering
from verbs_adverbs.core.figure import quaternion as quat

DEGREES = 15.0  # splines of rotation vectors and of quaternions agree only roughly between control points


@pytest.mark.parametrize("examples", [8, 16])
def test_the_plain_baseline_plays_the_same_verb(examples: int):
    data = make_synthetic(22, examples)
    plain = PlainVerb(data)
    compared = 0
    for frame, adverbs in enumerate(wandering(200)[::20]):
        motion = data.verb.motion(adverbs)
        times = np.array([20 * frame / 60.0])
        if not np.allclose(np.diff(motion.keytimes), motion.weights @ data.segments):
            continue  # beyond the examples' lengths segments saturate, which the baseline leaves out
        compared += 1
        pose = motion.sample(times)[0, 3:]
        root, rotations = plain.pose(float(times[0]), adverbs)
        assert np.abs(plain.weights(adverbs) - motion.weights).max() < 1e-9
        assert np.abs(root - pose[:3]).max() < 1e-4
        assert np.degrees(quat.angle_between(rotations, pose[3:].reshape(-1, 4))).max() < DEGREES
    assert compared >= 5
