"""Long timelines: memory grows with the frames and no quicker, and no key is kept that says nothing."""

import tracemalloc

import bpy
import numpy as np
import pytest
from blender.stage import FPS, live_biped, miss_of, part

MINUTES = 8
MOST_GROWTH = 2.3
NOTHING = 1e-7
EXACT = 1e-5


@pytest.fixture
def armature():
    return live_biped()


def _most_memory(minutes: float) -> int:
    """Bytes that Python and NumPy hold at most while a timeline is computed that is so long."""
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    bpy.context.scene.frame_end = int(60.0 * minutes * FPS)
    tracemalloc.start()
    try:
        assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.long
def test_memory_grows_with_the_frames_and_no_quicker(armature):
    once, twice = _most_memory(MINUTES), _most_memory(2 * MINUTES)
    assert twice < MOST_GROWTH * once, f"{twice / 1e6:.0f} MB beside {once / 1e6:.0f} MB"


def test_a_rotation_that_nothing_but_rounding_moves_has_one_key_a_curve(armature):
    action = armature.verbs_adverbs.director.verbs_adverbs.generated
    alone = 0
    for curve in part("bridge.blender.versions").curves_of(action, armature):
        points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", points)
        alone += len(points) == 2
        if len(points) > 2 and "rotation" in curve.data_path:
            assert np.ptp(points[1::2]) > NOTHING, f"{curve.data_path} {curve.array_index}"
    assert alone
    for frame in (1, 20, 47):
        bpy.context.scene.frame_set(frame)
        assert miss_of(armature, frame) < EXACT
