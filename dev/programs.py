"""The commands `demo`, `bench` and `lengths`: programs that run in a real Blender with the built zip installed."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

from .environments import MATRIX, blender_environment, default_environment
from .figure import Figure
from .package import ROOT, write_zip
from .record import measured, write_records
from .saying import Stop, say
from .targets import write_page

SCENES = {
    "verbs": ("demo.run", "demo"),
    "perform": ("demo.perform", "perform"),
    "reach": ("demo.reach", "reach"),
    "layers": ("demo.layers", "layers"),
    "gestures": ("demo.gestures", "gestures"),
}
"""For each scene of the demo, its program, and its output folder in `out`."""


def run_program(
    program: str, arguments: list[Path | str | None], version: str | None = None, one_processor: bool = False
) -> int:
    """Call `main` of a module of the repository, such as 'demo.run', in Blender; return its exit code.

    Parameters
    ----------
    program : name of the module.
    arguments : arguments of `main`; strings and paths.
    version : version of Blender, or None for the default one.
    one_processor : whether to pin it to one processor, if the system supports this; then Blender has one thread.

    Raises
    ------
    Stop
        If there is no such module, or no Python for that Blender.
    """
    source = ROOT / (program.replace(".", "/") + ".py")
    if not source.is_file():
        raise Stop(f"{source.relative_to(ROOT)} is missing.")
    version, environment = (version, blender_environment(version)) if version else default_environment()
    if environment is None:
        raise Stop(f"Blender {version} needs Python {MATRIX[version]}, which was not found.")
    archive = write_zip(ROOT / "dist")
    say(f"Running {program} with {archive.name} in Blender {version}")
    words = [str(one.resolve()) if isinstance(one, Path) else one or "-" for one in arguments]
    surroundings = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
    command = [str(environment.python), str(ROOT / "dev" / "in_blender.py"), str(archive), program, *words]
    surroundings["PYTHONDONTWRITEBYTECODE"] = "1"
    return subprocess.run(command, cwd=ROOT, env=surroundings, preexec_fn=_keep if one_processor else None).returncode


def _keep() -> None:
    """Pin this process to one processor, if the system supports this."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def demo(scene: str, out: Path | None, bvh: Path | None, detect: bool = False, words: Path | None = None) -> int:
    """Run the demo, which writes a folder with a .blend, pictures and report.json; return its exit code."""
    if detect and (bvh is None or scene != "verbs"):
        raise Stop("--detect finds keytimes in files of your own. Give it a folder with --bvh, and no --scene.")
    if bvh is not None and not bvh.is_dir():
        raise Stop(f"{bvh} is not a folder. Give --bvh a folder with BVH files and keytimes.json.")
    if words is not None and scene != "gestures":
        raise Stop("--words is what a figure says that makes gestures. Give it with --scene gestures.")
    if words is not None and not words.is_file():
        raise Stop(f"{words} is not a file. Give --words a file of words with their times, such as subtitles.")
    program, folder = ("demo.detect", "detect") if detect else SCENES[scene]
    out = out or ROOT / "out" / folder
    out.mkdir(parents=True, exist_ok=True)
    return run_program(program, [out, bvh, words] if words else [out, bvh])


def bench(path: Path | None, quick: bool, runs: int | None, reason: str, version: str | None = None) -> int:
    """Run the bench, which prints a table of figures, targets and records.

    Parameters
    ----------
    path : JSON file to write the figures to, or None.
    quick : whether to measure only the path of a frame, as required for each change, on one processor.
    runs : number of runs whose medians are written as records; None for one run, without writing.
    reason : reason why some records may get worse.
    version : version of Blender, or None for the default one.

    Returns
    -------
    exit_code : 1 if a target is missed; for the quick bench, if a figure is worse than its record allows.
    """
    how = "quick" if quick else None
    if runs is not None and (runs < 1 or path is not None or version is not None):
        raise Stop("--record takes the number of runs, at least 1. It cannot be combined with --json or --bpy.")
    if runs is None:
        return run_program("bench.run", [path, how], version, quick)
    with tempfile.TemporaryDirectory(prefix="verbs_adverbs_bench_") as folder:
        paths = [Path(folder) / f"{number}.json" for number in range(runs)]
        for one in paths:
            run_program("bench.run", [one, how], one_processor=quick)
            if not one.is_file():
                raise Stop("A run ended without figures: no records are written.")
        found = [[Figure(**row) for row in json.loads(one.read_text(encoding="utf-8"))] for one in paths]
    left = write_records("quick" if quick else "bench", measured(found), reason)
    write_page()
    say("\n".join([f"The medians of {runs} runs are in bench/record.json, and in docs/targets.md.", *left]))
    return 1 if left else 0


def lengths() -> int:
    """Measure cost over length and over characters, and draw a picture of it; return 1 if a target is missed."""
    return run_program("bench.lengths", [ROOT / "docs" / "images" / "lengths.png"])
