"""Punch, kick and lift: hand or foot where it is asked at its keytime all over ([Rose2001] section 5.1)."""

from collections.abc import Callable

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS, Generated
from verbs_adverbs.core.figure.channels import rotations_of, with_rotations, world_points
from verbs_adverbs.core.reach.measures import Aim, aim_at_plane, end_effector
from verbs_adverbs.core.reach.refine import RefineOptions, lattice, refine
from verbs_adverbs.core.reach.search import search
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.verb import Verb
from verbs_adverbs.demo.actions.arm_target import FIST
from verbs_adverbs.demo.actions.kick import KICK_DISTANCE, KICK_EXAMPLES, kick
from verbs_adverbs.demo.actions.lift import LIFT_EXAMPLES, grip, lift
from verbs_adverbs.demo.actions.punch import PUNCH_DISTANCE, PUNCH_EXAMPLES, punch

from .walks import biped_channels

CHANNELS = biped_channels()
KNUCKLES, BALL = np.array([0.0, FIST, 0.0]), np.zeros(3)
CENTIMETRE = 0.01


def made_example(made: Generated) -> Example:
    """What was generated, as an example."""
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    place = np.array(list(made.adverbs.values()))
    return Example(made.name, place, made.keytime_names, made.keytimes, take, contacts, made.kind, made.cyclic)


def verb_of(name: str, made: list[Generated]) -> Verb:
    places = np.array([list(m.adverbs.values()) for m in made])
    ranges = np.stack([places.min(axis=0), places.max(axis=0)], axis=-1)
    return build_verb(name, CHANNELS, [made_example(m) for m in made], tuple(made[0].adverbs), ranges)


def _aim(verb: Verb, bone: str, offset: np.ndarray, keytime: int, adverbs: tuple[str, ...]) -> Aim:
    """The board or line that the examples strike, in the frame of the standing figure."""
    measure = end_effector(JOINTS[bone], offset, float(verb.phrasing.generic[keytime]))
    columns = [verb.adverb_names.index(name) for name in adverbs]
    system = np.concatenate([np.ones((len(verb.places), 1)), verb.places[:, columns]], axis=1)
    plane = np.linalg.lstsq(system, measure.of_examples(verb), rcond=None)[0]
    directions = np.zeros((len(verb.adverb_names), plane.shape[1]))
    directions[columns] = plane[1:]
    aim = aim_at_plane(verb, measure, plane[0], directions)
    assert np.linalg.norm(measure.of_examples(verb) - aim.asked(verb.places), axis=1).max() <= 0.3 * CENTIMETRE
    return aim


def _punch() -> tuple[Verb, Aim]:
    verb = verb_of("punch", [punch(*place) for place in PUNCH_EXAMPLES])
    return verb, _aim(verb, "Hand_R", KNUCKLES, 2, ("side", "height"))


def _kick() -> tuple[Verb, Aim]:
    verb = verb_of("kick", [kick(*place) for place in KICK_EXAMPLES])
    return verb, _aim(verb, "Toes_R", BALL, 2, ("side", "height"))


def _lift() -> tuple[Verb, Aim]:
    verb = verb_of("lift", [lift(*place) for place in LIFT_EXAMPLES])
    return verb, _aim(verb, "Hand_R", KNUCKLES, 1, ("distance",))


@pytest.mark.parametrize("make", [_punch, _kick, _lift])
def test_the_point_is_within_a_centimetre_of_its_target_all_over(
    make: Callable[[], tuple[Verb, Aim]], tell: Callable[[str], None]
):
    verb, aim = make()
    points = lattice(verb.adverb_ranges, 21)
    before = np.linalg.norm(aim.measure.at(verb, points) - aim.asked(points), axis=1)
    found = refine(verb, aim, RefineOptions(samples=600))
    after = np.linalg.norm(aim.measure.at(found.verb, points) - aim.asked(points), axis=1)
    tell(
        f"{verb.name}: {100 * before.mean():.2f} cm off on average, {100 * before.max():.2f} at most; with "
        f"{len(found.pseudo.places)} pseudo-examples {100 * after.mean():.2f} and {100 * after.max():.2f}"
    )
    assert before.max() > CENTIMETRE
    assert after.max() <= CENTIMETRE
    assert np.abs(found.verb.weights(found.verb.places) - np.eye(len(found.verb.places))).max() < 1e-9


@pytest.mark.long
@pytest.mark.parametrize("make", [_punch, _kick])
def test_a_polished_blow_is_exact_to_a_tenth_of_a_millimetre(make: Callable[[], tuple[Verb, Aim]]):
    verb, aim = make()
    refined = refine(verb, aim, RefineOptions(samples=600)).verb
    polished = search(refined, aim, lattice(verb.adverb_ranges, 21), 1e-4, 10)
    assert polished.errors.max() <= 1e-4
    assert polished.steps.mean() <= 3.0


@pytest.mark.long
def test_both_hands_come_to_the_box_from_every_distance_and_however_heavy_it_is():
    verb, aim = _lift()
    found = refine(verb, aim, RefineOptions(samples=600)).verb
    for distance, weight in lattice(verb.adverb_ranges, 5):
        motion = found.motion([distance, weight])
        values = motion.sample(motion.keytimes[1:2])
        for side, left in (("L", 1.0), ("R", -1.0)):
            point = world_points(CHANNELS, values, JOINTS[f"Hand_{side}"], KNUCKLES)[0]
            assert np.linalg.norm(point - grip(distance, left)) <= CENTIMETRE


@pytest.mark.parametrize(
    ("made", "keytime", "bone", "offset", "target"),
    [
        *((punch(*p), 2, "Hand_R", KNUCKLES, (p[0], -PUNCH_DISTANCE, p[1])) for p in PUNCH_EXAMPLES),
        *((kick(*p), 2, "Toes_R", BALL, (p[0], -KICK_DISTANCE, p[1])) for p in KICK_EXAMPLES),
        *((lift(*p), 1, "Hand_L", KNUCKLES, tuple(grip(p[0], 1.0))) for p in LIFT_EXAMPLES),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_generated_examples_strike_what_they_are_made_for(
    made: Generated, keytime: int, bone: str, offset: np.ndarray, target: tuple[float, float, float]
):
    values = with_rotations(CHANNELS, np.zeros((len(made.times), CHANNELS.width)), made.rotations)
    values[:, 3:6] = made.root
    point = world_points(CHANNELS, values, JOINTS[bone], offset)
    there = [np.interp(made.keytimes[keytime], made.times, column) for column in point.T]
    assert np.linalg.norm(np.subtract(there, target)) <= 0.5 * CENTIMETRE


@pytest.mark.parametrize("make", [_punch, _kick, _lift])
def test_feet_that_stand_do_not_slip_and_no_joint_jumps(make: Callable[[], tuple[Verb, Aim]]):
    verb, _ = make()
    for place in lattice(verb.adverb_ranges, 3):
        motion = verb.motion(place)
        values = motion.sample(np.linspace(0.0, motion.duration, 120))
        for contact in verb.contacts:
            path = world_points(CHANNELS, values, contact.joint, contact.offset)
            assert np.linalg.norm(path - path[0], axis=1).max() <= 2 * CENTIMETRE
        rotations = rotations_of(CHANNELS, values)
        turned = np.abs(np.sum(rotations[1:] * rotations[:-1], axis=-1)).min()
        assert turned > np.cos(np.radians(15.0))
