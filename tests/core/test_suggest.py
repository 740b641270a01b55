"""Suggested transitions: where pose, pace and contacts of two verbs are most alike."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS, frame_times
from verbs_adverbs.core.biped.gestures import POINT_ADVERBS, POINT_EXAMPLES, point
from verbs_adverbs.core.biped.standing import BREATH_KEYTIMES, stance_pose, standing, wave
from verbs_adverbs.core.errors import GraphError
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import ROOT_LOCATION, world_joints
from verbs_adverbs.core.graph.distance_map import PACE_SECONDS, Suggestion, suggest_transitions
from verbs_adverbs.core.graph.transition import Transition
from verbs_adverbs.core.graph.verb_graph import compile_graph
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.example import Contact, Example, Take
from verbs_adverbs.core.verb.verb import Verb

from .graphs import generated_verbs, verb_of
from .synthetic import some_verb
from .walks import ADVERBS, biped_channels, walk_example, walk_examples

A_STEP, SECONDS_IDLE = 1.0 / 30.0, 12.0
ROUGHLY = 1.2
"""How many times as hard as at the best place a transition may move the root anywhere."""


@cache
def _walk() -> Verb:
    return build_verb("walk", biped_channels(), walk_examples(), ADVERBS, [[-1, 1], [-1, 1]])


@cache
def _styled(name: str, mood: float) -> Verb:
    """A walk of one example."""
    example = replace(walk_example(mood, 0.0), adverbs=np.zeros(0))
    return build_verb(name, biped_channels(), [example], (), np.zeros((0, 2)), reference=_walk().reference)


@cache
def _wave() -> Verb:
    made = wave()
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    contacts = tuple(Contact(p.bone, JOINTS[p.bone], np.zeros(3), p.windows) for p in made.plants)
    example = Example(made.name, np.zeros(0), made.keytime_names, made.keytimes, take, contacts, made.kind, False)
    return build_verb("wave", biped_channels(), [example], (), np.zeros((0, 2)), reference=_walk().reference)


def _apart(suggestion: Suggestion) -> float:
    """Generic time between the beginnings of both regions, the short way round the cycle."""
    apart = suggestion.transition.leaves.begin - suggestion.transition.enters.begin
    return abs(apart - round(apart))


def test_a_walk_goes_over_into_itself_at_equal_phases_with_equal_contacts():
    found = suggest_transitions(_walk(), _walk(), 3)
    assert len(found) == 3
    for suggestion in found:
        assert suggestion.transition.leaves == suggestion.transition.enters
        assert suggestion.distance < 1e-6 and suggestion.agreement == 1.0


@pytest.mark.parametrize(("one", "other"), [(-1.0, 1.0), (1.0, -1.0), (0.0, 1.0)])
def test_walks_in_two_moods_go_over_at_the_same_point_of_the_cycle_with_the_same_feet_down(one: float, other: float):
    left, right = suggest_transitions(_styled("one", one), _styled("other", other), 2)
    assert max(_apart(left), _apart(right)) < 0.03
    assert left.agreement == right.agreement == 1.0
    assert abs(abs(left.transition.leaves.begin - right.transition.leaves.begin) - 0.5) < 0.03


def test_regions_last_as_long_as_was_asked_and_begin_apart():
    motion = _walk().motion([0.0, 0.0])
    for seconds in (0.3, 0.45, 0.6):
        found = suggest_transitions(_walk(), _walk(), 3, seconds)
        regions = [s.transition.leaves for s in found]
        lasting = [float(np.diff(motion.clock([r.begin, r.end]))[0]) for r in regions]
        assert max(abs(length - seconds) for length in lasting) < 1.5 * A_STEP
        begins = sorted(float(motion.clock([r.begin])[0]) for r in regions)
        gaps = np.diff([*begins, begins[0] + motion.duration])
        assert min(gaps) > 2.0 / 3.0 * seconds - 1.5 * A_STEP


def _joints_and_velocities(verb: Verb, seconds: float) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities (J, 3) at an instant in the frame of the heading, the root over its origin."""
    motion = verb.motion(np.zeros(len(verb.adverb_names)))
    values = motion.sample([seconds - 1e-4, seconds, seconds + 1e-4])
    early, now, late = world_joints(verb.channels, values)
    heading = quat.from_yaw(-values[1, 2])
    return quat.rotate(heading, now - now[0] * [1, 1, 0]), quat.rotate(heading, late - early) / 2e-4


