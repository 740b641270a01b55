"""A figure in centimetres plays as one in metres, and a scene's unit scale changes nothing that is played."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with
from blender.stage import drag, poses_at, rested, saved_and_loaded

LARGER = 100.0
SAME = 1e-6
"""By how much places, as a share of the height, and turns may differ."""
TALL = 1.7
FRAMES = range(1, 81, 3)
STEP, HIGH = 0.4, 0.12
"""Metres by which a stair goes ahead and up."""


def played(armature) -> np.ndarray:
    """Matrices (T, J, 4, 4) of all bones in the world."""
    return poses_at(armature, FRAMES).astype(np.float64)


def apart(some: np.ndarray, others: np.ndarray, larger: float) -> tuple[float, float]:
    """By how much places differ at most, as a share of the figure's height, and by how much turns do."""
    turns = [
        found[..., :3, :3] / np.linalg.norm(found[..., :3, :3], axis=-2, keepdims=True) for found in (some, others)
    ]
    ways = np.abs(larger * some[..., :3, 3] - others[..., :3, 3]).max() / (larger * TALL)
    return float(ways), float(np.abs(turns[0] - turns[1]).max())


def curves_of(action) -> list[bpy.types.FCurve]:
    if bpy.app.version < (4, 4):
        return list(action.fcurves)
    return [c for layer in action.layers for strip in layer.strips for bag in strip.channelbags for c in bag.fcurves]


def enlarge(armature, applied: bool) -> None:
    """Make a figure a hundred times as large, as those are that are imported in centimetres."""
    for one in bpy.context.scene.objects:
        one.select_set(one == armature)
    armature.scale = (LARGER,) * 3
    if applied:
        assert bpy.ops.object.transform_apply(location=False, rotation=False, scale=True) == {"FINISHED"}
        moved = [c for action in bpy.data.actions for c in curves_of(action) if c.data_path.endswith("location")]
        for point in (point for curve in moved for point in curve.keyframe_points):
            for side in (point.co, point.handle_left, point.handle_right):
                side.y *= LARGER
    bpy.context.view_layer.update()


def stairs(larger: float) -> bpy.types.Object:
    """A mesh of steps ahead of the figure, along Y to both sides."""
    corners, faces = [], []
    for row in range(-12, 13):
        begin, height = larger * (STEP * row + 0.3), larger * HIGH * max(abs(row) - 1, 0)
        first, wide = len(corners), 5.0 * larger
        corners += [(x, y, height) for y in (begin, begin + larger * STEP) for x in (-wide, wide)]
        faces.append((first, first + 1, first + 3, first + 2))
    mesh = bpy.data.meshes.new("stairs")
    mesh.from_pydata(corners, [], faces)
    made = bpy.data.objects.new("stairs", mesh)
    bpy.context.scene.collection.objects.link(made)
    bpy.context.view_layer.update()
    return made


def staged(kind: str, size: str, folder: Path) -> bpy.types.Object:
    """Return a figure that plays, in metres or a hundred times as large."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.frame_end = FRAMES[-1]
    assert OPS.add_biped(stand=kind == "score") == {"FINISHED"}
    armature = bpy.context.object
    if size != "metres":
        bpy.context.scene.unit_settings.scale_length = 1.0 / LARGER
        enlarge(armature, size == "applied")
    armature = saved_and_loaded(folder)
    if kind == "score":
        assert OPS.transitions_suggest() == {"FINISHED"}
        begin_with(armature, "walk")
        assert OPS.command_add(verb="stand", frame=12.3) == {"FINISHED"}
        armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    else:
        assert OPS.director_add() == {"FINISHED"}
    performance = armature.verbs_adverbs.director.verbs_adverbs.performance
    if kind == "stairs":
        performance.floor = stairs(1.0 if size == "metres" else LARGER)
    performance.lock_feet = kind != "free"
    assert OPS.live_on() == {"FINISHED"}
    drag(armature.verbs_adverbs.director, mood=0.5)
    return armature


LONG = [pytest.param(kind, marks=pytest.mark.long) for kind in ("free", "stairs", "score")]


@pytest.mark.parametrize("kind", ["locked", *LONG])
def test_a_figure_a_hundred_times_as_large_plays_the_same(kind, tmp_path):
    seen = {}
    for size in ("metres", "scaled", "applied"):
        armature = staged(kind, size, tmp_path)
        rested(tmp_path)
        seen[size] = played(armature)
    ways, turns = zip(*(apart(seen["metres"], seen[size], LARGER) for size in ("scaled", "applied")), strict=True)
    assert max(ways) < SAME and max(turns) < SAME
    assert np.linalg.norm(seen["metres"][-1, 0, :3, 3] - seen["metres"][0, 0, :3, 3]) > 0.5


@pytest.mark.long
def test_keytimes_and_contacts_are_found_at_the_same_frames(tmp_path):
    found = []
    for size in ("metres", "scaled", "applied"):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        assert OPS.add_biped() == {"FINISHED"}
        armature = bpy.context.object
        if size != "metres":
            bpy.context.scene.unit_settings.scale_length = 1.0 / LARGER
            enlarge(armature, size == "applied")
        action = armature.animation_data.action
        action.verbs_adverbs.examples.clear()
        assert OPS.keytimes_find("EXEC_DEFAULT", every=True) == {"FINISHED"}
        example = action.verbs_adverbs.examples[0]
        windows = [(c.bone, [(w.start, w.end) for w in c.windows]) for c in example.contacts]
        found.append((example.kind, [(k.name, k.frame) for k in example.keytimes], windows))
    assert found[0] == found[1] == found[2] and len(found[0][1]) > 3


def test_the_unit_scale_alone_changes_nothing_that_is_played_or_stored(tmp_path):
    armature = staged("score", "metres", tmp_path)
    rested(tmp_path)
    before, generated = played(armature), armature.verbs_adverbs.director.verbs_adverbs.generated
    keys = [[tuple(point.co) for point in curve.keyframe_points] for curve in curves_of(generated)]
    bpy.context.scene.unit_settings.scale_length = 0.01
    bpy.context.scene.unit_settings.length_unit = "CENTIMETERS"
    rested(tmp_path)
    assert OPS.performance_write() == {"FINISHED"}
    assert np.array_equal(before, played(armature))
    generated = armature.verbs_adverbs.director.verbs_adverbs.generated
    assert keys == [[tuple(point.co) for point in curve.keyframe_points] for curve in curves_of(generated)]
