"""Refinement and searches: what they never lose, and that a refined verb is a verb like any other."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.bench.reach_scenes import ARM_REGION, LINKS, REACHED, arm_reach
from verbs_adverbs.core.errors import VerbError
from verbs_adverbs.core.play.verb_now import Pacer
from verbs_adverbs.core.reach.measures import Aim, Measure, aim_at_adverbs, end_effector, percent
from verbs_adverbs.core.reach.refine import Refinement, RefineOptions, refine, sample_points, scattered
from verbs_adverbs.core.reach.search import out_of_reach, search, search_adverbs, search_line, search_weights
from verbs_adverbs.core.verb.cardinal_basis import cardinal_basis
from verbs_adverbs.core.verb.radial_bases import Kernel
from verbs_adverbs.core.verb.verb import Verb

from .stepping import played

POINTS = scattered(ARM_REGION, 200)
ROUNDING = 1e-9
"""Percent."""


@pytest.fixture(scope="module")
def arm() -> tuple[Verb, Aim]:
    return arm_reach(1)


@pytest.fixture(scope="module")
def refined(arm: tuple[Verb, Aim]) -> Refinement:
    return refine(*arm, RefineOptions(samples=400))


def _errors(verb: Verb, aim: Aim, weights: np.ndarray) -> np.ndarray:
    return percent(aim, aim.measure.of_weights(verb, weights) - aim.asked(POINTS))


@pytest.mark.long
def test_examples_keep_their_weights_exactly_through_every_refinement(arm: tuple[Verb, Aim]):
    for count in (1, 5, 12, 20):
        verb = refine(*arm, RefineOptions(count=count, samples=200)).verb
        assert len(verb.basis.centres) > len(verb.places)
        assert np.abs(verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9


@pytest.mark.parametrize("kernel", ["cubic_b_spline", "kriging", "linear", "thin_plate", "gaussian"])
def test_refitted_hyperplanes_and_every_kernel_keep_the_examples_exact(arm: tuple[Verb, Aim], kernel: Kernel):
    verb, aim = arm
    basis = cardinal_basis(verb.places, np.ptp(ARM_REGION, axis=1), kernel=kernel)
    found = refine(replace(verb, basis=basis), aim, RefineOptions(count=8, samples=200, refit=True))
    assert len(found.pseudo.places) > 0
    assert np.abs(found.verb.basis.polynomial - basis.polynomial).max() > 1e-6
    assert np.abs(found.verb.weights(verb.places) - np.eye(len(verb.places))).max() < 1e-9
    assert np.abs(found.verb.weights(found.pseudo.places) - found.pseudo.weights).max() < 1e-9
    assert np.abs(found.verb.weights(POINTS).sum(axis=1) - 1.0).max() < 1e-9


def test_a_refined_verb_meets_its_pseudo_examples(arm: tuple[Verb, Aim], refined: Refinement):
    pseudo = refined.pseudo
    assert np.abs(refined.verb.weights(pseudo.places) - pseudo.weights).max() < 1e-9
    assert np.abs(arm[1].measure.at(refined.verb, pseudo.places) - arm[1].asked(pseudo.places)).max() < 1e-4


def test_weights_of_a_refined_verb_sum_to_1_everywhere(refined: Refinement):
    points = ARM_REGION.mean(axis=1) + 5.0 * (POINTS - ARM_REGION.mean(axis=1))
    assert np.abs(refined.verb.weights(points).sum(axis=1) - 1.0).max() < 1e-9


@pytest.mark.parametrize("factor", [0.5, 2.0, 40.0])
@pytest.mark.parametrize("count", [1, 3, pytest.param(30, marks=pytest.mark.long)])
def test_a_refinement_never_makes_the_largest_error_worse(arm: tuple[Verb, Aim], count: int, factor: float):
    verb, aim = arm
    options = RefineOptions(count=count, samples=150, radius_factors=(factor,))
    found = refine(verb, aim, options)
    places = sample_points(verb, options.samples)
    before, after = (percent(aim, aim.measure.at(v, places) - aim.asked(places)).max() for v in (verb, found.verb))
    assert after <= before
    assert after == min(stage.maximum for stage in found.stages)


def test_radii_fitted_together_and_exchanges_leave_less_error(arm: tuple[Verb, Aim]):
    """With the paper's kernel, of which all radii are fitted."""
    verb, aim = arm
    verb = replace(verb, basis=cardinal_basis(verb.places, np.ptp(ARM_REGION, axis=1), kernel="cubic_b_spline"))
    places = sample_points(verb, 500)
    own, together, exchanged = (
        percent(aim, aim.measure.at(found.verb, places) - aim.asked(places))
        for found in (
            refine(verb, aim, RefineOptions(samples=500, joint_radii=False, exchanges=0)),
            refine(verb, aim, RefineOptions(samples=500, exchanges=0)),
            refine(verb, aim, RefineOptions(samples=500, exchanges=6)),
        )
    )
    assert together.max() < 0.9 * own.max()
    assert exchanged.max() < 0.9 * together.max()


