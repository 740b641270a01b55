"""Motions in the mirror: every joint where its partner's image is, whatever axes the bones have."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import BONES, JOINTS, biped_skeleton, rest_orientations
from verbs_adverbs.core.biped.walk import build_gait, walk_pose
from verbs_adverbs.core.detect.detection import detect, windows_of_cycle
from verbs_adverbs.core.detect.mirroring import Symmetry, mirror_take, swapped_names, symmetry_at_rest, symmetry_of_pose
from verbs_adverbs.core.errors import RigError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.figure.skeleton import Skeleton, forward_kinematics
from verbs_adverbs.core.verb.build import VerbOptions
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.demo.diagnostics import leave_one_out, nearest, radial_scheme

from .bvh import Captured
from .detected import captured_clip, cycles_from
from .synthetic import planar_distance, random_rotations

FEET = {"L": "R", "R": "L"}
PAIRS = [(JOINTS[b.name], JOINTS[b.name[:-1] + "R"]) for b in BONES if b.name.endswith("_L")]
NEAREST_CM = 4.0
SAME_POINT = 1e-3
RANGES = [[-90.0, 90.0], [0.6, 1.6]]


def mirror_contacts(contacts: tuple[Contact, ...], symmetry: Symmetry) -> tuple[Contact, ...]:
    """Contacts in the mirror, in the order they had: each point gets the windows of its partner.

    A point whose partner is no contact keeps its name and goes over to the partner's joint.
    """
    found: list[Contact] = []
    for contact in contacts:
        joint = int(symmetry.partners[contact.joint])
        place = -quat.rotate(quat.conjugate(symmetry.turns[joint]), contact.offset)
        partner = next(
            (c for c in contacts if c.joint == joint and np.linalg.norm(c.offset - place) < _near(c, symmetry)), None
        )
        if partner is None:
            found.append(replace(contact, joint=joint, offset=place))
        else:
            found.append(replace(contact, windows=partner.windows))
    return tuple(found)


def _near(contact: Contact, symmetry: Symmetry) -> float:
    size = float(np.linalg.norm(symmetry.skeleton.offsets, axis=-1).sum())
    return SAME_POINT * size + 0.1 * float(np.linalg.norm(contact.offset))


def mirror_example(example: Example, channels: Channels, symmetry: Symmetry, turned_back) -> Example:
    """An example in the mirror, its contacts and the names of its keytimes swapped, its adverbs turned back."""
    return replace(
        example,
        name=f"{example.name} mirrored",
        adverbs=turned_back(example.adverbs),
        keytime_names=swapped_names(example.keytime_names, FEET),
        take=mirror_take(example.take, channels, symmetry),
        contacts=mirror_contacts(example.contacts, symmetry),
    )


def _with_other_axes(seed: int) -> tuple[Skeleton, np.ndarray]:
    """The biped with axes of any direction in each bone, and the turns (J, 4) that made them."""
    plain = biped_skeleton()
    axes = random_rotations(np.random.default_rng(seed), len(plain.names))
    back = quat.conjugate(axes)
    rests = quat.multiply(back[plain.parents], quat.multiply(plain.rests, axes))
    rests[0] = quat.IDENTITY
    offsets = quat.rotate(back[plain.parents], plain.offsets)
    return Skeleton(plain.names, plain.parents, offsets, rests, quat.rotate(back, plain.tails)), axes


def _scene(seed: int) -> tuple[Channels, Take, Symmetry]:
    """Anything the biped can do, with moved bones, on a skeleton with random axes."""
    rng, (skeleton, axes) = np.random.default_rng(seed), _with_other_axes(seed)
    count = len(skeleton.names)
    moving = [JOINTS[name] for name in ("Spine", "Hand_L", "Hand_R")]
    scalars = tuple(Scalar(f"{j} {a}", j, "location", a, False, "") for j in moving for a in range(3))
    channels = Channels(skeleton, np.arange(count, dtype=np.intp), scalars, np.tile(quat.IDENTITY, (count, 1)))
    take = Take(
        np.arange(7) / 30.0, random_rotations(rng, 7, count), rng.normal(size=(7, 3)), 0.1 * rng.normal(size=(7, 9))
    )
    return channels, take, symmetry_at_rest(skeleton, PAIRS, quat.multiply(rest_orientations()[0], axes[0]))


def _joints(channels: Channels, take: Take) -> np.ndarray:
    locations = np.zeros((len(take.times), len(channels.skeleton.names), 3))
    columns, joints, axes = channels.location_scalars
    locations[:, joints, axes] = take.scalars[:, columns]
    locations[:, 0] = take.root
    return forward_kinematics(channels.skeleton, take.rotations, locations)[0]


@pytest.mark.parametrize("seed", range(5))
def test_every_joint_is_where_its_partner_is_in_the_mirror(seed: int):
    channels, take, symmetry = _scene(seed)
    mirrored = mirror_take(take, channels, symmetry)
    expected = _joints(channels, take)[:, symmetry.partners] * np.array([-1.0, 1.0, 1.0])
    assert np.abs(_joints(channels, mirrored) - expected).max() < 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_a_mirror_in_a_mirror_shows_the_motion_itself(seed: int):
    channels, take, symmetry = _scene(seed)
    again = mirror_take(mirror_take(take, channels, symmetry), channels, symmetry)
    assert np.abs(quat.angle_between(again.rotations, take.rotations)).max() < 1e-6
    assert np.abs(again.root - take.root).max() < 1e-12
    assert np.abs(again.scalars - take.scalars).max() < 1e-12


def test_a_generated_right_turn_in_the_mirror_is_the_left_turn_half_a_cycle_on():
    skeleton = biped_skeleton()
    count = len(skeleton.names)
    channels = Channels(skeleton, np.arange(count, dtype=np.intp), (), np.tile(quat.IDENTITY, (count, 1)))
    symmetry = symmetry_at_rest(skeleton, PAIRS, rest_orientations()[0])
    phases = np.linspace(0.0, 1.0, 25)
    takes = []
    for turn, shift in ((-1.0, 0.0), (1.0, 0.5)):
        rotations, root = walk_pose(build_gait(0.5, 0.0, turn), phases + shift)
        takes.append(Take(phases, rotations, root, np.zeros((25, 0))))
    right, left = takes
    mirrored = mirror_take(right, channels, symmetry)
    assert planar_distance(_joints(channels, mirrored), _joints(channels, left)) < 2e-3


def test_contacts_and_keytimes_change_sides():
    channels, take, symmetry = _scene(1)
    joints = [JOINTS["Toes_L"], JOINTS["Toes_R"]]
    heel = np.array([0.01, -0.02, 0.03])
    image = -quat.rotate(quat.conjugate(symmetry.turns[joints[1]]), heel)
    contacts = (Contact("left", joints[0], heel, ((0.1, 0.3),)), Contact("right", joints[1], image, ((0.4, 0.6),)))
    names = ("L_down", "R_up", "R_down", "L_up", "L_down")
    times = np.linspace(0.0, 0.2, 5)
    example = Example("walk", np.array([3.0]), names, times, take, contacts, "travelling", True)
    mirrored = mirror_example(example, channels, symmetry, lambda place: -place)
    assert mirrored.keytime_names == ("R_down", "L_up", "L_down", "R_up", "R_down")
    assert [(c.point, c.windows) for c in mirrored.contacts] == [("left", ((0.4, 0.6),)), ("right", ((0.1, 0.3),))]
    assert mirrored.adverbs[0] == -3.0
    (alone,) = mirror_contacts(contacts[:1], symmetry)
    assert alone.joint == joints[1]
    assert np.abs(alone.offset - image).max() < 1e-12


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([PAIRS[0], PAIRS[0]], "two left/right pairs"),
        ([(JOINTS["Hand_L"], JOINTS["Hand_R"])], "their parents are neither a pair"),
        ([], "left and right of each other"),
        ([*PAIRS[:4], (JOINTS["UpperLeg_L"], JOINTS["UpperLeg_R"])], "is in no left/right pair"),
    ],
)
def test_pairs_that_are_no_mirror_images_are_told_in_a_sentence(pairs: list[tuple[int, int]], words: str):
    with pytest.raises(RigError, match=words):
        symmetry_at_rest(biped_skeleton(), pairs, rest_orientations()[0])


def test_a_bone_whose_partner_is_not_animated_is_told_in_a_sentence():
    channels, take, symmetry = _scene(2)
    rotating = channels.rotating[channels.rotating != JOINTS["Hand_R"]]
    with pytest.raises(RigError, match="its counterpart"):
        mirror_take(
            replace(take, rotations=take.rotations[:, rotating]), replace(channels, rotating=rotating), symmetry
        )


def _symmetry_of(captured: Captured) -> Symmetry:
    """Symmetry of the captured skeleton, whose rest is a heap: told by the mean pose of the clip."""
    names, index = captured.skeleton.names, captured.skeleton.index
    still = captured.rotations.copy()
    turned = quat.multiply(still[:, 0], quat.conjugate(quat.mean(still[:, 0])))
    still[:, 0] = quat.multiply(quat.from_yaw(-quat.yaw_of(turned)), still[:, 0])
    pairs = [(index(name), index(name[:-1] + "R")) for name in names if name.endswith("_L")]
    return symmetry_of_pose(captured.skeleton, pairs, quat.mean(still))


def _example(folder: Path, clip: dict[str, Any], mirrored: bool = False) -> Example | None:
    """The cleanest cycle that begins with the right foot, in the mirror too; None where the clip has none."""
    captured, observed = captured_clip(folder, clip["file"])
    found = detect(observed)
    cycles = cycles_from(found, "L" if mirrored else "R")
    if not cycles:
        return None
    cycle, times = cycles[0], captured.times - cycles[0].start
    rows = np.flatnonzero((times >= -0.11) & (times <= cycle.duration + 0.11))
    take = Take(times[rows], captured.rotations[rows], captured.root[rows], np.zeros((len(rows), 0)))
    contacts = []
    for foot in found.contacts:
        still = windows_of_cycle(foot.points[1].still, cycle, found)
        windows = tuple((begin - cycle.start, end - cycle.start) for begin, end in still)
        contacts.append(Contact(foot.foot, captured.skeleton.index(f"Toes_{foot.foot}"), np.zeros(3), windows))
    place = np.array([clip["turn_deg_per_s"], clip["speed_mps"]])
    keytimes = np.array(cycle.keytimes) - cycle.start
    example = Example(clip["file"], place, cycle.names, keytimes, take, tuple(contacts), "travelling", True)
    if not mirrored:
        return example
    turned_back = np.array([-1.0, 1.0])
    return mirror_example(example, captured.channels, _symmetry_of(captured), lambda values: values * turned_back)


LONG = ("active", "exhausted")


@pytest.mark.parametrize("style", ["normal", *(pytest.param(s, marks=pytest.mark.long) for s in LONG)])
def test_straight_right_and_mirrored_right_walks_predict_the_real_left_turns(mocap: Path, style: str, tell):
    clips = json.loads((mocap / "keytimes.json").read_text(encoding="utf-8"))["clips"]
    walks = [c for c in clips if c["verb"].startswith("walk") and c["style"] == style and "bn2" in c["file"]]
    walks = [clip for clip in walks if clip["kind"] == "locomotion" and "_full" not in clip["file"]]
    rights = [clip for clip in walks if "turn-right" in clip["file"]]
    lefts = [clip for clip in walks if "turn-left" in clip["file"]]
    straight = [clip for clip in walks if "turn" not in clip["file"]]
    given = [_example(mocap, clip) for clip in straight + rights] + [_example(mocap, c, True) for c in rights]
    channels = captured_clip(mocap, lefts[0]["file"])[0].channels
    schemes = {"verb": radial_scheme(VerbOptions()), "nearest": nearest}
    found: dict[str, list[float]] = {scheme: [] for scheme in schemes}
    for clip in lefts:
        examples = [example for example in (*given, _example(mocap, clip)) if example]
        out = leave_one_out("walk", channels, examples, ("turn", "speed"), RANGES, schemes)
        for scheme, left in out.items():
            found[scheme].append(100.0 * left.relative[-1])
    verb, near = (float(np.mean(found[scheme])) for scheme in ("verb", "nearest"))
    each = ", ".join(f"{a:.2f} / {b:.2f}" for a, b in zip(found["verb"], found["nearest"], strict=True))
    tell(
        f"  {style} left turns from right ones in the mirror, cm: {verb:.2f}, nearest example {near:.2f} (each: {each})"
    )
    assert verb <= NEAREST_CM
    assert verb < near
