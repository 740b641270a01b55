"""What the examples of a verb say about its kernel and about each other, against a judge that fits them again."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.left_out import (
    KernelErrors,
    better_kernel,
    better_told,
    contradictions,
    kernel_errors,
    what_fits,
)
from verbs_adverbs.core.verb.radial_bases import Kernel
from verbs_adverbs.core.verb.verb import Verb
from verbs_adverbs.demo.diagnostics import leave_one_out, radial_scheme

from .synthetic import make_example, random_channels, some_verb
from .walks import ADVERBS, biped_channels, walk_example

RANGES = [[-1.0, 1.0], [-1.0, 1.0]]
PLACES = [(0.0, 0.0), (-1.0, 0.1), (1.0, 0.0), (0.1, -1.0), (0.0, 0.9), (0.7, 0.6), (-0.6, -0.8)]


def _walks(*more: tuple[float, float]) -> Verb:
    examples = [walk_example(*place) for place in (*PLACES, *more)]
    return build_verb("walk", biped_channels(), examples, ADVERBS, RANGES)


@pytest.fixture(scope="module")
def walks() -> Verb:
    return _walks()


def _errors(*means: tuple[float, float], spread: float = 0.0) -> list[KernelErrors]:
    """Errors of the kernels kriging, cubic B-spline and linear, with these means relative and in the world."""
    kernels: tuple[Kernel, ...] = ("kriging", "cubic_b_spline", "linear")
    noise = spread * np.resize([1.0, -1.0], 8)
    found = []
    for row, (kernel, (relative, world)) in enumerate(zip(kernels, means, strict=False)):
        found.append(KernelErrors(kernel, 1, np.arange(8), np.full(8, relative) + row * noise, np.full(8, world)))
    return found


@pytest.mark.parametrize(("kernel", "degree"), [("kriging", 0), ("kriging", 1), ("cubic_b_spline", 1), ("linear", 0)])
def test_errors_are_those_of_examples_that_are_fitted_again(walks: Verb, kernel: Kernel, degree: int):
    found = kernel_errors(walks, kernel, degree, 2.0)[0]
    assert (found.kernel, found.degree) == (kernel, degree)
    options = VerbOptions(kernel=kernel, degree=degree)
    examples = [walk_example(*place) for place in PLACES]
    schemes = {"judge": radial_scheme(options)}
    judged = leave_one_out("walk", biped_channels(), examples, ADVERBS, RANGES, schemes, options)["judge"]
    for ours, theirs in ((found.relative, judged.relative), (found.world, judged.world)):
        assert np.abs(ours - np.array(theirs)).max() < 0.03 * max(theirs)


def test_the_verbs_own_kernel_is_told_first_and_none_twice(walks: Verb):
    for own in (("linear", 0), ("kriging", 0)):
        names = [error.name for error in kernel_errors(walks, *own, 2.0)]
        assert names[0] == f"{own[0].title()} of degree {own[1]}"
        assert len(set(names)) == len(names)
        assert {"Kriging of degree 0", "Cubic B-Spline of degree 1"} <= set(names)


def test_the_radius_is_that_of_the_verb(walks: Verb):
    narrow, wide = (kernel_errors(walks, "cubic_b_spline", 1, factor)[0] for factor in (1.2, 6.0))
    assert np.abs(narrow.relative - wide.relative).max() > 1e-3 * narrow.mean


def test_few_examples_and_those_without_adverbs_say_nothing():
    assert kernel_errors(some_verb(3, 4), "kriging", 0, 2.0) == ()
    channels = random_channels(np.random.default_rng(2))
    alone = build_verb("wave", channels, [make_example("only", (), 2, channels)], (), np.zeros((0, 2)))
    assert kernel_errors(alone, "kriging", 0, 2.0) == () == contradictions(alone)
    assert what_fits(()) == "" and better_kernel(()) is None


def test_an_example_without_which_the_others_span_nothing_is_not_counted():
    channels = random_channels(np.random.default_rng(5))
    places = [(x, 0.0) for x in np.linspace(-1.0, 1.0, 5)] + [(0.0, 0.8)]
    examples = [make_example(f"e{i}", place, i, channels) for i, place in enumerate(places)]
    verb = build_verb("walk", channels, examples, ADVERBS, RANGES)
    errors = kernel_errors(verb, "kriging", 0, 2.0)
    assert [len(error.relative) for error in errors] == [5] * len(errors)
    assert np.isfinite([error.mean for error in errors]).all()


def test_the_kernel_with_the_least_error_is_told_beside_the_verbs_own():
    told = what_fits(_errors((0.03, 0.06), (0.02, 0.06), (0.025, 0.05)))
    best = "Kernel Cubic B-Spline of degree 1 predicts left-out examples best; with this verb's kernel the error is "
    assert told == f"{best}50 % larger."
    assert what_fits(_errors((0.09, 0.06), (0.02, 0.06), (0.025, 0.05))).endswith("the error is 4 times as large.")
    alike = what_fits(_errors((0.0201, 0.06), (0.02, 0.06), (0.025, 0.05)))
    assert alike == "This verb's kernel predicts left-out examples as well as any other."
    assert what_fits(_errors((0.0204, 0.06), (0.02, 0.06), (0.025, 0.05))).endswith("the error is 2 % larger.")
    own = what_fits(_errors((0.01, 0.06), (0.02, 0.06), (0.025, 0.05)))
    assert own == "This verb's kernel predicts left-out examples best."


def test_a_kernel_that_is_clearly_better_is_advised():
    errors = _errors((0.03, 0.06), (0.027, 0.06), (0.024, 0.05))
    best = better_kernel(errors)
    assert best is errors[2]
    (told,) = better_told(best, errors[0])
    assert "kernel Linear of degree 1" in told and "20 % better than with Kriging of degree 1" in told


@pytest.mark.parametrize(
    "errors",
    [
        _errors((0.03, 0.06), (0.029, 0.05)),
        _errors((0.03, 0.06), (0.024, 0.061)),
        _errors((0.03, 0.06), (0.027, 0.05), spread=0.01),
        _errors((0.02, 0.06), (0.03, 0.06), (0.04, 0.06)),
    ],
    ids=["hardly better", "worse in the world", "better by chance", "worse"],
)
def test_a_kernel_that_is_not_clearly_better_is_not_advised(errors: list[KernelErrors]):
    assert better_kernel(errors) is None


def test_examples_that_agree_with_each_other_are_not_doubted(walks: Verb):
    assert contradictions(walks) == ()
    assert contradictions(_walks((0.01, 0.02))) == ()


def test_two_examples_alike_in_adverbs_and_unlike_in_pose_are_named():
    odd = replace(walk_example(-0.9, 0.8), name="odd one", adverbs=np.array([0.98, 0.03]))
    examples = [*(walk_example(*place) for place in PLACES), odd]
    verb = build_verb("walk", biped_channels(), examples, ADVERBS, RANGES)
    (told,) = contradictions(verb)
    assert f"'{examples[2].name}' and 'odd one' have nearly the same adverb values but different poses" in told
    apart = replace(odd, adverbs=np.array([-0.9, 0.8]))
    assert contradictions(build_verb("walk", biped_channels(), [*examples[:-1], apart], ADVERBS, RANGES)) == ()


def test_two_takes_of_nearly_the_same_are_not_doubted():
    second_take = replace(walk_example(0.06, 0.0), name="second take", adverbs=np.array([1e-3, 0.0]))
    examples = [*(walk_example(*place) for place in PLACES), second_take]
    assert contradictions(build_verb("walk", biped_channels(), examples, ADVERBS, RANGES)) == ()


def test_many_contradictions_are_counted():
    channels = random_channels(np.random.default_rng(9))
    examples = []
    for row in range(12):
        for twin in range(2):
            place = (float(np.cos(row)) + 1e-3 * twin, float(np.sin(row)))
            examples.append(make_example(f"e{row} {twin}", place, 2 * row + twin, channels))
    told = contradictions(build_verb("walk", channels, examples, ADVERBS, RANGES))
    assert 1 < len(told) < 12
    assert "more pairs of examples have nearly the same adverb values" in told[-1]


def test_examples_most_of_which_have_the_same_poses_contradict_nothing():
    channels = random_channels(np.random.default_rng(3))
    places = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)]
    examples = [make_example(f"e{row}", place, min(row, 1), channels) for row, place in enumerate(places)]
    assert contradictions(build_verb("walk", channels, examples, ADVERBS, RANGES)) == ()