def test_a_refinement_ends_by_error_and_when_told(arm: tuple[Verb, Aim]):
    by_error = refine(*arm, RefineOptions(percent=5.0, samples=200))
    assert by_error.stages[-1].maximum <= 5.0 < by_error.stages[-2].maximum


def test_searches_never_end_worse_than_they_began(arm: tuple[Verb, Aim], refined: Refinement):
    for verb in (arm[0], refined.verb):
        aim, start = arm[1], _errors(verb, arm[1], verb.weights(POINTS))
        once, thrice = (_errors(verb, aim, search_line(verb, aim, POINTS, 0.0, n).weights) for n in (1, 3))
        assert (once <= start + ROUNDING).all()
        assert (thrice <= once + ROUNDING).all()
        for found in (
            search_adverbs(verb, aim, POINTS, 0.0, 3),
            search_weights(verb, aim, POINTS, verb.weights(POINTS), 0.0, 3),
            search(verb, aim, POINTS, 0.0, 3),
        ):
            assert (_errors(verb, aim, found.weights) <= start + ROUNDING).all()
            assert np.abs(found.weights.sum(axis=1) - 1.0).max() < 1e-9


def test_searches_for_what_is_out_of_reach_never_end_worse(arm: tuple[Verb, Aim]):
    verb, aim = arm
    points = ARM_REGION.mean(axis=1) + 4.0 * (POINTS - ARM_REGION.mean(axis=1))
    start = np.linalg.norm(aim.misses(verb, verb.weights(points), aim.asked(points)), axis=1)
    for steps in (1, 2, 3, 10):
        found = search_adverbs(verb, aim, points, 0.0, steps)
        again = np.linalg.norm(aim.misses(verb, found.weights, aim.asked(points)), axis=1)
        assert (again <= start + 1e-5).all()


def test_damped_least_squares_finds_what_one_line_does_not(arm: tuple[Verb, Aim]):
    verb, aim = arm
    line = _errors(verb, aim, search_line(verb, aim, POINTS, 0.0).weights)
    assert line.max() > 1.0
    assert _errors(verb, aim, search(verb, aim, POINTS, 1e-6).weights).max() < 0.01


def test_the_frame_path_of_a_refined_verb_is_its_motions(refined: Refinement):
    verb = refined.verb
    pacer = Pacer(verb, {contact.point: index for index, contact in enumerate(verb.contacts)})
    for point in POINTS[:40]:
        motion = verb.motion(point)
        times = motion.clock([REACHED])
        assert np.abs(played(verb, times, point).values - motion.sample(times)).max() < 1e-5
        now = pacer.at(dict(zip(verb.adverb_names, point.tolist(), strict=True)))
        assert np.abs(now.weights - motion.weights).max() < 1e-9


def test_a_refined_verb_is_not_refined_again(arm: tuple[Verb, Aim], refined: Refinement):
    with pytest.raises(VerbError, match="already has pseudo-examples"):
        refine(refined.verb, arm[1])


def test_a_measure_that_is_not_a_number_is_named(arm: tuple[Verb, Aim]):
    verb, aim = arm
    nowhere = Measure(("x", "y"), ("m", "m"), lambda _, weights: np.full((len(weights), 2), np.nan))
    with pytest.raises(VerbError, match="measured in example 'corner 1' of verb 'arm' is not a number"):
        aim_at_adverbs(verb, nowhere, ("x", "y"))
    with pytest.raises(VerbError, match=r"at x 0\.\d+, y .* is not a number"):
        refine(verb, replace(aim, measure=nowhere))


def test_adverbs_that_ask_are_the_verbs_own_and_one_for_each_component(arm: tuple[Verb, Aim]):
    verb, aim = arm
    with pytest.raises(VerbError, match="Name one adverb for each"):
        aim_at_adverbs(verb, aim.measure, ("x",))
    with pytest.raises(VerbError, match="has no adverb 'z'"):
        aim_at_adverbs(verb, aim.measure, ("x", "z"))


def test_a_target_that_no_example_reaches_is_told_with_its_distance(arm: tuple[Verb, Aim]):
    verb, aim = arm
    assert out_of_reach(verb, aim, ARM_REGION.mean(axis=1), 1e-3) == ""
    said = out_of_reach(verb, aim, np.array([2.0, 0.0]), 1e-3)
    assert said.startswith("The examples of verb 'arm' cannot reach x 2 m, y 0 m: the closest is ")
    told = float(said.split("closest is ")[1].split(" m away")[0])
    assert told >= 0.99 * (2.0 - LINKS.sum())


def test_adverbs_that_ask_for_nothing_stay_where_they_are(arm: tuple[Verb, Aim]):
    verb, _ = arm
    aim = aim_at_adverbs(verb, end_effector(4, np.zeros(3), REACHED, axes=(0,)), ("x",))
    places = np.linspace(-1.0, 2.0, 3001)
    for found in (search_adverbs(verb, aim, POINTS, 1e-5), search_line(verb, aim, POINTS, 1e-5, 20)):
        assert found.errors.max() <= 1e-5
        for row in (0, 50, 120):
            line = verb.weights(np.stack([places, np.full(len(places), POINTS[row, 1])], axis=-1))
            assert np.abs(line - found.weights[row]).sum(axis=1).min() < 0.01
