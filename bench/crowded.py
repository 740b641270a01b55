"""A hundred characters in one file, an hour's timeline, and many files and switches: their time and memory.

Each hundred is compared with one, or with Blender's own playback: the same file with bakes only. Times are processor
times.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Object

from ..demo.operate import do, make_active
from ..dev.figure import Figure
from .biped import BONES, make_biped
from .installed import module, write_alone

HUNDRED, LAST, APART, SEED = 100, 100, 3.0, 5
"""Number of characters, frames of their timeline, their spacing, and the seed of their keys."""
FEW, FEW_ROUNDS = 20, 2
"""The same number for the quick bench of each change, and its number of rounds."""
FPS, HOUR = 24, 60 * 60 * 24
ROUNDS, WATCHED = 3, 30
SWITCHES, FILES = 200, 60
PAGE = 4096
MEGABYTE = 1e6
STATUS = Path("/proc/self/statm")


def crowded_figures() -> Iterator[Figure]:
    """Yield all figures."""
    yield from quick_crowded_figures()
    with tempfile.TemporaryDirectory() as folder:
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield from _hundred(Path(folder))
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield _hour()
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        yield from _memory(Path(folder))


def quick_crowded_figures() -> Iterator[Figure]:
    """Yield the time of switching on a few characters relative to one."""
    with tempfile.TemporaryDirectory() as folder:
        yield _together(FEW, Path(folder) / "resting.blend", None, FEW_ROUNDS)


def _hundred(folder: Path) -> Iterator[Figure]:
    resting, live, baked = (folder / f"{name}.blend" for name in ("resting", "live", "baked"))
    yield _together(HUNDRED, resting, 5.0)
    bpy.ops.wm.save_as_mainfile(filepath=str(live), compress=False)
    frames = {"live": _frame_time()}
    off = _taken(lambda: do("live_off", every=True))
    yield Figure(f"switching off {HUNDRED} together", off, None, "s", f"{off / HUNDRED * 1e3:.0f} ms each")
    _open(live)
    _bake_all()
    bpy.ops.wm.save_as_mainfile(filepath=str(baked), compress=False)
    frames["baked"] = _frame_time()
    opened = {path: min(_taken(lambda path=path: _open(path)) for _ in range(ROUNDS)) for path in (live, baked)}
    said = f"{opened[live]:.2f} of {opened[baked]:.2f} s"
    yield Figure(f"opening a file of {HUNDRED} beside their bakes", opened[live] / opened[baked], 2.0, "", said)
    said = "{live:.2f} of {baked:.2f} ms".format(**{name: 1e3 * seconds for name, seconds in frames.items()})
    yield Figure(f"a frame of {HUNDRED} beside their bakes", frames["live"] / frames["baked"], 1.2, "", said)
    yield _together_in_slices(resting)


def _together(count: int, path: Path, target: float | None, rounds: int = 1) -> Figure:
    """Return the time to switch on characters at once, relative to one; they are saved before, and stay on."""
    make_crowd(count)
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    taken = dict[int, float]()
    for number in [1, count] * rounds:
        _forget()
        _open(path)
        seconds = _taken(lambda number=number: _switch_on(_armatures()[:number]))
        taken[number] = min(seconds, taken.get(number, seconds))
    said = f"{taken[count]:.1f} of {taken[1]:.2f} s, of which Blender alone {_writing_alone():.1f} s; {BONES} bones,"
    said += f" {LAST} frames, feet locked, a slider keyed otherwise for each"
    return Figure(f"switching on {count} together beside one", taken[count] / taken[1], target, "", said)


def _together_in_slices(resting: Path) -> Figure:
    """Return the seconds until all play in slices, as in a window: a few frames of each, the rest while the user works.

    A single one is computed completely at once, since its timeline is short.
    """
    switching, told = module("bridge.session.switching"), module("bridge.authoring.definitions").verb_to_play
    taken = dict[int, float]()
    for count in (1, HUNDRED):
        _forget()
        _open(resting)
        scene, verbs = bpy.context.scene, {armature: told(armature) for armature in _armatures()[:count]}
        taken[count] = _in_slices(lambda verbs=verbs, scene=scene: switching.switch_on_together(verbs, scene))
        if not all(armature.verbs_adverbs.director.verbs_adverbs.live for armature in verbs):
            raise RuntimeError("Not all characters could be switched on.")
    action = _armatures()[0].verbs_adverbs.director.verbs_adverbs.generated
    until = module("bridge.action.generated_action").written_until(action)
    said = f"{taken[HUNDRED]:.1f} of {taken[1]:.2f} s, up to frame {until or LAST:.0f} of {LAST}, the one to its end"
    name = f"switching on {HUNDRED} together beside one in a window, until they play"
    return Figure(name, taken[HUNDRED] / taken[1], 5.0, "", said)


def make_crowd(count: int) -> None:
    """Make bipeds that share their actions, with locked feet and a slider that is keyed differently for each."""
    first, random = make_biped(FPS), np.random.default_rng(SEED)
    bpy.context.scene.frame_end = LAST
    do("director_add")
    bpy.context.preferences.edit.use_duplicate_action = False
    for _ in range(count - 1):
        make_active(first)
        first.verbs_adverbs.director.select_set(True)
        bpy.ops.object.duplicate()
    bpy.context.preferences.edit.use_duplicate_action = True
    for place, armature in enumerate(_armatures()):
        director = armature.verbs_adverbs.director
        armature.location.x = director.location.x = APART * place
        for frame in (1, LAST // 2, LAST):
            director["mood"] = float(random.uniform(-1.0, 1.0))
            director.keyframe_insert('["mood"]', frame=frame)
    bpy.context.scene.frame_set(1)


def _armatures() -> list[Object]:
    return sorted((one for one in bpy.data.objects if one.type == "ARMATURE"), key=lambda one: one.name)


def _switch_on(armatures: list[Object]) -> None:
    make_active(armatures[0])
    for armature in armatures:
        armature.select_set(True)
    do("live_on", every=True)


def _writing_alone() -> float:
    """Return the seconds in which Blender itself makes and fills as many actions, and evaluates them once."""
    armatures = _armatures()
    curves = module("bridge.blender.versions").curves_of(armatures[0].animation_data.action, None)
    paths = [(one.data_path, one.array_index) for one in curves]
    points = np.zeros(2 * LAST, dtype=np.float32)
    points[::2] = np.arange(1.0, LAST + 1.0)

    def write() -> None:
        for armature in armatures:
            double = armature.copy()
            bpy.context.collection.objects.link(double)
            write_alone(double, ((path, index, points) for path, index in paths))
            made.append(double)
        bpy.context.view_layer.update()

    made: list[Object] = []
    seconds = _taken(write)
    for action in {one.animation_data.action for one in made}:
        bpy.data.actions.remove(action)
    bpy.data.batch_remove(made)
    return seconds


def _bake_all() -> None:
    """Make each armature play a copy of its generated action, with nothing of ours left."""
    for armature in _armatures():
        director = armature.verbs_adverbs.director
        action = director.verbs_adverbs.generated.copy()
        for name in [name for name in action.keys() if name.startswith("verbs_adverbs")]:
            del action[name]
        module("bridge.blender.versions").assign_action(armature, action)
        bpy.data.objects.remove(director)
        armature.verbs_adverbs.saved_pose = ""
    bpy.ops.outliner.orphans_purge()


def _frame_time() -> float:
    """Return the processor seconds of a frame of the timeline."""
    scene = bpy.context.scene

    def play() -> None:
        for frame in range(2, 2 + WATCHED):
            scene.frame_set(frame)

    return min(_taken(play) for _ in range(ROUNDS)) / WATCHED


def _hour() -> Figure:
    """Return the seconds from switching on, as in a window, until the start of an hour's timeline can be scrubbed."""
    armature, scene = make_biped(FPS), bpy.context.scene
    do("director_add")
    director = armature.verbs_adverbs.director
    for index, frame in enumerate(range(1, HOUR, HOUR // 60)):
        director["mood"] = (-0.8, 0.7, 0.0)[index % 3]
        director.keyframe_insert('["mood"]', frame=frame)
    scene.frame_end = HOUR
    do("verb_build")
    bpy.context.view_layer.update()
    switching = module("bridge.session.switching")
    seconds = _in_slices(lambda: switching.switch_on(armature, "walk", scene))
    until = module("bridge.action.generated_action").written_until(director.verbs_adverbs.generated)
    said = f"up to frame {until:.0f} of {HOUR}, the verb built before, a slider keyed; the rest follows in slices"
    return Figure("an hour's timeline switched on", seconds, 1.0, "s", said)


def _memory(folder: Path) -> Iterator[Figure]:
    """Yield the growth of memory while a character is switched on and off, and while a file is opened repeatedly."""
    path = folder / "one.blend"
    make_crowd(1)
    bpy.context.scene.frame_end = 10
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)

    def switch() -> None:
        _switch_on(_armatures())
        do("live_off")

    before = _listening()
    yield _growth(f"memory of {SWITCHES} switches", SWITCHES, switch)
    _switch_on(_armatures())
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    yield _growth(f"memory of {FILES} files opened", FILES, lambda: _open(path))
    yield Figure("handlers that were left behind", float(_listening() - before), 0.0, "", "after all of that")


def _growth(name: str, count: int, task: Callable[[], object]) -> Figure:
    """Return the megabytes by which memory grows in the second half of many repeats; the first half fills caches."""
    for _ in range(count // 2):
        task()
    half = _resident()
    for _ in range(count // 2):
        task()
    grown = (_resident() - half) / MEGABYTE
    return Figure(name, grown, 5.0, "MB", f"in the second half of them, {_resident() / MEGABYTE:.0f} MB in all")


def _resident() -> int:
    """Return the resident memory of this process in bytes; 0 if the system does not report it."""
    return int(STATUS.read_text(encoding="ascii").split()[1]) * PAGE if STATUS.is_file() else 0


def _listening() -> int:
    lists = [getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)]
    return sum(len(functions) for functions in lists if isinstance(functions, list))


def _forget() -> None:
    module("bridge.blender.store").forget()


def _open(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    bpy.context.view_layer.update()


def _in_slices(task: Callable[[], object]) -> float:
    """Return the processor seconds of a task that is computed in slices, as in a window."""
    job = module("bridge.blender.jobs").Job("operator", "Switch On", task)

    def do_all() -> None:
        done = job.attempt(0.25)
        while not done:
            done = job.go_on()

    return _taken(do_all)


def _taken(task: Callable[[], object]) -> float:
    begin = time.process_time()
    task()
    return time.process_time() - begin
