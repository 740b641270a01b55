"""What cannot be made a verb is refused in words that say what is wrong, where, and what to do."""

from dataclasses import replace

import numpy as np
import pytest
from verbs_adverbs.core.errors import BasisError, ExampleError, VerbError, VerbsError
from verbs_adverbs.core.figure.channels import Channels, Scalar
from verbs_adverbs.core.verb.build import VerbOptions, build_verb
from verbs_adverbs.core.verb.example import Example

from .synthetic import contact, random_channels, some_examples

RANGES = [[-1, 1], [-1, 1]]


def _channels() -> Channels:
    return random_channels(np.random.default_rng(30), 5, [Scalar("dial", -1, "value", 0, False, "")])


def _assert_refused(error: type[VerbsError], sentence: str, examples: list[Example], channels: Channels) -> None:
    with pytest.raises(error, match=sentence):
        build_verb("walk", channels, examples, ("mood", "slope"), RANGES)


def _with_second(**changes: object) -> tuple[list[Example], Channels]:
    channels = _channels()
    examples = some_examples(30, channels, 4)
    examples[1] = replace(examples[1], **changes)  # type: ignore[arg-type]
    return examples, channels


def test_the_examples_as_they_are_make_a_verb():
    examples, channels = _with_second()
    assert build_verb("walk", channels, examples, ("mood", "slope"), RANGES).report.complaints == ()


def test_no_examples():
    _assert_refused(VerbError, r"Verb 'walk' has no examples. Add", [], _channels())


@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_wrong_number_of_adverb_values(count: int):
    examples, channels = _with_second(adverbs=np.zeros(count))
    _assert_refused(
        ExampleError, rf"'example 2' has {count} adverb values, but its verb has 2 adverbs. Fill", examples, channels
    )


def test_keytimes_out_of_order():
    examples, channels = _with_second(keytimes=np.array([0.0, 0.5, 0.4, 0.8]))
    _assert_refused(
        ExampleError, r"'up' of example 'example 2' \(0.400 s\) does not come after 'pass'.*Move", examples, channels
    )


def test_a_different_number_of_keytimes():
    examples, channels = _with_second(keytimes=np.array([0.0, 0.5, 0.8]), keytime_names=("down", "up", "end"))
    _assert_refused(
        ExampleError, r"'example 2' and 'example 1' of verb 'walk' have 3 and 4 keytimes. Give", examples, channels
    )


def test_keytimes_in_another_order():
    examples, channels = _with_second(keytime_names=("down", "up", "pass", "end"))
    sentence = r"Keytime 2 of examples 'example 2' and 'example 1'.* is 'up' in one and 'pass' in the other. Put"
    _assert_refused(ExampleError, sentence, examples, channels)


def test_a_keytime_outside_the_action():
    examples, channels = _with_second(keytimes=np.array([0.0, 0.2, 0.4, 99.0]))
    _assert_refused(
        ExampleError,
        r"keytimes of example 'example 2' last 99.000 s, but its action only has keys.*Move",
        examples,
        channels,
    )


def test_an_action_that_begins_after_the_first_keytime():
    examples, channels = _with_second()
    take = examples[1].take
    examples[1] = replace(examples[1], take=replace(take, times=take.times + 0.5))
    _assert_refused(
        ExampleError, r"keytimes of example 'example 2'.*only has keys from 0.400 s.*Move", examples, channels
    )


def test_an_action_of_two_frames():
    examples, channels = _with_second()
    take = examples[1].take
    rows = slice(0, 2)
    short = replace(
        take, times=take.times[rows], rotations=take.rotations[rows], root=take.root[rows], scalars=take.scalars[rows]
    )
    examples[1] = replace(examples[1], take=short)
    _assert_refused(ExampleError, r"'example 2' has 2 frames; a motion needs at least 3. Choose", examples, channels)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e30])
@pytest.mark.parametrize(("field", "what"), [("root", "a root"), ("rotations", "a rotation"), ("scalars", "a channel")])
def test_a_key_that_is_no_sensible_number(field: str, what: str, bad: float):
    examples, channels = _with_second()
    take = examples[1].take
    data = getattr(take, field).copy()
    data[36].flat[0] = bad
    examples[1] = replace(examples[1], take=replace(take, **{field: data}))
    _assert_refused(
        ExampleError, rf"'example 2' has {what} value that is not a valid number 0.500 s in. Mend", examples, channels
    )


