"""Cost of enabling the extension, relative to an empty one with as many classes."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy

from ..dev.figure import Figure
from .installed import EXTENSION

ROUNDS = 12
EMPTY = EXTENSION.replace("verbs_adverbs", "empty_of_its_size")

ENABLE = """
import os, sys, time
import bpy
for name in [name for name in sys.modules if name.split(".")[0] == "numpy"]:
    del sys.modules[name]
begin = time.perf_counter()
bpy.ops.preferences.addon_enable(module="{module}")
seconds = time.perf_counter() - begin
assert "{module}" in bpy.context.preferences.addons
print("measured", seconds, int("numpy" in sys.modules), flush=True)
os._exit(0)
"""
"""The NumPy import of Blender's own add-ons is undone, to see which code imports it."""
MAKE = """
import os, sys
from pathlib import Path
import bpy
sys.path.insert(0, "{here}")
from empty import write_empty
bpy.ops.preferences.addon_enable(module="{module}")
modules = [name for name in sys.modules if name.startswith("{module}")]
print("measured", write_empty("{module}", Path("{folder}")), len(modules), flush=True)
os._exit(0)
"""


def package_figures() -> Iterator[Figure]:
    """Yield the figures of enabling it in a fresh Blender each time."""
    folder = Path(tempfile.mkdtemp(prefix="verbs_adverbs_bench_"))
    try:
        shutil.copytree(Path(bpy.utils.user_resource("EXTENSIONS")), folder / "extensions")
        yield _switching_on(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _switching_on(folder: Path) -> Figure:
    """Return the time of ours relative to the empty one, enabled in turn, with files compiled before."""
    empty = folder.joinpath("extensions", *EMPTY.split(".")[1:])
    classes, modules = _told(folder, MAKE.format(here=Path(__file__).parent, module=EXTENSION, folder=empty))
    programs = [ENABLE.format(module=module) for module in (EXTENSION, EMPTY)]
    rows = [[_told(folder, program) for program in programs] for _ in range(ROUNDS + 1)][1:]
    ours, theirs = (min(row[place][0] for row in rows) for place in range(2))
    imported = any(row[0][1] for row in rows)
    said = f"{ours * 1e3:.1f} of {theirs * 1e3:.1f} ms, {classes:.0f} classes in {modules:.0f} modules"
    said += f"; best of {ROUNDS} fresh processes; NumPy imported: {'yes' if imported else 'no'}"
    name = "switching on beside an empty extension with as many classes"
    return Figure(name, float("nan") if imported else ours / theirs, 1.5, "", said)


def _told(folder: Path, program: str) -> tuple[float, float]:
    """Return the two numbers that a program prints, run in a fresh Blender with the extensions in `folder`."""
    surroundings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    surroundings["BLENDER_USER_RESOURCES"] = str(folder)
    ended = subprocess.run([sys.executable, "-c", program], env=surroundings, capture_output=True, text=True)
    lines = [line.split() for line in ended.stdout.splitlines() if line.startswith("measured")]
    if not lines:
        raise RuntimeError(f"The extension could not be enabled in a fresh Blender:\n{ended.stdout}{ended.stderr}")
    return float(lines[0][1]), float(lines[0][2])
