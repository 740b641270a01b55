"""The same words at the same times from every kind of file and in every encoding, as the formats are described."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.errors import WordsError
from verbs_adverbs.core.words.read_words import read_words, words_in
from verbs_adverbs.core.words.word import Utterance

from . import spoken
from .spoken import FORMATS, UTTERANCE, Said, Sound, rolling

MILLISECOND = 0.001


def read(text: str, encoding: str = "utf-8") -> Utterance:
    return words_in(text.encode(encoding), "talk")


def texts(utterance: Utterance) -> list[str]:
    return [word.text for word in utterance.words]


def spans(utterance: Utterance) -> list[tuple[float, float]]:
    return [(round(word.start, 9), round(word.end, 9)) for word in utterance.words]


def assert_same(utterance: Utterance, words: tuple[Said, ...]) -> None:
    assert texts(utterance) == [word.text for word in words]
    for found, word in zip(utterance.words, words, strict=True):
        assert abs(found.start - word.start) <= MILLISECOND, word
        assert abs(found.end - word.end) <= MILLISECOND, word


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_has_the_same_words_at_the_same_times(kind: str):
    assert_same(read(FORMATS[kind](UTTERANCE)), UTTERANCE)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be", "windows"])
def test_every_format_may_have_a_mark_of_its_encoding_and_the_ends_of_lines_of_windows(kind: str, encoding: str):
    text = FORMATS[kind](UTTERANCE)
    if encoding == "windows":
        text, encoding = text.replace("\n", "\r\n"), "utf-8"
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    assert_same(read(mark + text, encoding), UTTERANCE)


@pytest.mark.parametrize("kind", FORMATS)
def test_the_name_of_a_file_does_not_matter(kind: str, tmp_path: Path):
    path = tmp_path / "talk.mp3"
    path.write_text(FORMATS[kind](UTTERANCE), encoding="utf-8")
    assert_same(read_words(path), UTTERANCE)


@pytest.mark.parametrize(
    ("kind", "trust"), [("Whisper", 0.75), ("WhisperX", 0.75), ("whisper.cpp", 0.75), ("SubRip", 1.0), ("WebVTT", 1.0)]
)
def test_confidence_is_what_the_source_says_and_1_where_it_says_nothing(kind: str, trust: float):
    assert [word.confidence for word in read(FORMATS[kind](UTTERANCE)).words] == pytest.approx([trust] * 6)


@pytest.mark.parametrize("kind", ["long TextGrid", "short TextGrid"])
def test_phones_of_a_textgrid_are_those_of_their_words(kind: str):
    for found, word in zip(read(FORMATS[kind](UTTERANCE)).words, UTTERANCE, strict=True):
        assert [(one.label, one.start, one.end) for one in found.phones] == [
            (one.label, one.start, one.end) for one in word.sounds
        ]


def test_each_speaker_of_a_textgrid_has_words_and_phones_of_their_own():
    sound = Sound("OW1", 0.55, 0.75)
    later = (Said("Oh", 0.5, 0.8, (sound,)), Said("yes", 0.8, 1.0))
    both = read(spoken.long_textgrid(spoken.tiers_of(UTTERANCE, "Anna - Lena") + spoken.tiers_of(later, "Ben")))
    assert both.speakers == ("Anna - Lena", "Ben")
    assert_same(both.of("Anna - Lena"), UTTERANCE)
    assert_same(both.of("Ben"), later)
    assert [phone.label for phone in both.of("Anna - Lena").words[0].phones] == ["L", "UH1", "K"]
    assert [phone.label for phone in both.of("Ben").words[0].phones] == ["OW1"]
    with pytest.raises(WordsError, match="'Anna - Lena', 'Ben'"):
        both.of("Carl")


def test_speakers_of_subtitles_and_transcripts_may_speak_at_the_same_time():
    vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>Yes\n\n00:01.200 --> 00:01.900\n<v.loud Ben>No</v>\n"
    words = [{"word": "Yes", "start": 1.0, "end": 2.0, "speaker": "Anna"}]
    words += [{"word": "No", "start": 1.2, "end": 1.9, "speaker": "Ben"}]
    transcript = json.dumps({"segments": [{"start": 1.0, "end": 2.0, "text": "Yes No", "words": words}]})
    for text in (vtt, transcript):
        found = read(text)
        assert [(word.text, word.speaker, word.start, word.end) for word in found.words] == [
            ("Yes", "Anna", 1.0, 2.0), ("No", "Ben", 1.2, 1.9),
        ]  # fmt: skip


def test_quotes_in_a_textgrid_are_doubled_and_comments_are_no_values():
    grid = 'File type = "ooTextFile"\nObject class = "TextGrid"\n! 12 "not this"\n0 3 <exists> 1\n'
    grid += '"IntervalTier" "Words" 0 3 2 ! tier [1]\n0 1.5 "say ""no""" ! here\n1.5 3 "silver"\n'
    assert texts(read(grid)) == ["say", '"no"', "silver"]


