"""Files of words that are empty, cut off, damaged or absurd: a sentence that says what, where and how to mend."""

import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core import bounds
from verbs_adverbs.core.errors import VerbsError, WordsError
from verbs_adverbs.core.words.read_words import read_words, words_in

from .spoken import FORMATS, UTTERANCE, long_textgrid, short_textgrid, tiers_of

DAY = 86_400.0


def complaint(data: bytes | str) -> str:
    """The sentence about a file, which names it."""
    with pytest.raises(WordsError) as told:
        words_in(data.encode() if isinstance(data, str) else data, "talk.srt")
    sentence = str(told.value)
    assert sentence.startswith("'talk.srt' cannot be read. ")
    assert sentence.endswith(".")
    return sentence


def whisper(**changes: object) -> str:
    """A transcript of two words, the second changed."""
    words = [{"word": " so", "start": 1.0, "end": 1.5}, {"word": " what", "start": 1.5, "end": 2.0, **changes}]
    return json.dumps({"segments": [{"start": 1.0, "end": 2.0, "text": " so what", "words": words}]})


def cues(*lines: str) -> str:
    return "1\n00:00:01,000 --> 00:00:02,000\nso\n\n2\n" + "\n".join(lines) + "\n"


GRID = long_textgrid([("words", [(0.0, 1.0, "so"), (1.0, 2.0, "what")])])

