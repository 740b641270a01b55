"""The characters that perform, with their verbs, the transitions between these, and what they are asked to do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
from bpy.types import Object

from .captures import Folder, define_verbs, import_clips, read_folder
from .operate import Refused, add_verb, choose_verb, do
from .script import CAPTURED_SCRIPT, EVERY_VERB_SCRIPT, GENERATED_SCRIPT, Script
from .standing import standing_action

STANDING = "locomotion/bn2_walk_normal_001_full.bvh"
CAPTURED = {"walk_energy_turn": "walk", "run_speed": "run", "raise_right_hand": "raise hand"}
HALF_TURN = "half turn"
HALF_TURN_CLIPS = (
    "locomotion/bn2_walk-turn-left_active_015.bvh",
    "locomotion/bn2_walk-turn-right_active_014.bvh",
)


@dataclass(frozen=True, eq=False)
class Cast:
    """A character that is ready to perform.

    Parameters
    ----------
    armature : armature whose verbs are built and joined by transitions.
    script : what the character is asked to do.
    running : names of verbs that are runs.
    alone : names of verbs that are also measured by themselves, in the middle of their adverbs.
    """

    armature: Object
    script: Script
    running: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()


def generated_cast() -> Cast:
    """Make the biped that the extension ships, with the verbs stand, walk and wave."""
    do("add_biped", stand=True, walk=True, wave=True)
    armature = bpy.context.view_layer.objects.active
    for item in armature.verbs_adverbs.verbs:
        choose_verb(armature, item.name)
        do("verb_build")
    join_verbs(armature, GENERATED_SCRIPT.ways)
    return Cast(armature, GENERATED_SCRIPT)


def whole_cast() -> Cast:
    """Make the biped that the extension ships, with all verbs that it can have and the suggested transitions."""
    do("add_biped", stand=True, walk=True, wave=True, reach=True, cast="ALL", join=True)
    return Cast(bpy.context.view_layer.objects.active, EVERY_VERB_SCRIPT, running=("run",))


def captured_cast(path: Path) -> Cast:
    """Import captured motion: verbs to stand, walk, run, raise a hand, and turn halfway to the left and right."""
    folder = read_folder(path)
    missing = CAPTURED.keys() - {verb.name for verb in folder.verbs}
    if missing:
        names = ", ".join(sorted(missing))
        raise Refused(f"{path / 'keytimes.json'} suggests no verbs {names}. Choose another folder.")
    missing = [file for file in (STANDING, *HALF_TURN_CLIPS) if file not in folder.clips]
    if missing:
        raise Refused(f"{path / 'keytimes.json'} tells nothing of {', '.join(missing)}. Choose another folder.")
    chosen = [replace(verb, name=CAPTURED[verb.name]) for verb in folder.verbs if verb.name in CAPTURED]
    files = list(dict.fromkeys(file for verb in chosen for file in verb.clips))
    armature, actions = import_clips(folder, [*files, STANDING])
    clips = {file: _with_feet(folder, file) for file in files}
    for name in CAPTURED_SCRIPT.adverbs:
        do("adverb_add", name=name, minimum=-1.0, maximum=1.0, default=0.0)
    define_verbs(armature, actions, Folder(path, clips, tuple(chosen)))
    fps = float(bpy.context.scene.render.fps) / bpy.context.scene.render.fps_base
    add_verb(armature, "stand", (), [standing_action(armature, actions[STANDING], fps)])
    add_verb(armature, HALF_TURN, ("turn",), [actions[file] for file in HALF_TURN_CLIPS])
    join_verbs(armature, CAPTURED_SCRIPT.ways)
    return Cast(armature, CAPTURED_SCRIPT, running=("run",), alone=(HALF_TURN,))


def _with_feet(folder: Folder, file: str) -> dict[str, object]:
    """Return the record of a clip with contact windows that cover all rows in which toes are planted, edges included.

    Gestures have no contacts in `keytimes.json`; in them both feet stand from the first row to the last.
    """
    clip = folder.clips[file]
    last = clip["frames"] - 1
    if not clip["cyclic"]:
        return clip | {"toe_planted": {"L": [[0, last]], "R": [[0, last]]}}
    planted = {
        side: [[max(first - 0.5, 0.0), min(end + 0.5, last)] for first, end in windows]
        for side, windows in clip["toe_planted"].items()
    }
    return clip | {"toe_planted": planted}


def join_verbs(armature: Object, ways: Sequence[tuple[str, str]]) -> None:
    """Add the suggested transition for each pair of verbs."""
    verbs = armature.verbs_adverbs.verbs
    for source, target in ways:
        do("transition_add", source=verbs[source].uid, target=verbs[target].uid, suggest=True)
