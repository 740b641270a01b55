"""BVH files as text: what is mended is told, and what cannot be is refused with its line."""

import re

import pytest
from verbs_adverbs.core.errors import ClipError, UntimedError
from verbs_adverbs.core.motion.bvh_text import read_bvh_text

NAME = "walk.bvh"
ACTOR = """ROOT {0}Hips
{{
  OFFSET 0.0 90.0 0.0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT {0}Chest
  {{
    OFFSET 0.0 40.5 0.0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {{
      OFFSET 0.0 20.0 0.0
    }}
  }}
}}
"""
ROWS = [" ".join(f"{value:.3f}" for value in range(row, row + 9)) for row in range(4)]


def bvh(actors: tuple[str, ...] = ("",), frames: str = "4", seconds: str = "0.0333333", rows=None) -> str:
    """The text of a file of four frames."""
    head = "HIERARCHY\n" + "".join(ACTOR.format(actor) for actor in actors)
    told = [f"Frames: {frames}", *([f"Frame Time: {seconds}"] if seconds else [])]
    return "\n".join([head + "MOTION", *told, *(ROWS if rows is None else rows), ""])


def mended(text: str, rate: float = 0.0) -> tuple[list[str], str]:
    """The lines after MOTION of a text that was mended, and what is told of it."""
    found = read_bvh_text(text.encode(), NAME, rate)
    return found.text.split("MOTION\n")[1].splitlines(), " ".join(found.remarks)


def values(line: str) -> list[float]:
    return [float(word) for word in line.split()]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_usual_file_keeps_all_its_numbers_and_nothing_is_told(end: str):
    lines, told = mended(bvh().replace("\n", end))
    assert lines[:2] == ["Frames: 4", "Frame Time: 0.0333333"] and told == ""
    assert [values(line) for line in lines[2:]] == [values(row) for row in ROWS]


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\n\n" + text + "\x1a",
        lambda text: "\ufeff" + text,
        lambda text: text.replace("Hips\n{", "Hips {"),
        lambda text: text.replace("Frame Time: ", "Frame Time:"),
        lambda text: text.replace("Frames: 4\nFrame Time: 0.0333333", "FRAME TIME:\t0.0333333\nFrames:\t4"),
        lambda text: text.replace("ROOT", "Root").replace("JOINT", "Joint").replace("CHANNELS", "Channels"),
        lambda text: text.replace("  ", "\t"),
    ],
)
def test_other_ways_to_write_the_same_are_the_same(change):
    lines, told = mended(change(bvh()))
    assert lines == mended(bvh())[0] and told == ""


def test_wrapped_frames_are_joined():
    wrapped = [line for row in ROWS for line in (row[:18], row[18:])]
    lines, told = mended(bvh(rows=wrapped))
    assert [values(line) for line in lines[2:]] == [values(row) for row in ROWS]
    assert told == ""


def test_decimal_commas_are_read_as_points_and_told():
    lines, told = mended(bvh().replace(".", ","))
    assert lines[1] == "Frame Time: 0.0333333" and values(lines[2]) == values(ROWS[0])
    assert "decimal commas" in told
    assert "OFFSET 0.0 40.5 0.0" in read_bvh_text(bvh().replace(".", ",").encode(), NAME).text
    assert mended(bvh(rows=[row.replace(".000 ", ".000, ") for row in ROWS])) == mended(bvh())
    assert mended(bvh(rows=["1, 2, 3, 4, 5, 6, 7, 8, 9"] * 4))[1] == ""


def test_a_file_that_breaks_off_keeps_its_whole_frames_and_says_so():
    lines, told = mended(bvh(frames="9")[:-20])
    assert lines[0] == "Frames: 3" and len(lines) == 5
    assert "is cut off in frame 4" in told


def test_a_wrong_number_of_frames_is_told():
    lines, told = mended(bvh(frames="7"))
    assert lines[0] == "Frames: 4" and "states 7 frames but contains 4" in told


def test_letters_of_another_code_are_read():
    found = read_bvh_text(bvh().replace("Chest", "Hüfte").encode("latin-1"), NAME)
    assert "JOINT Hüfte" in found.text and "Latin-1" in found.remarks[0]


def test_of_two_figures_the_first_is_taken_with_its_own_columns():
    rows = [f"{row} {row.replace('.000', '.500')}" for row in ROWS]
    found = read_bvh_text(bvh(("", "B_"), rows=rows).encode(), NAME)
    assert "B_" not in found.text and "'Hips' was used, 'B_Hips' left out" in found.remarks[0]
    assert values(found.text.splitlines()[-1]) == values(ROWS[-1])


@pytest.mark.parametrize("seconds", ["", "0", "-0.03", "nan", "30", "0.00001", "fast"])
def test_without_a_sensible_frame_time_the_rate_is_asked_for_and_taken(seconds: str):
    with pytest.raises(UntimedError, match="Frame Rate"):
        read_bvh_text(bvh(seconds=seconds).encode(), NAME)
    lines, told = mended(bvh(seconds=seconds), rate=50.0)
    assert lines[1] == "Frame Time: 0.02" and "50 frames per second were used" in told


def test_a_rate_that_is_given_does_not_replace_the_file_s_own():
    assert mended(bvh(), rate=120.0)[0][1] == "Frame Time: 0.0333333"


def test_columns_beyond_the_channels_are_left_out():
    assert mended(bvh(rows=[f"{row} 7.5" for row in ROWS]))[0] == mended(bvh())[0]


@pytest.mark.parametrize("row", [0, 2])
def test_a_value_that_is_missing_does_not_shift_the_others(row: int):
    rows = [line.rsplit(" ", 1)[0] if place == row else line for place, line in enumerate(ROWS)]
    number = len(bvh().split("MOTION")[0].splitlines()) + 4 + row
    with pytest.raises(ClipError, match=f"line {number + 1}: this frame does not have 9 values"):
        read_bvh_text(bvh(rows=rows).encode(), NAME)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not a BVH file"),
        ("no motion", "not a BVH file"),
        (bvh().split("MOTION")[0], "has no MOTION section"),
        (bvh(rows=[]), "has no complete frame"),
        (bvh().replace("3.000", "three", 1), f"line {len(bvh().split('MOTION')[0].splitlines()) + 4}: 'three' is no"),
        (bvh().replace("CHANNELS 3", "CHANNELS 4"), "line 9: the number after CHANNELS"),
        (bvh().replace("}\n}\nMOTION", "}\nMOTION"), "a bracket in the hierarchy was never closed"),
        (bvh().replace("}\nMOTION", "}\n}\nMOTION"), "this closing bracket has no opening one"),
        (bvh(actors=()), "has no ROOT"),
    ],
)
def test_what_cannot_be_mended_is_refused_with_its_line(text: str, words: str):
    with pytest.raises(ClipError, match=re.escape(words)):
        read_bvh_text(text.encode(), NAME)
