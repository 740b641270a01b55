"""How a knee bends, measured from places of joints alone; and verbs of captured motion, made without Blender."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from verbs_adverbs.core.figure.channels import world_frames
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.verb import Verb

from .bvh import read_bvh

DEEP = np.sin(np.radians(40.0))
"""Sine of a bend at which a knee shows its axis well."""


def bends(verb: Verb, values: np.ndarray, names: Sequence[str]) -> np.ndarray:
    """Angle (T,) in degrees between thigh and shin, negative where the knee is bent backwards.

    Which way is backwards is read from the verb's own examples, in the thigh's matrix, where the knee is bent deeply.
    """
    sides = [
        _crossed(verb, verb.motion(place).sample_phases(np.linspace(0.0, 1.0, 50)), names) for place in verb.places
    ]
    seen = np.concatenate([across for across, _ in sides])
    seen = seen[np.linalg.norm(seen, axis=1) > DEEP]
    forward = seen.mean(axis=0) / np.linalg.norm(seen.mean(axis=0))
    across, along = _crossed(verb, values, names)
    return np.degrees(np.arctan2(across @ forward, along))


def _crossed(verb: Verb, values: np.ndarray, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Vector product (T, 3), in the thigh's frame, and scalar product (T,) of the directions of thigh and shin."""
    places, turns = world_frames(verb.channels, values)
    hip, knee, ankle = (verb.channels.skeleton.names.index(name) for name in names)
    thigh, shin = places[:, knee] - places[:, hip], places[:, ankle] - places[:, knee]
    thigh, shin = (bone / np.linalg.norm(bone, axis=1, keepdims=True) for bone in (thigh, shin))
    w, x, y, z = turns[:, hip].T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    frame = np.moveaxis(np.array(rows), -1, 0)
    return np.einsum("tij,ti->tj", frame, np.cross(thigh, shin)), np.sum(thigh * shin, axis=1)


@cache
def captured_verb(folder: Path, name: str) -> Verb:
    """One of the suggested verbs of captured motion, with its toes as contact points."""
    told = json.loads((folder / "keytimes.json").read_text(encoding="utf-8"))
    clips = {clip["file"]: clip for clip in told["clips"]}
    verb = next(verb for verb in told["suggested_verbs"] if verb["name"] == name)
    made = [_example(folder, clips[one["file"]], one["at"]) for one in verb["examples"]]
    ranges = [[-1.0, 1.0]] * len(verb["adverbs"])
    return build_verb(name, made[0][0], [example for _, example in made], verb["adverbs"], ranges)


def _example(folder: Path, clip: dict, place: list[float]):
    captured = read_bvh(folder / clip["file"])
    rows = np.array(clip.get("keytimes_sub") or clip["keytimes"], dtype=float)
    start = rows[0] / captured.rate
    names = captured.skeleton.names
    contacts = tuple(
        Contact(
            f"Toes_{side}",
            names.index(f"Toes_{side}"),
            np.zeros(3),
            tuple((begin / captured.rate - start, end / captured.rate - start) for begin, end in windows),
        )
        for side, windows in clip["toe_planted"].items()
    )
    take = Take(captured.times - start, captured.rotations, captured.root, np.zeros((len(captured.root), 0)))
    keytimes = (rows - rows[0]) / captured.rate
    keytime_names = tuple(clip["keytime_names"])
    example = Example(
        clip["file"], np.array(place, dtype=float), keytime_names, keytimes, take, contacts, "travelling", True
    )
    return captured.channels, example
