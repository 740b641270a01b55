"""Damaged files in a window: every panel is drawn open after each step, and nothing is printed but sentences.

`dev.py gui --corruptions N --seed S --case C` says how many, of which seed, or which one alone.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
from corruption import doings
from corruption.case import Case
from corruption.console import Console
from corruption.files import prepare
from corruption.told import ALONE, SEED, asked, faults, summary, tell
from hand import Hand

Steps = Iterator[float]
CASES = [int(ALONE)] if ALONE else list(range(asked(4)))
DRAWN, MANY = 0.06, 200
"""Seconds in which the window is drawn, and corruptions among which each panel is shown at least once."""
drawn: Counter[str] = Counter()


def _counted(name: str, draw: Callable[[bpy.types.Panel, bpy.types.Context], None]) -> Callable[..., None]:
    def drawing(panel: bpy.types.Panel, context: bpy.types.Context) -> None:
        drawn[name] += 1
        draw(panel, context)

    return drawing


def _open_panels() -> None:
    """Register the extension again, its panels open from the start and counted when they are drawn."""
    for panel in doings.panels():
        panel.bl_options = set(getattr(panel, "bl_options", ())) - {"DEFAULT_CLOSED"}
        if hasattr(panel, "draw"):
            panel.draw = _counted(panel.__name__, panel.draw)
    doings.switch_extension(None)


def _show_sidebars(gui: Hand) -> Steps:
    gui.area("DOPESHEET_EDITOR").spaces.active.mode = "ACTION"
    for area in ("VIEW_3D", "DOPESHEET_EDITOR"):
        yield from gui.sidebar("Verbs", area)
        gui.area(area).tag_redraw()
        yield 0.5


def _draw_all(gui: Hand) -> float:
    doings.turn_tab()
    for area in gui.window.screen.areas:
        area.tag_redraw()
    return DRAWN


def _play(gui: Hand, case: Case) -> Steps:
    steps, ended = case.steps(), object()
    while next(steps, ended) is not ended:
        yield _draw_all(gui)
    yield _draw_all(gui)
    case.heard()


def test_damaged_files_are_drawn_and_used(gui: Hand) -> Steps:
    print(f"seed {SEED}, {len(CASES)} corruptions")
    folder = Path(bpy.app.tempdir) / "corruptions"
    folder.mkdir()
    for _ in prepare(folder):
        yield 0.5
    _open_panels()
    yield from _show_sidebars(gui)
    told, rows = gui.folder / "corruptions.jsonl", []
    told.unlink(missing_ok=True)
    console = Console(gui.folder / "corruptions.txt")
    for number in CASES:
        tell(told, {"begins": number})
        case, begun = Case(SEED, number, folder, console), time.process_time()
        yield from _play(gui, case)
        took = round(time.process_time() - begun, 2)
        rows.append({"case": number, "seconds": took, "found": case.found, "story": case.story})
        tell(told, rows[-1])
    console.give_back()
    print(summary(rows), f"\n{sum(drawn.values())} panels drawn:", dict(drawn), flush=True)
    gui.picture("corruptions")
    undrawn = {panel.__name__ for panel in doings.panels() if hasattr(panel, "draw")} - set(drawn)
    assert drawn and (not undrawn or len(CASES) < MANY), f"never drawn: {undrawn}"
    assert not faults(rows), f"seed {SEED}\n{summary(rows)}"
