"""The motion models of a folder of captured motion: a walk in its styles, a wave, something carried, and a look.

What the folder has is played: in each style the walk that turns least; of gestures the first wave of the right hand,
and the first that raises both hands, which hold what they carry at its top. The figure stands as the first of its
gestures begins. What is looked at is no clip, and any figure can look. Where the folder has no such gesture, the scene
does without that layer and says so; the gestures of the example biped are not put on captured figures.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from bpy.types import Action, Object
from numpy.typing import NDArray

from ..core.layers.gesture_models import GestureModel
from ..core.layers.layer import Layer
from ..core.layers.mask import joints_of, mask_of
from ..core.layers.walk_model import WalkModel
from ..core.motion.base_motion import BaseMotion
from ..core.motion.clip import Clip, Mark, end_of, interpolated
from ..core.motion.travel import relative
from .captures import Folder, import_clips, read_folder, tag_clip
from .models import ARMS, HANDS, Cast, cast_of, clip_of_verb, layer_of
from .operate import Refused, add_verb, installed, say

Array = NDArray[np.float64]

STYLES, TRIED = 3, 2
"""Styles of a walk at most, and walks that are tried in each."""
FASTER = 1.25
"""How many times the speed of the first style the walk goes when it is told to go faster."""
GESTURES = {"wave": ("wave-right", ("up", "lower")), "carry": ("both-hands", ("up", "up"))}
"""For each layer what the name of a gesture holds, and between which keytimes it is repeated, or held."""


def captured(path: Path) -> Cast:
    """Return the figure of a folder with its motion models.

    Parameters
    ----------
    path : of a folder of BVH files and `keytimes.json`.

    Raises
    ------
    Refused
        If the folder has no walk with planted toes, or no gesture that begins standing.
    """
    folder = read_folder(path)
    walks, gestures = walks_of(folder), dict(gestures_of(folder))
    if not walks:
        raise Refused(f"{path} has no walk that is a cycle and has planted toes. Add one to its keytimes.json.")
    stands = next((file for file, clip in folder.clips.items() if clip["kind"] == "gesture"), None)
    if stands is None:
        raise Refused(f"{path} has no gesture, of which the beginning shows how the figure stands. Add one.")
    for name in GESTURES:
        if name not in gestures:
            say(f"The folder has no gesture '{GESTURES[name][0]}'. The figure does not {name}.")
    wanted = list(dict.fromkeys([*(file for files in walks.values() for file in files), stands, *gestures.values()]))
    say(f"Importing {len(wanted)} BVH files")
    armature, actions = import_clips(folder, wanted)
    if stands not in actions:
        raise Refused(f"'{stands}' cannot be copied for the armature of the other files. Leave it out.")
    clips = clips_of(armature, folder, actions, walks)
    cycles = {style: clips[file] for style, files in walks.items() for file in reversed(files) if file in clips}
    walk = walk_of(cycles, clips[stands])
    way = relative(*walk.walk_cycles[0].clip.sample([0.0, end_of(walk.walk_cycles[0].clip)])[:, :3])
    ahead = np.array([way[0], way[1], 0.0]) / np.hypot(way[0], way[1])
    layers = [gesture_of(name, clips[gestures[name]]) for name in ("carry", "wave") if gestures.get(name) in clips]
    slow = walk.speeds()[walk.walk_cycles[0].style]
    names = walk.stand.channels.skeleton.names
    legs = frozenset(name for name in names if name.startswith(("UpperLeg", "LowerLeg", "Foot", "Toes")))
    return cast_of(walk, layers, ahead, (slow, FASTER * slow), walk.walk_cycles[-1].style, legs)


def walks_of(folder: Folder) -> dict[str, list[str]]:
    """Return for each of some styles the files of its straightest walks, the styles in the order of the folder."""
    found: dict[str, list[str]] = {}
    for file, clip in folder.clips.items():
        if clip["cyclic"] and clip.get("verb") == "walk" and all(clip.get("toe_planted", {}).values()):
            found.setdefault(clip.get("style", "walk"), []).append(file)
    for files in found.values():
        files.sort(key=lambda file: abs(folder.clips[file].get("turn_deg", 0.0)))
    return {style: files[:TRIED] for style, files in list(found.items())[:STYLES]}


def gestures_of(folder: Folder) -> Iterator[tuple[str, str]]:
    """Yield the names of layers, and the first file that each can play."""
    for name, (holds, keytimes) in GESTURES.items():
        for file, clip in folder.clips.items():
            if clip["kind"] == "gesture" and holds in file and set(keytimes) <= set(clip["keytime_names"]):
                yield name, file
                break


def clips_of(
    armature: Object, folder: Folder, actions: dict[str, Action], walks: dict[str, list[str]]
) -> dict[str, Clip]:
    """Return clips by file, made by the extension, of the same channels and with headings counted alike.

    The root of all is the bone that most walks have as theirs; a walk that travels by another bone is left out.
    """
    parts = installed({"verbs": "bridge.authoring.verbs", "graph": "core.graph.verb_graph"})
    verbs, rig = dict[str, Any](), armature.verbs_adverbs
    cycles = [file for files in walks.values() for file in files if file in actions]
    for file in (*cycles, *(file for file in actions if file not in cycles)):
        tag_clip(armature, actions[file], folder.clips[file], {})
        add_verb(armature, file, (), [actions[file]])
        verbs[file] = parts.verbs.verb_for(armature, rig.verbs[file])
        if cycles and file == cycles[-1]:
            roots = {one: rig.verbs[one].built_root for one in cycles}
            rig.root = Counter(roots.values()).most_common(1)[0][0]
            verbs = {one: verb for one, verb in verbs.items() if roots[one] == rig.root}
    found = parts.graph.in_common(list(verbs.values()))
    return {file: clip_of_verb(verb, Path(file).stem) for file, verb in zip(verbs, found, strict=True)}


def walk_of(cycles: dict[str, Clip], standing: Clip) -> WalkModel:
    """Return a walk in some styles, which stands on both feet in the first pose of another clip."""
    pose = standing.sample([standing.start, standing.start])
    pose[:, :3] = 0.0
    first = next(iter(cycles.values()))
    points = dict.fromkeys(mark.name for mark in first.marks if mark.kind == "contact")
    both = tuple(Mark("contact", name, 0.0, 1.0) for name in points)
    stand = interpolated(first.channels, (0.0, 1.0), pose, both, "Stand")
    records = tuple(BaseMotion(replace(clip, name=f"WalkCycle_{style}"), style) for style, clip in cycles.items())
    return WalkModel((), records, (), stand)


def gesture_of(name: str, clip: Clip) -> Layer:
    """Return a layer that plays a clip with the arms."""
    mask = mask_of(clip.channels.skeleton, ARMS[name])
    distances = (HANDS,) if name == "carry" else ()
    joints = joints_of(clip.channels.skeleton, mask)
    records = (BaseMotion(replace(clip, name=name.capitalize()), "captured"),)
    return layer_of(GestureModel(records, name, joints, distances, GESTURES[name][1]), mask)
