"""Mistakes that are seeded into a walk are named first under Report, and the button beside each mends it."""

import bpy
import numpy as np
import pytest
from blender.figurine import striding_figurine
from blender.stage import part, walking_biped
from blender.whole_file import whole_file
from corruption.stored import write_raw

OPS = bpy.ops.verbs_adverbs
VERB = "walk"


@pytest.fixture
def armature():
    found = walking_biped()
    the_verb(found).control_points = 24
    return found


def the_verb(armature):
    return armature.verbs_adverbs.verbs[VERB]


def example_of(armature, row: int):
    reference = the_verb(armature).examples[row]
    found = reference.action.verbs_adverbs.examples
    return next(one for one in found if one.uid == reference.example_uid)


def lines(armature):
    """The lines of Report as the panel shows them."""
    return part("bridge.authoring.verbs").status(armature, the_verb(armature)).lines


def checked(armature):
    """The first line after Check Examples."""
    assert OPS.examples_check() == {"FINISHED"}
    return lines(armature)[0]


def press(line) -> set[str]:
    """Press the mending button of a line, with what the panel gives it."""
    mend = line.mend
    return OPS.verb_mend(
        mend=mend.mend, row=line.row, other=mend.other, number=mend.number, frame=mend.frame, word=mend.word
    )


def stored(armature) -> list:
    """Everything that the examples say, but identifiers."""
    found = []
    for row in range(len(the_verb(armature).examples)):
        example = example_of(armature, row)
        values = [(value.name, value.value) for value in example.values]
        keytimes = [(keytime.name, keytime.frame) for keytime in example.keytimes]
        windows = [(c.bone, c.end, [(w.start, w.end) for w in c.windows]) for c in example.contacts]
        found.append((example.name, example.start, example.end, values, keytimes, windows))
    return found


def test_nothing_is_named_where_nothing_is_wrong(armature):
    line = checked(armature)
    assert line.kind == "INFO" and all(one.mend.mend == "NONE" for one in lines(armature))
    assert any("predict each other" in one.text for one in lines(armature))


def test_exchanged_adverbs_are_named_first_and_exchanged_back(armature):
    before = stored(armature)
    one, other = (example_of(armature, row).values for row in (4, 1))
    for name in ("mood", "slope", "turn"):
        one[name].value, other[name].value = other[name].value, one[name].value
    line = checked(armature)
    assert {line.row, line.mend.other} == {1, 4} and "seem to be swapped" in line.text
    names = [example_of(armature, row).name for row in (1, 4)]
    assert all(f"'{name}'" in line.text for name in names)
    assert part("bridge.authoring.verbs").status(armature, the_verb(armature)).guilty >= {1, 4}
    assert OPS.verb_example_show(row=line.row) == {"FINISHED"}
    assert armature.animation_data.action == the_verb(armature).examples[line.row].action
    assert press(line) == {"FINISHED"}
    assert stored(armature) == before
    assert not any(one.mend.mend == "EXCHANGE" for one in lines(armature)), "a line about what was mended is left"
    assert checked(armature).kind == "INFO"


@pytest.mark.parametrize(("row", "keytime", "moved"), [(0, 2, -4.0), (8, 3, 4.0)])
def test_a_keytime_that_was_moved_is_named_first_and_moved_back(armature, row: int, keytime: int, moved: float):
    example = example_of(armature, row)
    right = example.keytimes[keytime].frame
    example.keytimes[keytime].frame = right + moved
    line = checked(armature)
    assert (line.row, line.mend.mend, line.mend.number) == (row, "KEYTIME", keytime)
    assert f"'{example.name}'" in line.text and f"'{example.keytimes[keytime].name}'" in line.text
    assert OPS.verb_example_show(row=line.row, keytime=line.mend.number) == {"FINISHED"}
    assert abs(bpy.context.scene.frame_current_final - right - moved) < 0.01
    assert press(line) == {"FINISHED"}
    assert abs(example_of(armature, row).keytimes[keytime].frame - right) < 1.0
    assert checked(armature).kind == "INFO"


