"""Bones that were renamed: their names are mapped, and every verb plays as before."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import captured_armature
from blender.figurine import assert_says, assign, everything, figurine, refused, stride, striding_figurine
from blender.renaming import OPS, SAME, active_biped, all_shown, apart, hashes, rename, shown
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
    lines = part("bridge.authoring.verbs").built_for(armature, armature.verbs_adverbs.verbs[verb]).lines
    return [line.text for line in lines if line.kind != "INFO"]


@pytest.fixture(scope="module")
def before() -> dict[str, np.ndarray]:
    """What the verbs of the biped show before any bone is renamed."""
    return {}


AT_ONCE = ("all bones", "left and right")
"""Those in which the others are contained."""


@pytest.mark.parametrize(
    "called",
    [pytest.param(one, id=name, marks=() if name in AT_ONCE else pytest.mark.long) for name, one in RENAMED.items()],
)
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


CAPTURED = ("raise_right_hand", pytest.param("walk_energy_turn", marks=pytest.mark.long))


@pytest.mark.parametrize("verb", CAPTURED)
def test_captured_verbs_play_as_before_while_one_renaming_follows_another(mocap: Path, verb: str):
    armature = captured_armature(mocap, verb)
    assert OPS.verb_build() == {"FINISHED"}
    before, kept, root = {verb: shown(armature, verb)}, None, armature.data.bones[0].name
    for called in (of(root, "Becken"), with_prefix, to_other_side):
        rename(armature, called)
        kept = kept or hashes(armature)
        assert OPS.bones_map() == {"FINISHED"}
        assert apart({verb: shown(armature, verb)}, before) <= SAME
    assert hashes(armature) == kept


@pytest.fixture
def striding():
    """A figurine whose foot is a contact in the examples of its verb 'stride', and what it shows."""
    armature = striding_figurine()
    for reference in armature.verbs_adverbs.verbs[0].examples:
        assign(armature, reference.action)
        assert OPS.contact_add(bone="Foot", end="TAIL") == {"FINISHED"}
        assert OPS.window_add(start=3.0, end=9.0) == {"FINISHED"}
    assert OPS.verb_build() == {"FINISHED"}
    return armature, {"stride": shown(armature, "stride")}


def plays_the_same(armature, before) -> bool:
    return apart({"stride": shown(armature, "stride")}, before) <= SAME


def swap(armature, one: str, other: str) -> None:
    rename(armature, lambda name: {one: other, other: one}.get(name, name))


def choices(**mapped: str) -> list[dict[str, object]]:
    return [{"name": name, "bone": bone, "left_out": not bone} for name, bone in mapped.items()]


def built_contacts(armature) -> set[str]:
    source = part("bridge.action.examples").read_examples(armature, armature.verbs_adverbs.verbs[0])
    return {contact.point for example in source.examples for contact in example.contacts}


def test_names_are_followed_through_several_renamings_and_back(striding):
    armature, before = striding
    for row, (old, new) in enumerate((("Leg", "Calf"), ("Calf", "Shank"), ("Foot", "Calf"), ("Shank", "Leg"))):
        assign(armature, armature.verbs_adverbs.verbs[0].examples[row % 3].action)
        rename(armature, of(old, new))
        assert OPS.bones_map() == {"FINISHED"}, (old, new)
        assert plays_the_same(armature, before), (old, new)
    assert built_contacts(armature) == {"Calf tail"}


@pytest.mark.parametrize("assigned", [False, True], ids=["no action is assigned", "one is, and Blender renames it"])
def test_a_swap_counts_in_actions_from_before_it_and_their_copies_alone(striding, assigned: bool, tmp_path: Path):
    armature, before = striding
    actions = [reference.action for reference in armature.verbs_adverbs.verbs[0].examples]
    armature.animation_data.action = None
    if assigned:
        assign(armature, actions[1])
    swap(armature, "Leg", "Foot")
    assert any("'Foot' may now be 'Leg'" in text for text in warned(armature, "stride"))
    assert OPS.bones_map() == {"FINISHED"}
    assert plays_the_same(armature, before)
    copied = actions[0].copy()
    copied.name, copied.use_fake_user = "copied", True
    stride(armature, "later")
    armature = saved_and_loaded(tmp_path)
    assert plays_the_same(armature, before)
    gather = part("bridge.data.curves").gather
    moved = {action.name: gather(action, armature).bones() for action in sources()}
    old = {"Root", "Foot"}
    assert moved == {"stride 0": old, "stride 1": old, "stride 2": old, "copied": old, "later": {"Root", "Leg"}}


def sources() -> list[bpy.types.Action]:
    """All actions but those that a verb plays."""
    is_generated = part("bridge.action.generated_action").is_generated
    return [action for action in bpy.data.actions if not is_generated(action)]


def saved_and_loaded(folder: Path):
    path = str(folder / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    return bpy.context.object


def test_contacts_are_added_to_the_bones_that_are_chosen_after_a_swap(striding):
    armature, _ = striding
    swap(armature, "Leg", "Foot")
    assert OPS.bones_map() == {"FINISHED"}
    for reference in armature.verbs_adverbs.verbs[0].examples:
        assign(armature, reference.action)
        assert OPS.contact_add(bone="Foot", end="HEAD") == {"FINISHED"}
        assert OPS.window_add(start=12.0, end=15.0) == {"FINISHED"}
    assert built_contacts(armature) == {"Leg tail", "Foot"}


def test_a_deleted_bone_is_refused_until_it_is_left_out_and_a_new_one_of_its_name_changes_nothing(striding, capfd):
    armature, _ = striding
    edit(armature, lambda bones: bones.remove(bones["Foot"]))
    assert_says(refused(OPS.verb_build, capfd), "Foot", "Map Bones")
    assert_says(refused(OPS.bones_map, capfd), "No name was mapped")
    assert OPS.bones_map(choices=choices(Foot="")) == {"FINISHED"}
    assert OPS.verb_build() == {"FINISHED"}
    before = {"stride": shown(armature, "stride")}
    rename(armature, of("Leg", "Calf"))
    assert OPS.bones_map() == {"FINISHED"}
    edit(armature, lambda bones: setattr(bones.new("Leg"), "tail", (0.0, 0.3, 0.0)))
    seen = shown(armature, "stride")[:, [armature.data.bones.find(name) for name in ("Root", "Calf")]]
    assert apart({"stride": seen}, before) <= SAME


def edit(armature, change) -> None:
    bpy.ops.object.mode_set(mode="EDIT")
    change(armature.data.edit_bones)
    bpy.ops.object.mode_set(mode="OBJECT")


def test_actions_that_are_linked_are_read_under_their_new_names(tmp_path: Path):
    armature = striding_figurine()
    before = {"stride": shown(armature, "stride")}
    names = [reference.action.name for reference in armature.verbs_adverbs.verbs[0].examples]
    library = str(tmp_path / "library.blend")
    bpy.data.libraries.write(library, {bpy.data.actions[name] for name in names}, fake_user=True)
    with bpy.data.libraries.load(library, link=True) as (_there, wanted):
        wanted.actions = names
    for reference, action in zip(armature.verbs_adverbs.verbs[0].examples, wanted.actions, strict=True):
        reference.action = action
    rename(armature, lambda name: f"DEF-{name}")
    assert OPS.bones_map() == {"FINISHED"}
    assert plays_the_same(armature, before)


def test_bones_are_renamed_and_mapped_while_a_verb_plays(striding):
    armature, before = striding
    assert OPS.live_on(verb="stride") == {"FINISHED"}
    rename(armature, lambda name: f"DEF-{name}")
    assert OPS.bones_map() == {"FINISHED"}
    assert OPS.live_off() == {"FINISHED"}
    assert plays_the_same(armature, before)


def test_hands_and_feet_are_known_by_former_names_where_the_present_ones_tell_nothing():
    armature = active_biped()
    armature.verbs_adverbs.feet.clear()
    armature.verbs_adverbs.root = ""
    roles_of = part("bridge.rig.roles").roles_of
    before = roles_of(armature)
    odd = rename(armature, lambda name: f"b{armature.data.bones.find(name)}")
    assert roles_of(armature).source == "rest"
    assert OPS.bones_map() == {"FINISHED"}
    after = roles_of(armature)
    assert after.source == before.source == "names"
    assert after.hands == tuple(odd[hand] for hand in before.hands)
    assert [foot.ankle for foot in after.feet] == [odd[foot.ankle] for foot in before.feet]


def test_mapping_is_one_step_of_undo(striding):
    armature, before = striding
    rename(armature, of("Leg", "Calf"))
    name, unmapped = armature.name, everything()
    bpy.ops.ed.undo_push(message="renamed")
    assert OPS.bones_map() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="mapped")
    mapped = everything()
    bpy.ops.ed.undo()
    assert everything() == unmapped
    bpy.ops.ed.redo()
    assert everything() == mapped
    assert plays_the_same(bpy.data.objects[name], before)


def test_what_cannot_be_mapped_is_refused_in_a_sentence(striding, capfd):
    armature, _ = striding
    armature.animation_data.action = None
    rename(armature, of("Leg", "Calf"))
    assert_says(refused(OPS.bones_map, capfd, choices=choices(Foot="Foot")), "'Foot' is mapped to itself")
    assert_says(refused(OPS.bones_map, capfd, choices=choices(Leg="Hoof")), "has no bone 'Hoof'")
    assert_says(refused(OPS.bones_map, capfd, choices=choices(Hoof="Calf")), "uses a bone name 'Hoof'")
    twice = choices(Leg="Calf", Root="Calf")
    assert_says(refused(OPS.bones_map, capfd, choices=twice), "'Root' and 'Leg'", "bone 'Calf'", "action 'stride 0'")
    assert_says(refused(OPS.verb_build, capfd), "animates bones", "'Leg'", "'Leg' may now be 'Calf'", "Map Bones")
    figurine("No Verbs")
    assert not OPS.bones_map.poll()