@pytest.mark.parametrize("silence", ["", "  ", "sil", "SP", "<eps>"])
def test_silence_in_a_textgrid_is_no_word(silence: str):
    grid = spoken.short_textgrid([("words", [(0.0, 1.0, "so"), (1.0, 2.0, silence), (2.0, 3.0, "<unk>")])])
    assert texts(read(grid)) == ["so", "<unk>"]


def test_several_words_of_a_cue_share_its_time_by_their_letters_and_are_told():
    found = read("1\n00:00:01,000 --> 00:00:02,000\n- I\nwandered, oh!\n\n2\n00:00:03,000 --> 00:00:04,000\nalone\n")
    assert texts(found) == ["- I", "wandered,", "oh!", "alone"]
    edges = [1.0, 1.0 + 1 / 11, 1.0 + 9 / 11, 2.0]
    assert spans(found)[:3] == [(round(a, 9), round(b, 9)) for a, b in zip(edges[:-1], edges[1:], strict=True)]
    assert max(word.confidence for word in found.words[:3]) < 0.5 < found.words[3].confidence == 1.0
    assert any("3 of 4" in remark and "line 2" in remark for remark in found.remarks)


def test_numbers_of_cues_are_not_words_and_words_that_are_numbers_stay():
    text = (
        "1\n00:00:01,000 --> 00:00:02,000\n7\n2\n00:00:02,000 --> 00:00:03,000\n8\n\n\n00:00:03,000 --> 00:00:04,000\n9"
    )
    assert texts(read(text)) == ["7", "8", "9"]


def test_an_arrow_in_a_subtitle_is_text():
    assert "-->" in texts(read("1\n00:00:01,000 --> 00:00:02,000\nfrom A --> B\n"))[1]


def test_words_that_are_really_repeated_stay_in_captions_that_do_not_roll():
    text = (
        "WEBVTT\n\n00:01.000 --> 00:02.000\nNo\n\n00:02.000 --> 00:03.000\nNo\nnever\n\n00:03.000 --> 00:04.000\nNo\n"
    )
    assert texts(read(text)) == ["No", "No", "never", "No"]


def test_captions_that_roll_without_times_inside_are_read_once():
    lines = ["we were talking", "about the sea", "and the sea", "and the sea", "was calm"]
    cues = [
        f"{number}\n00:00:{number:02d},000 --> 00:00:{number + 1:02d},000\n{above}\n{line}\n"
        for number, (above, line) in enumerate(zip(["", *lines[:-1]], lines, strict=True), 1)
    ]
    assert " ".join(texts(read("\n".join(cues)))) == " ".join(lines)


def test_gestures_asked_for_in_captions_that_roll_are_kept():
    text = rolling(UTTERANCE).replace("Look,", "<nod>Look,", 1).replace("over<", "over <point left><", 1)
    silent = "01:01:10.000 --> 01:01:11.000 align:start\n<shrug>\n"
    found = read(f"{text}\n{silent}")
    assert [(word.text, word.tag) for word in found.words if word.tag] == [
        ("Look,", "nod"), ("there!", "point left"), ("", "shrug"),
    ]  # fmt: skip


def test_a_time_inside_a_word_does_not_part_it():
    found = read("WEBVTT\n\n00:01.000 --> 00:02.000\nka<00:01.300>ra<00:01.400>oke <00:01.700>night\n")
    assert [(word.text, word.start, word.end) for word in found.words] == [("karaoke", 1.0, 1.7), ("night", 1.7, 2.0)]


def test_words_without_times_lie_between_their_neighbours():
    words = [{"word": "in", "start": 1.0, "end": 1.2, "score": 0.9}, {"word": "2014,"}, {"word": "?"}]
    words += [{"word": "we", "start": 1.6, "end": 1.8, "score": 0.8}, {"word": "paid"}, {"word": "£13"}]
    found = read(json.dumps({"segments": [{"start": 1.0, "end": 2.6, "text": "...", "words": words}]}))
    assert texts(found) == ["in", "2014, ?", "we", "paid", "£13"]
    third = round(1.8 + 0.8 * 4 / 6, 9)
    assert spans(found) == [(1.0, 1.2), (1.2, 1.6), (1.6, 1.8), (1.8, third), (third, 2.6)]
    assert [word.confidence < 0.5 for word in found.words] == [False, True, False, True, True]
    assert "3 of 5" in found.remarks[0]


def test_a_segment_that_could_not_be_aligned_keeps_its_own_time():
    timed = {"start": 1.0, "end": 1.4, "text": "so", "words": [{"word": "so", "start": 1.0, "end": 1.4, "score": 0.9}]}
    found = read(json.dumps({"segments": [timed, {"start": 5.0, "end": 6.0, "text": " or not"}]}))
    assert texts(found) == ["so", "or", "not"]
    assert spans(found)[1:] == [(5.0, 5.4), (5.4, 6.0)]


