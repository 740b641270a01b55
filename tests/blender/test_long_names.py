"""Names of more bytes than Blender keeps, and of letters that take several: kept whole, or refused in a sentence."""

import bpy
import pytest
from blender.figurine import assert_says, refused

OPS = bpy.ops.verbs_adverbs
SMILES, STEPS = "x" + "\U0001f600" * 16, "xx" + "\u6b69" * 21
LONG = {"smiles": SMILES, "steps": STEPS, "sixty": "\u6b69" * 60}


@pytest.mark.parametrize("name", LONG.values(), ids=LONG.keys())
def test_a_keytime_keeps_a_long_name(armature, capfd, name: str):
    action = armature.verbs_adverbs.verbs[0].examples[2].action
    example = action.verbs_adverbs.examples[0]
    bpy.context.scene.frame_set(19)
    assert OPS.keytime_add(name=name) == {"FINISHED"}
    assert [keytime.name for keytime in example.keytimes] == ["start", "middle", name, "end"]
    example.active_keytime = 1
    assert OPS.keytime_rename(name=f"{name}y") == {"FINISHED"}
    marker = next(marker for marker in action.pose_markers if marker.frame == 13)
    marker.frame = 12
    assert OPS.markers_sync() == {"FINISHED"}
    assert (example.keytimes[1].name, example.keytimes[1].frame) == (f"{name}y", 12.0)
    marker.name = f"{name[:10]}\u2009{chr(0x2080 + example.keytimes[1].uid)}"
    assert OPS.markers_sync() == {"FINISHED"}
    assert example.keytimes[1].name == name[:10]
    assert len(action.pose_markers) == 4
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("name", LONG.values(), ids=LONG.keys())
def test_a_keytime_that_a_script_gives_a_long_name_is_played(armature, capfd, name: str):
    for reference in armature.verbs_adverbs.verbs[0].examples:
        reference.action.verbs_adverbs.examples[0].keytimes[1].name = name
    assert OPS.verb_build() == OPS.live_on() == OPS.live_off() == {"FINISHED"}
    assert "Traceback" not in "".join(capfd.readouterr())


@pytest.mark.parametrize("name", LONG.values(), ids=LONG.keys())
def test_a_slider_that_cannot_have_its_adverb_s_name_is_told_while_it_plays(armature, capfd, name: str):
    assert OPS.live_on() == {"FINISHED"}
    rig = armature.verbs_adverbs
    rig.adverbs[0].name = rig.verbs[0].adverbs[0].name = name
    assert_says(refused(OPS.performance_write, capfd), name, "too long for a slider")
    assert OPS.live_off() == {"FINISHED"}


@pytest.mark.parametrize("name", LONG.values(), ids=LONG.keys())
def test_verbs_and_adverbs_are_not_given_names_that_are_cut(armature, capfd, name: str):
    for operator in (OPS.verb_add, OPS.adverb_add, OPS.verb_rename, OPS.adverb_rename):
        assert_says(refused(operator, capfd, name=name), name, "too long", "two to four")
