"""A take survives a Blender that is killed while it is performed: the file offers it when it is opened again."""

import json
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.performance import OPS, add_graph, begin_with
from blender.performer import begin, command, end, missed, play
from blender.stage import go_to, part, state_of

PERFORMER = Path(__file__).with_name("fresh_performer.py")
SECONDS, LOST, SEEN = 8.0, 1.5, 1e-3


@pytest.fixture
def saved(tmp_path: Path) -> str:
    """A file with the biped, whose performance begins with standing."""
    add_graph()
    begin_with(bpy.context.object, "stand")
    path = str(tmp_path / "show.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    return path


def killed(extension_zip: Path, path: str, out: Path) -> dict[int, np.ndarray]:
    """Perform in another Blender that is killed; returns the root's places by frame."""
    asked = [sys.executable, str(PERFORMER), str(extension_zip), path, str(out), str(SECONDS)]
    ended = subprocess.run(asked, capture_output=True, text=True, timeout=300)
    assert ended.returncode == -signal.SIGKILL, ended.stdout + ended.stderr
    seen = np.load(out)
    return dict(zip(seen["frames"].tolist(), seen["places"], strict=True))


def opened(path: str):
    bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    return bpy.data.objects["Biped"]


def offered() -> bool:
    return "VERBS_ADVERBS_OT_take_keep" in dir(bpy.types) and OPS.take_keep.poll()


def journals_of(path: str) -> list[Path]:
    """Journals of a file's takes; other Blenders may write theirs beside them."""
    found = []
    for journal in Path(bpy.app.tempdir).resolve().parent.glob("verbs_adverbs_*.jsonl"):
        with suppress(FileNotFoundError):
            if json.dumps(path) in journal.read_text(encoding="utf-8"):
                found.append(journal)
    return found


def test_a_take_that_was_killed_is_offered_and_plays_as_it_was_performed(extension_zip, saved: str, tmp_path: Path):
    seen = killed(extension_zip, saved, tmp_path / "seen.npz")
    armature = opened(saved)
    assert offered()
    assert OPS.take_keep() == {"FINISHED"}
    assert not offered()
    kept = {frame: place for frame, place in seen.items() if frame < 1 + (SECONDS - LOST) * 24}
    assert missed(armature, kept) < SEEN
    numbers = [key.number for key in part("bridge.data.commands").command_keys(armature.verbs_adverbs.director)]
    assert numbers == [armature.verbs_adverbs.verbs[name].number for name in ("walk", "wave")]
    opened(saved)
    assert not offered()


def test_a_take_that_was_killed_can_be_discarded_and_is_offered_to_its_own_file_alone(
    extension_zip, saved: str, tmp_path: Path
):
    killed(extension_zip, saved, tmp_path / "seen.npz")
    opened(saved)
    other = str(tmp_path / "other.blend")
    bpy.ops.wm.save_as_mainfile(filepath=other, copy=True)
    opened(other)
    assert not offered()
    opened(saved)
    assert offered() and OPS.take_discard() == {"FINISHED"}
    assert not offered()
    opened(saved)
    assert not offered()


def test_an_unfinished_take_of_a_character_that_is_performed_along_with_another_is_not_lost(
    extension_zip, saved: str, tmp_path: Path
):
    killed(extension_zip, saved, tmp_path / "seen.npz")
    armature = opened(saved)
    OPS.add_biped()
    other = bpy.context.object
    assert other != armature
    with pytest.raises(part("core.errors").VerbsError, match="'Biped' has an unfinished take"):
        part("bridge.session.performing").begin([other, armature], bpy.context.scene)
    bpy.context.view_layer.objects.active = armature
    assert offered() and OPS.take_keep() == {"FINISHED"}


def test_what_ends_well_leaves_nothing_to_be_offered(saved: str):
    armature = opened(saved)
    clock = begin(armature)
    assert play(clock, 3.0, {0.5: lambda: command(armature, "walk")})
    (journal,) = journals_of(saved)
    assert journal.stat().st_size > 0
    assert end() == [] and not journal.exists()
    opened(saved)
    assert not offered()
    go_to(1)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]\n", '{"format": 1}\n', '{"format": 99}\n', "NaN\n" * 9], ids=repr)
def test_a_journal_that_holds_nonsense_is_none(extension_zip, saved: str, tmp_path: Path, text: str):
    begin(opened(saved))
    (journal,) = journals_of(saved)
    end()
    journal.write_text(text, encoding="utf-8")
    opened(saved)
    assert not offered()
    journal.unlink()


def _second(first):
    """Another character with a verb, made after the first one, which is active again then."""
    assert OPS.add_biped() == {"FINISHED"}
    found = bpy.context.object
    bpy.context.view_layer.objects.active = first
    return found


def test_who_cannot_be_performed_leaves_the_others_as_they_were(saved: str):
    first = bpy.context.object
    second = _second(first)
    endless = second.verbs_adverbs.adverbs.add()
    endless.name, endless.maximum = "endless", 1e30
    before = state_of(first)
    with pytest.raises(part("core.errors").VerbsError, match="endless"):
        begin(first, second)
    after = state_of(first)
    assert {key for key in before if before[key] != after[key]} == set()
    assert not any(one.verbs_adverbs.performance.in_hand for one in bpy.data.objects)
