"""The demo that finds keytimes and contacts in captured motion, and compares them with `keytimes.json` if it can."""

import importlib
import time
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object

from .captures import FIRST_FRAME, Folder, define_adverbs, import_clips, read_folder
from .operate import EXTENSION, Refused, add_verb, do, say
from .run import show

SAME = 3.0
"""Largest distance in frames at which a found event is taken for an annotated one."""
EDGE = 2.5
"""Distance in frames from a clip's ends within which events are not compared."""
Events = list[tuple[str, float]]


def main(out: Path, bvh: Path) -> int:
    """Run the demo.

    Parameters
    ----------
    out : folder to write `demo.blend`, `sheet.png` and `report.json` into.
    bvh : folder of BVH files; with `keytimes.json` what is found is compared with it, and makes the verbs it suggests.
    """
    began = time.perf_counter()
    try:
        armature, told = _found(bvh)
    except Refused as reason:
        say(str(reason))
        return 1
    return show(out, armature, {}, told, began)


def _found(bvh: Path) -> tuple[Object, dict[str, Any]]:
    """Find keytimes in the files of a folder and build verbs; returns the armature, and entries of the report."""
    known = (bvh / "keytimes.json").is_file()
    folder = read_folder(bvh) if known else Folder(bvh, {}, ())
    files = sorted(str(path.relative_to(bvh)) for path in bvh.rglob("*.bvh"))
    say(f"Importing {len(files)} BVH files")
    armature, actions = import_clips(folder, files)
    say("Finding contacts and keytimes")
    compared = _compared(armature, actions, folder) if known else {}
    names = _suggested(armature, actions, folder) if known else _of_their_own(armature, actions)
    bpy.context.scene.frame_set(FIRST_FRAME)
    say(f"Built {', '.join(names) or 'no verb'}")
    return armature, {"found": {file: _told(action) for file, action in actions.items()}, "compared": compared}


def _told(action: Action) -> list[str]:
    return [line.text for line in action.verbs_adverbs.found]


def _find(actions: list[Action]) -> bool:
    """Find examples of one structure in some actions; returns whether there are any."""
    try:
        do("keytimes_find", choices=[{"name": action.name, "chosen": True} for action in actions], verb="")
    except Refused as reason:
        say(f"  {reason}")
        return False
    return True


def _suggested(armature: Object, actions: dict[str, Action], folder: Folder) -> list[str]:
    """Build those suggested verbs whose clips contain cycles, from what is found in the clips; returns their names."""
    built: list[str] = []
    verbs = [verb for verb in folder.verbs if all(folder.clips[file]["cyclic"] for file in verb.clips)]
    define_adverbs(armature, verbs)
    annotate = importlib.import_module(f"{EXTENSION}.bridge.data.annotate")
    for verb in verbs:
        say(f"Finding the examples of '{verb.name}'")
        placed = {file: at for file, at in zip(verb.clips, verb.places, strict=True) if file in actions}
        if not placed or not _find([actions[file] for file in placed]):
            continue
        for file, place in placed.items():
            for example in actions[file].verbs_adverbs.examples:
                for adverb, value in zip(verb.adverbs, place, strict=True):
                    annotate.set_value(actions[file], example, adverb, value)
        marked = [actions[file] for file in placed if actions[file].verbs_adverbs.examples]
        add_verb(armature, verb.name, verb.adverbs, marked)
        built.append(verb.name)
    return built


def _of_their_own(armature: Object, actions: dict[str, Action]) -> list[str]:
    """Build one verb of all clips of the same structure, along measured speed and turn; returns a list of its name."""
    do("keytimes_find", choices=[{"name": action.name, "chosen": True} for action in actions.values()], verb="walk")
    do("measure_travel")
    do("verb_build")
    return ["walk"]


def _compared(armature: Object, actions: dict[str, Action], folder: Folder) -> dict[str, Any]:
    """Compare the found keytimes with the known ones, for each clip and in total."""
    finding = importlib.import_module(f"{EXTENSION}.bridge.authoring.clips.finding")
    files = [file for file, clip in folder.clips.items() if clip["cyclic"] and file in actions]
    fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base
    looked_at = finding.look_into(armature, [actions[file] for file in files], fps)
    rows = {file: _compare(clip, folder.clips[file], fps) for file, clip in zip(files, looked_at, strict=True)}
    frames = np.abs([frame for row in rows.values() for frame in row["frames_off"]])
    summary = {
        "keytimes": len(frames),
        "within_one_frame": float(np.mean(frames <= 1.0)) if len(frames) else 0.0,
        "within_two_frames": float(np.mean(frames <= 2.0)) if len(frames) else 0.0,
        "missing": sum(len(row["missing"]) for row in rows.values()),
        "surplus": sum(len(row["surplus"]) for row in rows.values()),
        "clips_of_another_structure": [file for file, row in rows.items() if not row["frames_off"]],
    }
    shares = [f"{100.0 * summary[f'within_{words}']:.1f} %" for words in ("one_frame", "two_frames")]
    say(
        f"{summary['keytimes']} keytimes of {len(rows)} clips: {shares[0]} within one frame, {shares[1]} within two, "
        f"{summary['missing']} missing, {summary['surplus']} surplus"
    )
    return {"all": summary, "clips": rows}


def _compare(found: Any, clip: dict[str, Any], fps: float) -> dict[str, Any]:
    """Return how far the found keytimes of a clip are from the known ones, and events that only one side has."""
    names, wanted = tuple(clip["keytime_names"]), clip.get("keytimes_sub") or clip["keytimes"]
    alike = [cycle for cycle in found.detection.cycles if cycle.names == names]
    nearest = min(alike, key=lambda cycle: abs(cycle.start * fps - wanted[0]), default=None)
    off = [] if nearest is None else [t * fps - row for t, row in zip(nearest.keytimes, wanted, strict=True)]
    mine = [
        (f"{foot.foot}_{what}", window[end] * fps)
        for foot in found.detection.contacts
        for window in foot.windows
        for end, what in ((0, "down"), (1, "up"))
    ]
    contacts = clip.get("contacts", {})
    theirs = [
        (f"{side}_{what}", row + half)
        for side, windows in contacts.items()
        for window in windows
        for what, row, half in (("down", window[0], -0.5), ("up", window[1], 0.5))
    ]
    last = float(found.sight.observed.times[-1]) * fps
    return {
        "frames_off": [round(float(frames), 3) for frames in off],
        "missing": _without_partner(theirs, mine, last),
        "surplus": _without_partner(mine, theirs, last) if contacts else [],
    }


def _without_partner(events: Events, others: Events, last: float) -> list[str]:
    """Events that the other side lacks, except those near the clip's ends, as texts."""
    return [
        f"{name} at {frame:.1f}"
        for name, frame in events
        if EDGE < frame < last - EDGE and not any(other == name and abs(at - frame) <= SAME for other, at in others)
    ]