def test_the_distance_is_that_of_joints_and_velocities_over_the_region():
    one, other = _styled("one", -1.0), _styled("other", 1.0)
    for suggestion in suggest_transitions(one, other):
        squares = []
        for share in (np.arange(100) + 0.5) / 100:
            sides = []
            for verb, region in ((one, suggestion.transition.leaves), (other, suggestion.transition.enters)):
                begin, end = verb.motion([]).clock([region.begin, region.end])
                sides.append(_joints_and_velocities(verb, float(begin + share * (end - begin))))
            (places, paces), (others, other_paces) = sides
            squares.append(np.sum((places - others) ** 2 + (PACE_SECONDS * (paces - other_paces)) ** 2, axis=-1).mean())
        assert abs(suggestion.distance / np.sqrt(np.mean(squares)) - 1.0) < 0.1


def test_a_gesture_is_entered_in_its_first_half_and_left_in_its_second():
    there, back = suggest_transitions(_walk(), _wave()), suggest_transitions(_wave(), _walk())
    assert there and max(s.transition.enters.end for s in there) <= 0.5 + 1e-9
    assert back and min(s.transition.leaves.begin for s in back) >= 0.5 - 0.5 * A_STEP
    graph = compile_graph([_walk(), _wave()], [s.transition for s in (*there, *back)])
    assert len(graph.path("walk", "wave")) == len(graph.path("wave", "walk")) == 1


def test_which_way_the_examples_face_does_not_matter():
    example = replace(walk_example(1.0, 0.0), adverbs=np.zeros(0))
    turn = quat.from_yaw(2.0)
    rotations = example.take.rotations.copy()
    rotations[:, 0] = quat.multiply(turn, rotations[:, 0])
    take = replace(example.take, rotations=rotations, root=quat.rotate(turn, example.take.root))
    turned = replace(example, take=take)
    for reference in (_walk().reference, None):
        away = build_verb("other", biped_channels(), [turned], (), np.zeros((0, 2)), reference=reference)
        here, there = (suggest_transitions(_walk(), verb) for verb in (_styled("other", 1.0), away))
        assert [s.transition for s in here] == [s.transition for s in there]
        assert np.abs(np.subtract([s.distance for s in here], [s.distance for s in there])).max() < 1e-3


def test_none_is_worse_than_chance():
    found = suggest_transitions(_walk(), _wave(), 50)
    assert 0 < len(found) < 50


def test_verbs_of_two_skeletons_are_an_error_that_names_them():
    with pytest.raises(GraphError, match="Verbs 'walk' and 'walk' have different skeletons"):
        suggest_transitions(_walk(), some_verb(1, 3))


def test_verbs_with_different_roots_are_an_error_that_says_how_to_choose_one():
    skeleton = _walk().channels.skeleton
    rooted = replace(skeleton, names=("<object>", *skeleton.names[1:]))
    other = replace(_walk(), name="run", channels=replace(_walk().channels, skeleton=rooted))
    said = "Verbs '{}' and '{}' have different roots, '{}' and '{}'.*Travel carried by"
    with pytest.raises(GraphError, match=said.format("walk", "run", skeleton.names[0], "<object>")):
        suggest_transitions(_walk(), other)
    with pytest.raises(GraphError, match=said.format("run", "walk", "<object>", skeleton.names[0])):
        compile_graph([_walk(), other], [])


