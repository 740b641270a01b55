"""What a newer version has stored is kept, said, and neither edited nor played."""

import bpy
import pytest
from blender.figurine import everything, stand_on_foot, striding_figurine
from corruption.stored import write_raw

OPS = bpy.ops.verbs_adverbs
UNKNOWN = 77
CHOICES_OF_EXAMPLES = ("kind", "end")
CHOICES = ("kernel", "timing", "measure", "space", "end measured", "transition", "steering", "end of a foot")
CHOICES += CHOICES_OF_EXAMPLES
NEWER = "was made by a newer version of Verbs & Adverbs"


def stored(group, name: str) -> int:
    return (group.bl_system_properties_get() if hasattr(group, "bl_system_properties_get") else group)[name]


@pytest.fixture
def armature():
    """A figurine with two verbs, a transition, a director, a foot, and contacts in its examples."""
    made = striding_figurine()
    rig = made.verbs_adverbs
    stand_on_foot(made)
    OPS.director_add()
    OPS.verb_add(name="stand")
    OPS.transition_add(source=rig.verbs[0].uid, target=rig.verbs[1].uid, suggest=False)
    rig.feet.add().name = "L"
    rig.active_verb = 0
    OPS.verb_build()
    return made


def place_of(armature, choice: str):
    """Group and name of a choice."""
    rig = armature.verbs_adverbs
    verb, example = rig.verbs[0], rig.verbs[0].examples[2].action.verbs_adverbs.examples[0]
    return {
        "kernel": (verb, "kernel"),
        "timing": (verb, "timing"),
        "measure": (verb.adverbs[0], "measure"),
        "space": (verb.adverbs[0], "space"),
        "end measured": (verb.adverbs[0], "end"),
        "transition": (rig.transitions[0], "kind"),
        "steering": (rig.director.verbs_adverbs.performance, "steer"),
        "end of a foot": (rig.feet[0], "ball_end"),
        "kind": (example, "kind"),
        "end": (example.contacts[0], "end"),
    }[choice]


def refused(capfd, *operators) -> None:
    """Each operator says that the data are newer, and nothing is changed."""
    before = everything()
    for operator in operators:
        with pytest.raises(RuntimeError, match=NEWER):
            operator()
    bpy.context.view_layer.update()
    bpy.context.scene.frame_set(bpy.context.scene.frame_current)
    after = everything()
    assert [key for key in before if repr(before[key]) != repr(after.get(key))] == []
    assert "Traceback" not in "".join(capfd.readouterr())


def edits_of_the_armature():
    return (
        OPS.verb_build,
        OPS.live_on,
        OPS.director_verb,
        OPS.adverbs_key,
        OPS.adverbs_reset,
        OPS.transitions_suggest,
        OPS.transition_remove,
        OPS.graph_check,
        OPS.bake,
        OPS.bake_performance,
        OPS.measure,
        OPS.feet_find,
        lambda: OPS.verb_rename(name="stroll"),
        lambda: OPS.adverb_rename(name="vigour"),
        lambda: OPS.adverb_add(name="turn"),
        lambda: OPS.command_add(verb="stride", frame=3.0),
        lambda: OPS.start_verb(verb=bpy.context.object.verbs_adverbs.verbs[0].uid),
    )


def edits_of_the_action():
    return (
        OPS.verb_build,
        OPS.live_on,
        OPS.measure_travel,
        OPS.example_remove,
        OPS.markers_sync,
        OPS.keytimes_sort,
        lambda: OPS.keytime_add(name="new"),
        lambda: OPS.value_set(adverb="energy", value=1.0),
        lambda: OPS.window_add(start=11.0, end=13.0),
    )


@pytest.mark.parametrize("choice", CHOICES)
def test_a_choice_of_a_newer_version_is_neither_edited_nor_played(armature, capfd, choice: str):
    group, name = place_of(armature, choice)
    write_raw(group, name, UNKNOWN)
    refused(capfd, *(edits_of_the_action() if choice in CHOICES_OF_EXAMPLES else edits_of_the_armature()))
    assert stored(group, name) == UNKNOWN


def test_a_director_of_a_newer_schema_is_neither_edited_nor_played(armature, capfd):
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.schema = 99
    refused(capfd, *edits_of_the_armature())
    assert director.verbs_adverbs.schema == 99


def test_an_action_of_a_newer_schema_is_neither_edited_nor_played(armature, capfd):
    action = armature.verbs_adverbs.verbs[0].examples[2].action
    action.verbs_adverbs.schema = 99
    refused(capfd, *edits_of_the_action())
    assert OPS.adverb_rename(name="vigour") == {"FINISHED"}
    assert action.verbs_adverbs.examples[0].values[0].name == "energy"
    assert action.verbs_adverbs.schema == 99


@pytest.mark.parametrize("whose", ["armature", "director", "kernel", "steering"])
def test_what_a_newer_version_plays_goes_on_untouched(armature, capfd, tmp_path, whose: str):
    assert OPS.live_on() == {"FINISHED"}
    director = armature.verbs_adverbs.director
    if whose in ("armature", "director"):
        (armature if whose == "armature" else director).verbs_adverbs.schema = 99
    else:
        write_raw(*place_of(armature, whose), UNKNOWN)
    generated, kept = armature.animation_data.action.name, director.verbs_adverbs.saved_pose
    saved = str(tmp_path / "newer.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved, copy=True)
    bpy.ops.wm.open_mainfile(filepath=saved, load_ui=False)
    armature = bpy.context.object
    director = armature.verbs_adverbs.director
    director["energy"] = 0.7
    director.update_tag()
    refused(capfd, OPS.live_off, OPS.performance_write)
    bpy.ops.wm.save_as_mainfile(filepath=saved, copy=True)
    assert armature.animation_data.action.name == generated and director.verbs_adverbs.live
    assert director.verbs_adverbs.saved_pose == kept
    assert "Traceback" not in "".join(capfd.readouterr())
