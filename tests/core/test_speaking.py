"""A text that is said at a rate."""

import numpy as np
import pytest
from verbs_adverbs.core.errors import WordsError
from verbs_adverbs.core.words.word import spoken


def test_words_follow_one_another_at_the_rate_each_as_long_as_its_letters_say() -> None:
    words = spoken("so <point left>there, it is", 2.0).words
    assert [(word.text, word.tag) for word in words] == [("so", ""), ("there,", "point left"), ("it", ""), ("is", "")]
    assert [word.start for word in words[1:]] == [word.end for word in words[:-1]]
    lengths = [word.end - word.start for word in words]
    np.testing.assert_allclose(lengths, 2.0 * np.array([2, 5, 2, 2]) / 11.0)
    assert all(word.confidence == 1.0 for word in words)


@pytest.mark.parametrize(("text", "rate", "told"), [(" ", 2.0, "nothing to say"), ("so", 0.0, "0 words per second")])
def test_what_cannot_be_said_is_told(text: str, rate: float, told: str) -> None:
    with pytest.raises(WordsError, match=told):
        spoken(text, rate)


def test_of_several_tags_the_last_counts_and_the_others_are_told() -> None:
    said = spoken("<beat><offer>so")
    assert said.words[0].tag == "offer" and "beat" in said.remarks[0]


def test_looks_are_on_the_words_that_are_said() -> None:
    said = spoken("so <look Cube><offer>there, <look AWAY>no")
    assert [(word.tag, word.look) for word in said.words] == [("", ""), ("offer", "Cube"), ("", "AWAY")]
