"""The demo's scene of reaching: errors before and after a refinement, a target that is dragged, and a bake."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from .captures import Folder, define_verbs, import_clips, read_folder
from .operate import Refused, choose_verb, do, installed, say
from .panels import facing_front, reach_panel
from .reach_pictures import Curve, Heat, draw_curves, draw_heat
from .sheet import draw_sheet

Array = NDArray[np.float64]

COUNT, CAPTURED_COUNT = 20, 30
PLACES, KEYED, SEED = 8, (1, 12, 24), 5
STRIKES, STRIKES_COUNT = ("punch", "kick", "lift"), 6
MEASURED: dict[str, dict[str, dict[str, str]]] = {
    "walk_energy_speed": {"speed": {"measure": "SPEED"}},
    "walk_energy_turn": {"turn": {"measure": "TURN_RATE"}},
    "raise_right_hand": {"height": {"measure": "Z", "bone": "Hand_R", "end": "HEAD", "keytime": "up"}},
}
"""For the suggested verbs of a folder, the adverbs that can be measured, and what they measure."""


def main(out: Path, bvh: Path | None) -> int:
    """Run the scene.

    Parameters
    ----------
    out : folder to write `reach.blend`, `report.json` and, without `bvh`, `sheet.png`, `curve.png`, `heat.png` and one
        more heat map for each of `STRIKES` into.
    bvh : folder of BVH files and `keytimes.json`; None for the biped that the extension ships.
    """
    began, core = time.perf_counter(), _core()
    report: dict[str, Any] = {"blender": bpy.app.version_string}
    report |= {"verbs": captured(bvh)} if bvh else generated(core, out)
    report["seconds"] = time.perf_counter() - began
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "reach.blend"), check_existing=False)
    say(f"Wrote report.json and reach.blend to {out} in {report['seconds']:.0f} s")
    return 0


def _core() -> SimpleNamespace:
    """Modules of the installed extension that the demo uses."""
    names = {
        "verbs": "bridge.authoring.verbs",
        "told": "bridge.authoring.reach_report",
        "refinement": "bridge.authoring.refinement",
        "measuring": "bridge.authoring.measuring",
        "refine": "core.reach.refine",
        "distortion": "core.reach.measures",
        "search": "core.reach.search",
        "channels": "core.figure.channels",
        "heat_map": "bridge.session.drawing.heat",
    }
    return installed(names)


def generated(core: SimpleNamespace, out: Path) -> dict[str, Any]:
    """Refine the biped's reach to a box by operators, drag, key and bake its target; returns the figures."""
    say("Adding the example biped with its reaches, and measuring them")
    do("add_biped", walk=False, reach=True)
    armature = bpy.context.view_layer.objects.active
    item = armature.verbs_adverbs.verbs["reach"]
    do("measure")
    do("verb_build")
    plain = core.verbs.built_for(armature, item)
    heats = [_heat(core, armature, item, "Examples alone")]
    say("Refining the verb")
    item.refinement.count = COUNT
    began = time.perf_counter()
    do("refine")
    figures = _figures(item) | {"refine_seconds": time.perf_counter() - began}
    heats.append(_heat(core, armature, item, f"{COUNT} pseudo-examples"))
    item.refinement.exactly = True
    do("verb_build")
    heats.append(_heat(core, armature, item, "Exactly"))
    say("Drawing sheet.png, heat.png and curve.png")
    refined = core.verbs.built_for(armature, item).verb
    draw_sheet(out / "sheet.png", [reach_panel(refined, facing_front(refined, core.channels.world_joints))])
    draw_heat(out / "heat.png", heats, plain.verb.channels.skeleton.parents, core.heat_map.colour_of)
    _draw_curves(core, item, plain, out / "curve.png")
    say("Dragging the target, and baking a keyed one")
    reached = {"reach": figures | _dragged(core, armature, item) | _baked(armature)}
    say(f"Adding the biped's {', '.join(STRIKES)}, refining them and drawing a heat map of each")
    do("add_biped", walk=False, cast="ALL")
    other = bpy.context.view_layer.objects.active
    return reached | {name: _struck(core, other, name, out) for name in STRIKES}


def _struck(core: SimpleNamespace, armature: Object, name: str, out: Path) -> dict[str, Any]:
    """Measure and refine a verb that strikes or lifts, and draw how far it is off; returns its figures."""
    choose_verb(armature, name)
    item = armature.verbs_adverbs.verbs[name]
    do("measure")
    do("verb_build")
    heats = [_heat(core, armature, item, "Examples alone")]
    item.refinement.count = STRIKES_COUNT
    do("refine")
    item.refinement.exactly = True
    do("verb_build")
    heats.append(_heat(core, armature, item, "Exactly"))
    parents = core.verbs.built_for(armature, item).verb.channels.skeleton.parents
    draw_heat(out / f"heat_{name}.png", heats, parents, core.heat_map.colour_of)
    return _figures(item)


def _figures(item: Any) -> dict[str, Any]:
    own = item.refinement
    errors = {
        f"{when}_percent": {"average": getattr(own, f"average_{name}"), "maximum": getattr(own, f"maximum_{name}")}
        for name, when in (("before", "before"), ("after", "refined"), ("exact", "exactly"))
    }
    return {"examples": len(item.examples), "diagonal": own.diagonal, "unit": own.unit} | errors


