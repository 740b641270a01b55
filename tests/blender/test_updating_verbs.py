"""Verbs of 0.1.0 are built as they were until they are updated, which tells first how far they play otherwise then."""

import re
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.stage import part
from fixtures import held

FILES = sorted((Path(__file__).resolve().parents[1] / "fixtures").glob("*0.1.0/blender-4.2*/*.blend"))
OPS = bpy.ops.verbs_adverbs
BEFORE = {
    "control_points": 32,
    "kernel": "CUBIC_B_SPLINE",
    "degree": 1,
    "radius_factor": 2.0,
    "timing": "MEAN_SHARE",
    "hold_contacts": True,
    "as_before": True,
}


@pytest.fixture(params=FILES, ids=lambda path: "/".join(path.parts[-3:]))
def armature(request) -> Iterator[bpy.types.Object]:
    """The character of an older file, with the verb of most examples chosen."""
    bpy.ops.wm.open_mainfile(filepath=str(request.param), load_ui=False)
    character = held.armature()
    bpy.context.view_layer.objects.active = character
    verbs = character.verbs_adverbs.verbs
    character.verbs_adverbs.active_verb = max(range(len(verbs)), key=lambda index: len(verbs[index].examples))
    yield character


def _chosen(armature: bpy.types.Object) -> bpy.types.PropertyGroup:
    return armature.verbs_adverbs.verbs[armature.verbs_adverbs.active_verb]


def _how(verb: bpy.types.PropertyGroup) -> dict[str, object]:
    return {name: getattr(verb, name) for name in BEFORE}


def _poses(armature: bpy.types.Object) -> tuple[np.ndarray, np.ndarray]:
    """Places and turns of all bones, in one cycle at each example."""
    verb = part("bridge.build.verbs").verb_for(armature, _chosen(armature))
    frames = part("core.figure.channels").world_frames
    shares = np.linspace(0.0, 1.0, 65)
    motions = [verb.motion(place) for place in verb.places]
    found = [frames(verb.channels, motion.sample(motion.duration * shares)) for motion in motions]
    return np.array([one[0] for one in found]), np.array([one[1] for one in found])


def test_how_they_are_built_is_written_out_when_their_file_is_opened(armature):
    for verb in armature.verbs_adverbs.verbs:
        assert _how(verb) == BEFORE
        assert all(verb.is_property_set(name) for name in BEFORE)
    assert armature.verbs_adverbs.schema == 1


def test_updating_tells_how_far_a_verb_plays_otherwise(armature, capfd):
    others = [verb for verb in armature.verbs_adverbs.verbs if verb != _chosen(armature)]
    before = _poses(armature)
    capfd.readouterr()
    assert OPS.verb_update() == {"FINISHED"}
    way, angle = (float(told) for told in re.findall(r"([0-9.]+) (?:cm|degrees)", capfd.readouterr().out))
    after = _poses(armature)
    seen = 100.0 * np.linalg.norm(before[0] - after[0], axis=-1).max()
    turned = np.degrees(2.0 * np.arccos(np.clip(np.abs(np.sum(before[1] * after[1], axis=-1)), 0.0, 1.0))).max()
    assert 0.001 < seen <= way + 0.01 < seen + 10.0
    assert turned <= angle + 0.1
    now = {"control_points": 64, "kernel": "KRIGING", "degree": 0, "as_before": False}
    assert _how(_chosen(armature)) == {**BEFORE, **now}
    assert all(_how(verb) == BEFORE for verb in others)
    assert armature.verbs_adverbs.schema == 2
    assert OPS.verb_update.poll() is False


def test_what_was_chosen_for_a_verb_stays_chosen(armature):
    verb = _chosen(armature)
    verb.control_points, verb.kernel = 40, "LINEAR"
    assert OPS.verb_update() == {"FINISHED"}
    assert (verb.control_points, verb.kernel, verb.degree, verb.as_before) == (40, "LINEAR", 1, False)


def test_a_new_verb_beside_them_is_built_in_the_present_way_and_they_are_not(armature):
    assert OPS.verb_add(name="another") == {"FINISHED"}
    old, new = (armature.verbs_adverbs.verbs[name] for name in (armature.verbs_adverbs.verbs[0].name, "another"))
    assert (old.as_before, old.control_points, new.as_before, new.control_points) == (True, 32, False, 64)
    assert all(new.is_property_set(name) for name in BEFORE)


def test_updating_is_one_step_of_undo(armature):
    bpy.ops.ed.undo_push(message="before")
    assert OPS.verb_update() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="after")
    assert not _chosen(held.armature()).as_before
    bpy.ops.ed.undo()
    assert _how(_chosen(held.armature())) == BEFORE
