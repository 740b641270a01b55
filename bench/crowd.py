"""Copies of one character: switching many on, undoing and opening their file, and adding one more.

Each figure of many is compared with the time that Blender itself takes for the same, without our handlers.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
from bpy.types import Object

from ..demo.operate import do, make_active
from ..dev.figure import Figure
from .biped import BONES, copied, make_biped
from .installed import module, unheard

COPIES = 50
APART = 3.0
ROUNDS = 3
FPS, COMMANDS = 24, {40: "walk", 90: "wave", 130: "walk"}
CASES = {"own data": (False, False), "linked data": (True, False), "own data, sliders keyed": (False, True)}
"""Whether copies share their data, and whether their sliders are keyed."""


def crowd_figures() -> Iterator[Figure]:
    """Yield figures of copies that share their actions, with locked feet."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (linked, keyed) in CASES.items():
            yield from _figures(Path(folder), name, linked, keyed)
        yield _one_more(Path(folder))


def _figures(folder: Path, name: str, linked: bool, keyed: bool) -> Iterator[Figure]:
    resting, live = folder / "resting.blend", folder / "live.blend"
    _make(resting, linked, keyed)
    opened_off = _shortest(lambda: _open(resting))
    undone_off = _undo_time()
    module("bridge.blender.store").forget()
    _open(resting)
    first, second, *others = _armatures()
    one, next_one = _timed(lambda: _switch_on(first)), _timed(lambda: _switch_on(second))
    many = next_one + _timed(lambda: [_switch_on(armature) for armature in others])
    bpy.ops.wm.save_as_mainfile(filepath=str(live), compress=False)
    said = f"{many:.2f} of {one:.2f} s; beside one whose verb is built {many / next_one:.1f}, {next_one:.3f} s"
    said += f"; Blender alone {_assigning_time(resting, live):.2f} s"
    yield Figure(f"switching on {COPIES} copies beside the first, {name}", many / one, 5.0, "", said)
    module("bridge.blender.store").forget()
    opened = _shortest(lambda: _open(live))
    undone = _undo_time()
    with unheard():
        opened_alone = _shortest(lambda: _open(live))
        undone_alone = _undo_time()
    said = f"{undone * 1e3:.0f} of {undone_off * 1e3:.0f} ms, what follows from it at rest included"
    said += f"; Blender alone {undone_alone * 1e3:.0f} ms"
    yield Figure(f"undo with {COPIES} live beside none, {name}", undone / undone_off, 1.5, "", said)
    said = f"{opened:.3f} of {opened_off:.3f} s, no verb built before; Blender alone {opened_alone:.3f} s"
    yield Figure(f"opening a file with {COPIES} live beside none, {name}", opened / opened_off, 2.0, "", said)


def _one_more(folder: Path) -> Figure:
    """Return the time to copy and switch on a live character, relative to the first one, of which nothing is built."""
    times = {}
    for kind, performs in (("a verb", False), ("a score", True)):
        path = folder / f"{kind}.blend"
        _make_one(path, performs)
        rounds = [_first_and_copy(path) for _ in range(ROUNDS)]
        times[kind] = [min(column) for column in zip(*rounds, strict=True)]
    first, copy = times["a verb"]
    said = f"{copy * 1e3:.0f} of {first * 1e3:.0f} ms, {BONES} bones, duplicated with its director and switched on; "
    said += "of one that plays a score {1:.2f} of {0:.2f} s".format(*times["a score"])
    return Figure("a copied character ready beside the first", copy / first, 0.1, "", said)


def _make_one(path: Path, performs: bool) -> None:
    """Save a file of a character that plays a verb, or a score of three commands, when it is switched on."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armature = make_biped(FPS)
    do("director_add")
    for frame, verb in COMMANDS.items() if performs else ():
        do("command_add", verb=verb, frame=frame)
    armature.verbs_adverbs.director.verbs_adverbs.performance.active = performs
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)


def _first_and_copy(path: Path) -> tuple[float, float]:
    """Return the seconds until the character plays, and until a copy of it does."""
    _open(path)
    module("bridge.blender.store").forget()
    armature = _armatures()[0]
    return _timed(lambda: _switch_on(armature)), _timed(lambda: _switch_on(copied(armature)))


def _armatures() -> list[Object]:
    return sorted((one for one in bpy.data.objects if one.type == "ARMATURE"), key=lambda one: one.name)


def _assigning_time(resting: Path, live: Path) -> float:
    """Return the seconds in which Blender itself gives all copies but the first an action like the generated one."""
    _open(live)
    path = f"{live}.generated"
    bpy.data.libraries.write(path, {_armatures()[0].animation_data.action})
    with unheard():
        _open(resting)
        with bpy.data.libraries.load(path) as (there, wanted):
            wanted.actions = there.actions
        generated = wanted.actions[0]

        def assign() -> None:
            for armature in _armatures()[1:]:
                data = armature.animation_data_create()
                data.action = generated.copy()
                if hasattr(data, "action_slot"):
                    data.action_slot = data.action.slots[0]
                bpy.context.view_layer.update()

        return _timed(assign)


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
    """Return the seconds for undoing a move of another object, including the resulting timer work."""
    live, known = module("bridge.session.live"), module("bridge.session.live_characters")
    bpy.context.collection.objects.link(bpy.data.objects.new("mover", None))
    bpy.ops.ed.undo_push(message="added")

    def undo() -> None:
        bpy.ops.ed.undo()
        bpy.context.view_layer.update()
        if not live.all_up_to_date(known.directors()):
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
