"""The demo's scene of gestures: strokes on words, judged from its files, and a judge that sees what is wrong."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from verbs_adverbs.demo.gestures import SENTENCE, main
from verbs_adverbs.demo.landing import Found, Talk, judge, read_talk

pytestmark = pytest.mark.long

HALF_A_FRAME = 1000.0 / 60.0
PLAIN = "Good evening, everybody. Come nearer, for I have something to show you. Nobody has seen it for years!"


def subtitles(path: Path, text: str) -> Path:
    """Write a text as subtitles with one word a cue: a word takes 0.3 s, and after a stop nothing is said for 0.5 s."""
    at, cues = 1.0, list[str]()
    for number, word in enumerate(text.split(), 1):
        begin, end = (f"00:00:{seconds:06.3f}".replace(".", ",") for seconds in (at, at + 0.3))
        cues.append(f"{number}\n{begin} --> {end}\n{word}\n")
        at += 0.8 if word[-1] in ".!?" else 0.3
    path.write_text("\n".join(cues), encoding="utf-8")
    return path


def judged(out: Path, bvh: Path | None, words: Path | None = None) -> tuple[Talk, Found]:
    out.mkdir(exist_ok=True)
    assert main(out, bvh, words) == 0
    assert {"strips.png", "poses.png", "plan.json", "report.json", "rows.npz"} <= {file.name for file in out.iterdir()}
    talk = read_talk(out)
    return talk, judge(talk)


def check(found: Found) -> None:
    assert max(abs(one.missed_ms) for one in found.landings) <= HALF_A_FRAME
    assert found.step_degrees <= 1.5 * found.recorded_step_degrees
    assert all(one.lasts[0] >= 0.7 - 1e-9 and one.lasts[1] <= 1.5 for one in found.landings)
    assert found.changed_below == 0.0


def test_the_biped_says_its_sentence_and_one_of_three_close_gestures_is_left_out(extension: object, tmp_path: Path):
    talk, found = judged(tmp_path, None)
    check(found)
    assert [word["text"] for word in talk.plan["words"]] == [text for text, *_ in SENTENCE]
    assert [one.name for one in found.landings] == [
        "greet",
        "offer",
        "count",
        "count",
        "beat",
        "beat",
        "indicate",
        "shrug",
    ]
    (left,) = talk.plan["left_out"]
    assert (left["name"], talk.text(left)) == ("beat", "very") and "another gesture" in left["told"]
    report = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report["half_frame_ms"] == pytest.approx(HALF_A_FRAME)
    assert max(one.way_step for one in found.landings) <= 1.5
    assert not any("MISSED" in line for line in found.lines(talk))


def test_what_is_wrong_in_the_files_is_seen(extension: object, tmp_path: Path):
    talk, found = judged(tmp_path, None)
    late = 0.05
    moved = [{**one, "emphasis": one["emphasis"] - late} for one in talk.gestures]
    missed = judge(replace(talk, plan={**talk.plan, "gestures": moved}))
    for one, other in zip(found.landings, missed.landings, strict=True):
        assert other.missed_ms == pytest.approx(one.missed_ms + 1000.0 * late, abs=1.0)
    row, bone = len(talk.times) // 2, found.step_at[0]
    popped = {name: np.copy(column) for name, column in talk.shown.items()}
    for part, other in (("w", "x"), ("y", "z")):
        popped[f"{bone} turn {part}"][row], popped[f"{bone} turn {other}"][row] = (
            popped[f"{bone} turn {other}"][row],
            -popped[f"{bone} turn {part}"][row],
        )
    assert judge(replace(talk, shown=popped)).step_degrees > 1.5 * found.recorded_step_degrees
    slid = {**talk.shown, "travel x": talk.shown["travel x"] + 1e-3}
    assert judge(replace(talk, shown=slid)).changed_below == pytest.approx(1e-3)
    hurried = [{**one, "keys": [[own, 0.5 * played] for own, played in one["keys"]]} for one in talk.gestures]
    lines = judge(replace(talk, plan={**talk.plan, "gestures": hurried})).lines(talk)
    assert sum("MISSED" in line for line in lines) == 1


def test_a_text_without_tags_has_a_gesture_in_each_phrase(extension: object, tmp_path: Path):
    talk, found = judged(tmp_path / "out", None, subtitles(tmp_path / "said.srt", PLAIN))
    check(found)
    assert all(one["drawn"] for one in talk.gestures)
    assert len(talk.gestures) + len(talk.plan["left_out"]) >= 4


@pytest.mark.parametrize(
    ("text", "told"), [("We <juggle>juggle here.", "'juggle'"), ("", "cannot be read"), ("We <beat>talk.", "")]
)
def test_what_cannot_be_said_is_told_in_a_sentence(
    extension: object, tmp_path: Path, capsys: pytest.CaptureFixture, text: str, told: str
):
    assert main(tmp_path, None, subtitles(tmp_path / "said.srt", text)) == (1 if told else 0)
    assert told in capsys.readouterr().out


@pytest.mark.long
def test_captured_gestures_land_on_words_over_a_captured_walk(extension: object, mocap: Path, tmp_path: Path):
    talk, found = judged(tmp_path, mocap)
    check(found)
    assert talk.plan["walks_at"] > 0.8 and len(found.landings) >= 6
    assert {"bye", "guide", "punch-left", "raise-right-hand"} <= {one.name for one in found.landings}


def test_a_folder_without_a_walk_talks_standing(extension: object, mocap: Path, tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    told = json.loads((mocap / "keytimes.json").read_text(encoding="utf-8"))
    clips = [clip for clip in told["clips"] if clip["kind"] == "gesture"]
    written = {**told, "clips": clips, "suggested_verbs": []}
    (folder / "keytimes.json").write_text(json.dumps(written), encoding="utf-8")
    (folder / "gesture").symlink_to(mocap / "gesture", target_is_directory=True)
    words = subtitles(tmp_path / "said.srt", "<bow>Welcome, and please <guide>follow me. <raise-left-hand>You, too.")
    talk, found = judged(tmp_path / "out", folder, words)
    check(found)
    assert talk.plan["walks_at"] == 0.0 and not np.ptp(talk.shown["travel y"])
    assert {one.name: one.end for one in found.landings}["bow"] == "Head"
