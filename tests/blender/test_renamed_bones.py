"""Bones that were renamed: their names are mapped, and every verb plays as before."""

import numpy as np
import pytest
from blender.renaming import OPS, SAME, active_biped, all_shown, apart, hashes, rename
from blender.stage import part

OTHER_SIDE = str.maketrans("LR", "RL")


def of(old: str, new: str):
    return lambda name: new if name == old else name


def to_other_side(name: str) -> str:
    return name[:-1] + name[-1].translate(OTHER_SIDE) if name[-2] == "_" else name


def with_prefix(name: str) -> str:
    return f"Hero_{name}"


RENAMED = {
    "a bone that carries a contact": of("Foot_L", "Hoof"),
    "the measured hand": of("Hand_R", "Grip_R"),
    "a bone of a mask": of("Shoulder_R", "Schulter_R"),
    "the root": of("Hips", "Pelvis"),
    "all bones": with_prefix,
    "left and right": to_other_side,
}


def warned(armature, verb: str) -> list[str]:
    lines = part("bridge.build.verbs").built_for(armature, armature.verbs_adverbs.verbs[verb]).lines
    return [line.text for line in lines if line.kind != "INFO"]


@pytest.fixture(scope="module")
def before() -> dict[str, np.ndarray]:
    """What the verbs of the biped show before any bone is renamed."""
    return {}


@pytest.mark.parametrize("called", RENAMED.values(), ids=RENAMED.keys())
def test_after_mapping_by_guess_all_plays_as_before(called, before):
    armature = active_biped()
    if not before:
        before |= all_shown(armature)
    rename(armature, called)
    kept = hashes(armature)
    assert OPS.bones_map() == {"FINISHED"}
    assert apart(all_shown(armature), before) <= SAME
    assert hashes(armature) == kept
    assert [text for text in warned(armature, "reach") if "refined" in text] == []
