"""However far the adverbs are, poses stay finite, without a warning."""

import warnings

import numpy as np
import pytest
from verbs_adverbs.core.verb.build import VerbOptions
from verbs_adverbs.core.verb.radial_bases import Kernel

from .stepping import played
from .synthetic import some_verb


@pytest.mark.parametrize(("kernel", "degree"), [("cubic_b_spline", 1), ("kriging", 0), ("kriging", 1)])
@pytest.mark.parametrize("far", [1e6, 1e12, 1e30, -1e30, 1e300])
def test_poses_are_finite_however_far_the_adverbs_are(far: float, kernel: Kernel, degree: int):
    verb = some_verb(40, options=VerbOptions(kernel=kernel, degree=degree))
    adverbs, times = (far,) * len(verb.adverb_names), np.array([0.3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        live, many = played(verb, times, adverbs).values[0], verb.motion(adverbs).sample(times)[0]
    for pose in (live[3:], many[3:]):
        assert np.isfinite(pose).all()
        quaternions = pose[3 : 3 + 4 * len(verb.channels.rotating)].reshape(-1, 4)
        assert np.abs(np.linalg.norm(quaternions, axis=1) - 1.0).max() < 1e-5
