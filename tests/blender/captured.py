"""Verbs of captured motion, as `keytimes.json` suggests them, in real Blender, and comparing bakes with references."""

from functools import cache
from pathlib import Path

import bpy
import numpy as np
from blender.stage import opened_again, part
from verbs_adverbs.demo.captures import Folder, assign, define_verbs, import_clips, read_folder
from verbs_adverbs.demo.operate import choose_verb, do, make_active


@cache
def folder_at(path: Path) -> Folder:
    return read_folder(path)


def captured_armature(path: Path, verb: str):
    """Return the armature with one of the suggested verbs, marked and built by operators; made once, then reopened."""
    armature = opened_again(verb, lambda: _tagged(path, verb))
    assert armature.name == "Captured"
    return armature


def _tagged(path: Path, verb: str):
    folder = folder_at(path)
    wanted = [v for v in folder.verbs if v.name == verb]
    chosen = Folder(folder.path, folder.clips, tuple(wanted))
    armature, actions = import_clips(chosen, list(wanted[0].clips))
    define_verbs(armature, actions, chosen)
    choose_verb(armature, verb)
    return armature


def imported(path: Path, names: tuple[str, ...]):
    """Return the armature with these clips as actions, the first one assigned; imported once, then opened again."""
    return opened_again(f"clips {names[0]}", lambda: _import(path, names))


def _import(path: Path, names: tuple[str, ...]) -> None:
    import_clips(folder_at(path), [f"locomotion/{name}.bvh" for name in names])


def find(*names: str, verb: str = "") -> None:
    """Find keytimes in these actions."""
    do("keytimes_find", choices=[{"name": name, "chosen": True} for name in names], verb=verb)


def annotation_of(path: Path, name: str) -> dict:
    """Return the entry of `keytimes.json` for a clip."""
    return folder_at(path).clips[f"locomotion/{name}.bvh"]


def source_of(armature):
    """Return the examples of the armature's only verb, as the builder reads them, and the verb."""
    item = armature.verbs_adverbs.verbs[0]
    return part("bridge.action.examples").read_examples(armature, item), part("bridge.authoring.verbs").verb_for(
        armature, item
    )


def bake_at(armature, adverbs: dict[str, float], name: str, lock_feet: bool = True):
    """Bake one cycle at constant adverbs to a new action, and return the action."""
    make_active(armature)
    if armature.verbs_adverbs.director is None:
        do("director_add")
    director = armature.verbs_adverbs.director
    for adverb, value in adverbs.items():
        director[adverb] = value
    options = {"animated": False, "loop": False, "assign": False, "lock_feet": lock_feet}
    do("bake", name=name, cycles=1, frame_start=1.0, **options)
    return bpy.data.actions[name]


def played_frames(armature, action, frames) -> tuple[np.ndarray, np.ndarray]:
    """Positions (T, J, 3) and rotation matrices (T, J, 3, 3) of all bones as Blender plays an action."""
    assign(armature, action)
    positions, rotations = [], []
    for frame in frames:
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=float(frame - np.floor(frame)))
        seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
        matrices = np.array([np.array(bone.matrix) for bone in seen.pose.bones])
        positions.append(matrices[:, :3, 3])
        rotations.append(matrices[:, :3, :3])
    return np.array(positions), np.array(rotations)


def turned_from_parent(rotations: np.ndarray, parents) -> np.ndarray:
    """Rotation matrices (T, J, 3, 3) relative to each bone's parent; those without one stay."""
    result = rotations.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            result[:, joint] = np.swapaxes(rotations[:, parent], -1, -2) @ rotations[:, joint]
    return result


def degrees_between(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Angles between rotation matrices (..., 3, 3)."""
    trace = np.einsum("...ij,...ij->...", a, b)
    return np.degrees(np.arccos(np.clip(0.5 * (trace - 1.0), -1.0, 1.0)))


def laid_over(moving: np.ndarray, still: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return `moving` (T, J, 3), turned about Z and moved over the floor to fit `still` best, and the turn (3, 3)."""
    a, b = moving.reshape(-1, 3), still.reshape(-1, 3)
    mean_a, mean_b = a[:, :2].mean(axis=0), b[:, :2].mean(axis=0)
    p, q = a[:, :2] - mean_a, b[:, :2] - mean_b
    angle = np.arctan2(np.sum(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]), np.sum(p * q))
    cosine, sine = np.cos(angle), np.sin(angle)
    turn = np.array([[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]])
    moved = (moving - np.append(mean_a, 0.0)) @ turn.T + np.append(mean_b, 0.0)
    return moved, turn
