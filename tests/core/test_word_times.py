"""Where in a word a gesture lands, and words that are moved by hand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.errors import WordsError
from verbs_adverbs.core.words.cues import Cue, words_in_cues
from verbs_adverbs.core.words.stress import stressed_vowel, target_of
from verbs_adverbs.core.words.word import Found, Phone, Utterance, Word, in_order


def sounds(*labels: str) -> tuple[Phone, ...]:
    """Phones of a tenth of a second each, from 1 s on."""
    return tuple(Phone(label, 1.0 + 0.1 * place, 1.1 + 0.1 * place) for place, label in enumerate(labels))


STRESSED = [
    ("B AH0 N AE1 N AH0", 3), ("EH2 JH AH0 K EY1 SH AH0 N", 4), ("AE2 N D", 0), ("AH0 V", 0),
    ("DH AH0 S EY2", 3), ("t ow1 y", 1), ("DH AH", 1), ("Y UW", 1), ("hh er0 iy1", 2),
    ("b ə ˈn ɑː n ə", 3), ("ˈb ə n ɑː", 1), ("ˌɛ d j ʊ ˈk eɪ ʃ ə n", 5), ("ˌm ɪ s t a", 1), ("m ɪ ˌs t a", 4),
    ("ˈ k æ t", 2), ("ə b aw t", 0), ("t y", 1), ("b ɹ̩ d", 1), ("ã", 0), ("k aɪ", 1), ("l a˥˩ n", 1), ("x iaŋ4 y3", 1),
]  # fmt: skip
"""Phones of words in ARPABET and IPA, and which of them is the stressed vowel."""


@pytest.mark.parametrize(("phones", "place"), STRESSED)
def test_the_stressed_vowel_is_found(phones: str, place: int):
    made = sounds(*phones.split())
    assert stressed_vowel(made) == made[place]


@pytest.mark.parametrize("phones", ["", "S", "ʃ", "ˈʃ", "spn", "P S T", "@ n"])
def test_without_a_known_vowel_none_is_claimed(phones: str):
    assert stressed_vowel(sounds(*phones.split())) is None


def test_a_gesture_lands_on_the_onset_of_the_stressed_vowel():
    word = Word("banana", 0.9, 1.7, phones=sounds("B", "AH0", "N", "AE1", "N", "AH0"))
    assert target_of(word) == pytest.approx(1.3)


def test_without_phones_it_lands_a_share_into_the_word():
    word = Word("banana", 2.0, 3.0)
    assert 2.0 < target_of(word) < 2.5
    assert target_of(Word("pst", 2.0, 3.0, phones=sounds("P", "S", "T"))) == target_of(word)


def utterance() -> Utterance:
    other = Word("x", 2.1, 2.4, speaker="Ben")
    return Utterance((Word("a", 1.0, 1.5), Word("b", 2.0, 2.5), other, Word("c", 2.5, 3.0)))


def nudged(talk: Utterance, index: int, seconds: float) -> Utterance:
    """The words with one moved as far as there is room."""
    word, room = talk.words[index], talk.room_for(index, seconds)
    moved = replace(word, start=word.start + room, end=word.end + room)
    words = [*talk.words[:index], moved, *talk.words[index + 1 :]]
    return Utterance(tuple(sorted(words, key=lambda one: round(one.start, 9))))  # moving by what is left may round


@pytest.mark.parametrize(
    ("index", "seconds", "start", "end"),
    [
        (0, 0.25, 1.25, 1.75), (0, 9.0, 1.5, 2.0), (0, -9.0, 0.0, 0.5), (1, -0.25, 1.75, 2.25), (1, -9.0, 1.5, 2.0),
        (1, 0.1, 2.0, 2.5), (3, -0.1, 2.5, 3.0), (3, 60.0, 62.5, 63.0),
    ],
)  # fmt: skip
def test_a_word_that_is_nudged_stops_at_its_neighbours(index: int, seconds: float, start: float, end: float):
    before = utterance()
    moved = nudged(before, index, seconds)
    assert (moved.words[index].start, moved.words[index].end) == pytest.approx((start, end))
    assert [word for place, word in enumerate(moved.words) if place != index] == [
        word for place, word in enumerate(before.words) if place != index
    ]


def test_words_of_others_are_no_hindrance():
    moved = nudged(utterance(), 2, -2.0)
    assert [word.text for word in moved.words] == ["x", "a", "b", "c"]
    assert (moved.words[0].start, moved.words[0].end) == pytest.approx((0.1, 0.4))


MOVES = st.lists(st.tuples(st.integers(0, 100), st.floats(-3.0, 3.0)), max_size=12)
PARTS = st.lists(st.tuples(st.floats(0.0, 0.7), st.floats(0.0, 1.3)), min_size=1, max_size=8)


@settings(max_examples=200)
@given(PARTS, MOVES)
def test_words_never_cross_however_they_are_nudged(parts: list[tuple[float, float]], moves: list[tuple[int, float]]):
    time, words = 0.0, []
    for pause, length in parts:
        words.append(Word(str(len(words)), time + pause, time + pause + length))
        time = words[-1].end
    talk = Utterance(tuple(words))
    for place, seconds in moves:
        talk = nudged(talk, place % len(words), seconds)
    assert [word.text for word in talk.words] == [str(place) for place in range(len(words))]
    last = 0.0
    for before, word in zip(words, talk.words, strict=True):
        assert last <= word.start + 1e-9 and word.start <= word.end
        assert word.end - word.start == pytest.approx(before.end - before.start, abs=1e-9)
        last = word.end


def test_strips_of_a_scene_are_cues():
    strips = [Cue(1.0, 2.0, "look <point left>there", "The strip 'A'"), Cue(2.5, 3.0, "now", "The strip 'B'")]
    found = words_in_cues(strips)
    assert [(word.text, word.tag) for word in found.words] == [("look", ""), ("there", "point left"), ("now", "")]
    with pytest.raises(WordsError, match="The strip 'A' begins at 1 s, before .*the strip 'B'"):
        words_in_cues(strips[::-1])


def test_words_made_by_hand_are_checked_and_sorted_by_speaker():
    found = [Found(Word("a", 5.0, 6.0, speaker="A"), "Word 1"), Found(Word("b", 1.0, 2.0, speaker="B"), "Word 2")]
    assert [word.text for word in in_order(found).words] == ["b", "a"]
    with pytest.raises(WordsError, match="Word 3 begins at 4 s, before .*word 1, 5 s"):
        in_order([*found, Found(Word("c", 4.0, 4.5, speaker="A"), "Word 3")])


def test_punctuation_is_part_of_the_word_beside_it():
    texts = [("-", 0.0), ("Bonjour", 1.0), ("!", 2.0), ("«", 3.0), ("Oui", 4.0)]
    found = in_order([Found(Word(text, start, start + 0.5), "Word") for text, start in texts])
    assert [(word.text, word.start, word.end) for word in found.words] == [
        ("- Bonjour ! «", 1.0, 1.5),
        ("Oui", 4.0, 4.5),
    ]
