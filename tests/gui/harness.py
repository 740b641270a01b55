"""Runs the tests of scripts inside a Blender window: blender -P harness.py -- SCRIPT,SCRIPT ZIP FOLDER SECONDS.

A test is a generator function `test_*(gui)` that yields the seconds to wait before it goes on: Blender then handles its
events and draws in between. Results are written to FOLDER/<script>.json after every test, pictures to FOLDER. Blender
ends after a script with a failed test or one that has changed panels or preferences, and when a script takes longer
than SECONDS.
"""

import faulthandler
import importlib
import importlib.util
import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import bpy

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
from hand import Hand  # noqa: E402

WORDS = sys.argv[sys.argv.index("--") + 1 :]
SCRIPTS, ARCHIVE, FOLDER = [Path(word) for word in WORDS[0].split(",")], Path(WORDS[1]), Path(WORDS[2])
LONGEST = int(WORDS[3])
FIRST = Path(bpy.app.tempdir) / "first.blend"
"""Blender's screens as it began, for each script: reading the startup file leaves sidebar and panels as they are."""
MODULE = "bl_ext.user_default.verbs_adverbs"
Steps = Iterator[float]


def _load(script: Path) -> dict[str, Callable[[Hand], Steps]]:
    """Return a script's tests by name, in the order of the file; what it imports from this folder remembers nothing."""
    here = str(Path(__file__).parent)
    for name, module in list(sys.modules.items()):
        if name not in ("__main__", "hand") and str(getattr(module, "__file__", "")).startswith(here):
            del sys.modules[name]
    spec = importlib.util.spec_from_file_location(script.stem, script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return {name: value for name, value in vars(module).items() if name.startswith("test_")}


def _prepare() -> Steps:
    """Install and enable the extension, in one window; anti-aliasing is off, so that drawing is faster.

    Tests import its mathematics as `verbs_adverbs.core` too, a copy of their own.
    """
    if FIRST.is_file():
        bpy.ops.wm.open_mainfile(filepath=str(FIRST), load_ui=True)
    else:
        bpy.ops.wm.save_as_mainfile(filepath=str(FIRST), copy=True)
    preferences = bpy.context.preferences
    preferences.view.render_display_type = "NONE"
    preferences.view.show_splash = False
    preferences.view.show_tooltips = False
    preferences.view.ui_scale = 1.0
    preferences.system.viewport_aa = "OFF"
    preferences.system.use_overlay_smooth_wire = False
    preferences.filepaths.use_auto_save_temporary_files = False
    yield from Hand(FOLDER).drawn()
    if MODULE not in preferences.addons:
        bpy.ops.extensions.package_install_files(
            filepath=str(ARCHIVE), repo="user_default", enable_on_install=True, overwrite=True
        )
    assert MODULE in preferences.addons, f"{ARCHIVE.name} was not enabled"
    root = sys.modules["verbs_adverbs"] = ModuleType("verbs_adverbs")
    root.__path__ = list(importlib.import_module(MODULE).__path__)


def _begin_anew(script: Path, hand: Hand) -> Steps:
    """Open Blender's factory startup file, and draw less.

    Without a graphics card the lines of the floor, and in tests outlines, take as long as all else.
    """
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_splash=False)
    for area in hand.window.screen.areas:
        if area.type == "VIEW_3D":
            overlay = area.spaces.active.overlay
            overlay.show_floor = overlay.show_axis_x = overlay.show_axis_y = False
            if script.name.startswith("test_"):
                overlay.show_outline_selected = area.spaces.active.shading.show_object_outline = False
    yield from hand.drawn()


def _one(script: Path, name: str, steps: Steps, row: dict[str, str]) -> Steps:
    """Run one test and note how it ends; whatever it raises, the tests after it still run."""
    print(f"--- {name}", flush=True)
    begun = time.monotonic()
    try:
        yield from steps
        row["outcome"] = "passed"
    except Exception:
        row.update(outcome="failed", message=traceback.format_exc())
        traceback.print_exc()
        Hand(FOLDER).picture(f"{script.stem}-{name}-failed")
    row["seconds"] = f"{time.monotonic() - begun:.1f}"


def _whole(script: Path) -> Steps:
    """Run the tests of a script, and write how they end."""
    rows: list[dict[str, str]] = []

    def begin(name: str) -> dict[str, str]:
        rows.append({"name": name, "outcome": "running"})
        write()
        return rows[-1]

    def write() -> None:
        (FOLDER / f"{script.stem}.json").write_text(json.dumps(rows, indent=1), encoding="utf-8")

    preparation = {"name": "the extension is enabled in a window", "outcome": "running"}
    yield from _one(script, "preparation", _prepare(), preparation)
    before = _surroundings()
    if preparation["outcome"] == "failed":
        rows.append(preparation)
    else:
        for name, test in _load(script).items():
            row = begin(name)
            hand = Hand(FOLDER)
            yield from _begin_anew(script, hand)
            yield from _one(script, name, test(hand), row)
            write()
    write()
    if any(row["outcome"] != "passed" for row in rows):
        _end(1)
    if _surroundings() != before:
        print("Panels or preferences are not as they were: what follows begins in a new Blender.")
        _end(0)


def _all() -> Steps:
    for script in SCRIPTS:
        print(f"=== {script.stem}", flush=True)
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        yield from _whole(script)
    _end(0)


def _surroundings() -> list[object]:
    """The extension's panels as they are registered, and Blender's preferences."""
    panels = [getattr(bpy.types, name) for name in dir(bpy.types) if "_PT_" in name]
    ours = [panel for panel in panels if panel.__module__.startswith(MODULE)]
    found: list[object] = [(one.__name__, getattr(one, "bl_options", None), one.draw) for one in ours]
    preferences = bpy.context.preferences
    for part in (preferences.edit, preferences.filepaths, preferences.inputs, preferences.system, preferences.view):
        for prop in part.bl_rna.properties:
            value = getattr(part, prop.identifier)
            if prop.type == "COLLECTION":
                found.append((prop.identifier, len(value)))
            elif prop.type != "POINTER":
                found.append((prop.identifier, list(value) if getattr(prop, "is_array", False) else value))
    return found


def _end(code: int) -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _start() -> None:
    steps = _all()

    def tick() -> float:
        try:
            return next(steps)
        except Exception:
            traceback.print_exc()
            _end(2)

    bpy.app.timers.register(tick, first_interval=1.0, persistent=True)


faulthandler.dump_traceback_later(LONGEST, exit=True)
_start()