def test_a_clip_that_begins_on_the_other_foot_is_named_first_and_begins_on_the_first_one_again(armature):
    assert OPS.bake(cycles=3, loop=False, animated=False) == {"FINISHED"}
    reference, baked = the_verb(armature).examples[0], armature.animation_data.action
    reference.action, reference.example_uid = baked, baked.verbs_adverbs.examples[0].uid
    before, example = stored(armature), example_of(armature, 0)
    begin, _, half, *_, end = (keytime.frame for keytime in example.keytimes)
    frames = [keytime.frame + half - begin for keytime in example.keytimes]
    for keytime, frame in reversed(list(zip(example.keytimes, frames, strict=True))):
        keytime.frame = frame
    assert stored(armature) != before and abs(example.end - end - half + begin) < 1e-3
    line = checked(armature)
    assert (line.row, line.mend.mend, line.mend.number) == (0, "CYCLE", 2) and f"'{example.name}'" in line.text
    assert press(line) == {"FINISHED"}
    (name, *span, values, keytimes, windows), *rest = stored(armature)
    assert rest == before[1:] and (name, values) == (before[0][0], before[0][3])
    assert np.allclose(
        [*span, *(frame for _, frame in keytimes)], [begin, end, *(frame for _, frame in before[0][4])], atol=0.01
    )
    assert [one[0] for one in keytimes] == [one[0] for one in before[0][4]]
    assert np.allclose([one[2] for one in windows], [one[2] for one in before[0][5]], atol=1e-2)
    assert checked(armature).kind == "INFO"


def test_a_clip_of_one_cycle_that_begins_on_the_other_foot_is_mirrored(armature):
    assert OPS.bake(cycles=2, loop=False, animated=False) == {"FINISHED"}
    reference, baked = the_verb(armature).examples[0], armature.animation_data.action
    reference.action, reference.example_uid = baked, baked.verbs_adverbs.examples[0].uid
    example = example_of(armature, 0)
    begin, _, half, *_ = (keytime.frame for keytime in example.keytimes)
    frames = [keytime.frame + half - begin for keytime in example.keytimes]
    for keytime, frame in reversed(list(zip(example.keytimes, frames, strict=True))):
        keytime.frame = frame
    for curve in part("bridge.blender.versions").curves_of(baked):
        for key in reversed(curve.keyframe_points):
            if not frames[0] - 1.0 <= key.co[0] <= frames[-1] + 1.0:
                curve.keyframe_points.remove(key)
        curve.update()
    line = checked(armature)
    assert (line.row, line.mend.mend) == (0, "MIRROR") and "mirror it" in line.text
    count, names = len(the_verb(armature).examples), [keytime.name for keytime in example.keytimes]
    assert press(line) == {"FINISHED"}
    *_, mirrored = the_verb(armature).examples
    assert len(the_verb(armature).examples) == count + 1 and not the_verb(armature).examples[0].enabled
    assert [keytime.name for keytime in mirrored.action.verbs_adverbs.examples[0].keytimes] == names
    assert OPS.examples_check() == {"FINISHED"}
    assert any("predict each other" in one.text for one in lines(armature))


@pytest.fixture
def strides():
    return striding_figurine()


def report(armature):
    return part("bridge.authoring.verbs").status(armature, armature.verbs_adverbs.verbs[0]).lines


def test_a_value_beyond_its_range_has_a_button_that_widens_the_range(strides):
    adverb = strides.verbs_adverbs.adverbs["energy"]
    adverb.maximum = 0.5
    OPS.verb_build()
    first = next(line for line in report(strides) if line.mend.mend == "RANGE")
    highest = strides.verbs_adverbs.verbs[0].examples[first.row].action.verbs_adverbs.examples[0].values[0].value
    assert press(first) == {"FINISHED"}
    assert adverb.maximum == highest and not any(line.mend.mend == "RANGE" for line in report(strides))


