"""The demo: actions are annotated, and verbs built, scrubbed and baked, by the extension's operators in Blender."""

import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from . import diagnostics
from .captures import define_verbs, import_clips, read_folder
from .figures import verb_figures
from .operate import Refused, choose_verb, do, installed, make_active, say
from .panels import Wording, facing_front, sheet_panel
from .sheet import SheetPanel, draw_sheet

Array = NDArray[np.float64]

PHASE = 0.04
GENERATED_WORDS = {
    "mood": Wording("sad", "happy"),
    "slope": Wording("downhill", "uphill", lambda value: float(np.tan(np.radians(12.0 * value)))),
    "turn": Wording("right", "left"),
    "energy": Wording("tired", "eager"),
    "height": Wording("low", "high"),
}


def main(out: Path, bvh: Path | None) -> int:
    """Run the demo.

    Parameters
    ----------
    out : folder to write `demo.blend`, `sheet.png` and `report.json` into.
    bvh : folder of BVH files and `keytimes.json`; None for the biped that the extension ships.
    """
    began = time.perf_counter()
    try:
        armature = _captured(bvh) if bvh else _generated()
    except Refused as reason:
        say(str(reason))
        return 1
    return show(out, armature, {} if bvh else GENERATED_WORDS, {}, began)


def show(out: Path, armature: Object, words: dict[str, Wording], told: dict[str, Any], began: float) -> int:
    """Measure, scrub, bake and draw the verbs of an armature, and write report, sheet and file; returns the exit code.

    Parameters
    ----------
    out : folder to write into.
    armature : armature with built verbs.
    words : names for the ends of adverbs.
    told : further entries of the report.
    began : time at which the demo began, by the performance counter.
    """
    core = _core()
    report: dict[str, Any] = {"blender": bpy.app.version_string, **told, "verbs": {}}
    panels: list[SheetPanel] = []
    for item in list(armature.verbs_adverbs.verbs):
        say(f"Measuring '{item.name}'")
        report["verbs"][item.name] = _measured(core, armature, item.name)
        panels += _panels(core, armature, item.name, words)
    say("Scrubbing and baking")
    for item in list(armature.verbs_adverbs.verbs):
        report["verbs"][item.name] |= _directed(armature, item.name)
    say("Drawing sheet.png")
    draw_sheet(out / "sheet.png", panels)
    report["seconds"] = time.perf_counter() - began
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    bpy.ops.wm.save_as_mainfile(filepath=str(out / "demo.blend"), check_existing=False)
    _summarize(report, out)
    return 0


def _core() -> SimpleNamespace:
    """Modules of the installed extension, and modules that only measure and are not part of it."""
    names = {
        "build": "core.verb.build",
        "channels": "core.figure.channels",
        "store": "bridge.blender.store",
        "verbs": "bridge.authoring.verbs",
        "examples": "bridge.action.examples",
    }
    return SimpleNamespace(**vars(installed(names)), diagnostics=diagnostics)


def _generated() -> Object:
    say("Adding the example biped with its walks and waves")
    do("add_biped", walk=True, wave=True)
    armature = bpy.context.view_layer.objects.active
    for item in armature.verbs_adverbs.verbs:
        choose_verb(armature, item.name)
        do("verb_build")
    return armature


def _captured(path: Path) -> Object:
    folder = read_folder(path)
    wanted = list(dict.fromkeys(file for verb in folder.verbs for file in verb.clips))
    say(f"Importing {len(wanted)} BVH files")
    armature, actions = import_clips(folder, wanted)
    say("Tagging them and building the suggested verbs")
    define_verbs(armature, actions, folder)
    bpy.context.scene.frame_set(1)
    return armature


def _measured(core: SimpleNamespace, armature: Object, name: str) -> dict[str, Any]:
    item = armature.verbs_adverbs.verbs[name]
    core.store.forget()
    began = time.perf_counter()
    built = core.verbs.built_for(armature, item)
    seconds = time.perf_counter() - began
    complaints = [line.text for line in built.lines if line.kind != "INFO"]
    return verb_figures(core, core.examples.read_examples(armature, item), built.verb, seconds, complaints)


def _panels(core: SimpleNamespace, armature: Object, name: str, words: dict[str, Wording]) -> list[SheetPanel]:
    verb = core.verbs.verb_for(armature, armature.verbs_adverbs.verbs[name])
    joints = facing_front(verb, core.channels.world_joints)
    phase = PHASE if verb.cyclic else float(np.mean(verb.phrasing.generic[1:-1]))
    count = len(verb.adverb_names)
    pairs = [(0, None)] if count == 1 else [(0, other) for other in range(1, count)]
    return [sheet_panel(verb, joints, across, up, words, phase) for across, up in pairs]


def _directed(armature: Object, name: str) -> dict[str, Any]:
    """Scrub a verb, play it on the timeline with keyed adverbs, and bake two in-betweens; returns the figures."""
    make_active(armature)
    choose_verb(armature, name)
    scene, data = bpy.context.scene, armature.verbs_adverbs
    do("live_on", verb=name)
    director = data.director
    poses: list[Array] = []
    for frame, share in ((scene.frame_start, 0.25), (scene.frame_end, 0.75)):
        for item in data.verbs[name].adverbs:
            low, high = data.adverbs[item.name].minimum, data.adverbs[item.name].maximum
            director[item.name] = low + share * (high - low)
        director.update_tag()
        bpy.context.view_layer.update()
        poses.append(np.array([bone.matrix.translation for bone in armature.pose.bones]))
        scene.frame_set(frame)
        do("adverbs_key")
    do("performance_write")
    do("bake", verb=name, name=f"{name} in between", cycles=2, animated=False, assign=False)
    do("bake", verb=name, name=f"{name} changing", length="RANGE", frame_end=float(scene.frame_end), assign=False)
    do("live_off")
    baked = bpy.data.actions[f"{name} in between"]
    return {
        "scrub_moves_bones_by_cm_max": 100.0 * float(np.linalg.norm(poses[1] - poses[0], axis=-1).max()),
        "baked_actions": [f"{name} in between", f"{name} changing"],
        "baked_two_cycles_frames": float(baked.frame_range[1] - baked.frame_range[0]),
    }


def _summarize(report: dict[str, Any], out: Path) -> None:
    for name, figures in report["verbs"].items():
        say(
            f"{name}: {figures['examples']} examples, fit {figures['fit_degrees_max']:.2f} degrees and "
            f"{figures['fit_cm_max']:.2f} cm, built in {figures['build_seconds']:.2f} s"
        )
    say(f"Wrote sheet.png, report.json and demo.blend to {out} in {report['seconds']:.0f} s")