def test_a_word_whose_segment_leaves_no_room_is_given_a_short_time_beside_its_neighbour():
    words = [{"word": "2014"}, {"word": "something", "start": 8.0, "end": 8.5, "score": 0.9}]
    found = read(json.dumps({"segments": [{"start": 8.0, "end": 8.5, "text": "2014 something", "words": words}]}))
    assert spans(found)[0] == (7.4, 8.0)


def test_letters_torn_between_two_pieces_are_put_together():
    def piece(text: bytes, start: int) -> bytes:
        return b'{"text":"%b","offsets":{"from":%d,"to":%d},"p":0.5}' % (text, start, start + 100)

    e_acute, katakana = "é".encode(), "カ".encode()
    pieces = [
        piece(b" caf" + e_acute[:1], 0),
        piece(e_acute[1:] + b"s", 100),
        piece(katakana[:2], 200),
        piece(katakana[2:], 300),
    ]
    data = b'{"transcription":[{"text":"","offsets":{"from":0,"to":400},"tokens":[' + b",".join(pieces) + b"]}]}"
    found = words_in(data, "talk")
    assert [(word.text, word.start, word.end) for word in found.words] == [("cafés", 0.0, 0.2), ("カ", 0.2, 0.4)]


def test_in_scripts_without_spaces_each_piece_is_a_word():
    tokens = [
        spoken.token(text, start, start + 0.2) for text, start in (("今日", 0.0), ("は", 0.2), ("、", 0.4), ("海", 0.6))
    ]
    entry = spoken.token("今日は、海", 0.0, 0.8)
    found = read(json.dumps({"transcription": [{**entry, "tokens": tokens}]}))
    assert [(word.text, word.start, round(word.end, 3)) for word in found.words] == [
        ("今日", 0.0, 0.2), ("は、", 0.2, 0.4), ("海", 0.6, 0.8),
    ]  # fmt: skip


def test_punctuation_adds_nothing_to_the_time_and_confidence_of_a_word():
    tokens = [spoken.token(" well", 1.0, 1.3), {**spoken.token(",", 1.3, 2.9), "p": 0.1}, spoken.token(" so", 3.0, 3.2)]
    found = read(json.dumps({"transcription": [{**spoken.token(" well, so", 1.0, 3.2), "tokens": tokens}]}))
    assert [(word.text, word.end, word.confidence) for word in found.words] == [("well,", 1.3, 0.75), ("so", 3.2, 0.75)]


REPEATED = {"captions of YouTube", "SubRip with highlighted words", "SubRip with coloured words"}
"""Formats that are told by what they repeat, which a few words by chance may not do."""
LETTERS = st.text(st.sampled_from("abcdefgéßñжλ'’0123456789"), min_size=1, max_size=9).filter(
    lambda text: any(letter.isalnum() for letter in text)
)


@st.composite
def utterances(draw: st.DrawFn) -> tuple[Said, ...]:
    """Words at whole milliseconds that last at least 20 of them, with pauses of none or at least 20."""
    time, words = draw(st.integers(0, 4_000_000)), []
    for text in draw(st.lists(LETTERS, min_size=1, max_size=12)):
        start = time + draw(st.just(0) | st.integers(20, 2000))
        time = start + draw(st.integers(20, 900))
        words.append(Said(text, start / 1000, time / 1000))
    return tuple(words)


@pytest.mark.parametrize("kind", sorted(set(FORMATS) - REPEATED))
@settings(max_examples=40)
@given(words=utterances())
def test_what_is_written_is_read_again(kind: str, words: tuple[Said, ...]):
    assert_same(read(FORMATS[kind](words)), words)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.text(max_size=12), st.integers(1, 500)), min_size=1, max_size=9))
def test_any_label_comes_back_from_a_textgrid(labels: list[tuple[str, int]]):
    labels = [
        (text.replace("\0", "").replace("\r", "").replace("<", "").replace("&", ""), length) for text, length in labels
    ]
    labels = [(text.encode("utf-8", "ignore").decode(), length) for text, length in labels]
    items, time = [], 0.0
    for text, length in labels:
        items.append((time, time + length / 100, text))
        time += length / 100
    wanted = " ".join(" ".join(text.split()) for _, _, text in items if text.strip().lower() not in ("", "sil", "sp"))
    grid = spoken.long_textgrid([("words", items)])
    if not any(letter.isalnum() for letter in wanted):
        with pytest.raises(WordsError, match="no words"):
            read(grid)
    elif r"{\\" not in wanted:
        assert " ".join(texts(read(grid))).split() == wanted.split()
