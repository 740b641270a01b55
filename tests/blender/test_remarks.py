"""What a verb and an example say that deserves a look: values, segments, ends of cycles, and what is still missing."""

import bpy
import pytest
from blender.figurine import LAST, annotate, figurine, lines, part, refused, stride

OPS = bpy.ops.verbs_adverbs


def example_of(verb, row: int):
    return verb.examples[row].action.verbs_adverbs.examples[0]


@pytest.mark.parametrize("built", [False, True], ids=["before", "built"])
def test_a_value_outside_the_adverbs_range_is_told(armature, verb, built: bool):
    example_of(verb, 2).values["energy"].value = 1.35
    if built:
        OPS.verb_build()
    (said,) = lines(armature, verb, "WARNING")
    assert "'stride 2'" in said and "1.35 for 'energy'" in said and "-1 to 1" in said


def test_values_at_the_ends_of_the_range_are_not_told(armature, verb):
    assert lines(armature, verb, "WARNING") == []


@pytest.mark.parametrize("frame, much", [(2, "shorter"), (24, "longer")])
def test_a_segment_far_out_of_proportion_is_told(armature, verb, frame: int, much: str):
    frames = (frame, *((6, 6) if much == "longer" else (13, 13)))
    for row, at in enumerate(frames):
        part("bridge.data.annotate").move_keytime(verb.examples[row].action, example_of(verb, row), 1, at)
    said = lines(armature, verb, "WARNING")
    assert any("'stride 0'" in text and "'start' to 'middle'" in text and f"much {much}" in text for text in said)
    told = next(
        line for line in part("bridge.authoring.verbs").status(armature, verb).lines if f"much {much}" in line.text
    )
    assert OPS.verb_example_show(row=told.row, keytime=told.mend.number) == {"FINISHED"}
    assert bpy.context.scene.frame_current == frame and told.row == 0


def test_segments_that_differ_as_moods_do_are_not_told(armature, verb):
    part("bridge.data.annotate").move_keytime(verb.examples[0].action, example_of(verb, 0), 1, 6)
    assert lines(armature, verb, "WARNING") == []


def test_a_cycle_that_does_not_close_is_a_warning_that_names_its_ends_and_comes_before_the_fit(armature, verb):
    part("bridge.data.annotate").set_span(verb.examples[1].action, example_of(verb, 1), 1.0, LAST - 6.0)
    OPS.verb_build()
    said = lines(armature, verb, "WARNING")
    assert "Closing the cycle of example 'stride 1' turned a joint by" in said[0]
    assert "Check its first and last frame and its keytimes" in said[0]
    assert not any("control points" in text and "'stride 1'" in text for text in said)
    assert not any("close well" in text for text in lines(armature, verb, "INFO"))


def test_a_good_verb_says_how_closely_it_follows(armature, verb):
    OPS.verb_build()
    said = lines(armature, verb, "INFO")
    assert said[0].startswith("Follows its 3 examples (within ") and "°" in said[0] and "m)" in said[0]
    assert said[1].startswith("Cycles close well") and lines(armature, verb, "WARNING") == []


@pytest.mark.parametrize("kept", [True, False], ids=["kept", "read from the file"])
def test_warnings_come_before_figures(armature, verb, kept: bool):
    example_of(verb, 2).values["energy"].value = 1.35
    OPS.verb_build()
    if not kept:
        part("bridge.blender.store").forget()
    kinds = [line.kind for line in part("bridge.authoring.verbs").status(armature, verb).lines]
    assert kinds[0] == "WARNING" and kinds.index("INFO") == kinds.count("WARNING") and kinds.count("INFO") > 1


def test_a_verb_that_was_never_built_does_not_say_that_it_was(armature, verb, capfd):
    def headline() -> str:
        return part("bridge.authoring.verbs").status(armature, verb).headline

    assert headline().endswith(f"or now with Build {verb.name}")
    value = example_of(verb, 0).values["energy"]
    kept, value.value = value.value, example_of(verb, 1).values["energy"].value
    refused(OPS.verb_build, capfd)
    assert headline() == "Cannot be built"
    value.value = kept
    assert headline() == "Changed; not built yet"
    OPS.verb_build()
    value.value = kept * 0.9
    assert headline().startswith("Changed since it was built")


def test_a_new_verb_needs_examples_and_cannot_be_switched_on_yet(armature):
    OPS.verb_add(name="empty")
    empty = armature.verbs_adverbs.verbs["empty"]
    found = part("bridge.authoring.verbs").status(armature, empty)
    assert found.headline == found.hindrance == "Needs examples"
    assert part("bridge.authoring.verbs").status(armature, armature.verbs_adverbs.verbs["stride"]).hindrance == ""


def test_a_bare_example_says_what_is_still_to_come():
    armature = figurine()
    example = annotate(armature, stride(armature, "stride"))
    OPS.keytime_remove()
    coming = part("bridge.data.structure").still_to_come
    assert "keytimes" in coming(example, None) and "contacts" in coming(example, None)
    assert "adverb values" in coming(example, None) and "a verb" in coming(example, None)


def test_an_example_in_a_verb_lacks_nothing_more(verb):
    assert part("bridge.data.structure").still_to_come(example_of(verb, 0), verb) == ""
