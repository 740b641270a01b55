"""What the extension costs before it does anything: switching it on, and its size."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy

from .figure import Figure
from .installed import EXTENSION

PROCESSES = 9

ENABLE = f"""
import os, sys, time
import bpy
for name in [name for name in sys.modules if name.split(".")[0] == "numpy"]:
    del sys.modules[name]
begin = time.perf_counter()
bpy.ops.preferences.addon_enable(module="{EXTENSION}")
seconds = time.perf_counter() - begin
assert "{EXTENSION}" in bpy.context.preferences.addons
print("measured", seconds, int("numpy" in sys.modules), flush=True)
os._exit(0)
"""


def package_figures() -> Iterator[Figure]:
    """Enabling in a fresh Blender each time, and the zip."""
    seconds, imported = _enabling()
    said = f"best of {PROCESSES} fresh processes, files compiled before; NumPy imported: {'yes' if imported else 'no'}"
    yield Figure("enabling the extension", float("nan") if imported else seconds * 1e3, 20.0, "ms", said)
    archive = max((Path(__file__).parents[1] / "dist").glob("*.zip"), key=lambda path: path.stat().st_mtime)
    yield Figure("size of the zip", archive.stat().st_size / 1000.0, 1000.0, "kB", archive.name)


def _enabling() -> tuple[float, bool]:
    """Shortest time in seconds, and whether NumPy was imported by then; Blender's own add-ons' import is forgotten."""
    folder = Path(tempfile.mkdtemp(prefix="verbs_adverbs_bench_"))
    try:
        installed = Path(bpy.utils.user_resource("EXTENSIONS"))
        shutil.copytree(installed, folder / "extensions")
        surroundings = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        surroundings["BLENDER_USER_RESOURCES"] = str(folder)
        rows = [_enable_once(surroundings) for _ in range(PROCESSES + 1)][1:]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return min(row[0] for row in rows), any(row[1] for row in rows)


def _enable_once(surroundings: dict[str, str]) -> tuple[float, bool]:
    ended = subprocess.run([sys.executable, "-c", ENABLE], env=surroundings, capture_output=True, text=True)
    lines = [line.split() for line in ended.stdout.splitlines() if line.startswith("measured")]
    if not lines:
        raise RuntimeError(f"The extension could not be enabled in a fresh Blender:\n{ended.stdout}{ended.stderr}")
    _, seconds, imported = lines[0]
    return float(seconds), imported == "1"
