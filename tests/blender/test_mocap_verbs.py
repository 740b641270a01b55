"""Verbs of captured motion, imported, tagged, built and baked in real Blender, against what they were made from."""

from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.captured import (
    bake_at,
    captured_armature,
    degrees_between,
    folder_at,
    laid_over,
    played_frames,
    source_of,
    turned_from_parent,
)
from blender.stage import part
from scipy.spatial.transform import Rotation, RotationSpline
from verbs_adverbs.demo import diagnostics
from verbs_adverbs.demo.diagnostics import contact_slip
from verbs_adverbs.demo.figures import barycentric, neighbours

VERBS = ("walk_energy_turn", "walk_energy_speed", "walk_turn", "run_speed", "raise_right_hand")
SHORT = VERBS[-1]
NAMES = [pytest.param(name, marks=() if name == SHORT else pytest.mark.long) for name in VERBS]
DEGREES, METRES, SECONDS, CONTROL_POINTS = 1.0, 0.004, 1e-3, 64
LOCKED_DEGREES, LOCKED_METRES = 5.0, 0.02
LEFT_OUT_CM = {"walk_energy_turn": 3.0, "walk_energy_speed": 3.4, "run_speed": 3.5, "raise_right_hand": 2.1}
RAW_DEGREES, AT_EXAMPLES, BETWEEN = 3.0, (1.0, 2.0), (2.0, 6.0)
"""Degrees from the keys from which on the report names the bone; cm/s of toes, in the median and at most."""


@pytest.mark.long
def test_every_file_of_the_folder_is_imported_by_blender(mocap: Path):
    for file in folder_at(mocap).clips:
        bpy.ops.import_anim.bvh(filepath=str(mocap / file), global_scale=0.01)
        assert len(bpy.context.object.data.bones) == 22, file


@pytest.mark.parametrize("name", NAMES)
def test_a_bake_at_an_examples_place_is_the_example_unless_locks_put_it_on_one_ground(mocap: Path, name: str, tell):
    armature = captured_armature(mocap, name)
    source, verb = source_of(armature)
    channels, groups = verb.channels, verb.mixture.groups
    weights = verb.weights(verb.places)
    assert np.abs(weights - np.eye(len(weights))).max() < 1e-9
    assert max(g.spans + (0 if g.periodic else 3) for g in groups) <= CONTROL_POINTS
    rows = [armature.pose.bones.find(joint) for joint in channels.skeleton.names]
    actions = [reference.action for reference in armature.verbs_adverbs.verbs[0].examples]
    worst, locked, slips = np.zeros(4), np.zeros(2), list[float]()
    for index, example in enumerate(source.examples):
        place = dict(zip(verb.adverb_names, map(float, verb.places[index]), strict=True))
        baked = bake_at(armature, place, f"baked {index}", lock_feet=False)
        span = baked.verbs_adverbs.examples[0]
        assert abs((span.end - span.start) / span.fps - example.keytimes[-1]) < SECONDS
        frames = np.arange(span.start, span.end, 1.0)
        seconds = (frames - span.start) / span.fps
        positions, rotations = (part[:, rows] for part in played_frames(armature, baked, frames))
        marked = actions[index].verbs_adverbs.examples[0]
        raw = [part[:, rows] for part in played_frames(armature, actions[index], marked.start + frames - span.start)]
        moved, turn = laid_over(raw[0], positions)
        reference = closed_cycle(source, verb, index, seconds) if verb.cyclic else (moved, turn @ raw[1])
        standing = played_frames(armature, bake_at(armature, place, f"locked {index}"), frames)
        locked = np.maximum(locked, misses(*(part[:, rows] for part in standing), reference, channels))
        to_example = misses(positions, rotations, reference, channels)
        to_raw = misses(positions, rotations, (moved, turn @ raw[1]), channels)
        whole = np.arange(np.floor(marked.start) - 2, np.ceil(marked.end) + 3)
        keyed = played_frames(armature, actions[index], whole)[1][:, rows]
        bent = bones_off(rotations, keyed, marked.start + frames - span.start - whole[0], channels)
        told = " ".join(line for line in verb.report.bent if f"'{example.name}'" in line)
        untold = {b: d for b, d in bent.items() if d > RAW_DEGREES and f"'{b}'" not in told}
        assert untold == {}, example.name
        slips += slips_of(example, positions, seconds)
        worst = np.maximum(worst, np.concatenate([to_example, to_raw]))
    tell(
        f"  {name}: bakes within {worst[0]:.2f} degrees and {100 * worst[1]:.2f} cm of the example as built, "
        f"{worst[2]:.1f} degrees and {100 * worst[3]:.1f} cm of the raw action; feet locked, "
        f"{locked[0]:.2f} degrees and {100 * locked[1]:.2f} cm of the example as built"
    )
    if slips:
        tell(f"  {name}: toes slip {np.median(slips):.2f} cm/s at examples in the median, {max(slips):.2f} at most")
        assert np.median(slips) <= AT_EXAMPLES[0]
        assert max(slips) <= AT_EXAMPLES[1]
    assert worst[0] <= DEGREES
    assert worst[1] <= METRES
    assert locked[0] <= LOCKED_DEGREES
    assert locked[1] <= LOCKED_METRES


