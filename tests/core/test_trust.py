"""How far a verb can be trusted: wholly at its examples, less between those that are far apart, least beyond them."""

from dataclasses import replace

import numpy as np
from verbs_adverbs.core.verb.build import build_verb
from verbs_adverbs.core.verb.trust import trust

from .synthetic import random_channels, some_examples, some_verb


def test_a_verb_is_trusted_at_its_examples():
    verb = some_verb(3)
    np.testing.assert_allclose(trust(verb, verb.places), 1.0, atol=1e-6)


def test_it_is_trusted_less_and_less_beyond_them():
    verb = some_verb(3)
    middle = verb.places.mean(axis=0)
    far = verb.places[np.argmax(np.linalg.norm(verb.places - middle, axis=1))]
    found = trust(verb, middle + np.linspace(1.0, 6.0, 6)[:, None] * (far - middle))
    assert (np.diff(found) < 0.0).all() and 0.0 <= found[-1] < 0.05


def test_what_it_says_does_not_depend_on_the_units_of_the_adverbs():
    """Weights and distances as a reader of the docstring would compute them, one by one."""
    verb, point = some_verb(5), np.array([0.3, -0.2])
    point = np.resize(point, len(verb.adverb_names))
    weights, size = verb.weights(point), np.ptp(verb.adverb_ranges, axis=1)
    excess = sum(max(-weight, 0.0, weight - 1.0) for weight in weights)
    away = min(np.linalg.norm((point - place) / size) for place in verb.places)
    nearest = [
        min(np.linalg.norm((one - other) / size) for other in verb.places if not np.allclose(one, other))
        for one in verb.places
    ]
    expected = np.exp(-excess / 0.5 - max(away / np.median(nearest) - 1.0, 0.0))
    np.testing.assert_allclose(trust(verb, point[None]), [expected], rtol=1e-9)


def test_beside_a_line_of_examples_it_only_guesses_and_says_so():
    channels = random_channels(np.random.default_rng(7))
    steps = np.linspace(-0.8, 0.8, 4)
    places = np.column_stack([steps, 0.9 * steps + 0.02 * (-1.0) ** np.arange(4)])
    examples = [replace(e, adverbs=place) for e, place in zip(some_examples(7, channels, 4), places, strict=True)]
    verb = build_verb("walk", channels, examples, ("mood", "slope"), [[-1, 1], [-1, 1]])
    assert (trust(verb, np.concatenate([places, 0.5 * (places[1:] + places[:-1])])) > 0.7).all()
    assert (trust(verb, np.array([[0.4, -0.4], [0.0, 0.4], [-0.8, 0.8]])) < 0.05).all()
    (told,) = [
        text for text in verb.report.complaints if "In 'mood', 'slope' the examples lie nearly on one line" in text
    ]
    assert told.endswith("remove one of these adverbs.")
    assert not [text for text in some_verb(3).report.complaints if "on one line" in text]
