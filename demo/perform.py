"""The demo's scene of a performance: a score is written, performed, baked, measured and drawn."""

import importlib
import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from .cast import Cast, captured_cast, generated_cast, whole_cast
from .measuring import Case, alone, case_of, core, locked, play, ramp, stairs
from .operate import EXTENSION, do, make_active, say
from .rows import TRAVEL, frames_of, write_rows
from .script import FPS, write_script
from .stillness import runs
from .strip import draw_strips
from .targets import NO_TARGET, Verdict, verdicts
from .top_view import Print, Way, draw_way

Array = NDArray[np.float64]

FLOORS = {"ramp": ramp(10.0), "stairs": stairs(0.12, 0.36)}
ALONE_SECONDS = 10.0
BAKED = "Performance"


def main(out: Path, bvh: Path | None) -> int:
    """Run the scene.

    Parameters
    ----------
    out : folder to write `performance.blend`, `strip.png`, `top.png`, `report.json` and the rows that are judged into:
        `rows.npz` on the level, `rows_NAME.npz` of the other cases; without `bvh` also `top_every_verb.png`.
    bvh : folder of BVH files and `keytimes.json`; None for the biped that the extension ships.
    """
    began = time.perf_counter()
    say("Preparing the character, its verbs and the ways between them")
    cast = captured_cast(bvh) if bvh else generated_cast()
    director = write_script(cast.armature, cast.script)
    say(f"Performing {cast.script.seconds:.0f} s with {len(cast.script.commands)} commands, feet locked and not")
    graph, score, recordings = performed(cast.armature, director)
    report: dict[str, Any] = {"blender": bpy.app.version_string, "commands": len(cast.script.commands)}
    judged = case_of(cast, graph, recordings)
    report["baked"] = baked(cast, judged)
    say("Measuring it, then on a ramp and on stairs")
    every = {"level": judged} | on_floors(cast, graph, score, recordings[0]) | verbs_alone(cast)
    report["cases"] = {name: case.figures for name, case in every.items()}
    found = {name: verdicts(figures) for name, figures in report["cases"].items()}
    report["targets"] = {name: [asdict(verdict) for verdict in all_of] for name, all_of in found.items()}
    for stale in out.glob("rows*.npz"):
        stale.unlink()
    for name, case in every.items():
        file = "rows.npz" if case is judged else f"rows_{name.replace(' ', '_')}.npz"
        write_rows(out / file, case.figure, case.held, case.free)
    say("Drawing strip.png and top.png")
    draw(out, cast, judged, recordings[1])
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "performance.blend"), check_existing=False)
    if bvh is None:
        found["every verb"] = every_verb(out)
        report["targets"]["every verb"] = [asdict(verdict) for verdict in found["every verb"]]
    report["seconds"] = time.perf_counter() - began
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    _summarize(report, found, out)
    return 0


def every_verb(out: Path) -> list[Verdict]:
    """Perform the biped with all verbs that it can have, draw it from above, and compare its figures with targets."""
    cast = whole_cast()
    director = write_script(cast.armature, cast.script)
    say(f"Performing {cast.script.seconds:.0f} s with every verb")
    graph, _, recordings = performed(cast.armature, director)
    judged = case_of(cast, graph, recordings)
    draw_from_above(out / "top_every_verb.png", cast, judged)
    return verdicts(judged.figures)


def performed(armature: Object, director: Object) -> tuple[Any, Any, tuple[Any, Any]]:
    """Return the armature's graph, its director's score as core takes it, and recordings without and with locks."""
    bridge = importlib.import_module(f"{EXTENSION}.bridge.session.request")
    graphs = importlib.import_module(f"{EXTENSION}.bridge.authoring.graph")
    sliders = importlib.import_module(f"{EXTENSION}.bridge.session.timeline")
    scene = bpy.context.scene
    graph = graphs.graph_for(armature).graph
    frames = np.arange(scene.frame_start, scene.frame_end + 1.0)
    counting = importlib.import_module(f"{EXTENSION}.bridge.data.frames.counting").counting_of(director, scene)
    read = counting.readings(float(frames[-1]))
    adverbs = sliders.adverb_values(director, bridge.adverb_names(graph), read[0], scene)
    score = bridge.score_of(director, graph, np.zeros(4), read, adverbs, counting)
    return graph, score, play(graph, score, (frames - frames[0]) / FPS)


