"""The command line of this very Blender: a second one in the background lists, checks and bakes a file."""

import json
import os
import subprocess

import bpy
from hand import Hand
from sidebar import expect
from stage import Waiting, biped

PATIENCE = 90.0
"""Seconds that a Blender in the background has for what it is asked."""


def started(file: str, *words: str) -> subprocess.Popen[str]:
    """A Blender without a window that is asked something about a file."""
    command = [bpy.app.binary_path, file, "--command", "verbs", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ.copy())


def test_a_file_is_listed_checked_and_baked_without_a_window_and_left_alone(gui: Hand) -> Waiting:
    """Also by one that is killed in the middle of baking into it."""
    folder = gui.folder
    endings = (".blend", "-baked.blend", ".answer", ".part.blend", "-joined.blend", ".score")
    file, baked, answer, part, joined, score = (folder / f"command-line{end}" for end in endings)
    assert bpy.ops.verbs_adverbs.add_biped(stand=True, join=True) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.start_verb(verb=biped().verbs_adverbs.verbs["stand"].uid) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.command_add(verb="walk", frame=12) == {"FINISHED"}
    yield 0.2
    bpy.ops.wm.save_userpref()
    bpy.ops.wm.save_as_mainfile(filepath=str(file), copy=True)
    whole = file.read_bytes()
    for words, said in (
        (("list",), "walk (mood, slope, turn): 15 examples"),
        (("check",), "Biped, the verb graph"),
        (("bake", "--out", str(baked), "--json", str(answer)), "Progress: 100.0 %"),
        (("score", "--out", str(score)), "Wrote "),
        (("bake", "--score", str(score), "--share", "1/1", "--part", str(part)), "Baking 'Biped'"),
        (("join", str(part), "--out", str(joined), "--progress", "openjd"), "openjd_progress: 100.0"),
    ):
        asked = started(str(file), *words)
        yield from expect(lambda asked=asked: asked.poll() is not None, f"{words[0]} ends", PATIENCE)
        told = asked.stdout.read()
        assert asked.returncode == 0 and said in told, told
    assert json.loads(answer.read_text(encoding="utf-8"))["baked"][0]["frames"] == [1, 250]
    assert baked.is_file() and file.read_bytes() == whole
    killed = started(str(file), "bake", "--out", str(file))
    lines = iter(killed.stdout.readline, "")
    assert any("Progress: 0.0 %" in line for line in lines)
    killed.kill()
    killed.wait()
    assert file.read_bytes() == whole
    missing = started(str(folder / "missing.blend"), "check")
    yield from expect(lambda: missing.poll() is not None, "check ends", PATIENCE)
    assert missing.returncode == 3 and "No file is open" in missing.stdout.read()
    for path in (file, baked, answer, part, joined, score):
        path.unlink()
