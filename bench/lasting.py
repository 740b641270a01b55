"""Long timelines: time and memory needed when a slider comes to rest, and the size of the file.

The figure has as many bones as a captured one: the example biped with added fingers that all actions move.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path

import bpy
import numpy as np
from bpy.types import FCurve, Object

from ..dev.figure import Figure
from .biped import BONES, make_biped, rest_anew
from .installed import module, unheard, write_alone
from .timing import clocked, interleaved

FPS = 24
TEN_MINUTES, MINUTE = 600 * FPS, 60 * FPS
KEYED_EVERY = 5 * FPS
ASKED = ("walk", "wave", "walk", "stand")
KINDS = {"sliders keyed": "keyed", "sliders even": "even", "a score through a graph": "score"}
MOST_MEMORY, MOST_GROWTH, LARGEST_FILE = 1.5, 2.2, 190.0
COMPUTING_GROWTH, BESIDE_WRITING, BESIDE_PLAYING = 2.1, 1.05, 1.0
PROCESSES, ROUNDS, ALONE = 2, 3, 8
"""Number of measurements of everything, of the two minutes, and of Blender alone."""
PLAYED = 240
"""Number of frames in the middle of ten minutes that Blender plays."""
BLENDERS = "alone", "frame"
"""Times of Blender alone, the shortest of all processes."""
GIGABYTE = 1e9


def quick_lasting_figures() -> Iterator[Figure]:
    """Yield the ratio of times for two minutes and one, when the first key is changed."""
    armature, scene = make_biped(FPS), bpy.context.scene
    _play(armature, "keyed", 2 * MINUTE)
    director = armature.verbs_adverbs.director
    curve = module("bridge.blender.versions").curves_of(director.animation_data.action, director)[0]

    def rest(frames: int) -> None:
        scene.frame_end = frames
        rest_anew(curve)

    tasks = {name: partial(rest, frames) for name, frames in (("once", MINUTE), ("twice", 2 * MINUTE))}
    best = interleaved(tasks, ROUNDS, time.thread_time)
    yield _twice("two minutes beside one, sliders keyed", best["once"], best["twice"])


def lasting_figures() -> Iterator[Figure]:
    """Yield peak memory at ten minutes, the time of a frame, and the ratio of times for twenty minutes."""
    yield from quick_lasting_figures()
    for name, kind in KINDS.items():
        once, twice = _quickest(kind, TEN_MINUTES), _quickest(kind, 2 * TEN_MINUTES)
        memory, before = once["peak"] / GIGABYTE, once["before"] / GIGABYTE
        said = f"of which {before:.2g} GB before; {BONES} bones, feet held, {TEN_MINUTES} frames"
        yield Figure(f"memory for ten minutes, {name}", memory, MOST_MEMORY, "GB", said)
        peak = f"; {twice['peak'] / GIGABYTE:.2g} GB"
        yield _twice(f"twenty minutes beside ten, {name}", once["seconds"], twice["seconds"], peak)
        yield from _twice_apart(name, once, twice)
        if kind == "keyed":
            yield _beside_playing(once)
            said = f"{once['keys'] / 1e6:.2f} million keys; compressed {once['compressed'] / 1e6:.0f} MB"
            yield Figure("file of ten minutes", once["file"] / 1e6, LARGEST_FILE, "MB", said)


def _twice(name: str, once: float, twice: float, more: str = "") -> Figure:
    return Figure(name, twice / once, MOST_GROWTH, "", f"{twice:.1f} of {once:.1f} s of one thread{more}")


def _twice_apart(name: str, once: dict[str, float], twice: dict[str, float]) -> Iterator[Figure]:
    """Yield the growth of the computation alone, and of the whole relative to Blender's part."""
    (short, long), (less, more) = ([told[key] for told in (once, twice)] for key in ("computing", "alone"))
    said = f"{long:.2f} of {short:.2f} s of one thread"
    yield Figure(f"twenty minutes beside ten, computing alone, {name}", long / short, COMPUTING_GROWTH, "", said)
    ours, theirs = twice["seconds"] / once["seconds"], more / less
    said = f"{ours:.3f} of {theirs:.3f} times as long; Blender {more:.2f} of {less:.2f} s"
    name = f"twenty minutes beside ten, whole, beside Blender writing the same curves, {name}"
    yield Figure(name, ours / theirs, BESIDE_WRITING, "", said)


def _beside_playing(once: dict[str, float]) -> Figure:
    ours, computing, theirs = (once[key] * 1e6 for key in ("seconds", "computing", "frame"))
    said = f"{ours / TEN_MINUTES:.0f} of {theirs:.0f} us, of which computing {computing / TEN_MINUTES:.0f}"
    name = "ten minutes of keyed sliders, microseconds a frame beside frame_set of the bake"
    return Figure(name, ours / TEN_MINUTES / theirs, BESIDE_PLAYING, "", said)