def baked(cast: Cast, judged: Case) -> dict[str, Any]:
    """Bake the performance through the extension, play the action, and compare it with the rows that are judged."""
    armature, scene = cast.armature, bpy.context.scene
    make_active(armature)
    began = time.perf_counter()
    do("bake_performance", name=BAKED, frame_start=scene.frame_start, frame_end=scene.frame_end, assign=True)
    seconds = time.perf_counter() - began
    say(f"Baked in {seconds:.1f} s; playing the action")
    expected = frames_of(judged.figure, judged.held.named)[:, :, :3, 3]
    bones = [armature.pose.bones[name] for name in judged.figure.bones]
    worst = 0.0
    for row, frame in enumerate(range(scene.frame_start, scene.frame_end + 1)):
        scene.frame_set(frame)
        shown = np.array([(armature.matrix_world @ bone.matrix).translation for bone in bones])
        worst = max(worst, float(np.linalg.norm(shown - expected[row], axis=-1).max()))
    scene.frame_set(scene.frame_start)
    return {"frames": len(judged.held.times), "seconds": seconds, "differs_cm": 100.0 * worst}


def on_floors(cast: Cast, graph: Any, score: Any, free: Any) -> dict[str, Case]:
    """Return the performance on a ramp and on stairs; `free` is its recording without locks."""
    found: dict[str, Case] = {}
    for name, floor in FLOORS.items():
        held = locked(graph, score, free.times, floor)
        found[name] = case_of(cast, graph, (free, held), floor)
    return found


def verbs_alone(cast: Cast) -> dict[str, Case]:
    """Return verbs played by themselves, each in the middle of its adverbs."""
    verbs, data = importlib.import_module(f"{EXTENSION}.bridge.authoring.verbs"), cast.armature.verbs_adverbs
    built = {name: verbs.verb_for(cast.armature, data.verbs[name]) for name in cast.alone}
    return {name: case_of(cast, *alone(verb, ALONE_SECONDS, FPS)) for name, verb in built.items()}


def draw(out: Path, cast: Cast, judged: Case, recording: Any) -> None:
    """Draw the strip of transitions and the view from above."""
    draw_strips(out / "strip.png", recording, judged.held.left, core().channels.world_joints)
    draw_from_above(out / "top.png", cast, judged)


def draw_from_above(path: Path, cast: Cast, judged: Case) -> None:
    """Draw the way over the floor, where feet stood, and the commands."""
    held = judged.held
    commands = [seconds for seconds, _ in cast.script.commands]
    subtitle = f"{len(commands)} commands (dots), feet where they stood; a faint dot every metre"
    way = np.stack([held.named[name] for name in TRAVEL[:2]], axis=-1)
    draw_way(
        path,
        Way(
            f"{cast.script.seconds:.0f} s performed",
            subtitle,
            held.times,
            way,
            held.verbs,
            footprints(judged),
            commands,
        ),
    )


def footprints(judged: Case) -> list[Print]:
    """Return the places where feet stood; a step home has one before and one after it."""
    held, played = judged.held, judged.footing.held
    found: list[Print] = []
    for point in range(len(held.points)):
        for first, end in runs(held.support[:, point]):
            row = (first + end) // 2
            found.append(Print(played.legs[row, point, 2, :2], played.points[row, point, :2], held.verbs[row]))
    return found


def _summarize(report: dict[str, Any], found: dict[str, list[Verdict]], out: Path) -> None:
    for name, judged in found.items():
        bound = [verdict for verdict in judged if verdict.limit < NO_TARGET]
        say(f"{name}: {sum(verdict.met for verdict in bound)} of {len(bound)} targets met")
        for verdict in judged:
            say(f"  {verdict.line}")
    say(f"The baked action differs by {report['baked']['differs_cm']:.4f} cm from the rows that are judged")
    say(f"Wrote strip.png, top.png, report.json, rows.npz and performance.blend to {out} in {report['seconds']:.0f} s")
