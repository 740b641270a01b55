"""A crowd in a file, Blender in processes of its own, and a render farm of one machine."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import bpy
from blender.action_hash import digest
from blender.installed import USER_FOLDER
from blender.performance import OPS, begin_with, biped_with_graph
from blender.stage import part

ROOT = Path(__file__).resolve().parents[2]
STANDING_IN = Path(__file__).with_name("standing_in.py")
ASKED = ("walk", "wave", "walk", "stand")


def run(*words: str) -> int:
    """Run the command in this process; returns its exit code."""
    return part("operators.command_line.commands").run(words)


def crowd(count: int, frames: int) -> list[bpy.types.Object]:
    """Characters beside each other, each asked for other verbs at other frames and with other adverbs."""
    armature = biped_with_graph()
    begin_with(armature, "stand")
    bpy.context.scene.frame_end = frames
    armatures = [armature, *(_copied(armature) for _ in range(count - 1))]
    for place, one in enumerate(armatures):
        director = one.verbs_adverbs.director
        director.location.x, director.rotation_euler.z = 1.5 * place, 0.4 * place
        director.verbs_adverbs.performance.seed = place
        director["mood"], director["turn"] = (place % 7) / 3.0 - 1.0, (place % 5) / 2.0 - 1.0
        bpy.context.view_layer.objects.active = one
        for number, verb in enumerate((*ASKED[place % 4 :], *ASKED[: place % 4])):
            frame = 5 + place % 9 + 60 * number
            if frame < frames:
                assert OPS.command_add(verb=verb, frame=frame) == {"FINISHED"}
    bpy.context.view_layer.update()
    return armatures


def _copied(armature: bpy.types.Object) -> bpy.types.Object:
    for one in bpy.data.objects:
        one.select_set(one in {armature, armature.verbs_adverbs.director})
    bpy.context.view_layer.objects.active = armature
    assert bpy.ops.object.duplicate() == {"FINISHED"}
    return next(one for one in bpy.context.selected_objects if one.type == "ARMATURE")


def saved_crowd(path: Path, count: int, frames: int) -> list[str]:
    """Write a file with a crowd; returns the names of the characters."""
    names = sorted(one.name for one in crowd(count, frames))
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    return names


def opened(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)


def animation(path: Path) -> dict[str, tuple[str, str, bool]]:
    """Of each character of a file: the name of its action, a digest of all that the action plays, and if it is live."""
    opened(path)
    return {name: _animation(armature) for name, armature in _characters()}


def _characters() -> Iterator[tuple[str, bpy.types.Object]]:
    return ((one.name, one) for one in bpy.data.objects if one.type == "ARMATURE")


def _animation(armature: bpy.types.Object) -> tuple[str, str, bool]:
    action = armature.animation_data.action
    return action.name, digest(action), armature.verbs_adverbs.director.verbs_adverbs.live


def executable(folder: Path) -> Path:
    """Make a program that stands in for Blender's executable, with the extension of this very test."""
    made = folder / "blender"
    settings = f"BLENDER_USER_RESOURCES='{USER_FOLDER}' OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1"
    made.write_text(f"#!/bin/sh\nexec env {settings} '{sys.executable}' '{STANDING_IN}' \"$@\"\n")
    made.chmod(0o755)
    return made


def openjd_run(openjd: str, template: str, **parameters: object) -> list[str]:
    """Return the command that runs a job; the step, and a task if only one is to run, have to be added."""
    told = [word for name, value in parameters.items() for word in ("-p", f"{name}={value}")]
    return [openjd, "run", str(ROOT / "farm" / f"{template}.openjd.yaml"), *told]


def begun(*words: str | Path) -> subprocess.Popen[str]:
    """Begin a process whose output is read; it is the first of a group of its own."""
    told = [str(word) for word in words]
    return subprocess.Popen(
        told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ.copy(), start_new_session=True
    )


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a process; returns its exit code and what it has said."""
    told, _ = process.communicate()
    return process.returncode, told


def kill_with_children(process: subprocess.Popen[str]) -> None:
    """Kill a process and all that it has started, as when a machine is switched off."""
    found = [process.pid]
    for one in found:
        told = Path(f"/proc/{one}/task/{one}/children")
        found += [int(word) for word in told.read_text().split()] if told.exists() else []
    for one in found:
        os.kill(one, signal.SIGKILL)
    process.wait()