def _root_acceleration(left: Verb, entered: Verb, way: Transition) -> float:
    """Largest acceleration of the root while a transition fades one verb out and the other in."""
    passed = np.linspace(0.0, 1.0, 31)
    motions = [verb.motion(verb.places.mean(axis=0)) for verb in (left, entered)]
    old, new = (
        motion.sample(motion.clock(region.begin + passed * region.length))[:, ROOT_LOCATION]
        for motion, region in zip(motions, (way.leaves, way.enters), strict=True)
    )
    share = 0.5 + 0.5 * np.cos(np.pi * passed)[:, None]
    clock = motions[0].clock(np.array([way.leaves.begin, way.leaves.end]))
    bends = np.diff(share * old + (1.0 - share) * new, n=2, axis=0) / (float(np.ptp(clock)) / 30.0) ** 2
    return float(np.linalg.norm(bends, axis=1).max())


@pytest.mark.parametrize("verb", ["walk", "wave", "point"])
def test_a_verb_that_stands_is_left_anywhere_as_gently_as_where_it_is_left_best(verb: str):
    stand, walk, waving = generated_verbs()
    pointing = verb_of("point", tuple(POINT_ADVERBS), [point(*place) for place in POINT_EXAMPLES])
    target = {"walk": walk, "wave": waving, "point": pointing}[verb]
    lifted = tuple(replace(contact, windows=0.5 * contact.windows) for contact in stand.contacts)
    usual = suggest_transitions(replace(stand, contacts=lifted), target, 1)[0].transition
    found = suggest_transitions(stand, target, 1)[0].transition
    assert found.anywhere and not usual.anywhere
    ways = [found.leaving_at(place) for place in np.linspace(0.0, 1.0, 40)]
    assert max(_root_acceleration(stand, target, way) for way in ways) <= ROUGHLY * _root_acceleration(
        stand, target, usual
    )


@pytest.mark.parametrize("sway", [0.01, 0.06])
def test_a_long_idle_that_sways_is_left_anywhere_in_a_second_at_most(sway: float):
    times = frame_times(SECONDS_IDLE, 30.0)
    rotations, root = stance_pose(times / SECONDS_IDLE)
    root[:, 0] += sway * np.sin(2.0 * np.pi * times / SECONDS_IDLE)
    keytimes = SECONDS_IDLE * np.array([0.0, 0.45, 1.0])
    made = standing("Idle", {}, times, (rotations, root), BREATH_KEYTIMES, keytimes, cyclic=True)
    idle = verb_of("idle", (), [made])
    _, walk, waving = generated_verbs()
    for target in (walk, waving):
        way = suggest_transitions(idle, target, 1)[0].transition
        assert idle.stands and way.anywhere and way.leaves.length * SECONDS_IDLE < 1.1
        hardest = max(_root_acceleration(idle, target, way.leaving_at(place)) for place in (0.0, 0.25, 0.5, 0.75))
        assert hardest < max(ROUGHLY * _root_acceleration(idle, target, way), 1.2)


def test_a_brief_cycle_and_a_brief_verb_are_joined_without_fault():
    stand, _, waving = generated_verbs()
    quick = replace(stand, phrasing=replace(stand.phrasing, segments=stand.phrasing.segments / 6.0))
    way = suggest_transitions(quick, waving, 1)[0].transition
    assert way.leaves.length <= 1.0
    brief = replace(waving, phrasing=replace(waving.phrasing, segments=waving.phrasing.segments / 40.0))
    assert suggest_transitions(stand, brief, 1)


def test_a_point_that_never_stands_is_no_fault():
    stand, walk, _ = generated_verbs()
    lifted = replace(stand, contacts=tuple(replace(one, windows=one.windows[:, :0]) for one in stand.contacts))
    assert not lifted.stands and not suggest_transitions(lifted, walk, 1)[0].transition.anywhere


def test_nothing_else_is_left_anywhere():
    stand, walk, wave = generated_verbs()
    pairs = (walk, stand), (wave, stand), (walk, wave)
    assert not any(one.transition.anywhere for pair in pairs for one in suggest_transitions(*pair))
    assert not any(one.transition.anywhere for one in suggest_transitions(stand, walk)[1:])