BAD = {
    "nothing at all": ("", "is empty"),
    "spaces": (" \n\t\n", "is empty"),
    "no words": ("WEBVTT\n\nNOTE nothing\n", "no words"),
    "punctuation": ("1\n00:00:01,000 --> 00:00:02,000\n...\n", "no words"),
    "prose": ("Once upon a time\n", "SubRip"),
    "sound": (b"ID3\x04\x00\x00\x00", "a character of value 0"),
    "UTF-16 without a mark": ("WEBVTT".encode("utf-16-le"), "text in UTF-16 without its mark"),
    "half of UTF-16": (b"\xff\xfea\x00b", "Line 1 is not UTF-16"),
    "Latin-1": (cues("00:00:02,000 --> 00:00:03,000", "café").encode("latin-1"), "Line 7 is not UTF-8: byte 0xe9"),
    "Latin-1 in JSON": (whisper(word="caf\xe9").replace("\\u00e9", "\xe9").encode("latin-1"), "Line 1 is not UTF-8"),
    "half a letter": (whisper(word="a\ud83d"), "incomplete escape sequence"),
    "SubStation": ("[Script Info]\nTitle: x\n", "SubStation"),
    "TTML": ("<?xml version='1.0'?><tt></tt>", "XML"),
    "MicroDVD": ("{1}{25}Hello\n", "MicroDVD"),
    "a binary of Praat": (b"ooBinaryFile\x08TextGrid", "Save as text file"),
    "a pitch of Praat": (GRID.replace('"TextGrid"', '"PitchTier"'), "line 2|Line 2"),
    "a cue cut off": (cues("00:00:02,000 --> 00:0"), "Line 6, '00:00:02,000 --> 00:0', .* cut off"),
    "a cue without its arrow": (cues("00:00:02,000 - 00:00:03,000", "x"), "Line 6, .*not a pair of times"),
    "a cue with letters": (cues("00:00:O2,000 --> 00:00:03,000", "x"), "Line 6, .*not a pair of times"),
    "seconds beyond 59": (cues("00:00:72,000 --> 00:00:73,000", "x"), "Line 6, .*not a pair of times"),
    "a negative time": (cues("-00:00:02,000 --> 00:00:03,000", "x"), "Line 6, .*before 0"),
    "a negative duration": (cues("00:00:03,000 --> 00:00:02,500", "x"), "line 6 ends at 2.5 s, before it begins"),
    "a cue out of order": (cues("00:00:00,500 --> 00:00:00,900", "x"), "line 6 begins at 0.5 s, .*line 2, 1 s.*Sort"),
    "two cues at once": (cues("00:00:01,100 --> 00:00:01,900", "x"), "line 2 .*line 6 .*overlap"),
    "a year": (cues("9999:00:00,000 --> 9999:00:01,000", "x"), "line 6 .*more than a day"),
    "an inner time backward": ("WEBVTT\n\n00:01.000 --> 00:03.000\na <00:02.000>b <00:01.500>c", "line 3 .*backward"),
    "an inner time outside": ("WEBVTT\n\n00:01.000 --> 00:03.000\na <00:04.000>b", "line 3 .*outside"),
    "an inner time of 99 s": ("WEBVTT\n\n00:01.000 --> 00:03.000\na <00:99.000>b", "line 3 .*unreadable time"),
    "WebVTT cut off": ("WEBVTT\n\n00:01.000 --> ", "Line 3"),
    "JSON cut off": (whisper()[:-30], "Line 1, column .*cut off"),
    "JSON cut off in a text": (whisper()[:60], "Line 1, column .*cut off"),
    "JSON with a comma too many": ('{\n"segments": [,]\n}', "Line 2, column 14"),
    "JSON of something else": ('{"name": "x"}', "no 'segments', 'words'"),
    "a list": ("[1, 2]", "no 'segments', 'words'"),
    "segments alone": ('{"segments": [{"start": 0, "end": 1, "text": "a b"}]}', "--word_timestamps True"),
    "segments that are none": ('{"segments": 3}', "'segments' is not a list"),
    "entries alone": (
        '{"transcription": [{"text": " a b c", "offsets": {"from": 0, "to": 900}}]}', "--output-json-full"
    ),
    "deep brackets": ("[" * 200_000, "nested too deeply"),
    "deep objects": ('{"segments":' * 100_000, "nested too deeply"),
    "a number of ten thousand digits": (whisper(start=7).replace("7", "7" * 10_000), "thousands of digits"),
    "a number beyond all": (whisper(start=7).replace("7", "7" * 400), "Word 2 of segment 1 .*finite"),
    "infinity": (whisper(end=float("inf")), "Word 2 of segment 1 .*finite"),
    "no number": (whisper(start=float("nan")), "Word 2 of segment 1 .*finite"),
    "a negative start": (whisper(start=-3.0), "Word 2 of segment 1 .*before 0"),
    "milliseconds for seconds": (whisper(end=2_000_000), "Word 2 of segment 1 .*milliseconds"),
    "a text for a time": (whisper(start="1.5"), "Word 2 of segment 1 .*'start' that is not a number"),
    "yes for a time": (whisper(start=True), "Word 2 of segment 1 .*'start' that is not a number"),
    "a number for a word": (whisper(word=7), "Word 2 of segment 1 .*not text"),
    "a word before the last": (whisper(start=0.5, end=0.9), r"Word 2 of segment 1 \('what'\) begins at 0.5 s"),
    "a word over the last": (whisper(start=1.0, end=1.5), r"\('so'\).*\('what'\).*overlap"),
    "a word that ends early": (whisper(end=1.2), "Word 2 of segment 1 .*before it begins"),
    "a confidence of 7": (whisper(score=7), "Word 2 of segment 1 .*between 0 and 1"),
    "a segment of a year": ('{"segments": [{"start": 0, "end": 1e9, "words": [{"word": "a"}]}]}', "Segment 1 .*day"),
    "a TextGrid cut off": (GRID[: GRID.index("what") - 30], "ends in line .*interval 2 of 2 in tier 'words'.*cut off"),
    "a TextGrid cut in a text": (GRID[: GRID.index("what") + 2], "closing quote"),
    "a TextGrid without a number": (
        GRID.replace("xmax = 1.0", "xmax = soon"), 'Line 18 has "so" instead of the end of interval 1'
    ),
    "a TextGrid with a huge count": (
        GRID.replace("intervals: size = 2", "intervals: size = 2e12"), r"2e\+12 for the number of intervals"
    ),
    "a TextGrid with infinity": (GRID.replace("xmax = 1.0", "xmax = 1e999"), "line 16 .*finite"),
    "a TextGrid with other names": (
        long_textgrid([("Mary", [(0.0, 1.0, "so")]), ("John", [(0.0, 1.0, "what")])]),
        "'Mary', 'John'.*Name the tier with the words 'words'.*'Anna - words'",
    ),
    "a TextGrid without tiers": (
        'File type = "ooTextFile"\nObject class = "TextGrid"\n0\n1\n<absent>\n', "no interval tier"
    ),
    "a TextGrid with an interval backward": (
        GRID.replace("xmax = 2.0 \n            text", "xmax = 0.5 \n            text"), "line 20 ends at 0.5 s"
    ),
    "a long cue": (cues("00:00:02,000 --> 00:00:03,000", "a " * 20_000), "line 6 has 39999 letters"),
    "many words in cues": (cues(*["00:00:02,000 --> 00:00:03,000\n" + "a " * 9_000] * 12), "100000 words"),
    "many pieces": ('{"words":[' + "0," * 1_000_000 + "0]}", "1000000 words or word parts"),
    "phones out of order": (
        short_textgrid([("words", [(0.0, 2.0, "so")]), ("phones", [(1.0, 2.0, "S"), (0.0, 1.0, "OW1")])]),
        "'phones' in line 24 begins before",
    ),
}  # fmt: skip
"""Damaged files, and what the sentence about each must say."""


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_told_in_a_sentence_that_says_where(name: str):
    data, expected = BAD[name]
    sentence = complaint(data)
    assert re.search(expected, sentence) and sentence.isprintable()


def test_a_cue_without_text_at_the_end_is_told():
    found = words_in(cues("00:00:02,000 --> 00:00:03,000").encode(), "talk")
    assert [word.text for word in found.words] == ["so"]
    assert "line 6" in found.remarks[0] and "cut off" in found.remarks[0]


def test_small_overlaps_are_parted_and_told():
    found = words_in(whisper(start=1.4).encode(), "talk")
    assert [(word.start, word.end) for word in found.words] == [(1.0, 1.4), (1.4, 2.0)]
    assert "cut off where the next one begins: 1 " in found.remarks[0] and "('so')" in found.remarks[0]
    found = words_in(cues("00:00:01,800 --> 00:00:02,800", "what").encode(), "talk")
    assert [(word.start, word.end) for word in found.words] == [(1.0, 1.8), (1.8, 2.8)]
    assert "line 2" in found.remarks[0]


