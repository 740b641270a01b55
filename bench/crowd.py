"""Many copies of one character: switching them on, undoing and opening their file, beside one and beside none live."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
from bpy.types import Object

from ..demo.operate import do, make_active
from .figure import Figure
from .installed import module

COPIES = 50
APART = 3.0
ROUNDS = 3
CASES = {"own data": (False, False), "linked data": (True, False), "own data, sliders keyed": (False, True)}
"""Whether copies share their data, and whether their sliders are keyed."""


def crowd_figures() -> Iterator[Figure]:
    """Figures of copies that share their actions, with locked feet."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (linked, keyed) in CASES.items():
            yield from _figures(Path(folder), name, linked, keyed)


def _figures(folder: Path, name: str, linked: bool, keyed: bool) -> Iterator[Figure]:
    resting, live = folder / "resting.blend", folder / "live.blend"
    _make(resting, linked, keyed)
    opened_off = _shortest(lambda: _open(resting))
    undone_off = _undo_time()
    module("bridge.verbs").forget_built()
    _open(resting)
    first, second, *others = sorted((one for one in bpy.data.objects if one.type == "ARMATURE"), key=_name)
    one, next_one = _timed(lambda: _switch_on(first)), _timed(lambda: _switch_on(second))
    many = next_one + _timed(lambda: [_switch_on(armature) for armature in others])
    said = f"{many:.2f} of {one:.2f} s; beside one whose verb is built {many / next_one:.1f}, {next_one:.3f} s"
    yield Figure(f"switching on {COPIES} copies beside the first, {name}", many / one, 5.0, "", said)
    bpy.ops.wm.save_as_mainfile(filepath=str(live), compress=False)
    module("bridge.verbs").forget_built()
    opened = _shortest(lambda: _open(live))
    undone = _undo_time()
    said = f"{undone * 1e3:.0f} of {undone_off * 1e3:.0f} ms, what follows from it at rest included"
    yield Figure(f"undo with {COPIES} live beside none, {name}", undone / undone_off, 1.5, "", said)
    said = f"{opened:.3f} of {opened_off:.3f} s, no verb built before"
    yield Figure(f"opening a file with {COPIES} live beside none, {name}", opened / opened_off, 2.0, "", said)


def _name(armature: Object) -> str:
    return armature.name


def _make(path: Path, linked: bool, keyed: bool) -> None:
    """Save a file of a biped and copies of it, none switched on."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    do("add_biped")
    armature = bpy.context.view_layer.objects.active
    do("verb_build")
    do("director_add")
    director = armature.verbs_adverbs.director
    for frame, mood in ((1, -1.0), (120, 1.0)) if keyed else ():
        director["mood"] = mood
        director.keyframe_insert('["mood"]', frame=frame)
    bpy.context.preferences.edit.use_duplicate_action = False
    for place in range(1, COPIES + 1):
        make_active(armature)
        director.select_set(True)
        bpy.ops.object.duplicate(linked=linked)
        for copy in bpy.context.selected_objects:
            copy.location.x += APART * place
    bpy.context.preferences.edit.use_duplicate_action = True
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)


def _switch_on(armature: Object) -> None:
    make_active(armature)
    do("live_on")


def _open(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    bpy.context.view_layer.update()


def _undo_time() -> float:
    """Seconds of undoing that something else was moved, with what a timer would do because of it."""
    handlers, live = module("bridge.handlers"), module("bridge.live")
    bpy.context.collection.objects.link(bpy.data.objects.new("mover", None))
    bpy.ops.ed.undo_push(message="added")

    def undo() -> None:
        before = handlers._changed_at
        bpy.ops.ed.undo()
        bpy.context.view_layer.update()
        if handlers._changed_at != before:
            live.flush(listen=True)

    times = []
    for _ in range(ROUNDS):
        bpy.ops.ed.undo_push(message="at rest")
        bpy.data.objects["mover"].location.x += 1.0
        bpy.ops.ed.undo_push(message="moved")
        bpy.context.view_layer.update()
        live.flush()
        times.append(_timed(undo))
    return min(times)


def _shortest(task: Callable[[], object]) -> float:
    return min(_timed(task) for _ in range(ROUNDS))


def _timed(task: Callable[[], object]) -> float:
    begin = time.perf_counter()
    task()
    return time.perf_counter() - begin