def misses(positions: np.ndarray, rotations: np.ndarray, reference: tuple, channels) -> np.ndarray:
    """Largest angle of a joint from its parent, in degrees, and distance (2,) from a reference's."""
    parents = channels.skeleton.parents
    angles = degrees_between(turned_from_parent(rotations, parents), turned_from_parent(reference[1], parents))
    return np.array([angles.max(), np.linalg.norm(positions - reference[0], axis=-1).max()])


def bones_off(rotations: np.ndarray, keyed: np.ndarray, at: np.ndarray, channels) -> dict[str, float]:
    """Largest angle of each joint but the root from its parent, in degrees, from how it was keyed on whole frames.

    Parameters
    ----------
    rotations : (T, J, 3, 3) that are played.
    keyed : (F, J, 3, 3) on whole frames.
    at : (T,) which of these they are to be compared with; between two frames the keys are taken to turn smoothly.
    """
    parents = channels.skeleton.parents
    played, meant = turned_from_parent(rotations, parents), turned_from_parent(keyed, parents)
    frames = np.arange(float(len(keyed)))
    found: dict[str, float] = {}
    for joint in range(1, len(parents)):
        smooth = RotationSpline(frames, Rotation.from_matrix(meant[:, joint]))(at)
        angles = (smooth.inv() * Rotation.from_matrix(played[:, joint])).magnitude()
        found[channels.skeleton.names[joint]] = float(np.degrees(angles).max())
    return found


def slips_of(example, positions: np.ndarray, seconds: np.ndarray) -> list[float]:
    """Speed over the floor, in cm/s, of each point in each of its windows, as far as it lies within the cycle."""
    found: list[float] = []
    for contact in example.contacts:
        assert not np.any(contact.offset)
        for begin, end in contact.windows:
            rows = np.flatnonzero((seconds >= begin) & (seconds <= end))
            if len(rows) > 2:
                way = np.linalg.norm(np.diff(positions[rows, contact.joint, :2], axis=0), axis=-1).sum()
                found.append(100.0 * float(way / (seconds[rows[-1]] - seconds[rows[0]])))
    return found


def closed_cycle(source, verb, index: int, seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions and rotations of an example's closed, contact-fixed cycle, before any curve was fitted to it."""
    build, quat = part("core.verb.build"), part("core.figure.quaternion")
    examples = build.prepare_examples(verb.name, verb.channels, source.examples, verb.adverb_names)
    options = build.VerbOptions()
    canonicals, _ = build.canonical_examples(verb.channels, examples, verb.phrasing, options, verb.reference)
    canonical, generic = canonicals[index], verb.phrasing.generic
    phases = part("core.motion.timewarp").generic_time(seconds, examples[index].keytimes, generic)
    values = part("core.motion.resampling").resample(canonical.phases, canonical.values, phases)
    positions, orientations = part("core.figure.channels").world_frames(verb.channels, values)
    return positions, quat.to_matrix(quat.normalize(orientations))


@pytest.mark.parametrize("name", NAMES)
def test_examples_left_out_are_predicted_by_the_others(mocap: Path, name: str, tell):
    source, verb = source_of(captured_armature(mocap, name))
    options = part("core.verb.build").VerbOptions()
    schemes = {
        "verb": diagnostics.radial_scheme(options),
        "barycentric": barycentric,
        "inverse distance": diagnostics.inverse_distance,
        "nearest": diagnostics.nearest,
    }
    found = diagnostics.leave_one_out(
        verb.name, verb.channels, source.examples, verb.adverb_names, verb.adverb_ranges, schemes, options
    )
    local = {scheme: 100.0 * np.nanmedian(left.relative) for scheme, left in found.items()}
    world = {scheme: 100.0 * np.nanmedian(left.world) for scheme, left in found.items()}
    texts = [f"{scheme} {local[scheme]:.2f} / {world[scheme]:.2f}" for scheme in schemes]
    tell(f"  {name}, left out, cm relative / in the world: {', '.join(texts)}")
    assert local["verb"] <= LEFT_OUT_CM.get(name, np.inf)
    if verb.cyclic:
        assert world["verb"] <= world["barycentric"]


@pytest.mark.parametrize("name", VERBS[:4])
def test_toes_hardly_slip_between_neighbouring_examples(mocap: Path, name: str, tell):
    verb = source_of(captured_armature(mocap, name))[1]
    pairs = neighbours(verb.places / np.ptp(verb.adverb_ranges, axis=1))
    speeds = [contact_slip(verb, 0.5 * (verb.places[a] + verb.places[b])) for a, b in pairs]
    slips = 100.0 * np.concatenate(speeds)
    tell(f"  {name}: toes slip {np.median(slips):.2f} cm/s between neighbours, {slips.max():.1f} at most")
    assert np.median(slips) <= BETWEEN[0]
    assert slips.max() <= BETWEEN[1]