def test_a_large_file_is_refused_unread(tmp_path: Path):
    path = tmp_path / "talk.wav"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    with pytest.raises(WordsError, match="'talk.wav' cannot be read. It is larger than 32 million bytes"):
        read_words(path)


def test_too_many_words_are_refused():
    count = bounds.WORDS + 1
    words = ",".join(f'{{"word":"w","start":{number / 100},"end":{number / 100}}}' for number in range(count))
    assert f"It has more than {count - 1} words" in complaint(f'{{"words":[{words}]}}')


@pytest.mark.parametrize("name", ["absent.srt", "", "a\0b"])
def test_a_file_that_cannot_be_opened_is_told(name: str, tmp_path: Path):
    with pytest.raises(WordsError, match="cannot be opened"):
        read_words(tmp_path / name)


def assert_read_or_told(data: bytes) -> None:
    """Words in order, or an error of the tree in a sentence that can be shown; nothing else."""
    try:
        found = words_in(data, "talk")
    except VerbsError as error:
        assert str(error).endswith(".")
        assert str(error).encode()
        return
    assert found.words
    ends: dict[str, float] = {}
    for word in found.words:
        assert 0.0 <= ends.get(word.speaker, 0.0) <= word.start <= word.end <= DAY
        assert 0.0 <= word.confidence <= 1.0
        assert word.text or word.tag
        assert (word.text + word.tag + word.speaker).encode()
        assert all(word.start <= phone.start <= phone.end <= word.end for phone in word.phones)
        ends[word.speaker] = word.end


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Bytes with a few parts removed, doubled, swapped, overwritten or put in from a list of what parsers trip over."""
    tricks = [b"-", b"<", b">", b'"', b"0", b"9" * 30, b"\n", b"\n\n", b"-->", b"NaN", b"1e999", b"\xff", b"\0", b"{"]
    tricks += [
        b"}", b"[", b"]", b",", b":", b"null", b"true", b"\\ud800", b"<v B>", b"<nod>", b"<00:00:01.000>", b" ",
        b"\r",
    ]  # fmt: skip
    for _ in range(chance.randint(1, 6)):
        first, second = sorted(chance.randrange(len(data) + 1) for _ in range(2))
        second = min(second, first + chance.choice((1, 3, 20, 300)))
        part = data[first:second]
        new = chance.choice((b"", part * 2, part[::-1], chance.choice(tricks), chance.randbytes(3)))
        data = data[:first] + new + data[second:]
    return data[: chance.randrange(len(data) + 1)] if chance.random() < 0.1 else data


@pytest.mark.parametrize("kind", FORMATS)
def test_damage_by_chance_gives_words_or_a_sentence(kind: str):
    text = FORMATS[kind](UTTERANCE)
    for seed in range(400):
        chance = random.Random(f"{kind} {seed}")
        encoding = chance.choice(("utf-8", "utf-8", "utf-8", "utf-16"))
        assert_read_or_told(damaged(text.encode(encoding), chance))


def test_numbers_that_are_changed_by_chance_give_words_or_a_sentence():
    for seed in range(1500):
        chance = random.Random(seed)
        kind = chance.choice(list(FORMATS))
        letters = list(FORMATS[kind](UTTERANCE))
        digits = [place for place, letter in enumerate(letters) if letter.isdecimal()]
        for place in chance.sample(digits, min(len(digits), chance.randint(1, 8))):
            letters[place] = chance.choice("0123456789.-")
        assert_read_or_told("".join(letters).encode())


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.sampled_from(["", " a", "b", "1.5", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["segments", "words", "word", "text", "start", "end", "score", "p", "speaker", "transcription"]
                + ["tokens", "offsets", "from", "to", "word_segments"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=400)
@given(st.dictionaries(st.sampled_from(["segments", "words", "word_segments", "transcription"]), JSON, min_size=1))
def test_any_json_gives_words_or_a_sentence(value: object):
    assert_read_or_told(json.dumps(value).encode())


@settings(max_examples=300)
@given(
    st.sampled_from([b"", b"WEBVTT\n\n", b'"ooTextFile" "TextGrid" ', b"1\n00:00:01,000 --> 00:00:02,000\n", b"{"]),
    st.binary(max_size=80),
)
def test_any_bytes_give_words_or_a_sentence(front: bytes, data: bytes):
    assert_read_or_told(front + data)


@settings(max_examples=300)
@given(st.text("<>/abv u0123:.{}\\&;\n\t-", max_size=60))
def test_any_text_of_a_cue_gives_words_or_a_sentence(text: str):
    assert_read_or_told(f"WEBVTT\n\n00:01.000 --> 00:09.000\n{text}\n\n00:10.000 --> 00:11.000\nend".encode())


def test_tiers_of_several_speakers_with_damage_are_kept_apart():
    text = long_textgrid(tiers_of(UTTERANCE, "Anna") + tiers_of(UTTERANCE, "Ben"))
    for seed in range(300):
        assert_read_or_told(damaged(text.encode(), random.Random(seed)))