def _quickest(kind: str, frames: int) -> dict[str, float]:
    """Return the measurements of the fastest of some processes; for `BLENDERS`, the shortest of all."""
    told = [_alone(kind, frames) for _ in range(PROCESSES)]
    quickest = min(told, key=lambda one: one["seconds"])
    return quickest | {name: min(one[name] for one in told) for name in BLENDERS}


def _alone(kind: str, frames: int) -> dict[str, float]:
    """Return the measurements of `main` in a fresh process, with the same extension."""
    with tempfile.TemporaryDirectory(prefix="verbs_adverbs_bench_") as folder:
        told = Path(folder) / "told.json"
        program, archive = sys.argv[:2]
        command = [sys.executable, program, archive, "bench.lasting", kind, str(frames), str(told)]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode or not told.is_file():
            raise RuntimeError(f"A long timeline could not be measured:\n{ended.stdout}{ended.stderr}")
        return json.loads(told.read_text(encoding="utf-8"))


def main(kind: Path, frames: Path, told: Path) -> int:
    """Pause the slider once on a long timeline, and write the measurements.

    Parameters
    ----------
    kind : what is played: 'keyed', 'even' or 'score'.
    frames : number of frames.
    told : JSON file for the seconds of this thread, bytes of memory before and at the peak, and of the file; and for
        the seconds of computation, of Blender's writing of the same curves, and of a frame that Blender plays.
    """
    armature = make_biped(FPS)
    _play(armature, kind.name, int(frames.name))
    before, begin = _peak(), time.thread_time()
    with clocked(module("bridge.session.request").Request, "compute") as computing:
        module("bridge.session.live").flush()
    seconds, peak = time.thread_time() - begin, _peak()
    action = armature.verbs_adverbs.director.verbs_adverbs.generated
    curves = module("bridge.blender.versions").curves_of(action, armature)
    keys = sum(len(curve.keyframe_points) for curve in curves)
    sizes = [_saved(told.parent / f"{name}.blend", name == "compressed") for name in ("file", "compressed")]
    found = {"seconds": seconds, "before": before, "peak": peak, "keys": keys, "file": sizes[0], "compressed": sizes[1]}
    found |= {"computing": sum(computing)}
    found |= {"alone": _writing_time(armature, curves), "frame": _playing_time(armature)}
    told.write_text(json.dumps(found), encoding="utf-8")
    return 0


def _writing_time(armature: Object, curves: list[FCurve]) -> float:
    """Return the seconds of this thread in which Blender itself writes the curves again."""
    written = list[tuple[str, int, np.ndarray]]()
    for curve in curves:
        points = np.empty(2 * len(curve.keyframe_points), dtype=np.float32)
        curve.keyframe_points.foreach_get("co", points)
        written.append((curve.data_path, curve.array_index, points))
    double, shortest = armature.copy(), inf
    with unheard():
        for _ in range(ALONE):
            begin = time.thread_time()
            action = write_alone(double, written)
            shortest = min(shortest, time.thread_time() - begin)
            bpy.data.actions.remove(action)
    bpy.data.objects.remove(double)
    return shortest


def _playing_time(armature: Object) -> float:
    """Return the seconds of a frame of the generated action played by Blender like a bake, without a director."""
    scene, shortest = bpy.context.scene, inf
    middle = scene.frame_end // 2
    with unheard():
        bpy.data.objects.remove(armature.verbs_adverbs.director)
        for _ in range(ALONE):
            scene.frame_set(middle)
            begin = time.perf_counter()
            for frame in range(middle + 1, middle + 1 + PLAYED):
                scene.frame_set(frame)
            shortest = min(shortest, time.perf_counter() - begin)
    return shortest / PLAYED


def _peak() -> int:
    """Return the peak memory of this process in bytes.

    If the system reports it for the program itself, that is used, since a process starts with its parent's value.
    """
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _saved(path: Path, compress: bool) -> int:
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=compress, copy=True)
    return os.path.getsize(path)


def _play(armature: Object, kind: str, frames: int) -> None:
    """Switch on the verb or the score, with a timeline so long that nothing has been computed for it yet."""
    scene, verbs = bpy.context.scene, armature.verbs_adverbs.verbs
    scene.frame_end = 2 * FPS
    if kind == "score":
        bpy.ops.verbs_adverbs.start_verb(verb=verbs["stand"].uid)
        for index, frame in enumerate(range(1 + KEYED_EVERY, frames, KEYED_EVERY)):
            bpy.ops.verbs_adverbs.command_add(verb=ASKED[index % len(ASKED)], frame=frame)
        armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director
    if kind != "even":
        for index, frame in enumerate(range(1, frames + 1, KEYED_EVERY)):
            director["mood"] = (-0.8, 0.7, 0.0)[index % 3]
            director.keyframe_insert('["mood"]', frame=frame)
    scene.frame_end = frames