def _heat(core: SimpleNamespace, armature: Object, item: Any, title: str) -> Heat:
    verb = core.verbs.built_for(armature, item).verb
    motion = verb.motion(verb.adverb_ranges.mean(axis=1))
    at = verb.keytime_names.index(next(used.keytime for used in item.adverbs if used.keytime))
    values = motion.sample(motion.keytimes[at : at + 1])
    (found,) = core.told.heat_maps(armature, item)
    return Heat(title, found, core.channels.world_joints(verb.channels, values)[0])


def _draw_curves(core: SimpleNamespace, item: Any, built: Any, path: Path) -> None:
    """Draw the errors with 0, 1, 2... pseudo-examples, without and with the search at every pose."""
    aim = core.measuring.aim_of(item, built.verb, built.rig)
    points = core.refinement.judged_at(built.verb, item.refinement.between)
    options = core.refine.RefineOptions(count=COUNT)
    alone, searched = [], []
    for found in core.refine.refining(built.verb, aim, options):
        if found.stages[-1].count == len(alone):
            alone.append(core.distortion.distortion(found.verb, aim, points))
            searched.append(core.distortion.distortion(core.search.exact(found.verb, aim), aim, points))
    curves = [
        Curve("at most", np.array([one.maximum for one in alone]), "#e78b59"),
        Curve("on average", np.array([one.average for one in alone]), "#dbaf9f"),
        Curve("searched, at most", np.array([one.maximum for one in searched]), "#6990d4"),
        Curve("searched, on average", np.array([one.average for one in searched]), "#a3b2d2"),
    ]
    draw_curves(path, "How far the hand is off, in percent of the region's diagonal", curves)


def _dragged(core: SimpleNamespace, armature: Object, item: Any) -> dict[str, Any]:
    """Drag the target through the region while the verb plays; returns how far the hand is from it at the keytime."""
    do("target_add")
    do("live_on", verb=item.name)
    verb, target = core.verbs.built_for(armature, item).verb, item.targets[0].object
    misses = []
    for place in np.random.default_rng(SEED).uniform(*verb.adverb_ranges.T, size=(PLACES, 3)):
        _go_to(armature, float(verb.keytimes(place)[1]))
        target.location = place
        bpy.context.view_layer.update()
        misses.append(float(np.linalg.norm(_hand(armature) - place)))
    return {"dragged_to": PLACES, "hand_off_cm": {"average": 100.0 * np.mean(misses), "maximum": 100.0 * max(misses)}}


def _baked(armature: Object) -> dict[str, Any]:
    """Key the target and bake the verb; returns how far the baked action differs from what the timeline showed."""
    item = armature.verbs_adverbs.verbs["reach"]
    target, rng = item.targets[0].object, np.random.default_rng(SEED + 1)
    ranges = [armature.verbs_adverbs.adverbs[name] for name in ("x", "y", "z")]
    for frame in KEYED:
        target.location = [rng.uniform(one.minimum, one.maximum) for one in ranges]
        target.keyframe_insert("location", frame=frame)
    do("performance_write")
    frames = range(KEYED[0], KEYED[-1] + 1)
    live = _hands(armature, frames)
    do("bake", length="RANGE", frame_start=KEYED[0], frame_end=KEYED[-1], animated=True, assign=True)
    return {"baked_differs_cm": 100.0 * float(np.abs(_hands(armature, frames) - live).max())}


def _hands(armature: Object, frames: range) -> Array:
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append(_hand(armature))
    return np.array(found)


def _hand(armature: Object) -> Array:
    return np.array(armature.matrix_world @ armature.pose.bones["Hand_R"].tail)


def _go_to(armature: Object, seconds: float) -> None:
    scene = bpy.context.scene
    fps = scene.render.fps / scene.render.fps_base
    frame = armature.verbs_adverbs.director.verbs_adverbs.start_frame + seconds * fps
    scene.frame_set(int(frame), subframe=frame % 1.0)


def captured(path: Path) -> dict[str, Any]:
    """Measure and refine those verbs of a folder whose adverbs can be measured; returns their figures."""
    folder = read_folder(path)
    chosen = tuple(verb for verb in folder.verbs if verb.name in MEASURED)
    if not chosen:
        raise Refused(f"{path / 'keytimes.json'} suggests none of {', '.join(MEASURED)}. Choose another folder.")
    files = list(dict.fromkeys(file for verb in chosen for file in verb.clips))
    say(f"Importing {len(files)} BVH files, tagging them and building {len(chosen)} verbs")
    armature, actions = import_clips(folder, files)
    define_verbs(armature, actions, Folder(path, folder.clips, chosen))
    return {verb.name: _asked(armature, verb.name) for verb in chosen}


def _asked(armature: Object, name: str) -> dict[str, Any]:
    """Measure and refine a captured verb; returns its figures, in percent and in the unit of what is measured."""
    choose_verb(armature, name)
    item = armature.verbs_adverbs.verbs[name]
    for adverb, told in MEASURED[name].items():
        for field, value in told.items():
            setattr(item.adverbs[adverb], field, value)
    do("measure")
    item.refinement.count, item.refinement.between = CAPTURED_COUNT, True
    do("refine")
    figures = _figures(item)
    own = item.refinement
    amounts = [0.01 * own.diagonal * value for value in (own.maximum_before, own.maximum_after, own.maximum_exact)]
    before, after, exactly = (f"{amount:.3g}" for amount in amounts)
    say(f"{name}: off by {before} {own.unit} at most, {after} with {CAPTURED_COUNT} pseudo-examples, {exactly} exactly")
    return figures