def test_one_that_is_no_cycle_among_cycles():
    examples, channels = _with_second(cyclic=False)
    _assert_refused(
        ExampleError,
        r"One of examples 'example 2' and 'example 1'.* is cyclic and the other is not. Make",
        examples,
        channels,
    )


def test_one_that_stays_among_those_that_travel():
    examples, channels = _with_second(kind="stationary")
    _assert_refused(
        ExampleError, r"'example 2' and 'example 1'.* stays in place and the other travels. Make", examples, channels
    )


def test_in_place_and_travelling_examples_can_be_mixed():
    channels = _channels()
    feet = (contact(4, (0.0, 0.3), point="foot"),)
    examples = [replace(e, contacts=feet) for e in some_examples(30, channels, 4)]
    examples[1] = replace(examples[1], kind="in_place")
    assert len(build_verb("walk", channels, examples, ("mood", "slope"), RANGES).example_names) == 4


def test_different_contact_points():
    examples, channels = _with_second(contacts=(contact(4, (0.0, 0.3), point="heel"),))
    _assert_refused(
        ExampleError, r"'example 2' and 'example 1'.* same contact points \(heel\). Give", examples, channels
    )


def test_two_examples_at_one_place():
    examples, channels = _with_second(adverbs=np.array([0.0, 0.0]))
    _assert_refused(BasisError, r"'example 1' and 'example 2' have the same adverb values. Change", examples, channels)


def test_all_on_a_line():
    channels = _channels()
    examples = [replace(e, adverbs=np.array([0.2 * i, 0.5])) for i, e in enumerate(some_examples(30, channels, 4))]
    _assert_refused(
        BasisError, r"on one line or plane.*'slope' cannot be distinguished from the others. Add", examples, channels
    )


@pytest.mark.parametrize("count", [1, 2])
def test_fewer_examples_than_adverbs_and_one(count: int):
    channels = _channels()
    examples = some_examples(30, channels, 4)[:count]
    _assert_refused(
        BasisError,
        rf"{count} examples? (is|are) not enough for 2 adverbs \(mood, slope\): at least 3",
        examples,
        channels,
    )


@pytest.mark.parametrize("bad", [np.nan, 1e30])
def test_adverb_values_that_are_no_numbers(bad: float):
    examples, channels = _with_second(adverbs=np.array([0.1, bad]))
    _assert_refused(
        BasisError,
        r"Adverb 'slope' of example 'example 2' is .*, which is far outside its range. Correct",
        examples,
        channels,
    )


def test_an_adverb_whose_minimum_is_its_maximum():
    channels = _channels()
    with pytest.raises(BasisError, match=r"Adverb 'slope' has no range. Set its minimum below"):
        build_verb("walk", channels, some_examples(30, channels, 4), ("mood", "slope"), [[-1, 1], [2, 2]])


def test_a_verb_without_a_polynomial():
    channels = _channels()
    with pytest.raises(VerbError, match=r"'walk' has degree -1.* Choose degree 0 or more"):
        build_verb("walk", channels, some_examples(30, channels, 4), ("a", "b"), RANGES, VerbOptions(degree=-1))


def test_every_sentence_is_of_the_one_error_tree():
    assert all(issubclass(kind, VerbsError) for kind in (BasisError, ExampleError, VerbError))


def test_the_order_of_contact_points_does_not_matter():
    channels = _channels()
    heel, toe = contact(2, (0.1, 0.4), point="heel"), contact(3, (0.2, 0.5))
    examples = [replace(example, contacts=(heel, toe)) for example in some_examples(30, channels, 4)]
    turned = [examples[0], *(replace(example, contacts=(toe, heel)) for example in examples[1:])]
    built, expected = (build_verb("walk", channels, some, ("mood", "slope"), RANGES) for some in (turned, examples))
    assert [one.point for one in built.contacts] == ["heel", "toe"]
    for one, other in zip(built.contacts, expected.contacts, strict=True):
        np.testing.assert_array_equal(one.windows, other.windows)
