"""The demo's scene of a performance: a score written to the scene, performed, baked, measured and drawn."""

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

from .cast import Cast, captured_cast, generated_cast
from .footing import Floor, level, lifts, locked_rows
from .measuring import all_figures, alone, core, footing_of, left_verbs, play, ramp, stairs
from .moments import moment_strip, transition_moments
from .operate import EXTENSION, do, make_active, say
from .script import FPS, SECONDS, write_script
from .strip import draw_strips
from .targets import verdicts
from .top_view import Print, Way, draw_way

Array = NDArray[np.float64]

RAMP_DEGREES = 10.0
STAIRS = (0.12, 0.36)
ALONE_SECONDS = 10.0
BAKED = "Performance"


def main(out: Path, bvh: Path | None) -> int:
    """Run the scene.

    Parameters
    ----------
    out : folder to write `performance.blend`, `strip.png`, `top.png` and `report.json` into.
    bvh : folder of BVH files and `keytimes.json`; None for the biped that the extension ships.
    """
    began = time.perf_counter()
    say("Preparing the character, its verbs and the ways between them")
    cast = captured_cast(bvh) if bvh else generated_cast()
    director = write_script(cast.armature, cast.script)
    say(f"Performing {SECONDS:.0f} s with {len(cast.script.commands)} commands, feet locked and not")
    graph, score, recordings = performed(cast.armature, director)
    report: dict[str, Any] = {"blender": bpy.app.version_string, "commands": len(cast.script.commands)}
    report["baked"] = baked(cast, director, recordings[1])
    say("Measuring it, then on a ramp and on stairs")
    report["cases"] = cases(cast, graph, score, recordings)
    report["targets"] = {name: [asdict(v) for v in verdicts(case)] for name, case in report["cases"].items()}
    say("Drawing strip.png and top.png")
    draw(out, cast, graph, recordings)
    report["seconds"] = time.perf_counter() - began
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "performance.blend"), check_existing=False)
    _summarize(report, out)
    return 0


def performed(armature: Object, director: Object) -> tuple[Any, Any, tuple[Any, Any]]:
    """The armature's graph, its director's score as core takes it, and the recordings without and with locks."""
    bridge = importlib.import_module(f"{EXTENSION}.bridge.session.score")
    graphs = importlib.import_module(f"{EXTENSION}.bridge.build.graph")
    sliders = importlib.import_module(f"{EXTENSION}.bridge.session.timeline")
    scene = bpy.context.scene
    graph = graphs.graph_for(armature).graph
    frames = np.arange(scene.frame_start, scene.frame_end + 1.0)
    adverbs = sliders.adverb_values(director, bridge.adverb_names(graph), frames, scene)
    score = bridge.score_of(director, graph, np.zeros(4), frames, adverbs, FPS)
    return graph, score, play(graph, score, (frames - frames[0]) / FPS)


def baked(cast: Cast, director: Object, held: Any) -> dict[str, Any]:
    """Bake the performance through the extension, play the action, and compare it with what was performed."""
    armature, scene = cast.armature, bpy.context.scene
    make_active(armature)
    began = time.perf_counter()
    do("bake_performance", name=BAKED, frame_start=scene.frame_start, frame_end=scene.frame_end, assign=True)
    seconds = time.perf_counter() - began
    say(f"Baked in {seconds:.1f} s; playing the action")
    expected = core().channels.world_joints(held.channels, held.values)
    names = held.channels.skeleton.names
    bones = [armature.pose.bones[name] for name in names]
    worst = 0.0
    for row, frame in enumerate(range(scene.frame_start, scene.frame_end + 1)):
        scene.frame_set(frame)
        shown = np.array([(armature.matrix_world @ bone.matrix).translation for bone in bones])
        worst = max(worst, float(np.linalg.norm(shown - expected[row], axis=-1).max()))
    scene.frame_set(scene.frame_start)
    return {"frames": len(held.times), "seconds": seconds, "differs_cm": 100.0 * worst}


def cases(cast: Cast, graph: Any, score: Any, recordings: tuple[Any, Any]) -> dict[str, Any]:
    """Figures of the performance on the level, on a ramp, on stairs, and of verbs by themselves."""
    found = {"level": all_figures(graph, *recordings, cast.running)}
    for name, floor in (("ramp", ramp(RAMP_DEGREES)), ("stairs", stairs(*STAIRS))):
        found[name] = all_figures(graph, *play(graph, score, recordings[1].times, floor), cast.running, floor)
    verbs = importlib.import_module(f"{EXTENSION}.bridge.build.verbs")
    for name in cast.alone:
        verb = verbs.verb_for(cast.armature, cast.armature.verbs_adverbs.verbs[name])
        found[name] = all_figures(*alone(verb, ALONE_SECONDS, FPS), cast.running)
    return found


def draw(out: Path, cast: Cast, graph: Any, recordings: tuple[Any, Any]) -> None:
    """The strip of transitions and the view from above."""
    held = recordings[1]
    left = left_verbs(held)
    joints_of = core().channels.world_joints
    moments = transition_moments(held, left)
    draw_strips(out / "strip.png", [moment_strip(held, left, moment, joints_of) for moment in moments])
    commands = [seconds for seconds, _ in cast.script.commands]
    subtitle = f"{len(commands)} commands (dots), feet where they stood; a faint dot every metre"
    prints = footprints(graph, recordings, cast.running)
    draw_way(
        out / "top.png",
        Way(f"{SECONDS:.0f} s performed", subtitle, held.times, held.values[:, :2], held.verbs, prints, commands),
    )


def footprints(graph: Any, recordings: tuple[Any, Any], running: tuple[str, ...], floor: Floor = level) -> list[Print]:
    """Where feet stood, before and after a step home as well."""
    held = recordings[1]
    footing = footing_of(graph, *recordings, running, floor)
    joints = core().channels.world_joints(graph.channels, held.values)
    parents = graph.channels.skeleton.parents
    found: list[Print] = []
    for index, point in enumerate(graph.points):
        down = locked_rows(footing, index)
        for first, end in lifts(footing, index):
            down[first:end] = False
        edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]]))).reshape(-1, 2)
        for first, end in edges:
            row = int(min((first + end) // 2, len(held.times) - 1))
            ankle = joints[row, parents[point.joint], :2]
            found.append(Print(ankle, footing.held.points[row, index, :2], held.verbs[row]))
    return found


def _summarize(report: dict[str, Any], out: Path) -> None:
    for name, judged in report["targets"].items():
        missed = [v for v in judged if not v["met"]]
        say(f"{name}: {len(judged) - len(missed)} of {len(judged)} targets met")
        for verdict in missed:
            least = f", at least {verdict['least']:.1f} with these legs" if verdict["least"] > verdict["limit"] else ""
            say(f"  {verdict['what']}: {verdict['figure']:.2f}, target {verdict['limit']:g}{least}")
    say(f"The baked action differs by {report['baked']['differs_cm']:.4f} cm from what was performed")
    say(f"Wrote strip.png, top.png, report.json and performance.blend to {out} in {report['seconds']:.0f} s")
