"""Bones that were renamed: their names are mapped, and every verb plays as before."""

import bpy
import pytest
from blender.renaming import OPS, SAME, active_biped, all_shown, apart, hashes, rename

OTHER_SIDE = str.maketrans("LR", "RL")
RENAMED = {
    "a bone that carries a contact": lambda name: "Hoof" if name == "Foot_L" else name,
    "the measured hand": lambda name: "Grip_R" if name == "Hand_R" else name,
    "a bone of a mask": lambda name: "Schulter_R" if name == "Shoulder_R" else name,
    "the root": lambda name: "Pelvis" if name == "Hips" else name,
    "all bones": lambda name: f"Hero_{name}",
    "left and right": lambda name: name[:-1] + name[-1].translate(OTHER_SIDE) if name[-2] == "_" else name,
}


@pytest.mark.parametrize("called", RENAMED.values(), ids=RENAMED.keys())
def test_after_mapping_by_guess_all_plays_as_before(called):
    armature = active_biped()
    print([b.name for b in armature.data.bones])
    before = all_shown(armature)
    kept = hashes(armature)
    names = rename(armature, called)
    assert names
    assert OPS.bones_map() == {"FINISHED"}
    assert apart(all_shown(armature), before) <= SAME
    assert hashes(armature) == kept