def test_an_example_that_is_gone_has_a_button_that_leaves_it_out(strides):
    verb = strides.verbs_adverbs.verbs[0]
    bpy.data.actions.remove(verb.examples[1].action)
    first = report(strides)[0]
    assert (first.kind, first.row, first.mend.mend) == ("ERROR", 1, "UNTICK")
    assert press(first) == {"FINISHED"} and not verb.examples[1].enabled
    assert not any(line.kind == "ERROR" for line in report(strides)) and OPS.verb_build() == {"FINISHED"}


def test_a_kernel_is_chosen_by_its_button(strides):
    verb = strides.verbs_adverbs.verbs[0]
    assert OPS.verb_mend(mend="KERNEL", word="CUBIC_B_SPLINE", number=1) == {"FINISHED"}
    assert (verb.kernel, verb.degree) == ("CUBIC_B_SPLINE", 1)


def test_lines_are_gone_after_a_change_and_there_again_when_it_is_taken_back(strides):
    value = strides.verbs_adverbs.verbs[0].examples[0].action.verbs_adverbs.examples[0].values[0]
    assert OPS.examples_check() == {"FINISHED"}
    (told,) = (line.text for line in strides.verbs_adverbs.verbs[0].suspects)
    before = value.value
    value.value = before + 0.1
    assert told not in [line.text for line in report(strides)]
    OPS.verb_build()
    assert told not in [line.text for line in report(strides)]
    value.value = before
    OPS.verb_build()
    assert told in [line.text for line in report(strides)]


def test_damaged_lines_are_told_without_their_buttons(strides):
    verb = strides.verbs_adverbs.verbs[0]
    OPS.examples_check()
    line = verb.suspects[0]
    for name in ("kind", "mend"):
        write_raw(line, name, 77)
    line.row, line.other = 10**6, -(10**6)
    part("bridge.blender.store").forget()
    shown = next(one for one in report(strides) if one.text == line.text)
    assert (shown.kind, shown.mend.mend, shown.row) == ("INFO", "NONE", 10**6)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"mend": "EXCHANGE", "row": 0, "other": 0},
        {"mend": "EXCHANGE", "row": 0, "other": 99},
        {"mend": "KEYTIME", "row": 0, "number": 1, "frame": 1e6},
        {"mend": "KEYTIME", "row": 0, "number": 1, "frame": float("nan")},
        {"mend": "KEYTIME", "row": 0, "number": 77, "frame": 3.0},
        {"mend": "CYCLE", "row": 0, "number": -5},
        {"mend": "UNTICK", "row": 99},
        {"mend": "RANGE", "row": 0, "word": "nothing"},
        {"mend": "KERNEL", "word": "NOTHING", "number": 1},
        {"mend": "KERNEL", "word": "LINEAR", "number": 7},
    ],
)
def test_what_cannot_be_mended_is_refused_in_a_sentence_and_changes_nothing(strides, given: dict):
    before = whole_file()
    with pytest.raises(RuntimeError, match=r"Error: .*[A-Z].*\."):
        OPS.verb_mend(**given)
    assert whole_file() == before


def test_a_cycle_as_long_as_its_action_is_turned_around_the_end_and_a_shorter_one_is_refused(strides):
    action = strides.verbs_adverbs.verbs[0].examples[0].action
    example = action.verbs_adverbs.examples[0]
    assert OPS.verb_mend(mend="CYCLE", row=0, number=1) == {"FINISHED"}
    assert [keytime.frame for keytime in example.keytimes] == [13.0, 25.0, 37.0]
    assert not part("bridge.data.structure").complaints(example)
    strides.verbs_adverbs.verbs[0].examples[1].action.verbs_adverbs.examples[0].end = 21.0
    with pytest.raises(RuntimeError, match="has no whole cycle that begins there"):
        OPS.verb_mend(mend="CYCLE", row=1, number=1)
