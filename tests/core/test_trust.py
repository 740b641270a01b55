"""How far a verb can be trusted: wholly at its examples, less between those that are far apart, least beyond them."""

import numpy as np
from verbs_adverbs.core.verb.trust import trust

from .synthetic import some_verb


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
