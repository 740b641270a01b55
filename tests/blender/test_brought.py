"""Folders of walks as people bring them, drawn at random and imported: they come in right, or are told why not."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from brought_files import DAMAGE, UNITS, Switches, Written, drawn, frame, write_folder

OPS = bpy.ops.verbs_adverbs
FEW, MANY = 30, 150


def imported(folder: Path, switches: Switches) -> tuple[bpy.types.Object | None, str]:
    """Import a folder at the scale that is right for its unit; what was made, and what was said against it."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    try:
        OPS.walks_import(directory=str(folder), scale=UNITS[switches.unit])
    except RuntimeError as error:
        return None, str(error)
    return bpy.context.object, ""


def wrong_with(armature: bpy.types.Object, files: list[Written], switches: Switches) -> list[str]:
    """What is wrong with the walks that were imported."""
    wrong = []
    bones = armature.data.bones
    scale = armature.matrix_world.median_scale
    for side in ("Left", "Right"):
        thigh, shin = (bones[files[0].names[f"{side}{name}"]].head_local for name in ("UpLeg", "Leg"))
        length = (thigh - shin).length * scale / (0.43 * switches.tall)
        if abs(length - 1.0) > 0.02:
            wrong.append(f"a thigh is {length:.3f} of its length")
    head, foot = (armature.pose.bones[files[0].names[name]].matrix.translation for name in ("Head", "LeftFoot"))
    upright = (armature.matrix_world @ head - armature.matrix_world @ foot).z / (1.45 * switches.tall)
    if not 0.9 < upright < 1.05:
        wrong.append(f"the head is {upright:.2f} of its height above the foot")
    verbs = armature.verbs_adverbs.verbs
    found = {one.action.name: one.action.verbs_adverbs.examples[0] for one in verbs[0].examples}
    for written in files:
        if written.path.stem == "damaged" and switches.damage in (*DAMAGE, "broken off"):
            continue
        if written.path.stem not in found:
            wrong.append(f"'{written.path.stem}' is in no verb")
            continue
        wrong += wrong_example(found[written.path.stem], written, switches)
    return wrong


def wrong_example(example: bpy.types.PropertyGroup, written: Written, switches: Switches) -> list[str]:
    wrong = []
    found = example.values.get("speed")
    speed = found.value / written.speed if found is not None else 0.0
    if abs(speed - 1.0) > 0.03:
        wrong.append(f"speed {speed:.3f}")
    sides = {contact.bone for contact in example.contacts if contact.windows}
    ends = [
        {written.names[f"{side}{name}"] for name in ("Foot", "Toe") if f"{side}{name}" in written.names}
        for side in ("Left", "Right")
    ]
    if not all(sides & own for own in ends):
        wrong.append(f"contacts {sides}")
    fps = example.fps
    for keytime in example.keytimes:
        if not len(written.events.get(keytime.name, ())):
            wrong.append(f"there is no '{keytime.name}'")
            continue
        misses = (keytime.frame - 1.0) / fps - written.events[keytime.name]
        if switches.loop != "long":
            misses = (misses + 0.5 * written.period) % written.period - 0.5 * written.period
        miss = float(np.abs(misses).min())
        if miss > frame(switches):
            wrong.append(f"{keytime.name} misses by {1000.0 * miss:.0f} ms")
    lasts = (example.keytimes[-1].frame - example.keytimes[0].frame) / fps
    if abs(lasts - written.period) > 2.0 * frame(switches):
        wrong.append(f"a cycle of {lasts:.2f} s")
    return wrong


def tried(seed: int, folder: Path, said) -> str:
    """Draw a folder, import it, and return how that went: right, told, refused, or wrong."""
    rng = np.random.default_rng(10_000 + seed)
    switches = drawn(rng, damaged=seed % 3 == 2)
    files = write_folder(folder / str(seed), switches, rng)
    armature, why = imported(folder / str(seed), switches)
    out = said()
    if armature is None:
        return f"refused: {why} of {switches}"
    wrong = wrong_with(armature, files, switches)
    if switches.damage in DAMAGE and "damaged" not in out:
        wrong.append(f"{switches.damage} was not told")
    return f"wrong: {'; '.join(wrong)} of {switches}" if wrong else "told" if switches.damage in DAMAGE else "right"


def judged(seeds: range, tmp_path: Path, said, tell) -> None:
    found = {seed: tried(seed, tmp_path, said) for seed in seeds}
    counts = {
        kind: sum(how.startswith(kind) for how in found.values()) for kind in ("right", "told", "refused", "wrong")
    }
    tell(f"folders of walks: {counts}")
    odd = {seed: how for seed, how in found.items() if not how.startswith(("right", "told"))}
    for seed, how in odd.items():
        tell(f"  folder {seed} is {how}")
    assert counts["right"] + counts["told"] >= 0.97 * len(found)
    assert not counts["wrong"]


def test_folders_of_walks_drawn_at_random_come_in_right(extension, tmp_path: Path, capfd, tell):
    judged(range(FEW), tmp_path, lambda: capfd.readouterr().out, tell)


@pytest.mark.long
def test_many_folders_of_walks_drawn_at_random_come_in_right(extension, tmp_path: Path, capfd, tell):
    judged(range(FEW, MANY), tmp_path, lambda: capfd.readouterr().out, tell)
