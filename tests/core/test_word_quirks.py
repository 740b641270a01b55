"""Quirks of files as other programs write them, each in a small file of our own after what its program says of it."""

import json
from collections.abc import Sequence

import pytest
from verbs_adverbs.core.errors import WordsError
from verbs_adverbs.core.words.read_words import words_in
from verbs_adverbs.core.words.word import Utterance

from .spoken import clock, long_textgrid, token

Times = Sequence[tuple[float, float, str]]


def read(text: str) -> Utterance:
    return words_in(text.encode(), "talk")


def said(utterance: Utterance) -> list[tuple[str, float, float]]:
    return [(word.text, round(word.start, 6), round(word.end, 6)) for word in utterance.words]


def subrip(cues: Times) -> str:
    return "\n".join(
        f"{number}\n{clock(start, ',')} --> {clock(end, ',')}\n{text}\n"
        for number, (start, end, text) in enumerate(cues, 1)
    )


def test_captions_that_stay_while_the_next_one_is_shown_are_cut_off():
    """W3C, "WebVTT", introduction: cues in a region that scrolls stay (https://www.w3.org/TR/webvtt1/)."""
    found = read(subrip([(10.0, 30.0, "splendid"), (12.5, 32.5, "weather"), (13.1, 13.3, "today")]))
    assert said(found) == [("splendid", 10.0, 12.5), ("weather", 12.5, 13.1), ("today", 13.1, 13.3)]
    assert "Cues cut off where the next one begins: 2 " in found.remarks[0]
    with pytest.raises(WordsError, match="overlap"):
        read(subrip([(10.0, 30.0, "splendid"), (10.4, 32.5, "weather")]))


def test_cues_that_hold_pieces_of_words_are_put_together():
    """ggml-org/whisper.cpp, "Word-level timestamp", `-ml 1 -osrt` (https://github.com/ggml-org/whisper.cpp)."""
    pieces = [(0.0, 0.1, " Ver"), (0.1, 0.3, "bs"), (0.3, 0.6, ","), (0.6, 0.7, " you"), (0.7, 0.9, "'re")]
    assert said(read(subrip([*pieces, (1.0, 1.4, " so")]))) == [
        ("Verbs,", 0.0, 0.3), ("you're", 0.6, 0.9), ("so", 1.0, 1.4),
    ]  # fmt: skip
    bare = [(start, end, text.strip()) for start, end, text in pieces]
    assert [word.text for word in read(subrip(bare)).words] == ["Ver", "bs ,", "you", "'re"]


def test_a_cue_with_more_words_than_can_be_said_is_told():
    """A whole talk stands in the first cue of some captions (https://github.com/ytdl-org/youtube-dl/issues/30710)."""
    found = read(subrip([(0.5, 1.5, "so"), (2.0, 3.0, "splendid weather " * 10)]))
    assert found.remarks[-1] == "Cues with more words than can be spoken in their time: 1 (first: the cue of line 6)."
    assert not any("more words" in remark for remark in read(subrip([(2.0, 3.0, "splendid weather")])).remarks)


def test_two_cues_with_the_same_times_are_two_lines_of_one():
    """pycaption writes captions of several places so (https://pycaption.readthedocs.io)."""
    found = read("WEBVTT\n\n00:01.000 --> 00:02.000 line:0\nso\n\n00:01.000 --> 00:02.000 line:90%\nwhat\n")
    assert said(found) == [("so", 1.0, 1.333333), ("what", 1.333333, 2.0)]
    both = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Anna>yes\n\n00:01.000 --> 00:02.000\n<v Ben>no\n"
    assert said(read(both)) == [("yes", 1.0, 2.0), ("no", 1.0, 2.0)]


def test_times_of_whole_seconds_are_read_and_no_others_without_a_fraction():
    """Some programs write them (https://github.com/byroot/pysrt/issues/25)."""
    assert said(read("1\n00:00:20 --> 00:00:24\nfruits\n")) == [("fruits", 20.0, 24.0)]
    with pytest.raises(WordsError, match=r"Line 2, .*cut off"):
        read("1\n00:00:20,500 --> 00:00:24")


MARKED = {"<u>": "</u>", '<font color="#00ff00">': "</font>", "<b>": "</b>", "<c.spoken>": "</c>"}


@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize("speaker", ["", "[SPEAKER_00]: "])
def test_the_marked_word_of_a_sentence_that_is_repeated_is_spoken(mark: str, speaker: str):
    """Whisper underlines it, stable-ts colours it, and the sentence stands unmarked between two words.

    openai/whisper, whisper/utils.py, `SubtitlesWriter` (https://github.com/openai/whisper), m-bain/whisperX the same
    with who speaks, stable-ts, README, "Output" (https://github.com/jianfch/stable-ts).
    """
    words = [("so", 1.0, 1.2), ("what", 1.3, 1.6), ("now,", 1.8, 2.0)]
    cues: list[tuple[float, float, str]] = []
    for index, (_, start, end) in enumerate(words):
        if cues:
            cues.append((cues[-1][1], start, f"{speaker}so what now,"))
        parts = [f"{mark}{text}{MARKED[mark]}" if at == index else text for at, (text, _, _) in enumerate(words)]
        cues.append((start, end, speaker + " ".join(parts)))
    cues += [(3.0, 3.5, f"{speaker}{mark}Nothing.{MARKED[mark]}"), (5.0, 5.5, f"{speaker}else")]
    found = read(subrip(cues))
    assert said(found) == [*words, ("Nothing.", 3.0, 3.5), ("else", 5.0, 5.5)]
    assert found.speakers == (("SPEAKER_00",) if speaker else ("",))


def test_italics_do_not_make_a_text_one_that_is_repeated():
    cues = [
        (1.0, 2.0, "<i>no</i> no"),
        (2.0, 3.0, "no <i>no</i>"),
        (3.0, 4.0, "<i>yes</i> and"),
        (4.0, 5.0, "<i>it</i>"),
    ]
    cues += [(5.0, 6.0, "<i>is</i> so"), (6.0, 7.0, "it <i>is</i>")]
    assert len(read(subrip(cues)).words) == 11


def test_who_speaks_stands_in_brackets_before_the_text():
    """m-bain/whisperX, whisperx/utils.py, `SubtitlesWriter` (https://github.com/m-bain/whisperX)."""
    found = read(subrip([(1.0, 2.0, "[SPEAKER_00]: Yes"), (1.5, 2.5, "[SPEAKER_01]: No"), (3.0, 4.0, "[2]: well")]))
    assert [(word.text, word.speaker) for word in found.words] == [
        ("Yes", "SPEAKER_00"), ("No", "SPEAKER_01"), ("well", "2"),
    ]  # fmt: skip


def test_captions_whose_first_line_has_lost_its_space_are_read():
    """YouTube's captions begin with a line that holds a space, which editors strip; see the test of those that roll.

    A line that is directly above times is still an identifier, and a comment is one.
    """
    text = "WEBVTT\nKind: captions\n\n00:01.000 --> 00:02.000\n\nso<00:01.500><c> what</c>\n\nNOTE not this\n\n"
    text += "second\n00:02.000 --> 00:02.010\nso what\n\n00:02.010 --> 00:04.000\n\nso what\n\n"
    text += "now<00:03.000><c> then</c>\n\nfourth\n00:04.000 --> 00:05.000\n\nnow then\n\nyes\n"
    found = said(read(text))
    assert found[:4] == [("so", 1.0, 1.5), ("what", 1.5, 2.0), ("now", 2.01, 3.0), ("then", 3.0, 4.0)]
    assert found[4:] == [("yes", 4.0, 5.0)]
    assert said(read("WEBVTT\n\n00:01.000 --> 00:02.000\nso\n\nnot this\n")) == [("so", 1.0, 2.0)]


def test_captions_of_youtube_that_were_converted_to_subrip_are_read_once():
    """yt-dlp, `--convert-subs srt` (https://github.com/yt-dlp/yt-dlp): no inner times, cues of 10 ms that repeat."""
    cues = [(1.0, 2.0, "so what"), (2.0, 2.01, "so what"), (2.01, 3.0, "so what\nis new"), (3.0, 3.01, "is new")]
    assert [word.text for word in read(subrip(cues)).words] == ["so", "what", "is", "new"]
    slow = [(1.0, 2.0, "so what"), (2.5, 3.5, "so what"), (4.0, 5.0, "so what\nis new")]
    assert [word.text for word in read(subrip(slow)).words] == [*["so", "what"] * 3, "is", "new"]


def test_sounds_and_names_in_square_brackets_are_not_spoken():
    """YouTube's ``[Music]``, whisper.cpp's ``[BLANK_AUDIO]`` (https://github.com/ggml-org/whisper.cpp)."""
    found = read(subrip([(1.0, 2.0, "[Anna] yes"), (3.0, 4.0, "[soft music]"), (5.0, 6.0, "[1] no")]))
    assert [word.text for word in found.words] == ["yes", "[1]", "no"]
    assert found.remarks[0] == "Left out, because text in square brackets is not spoken: 2."
    tokens = [token(text, 0.0, 0.5) for text in (" [", "BL", "ANK", "_", "AUDIO", "]")]
    entry = {**token(" [BLANK_AUDIO] so", 0.0, 1.0), "tokens": [*tokens, token(" so", 0.5, 1.0)]}
    found = read(json.dumps({"transcription": [entry]}))
    assert said(found) == [("so", 0.5, 1.0)]
    assert found.remarks[0].endswith("not spoken: 1.")


def piece(text: str, start: float, end: float) -> dict[str, object]:
    return {"word": text, "start": start, "end": end, "probability": 0.5}


def segments(*words: dict[str, object]) -> list[dict[str, object]]:
    return [{"start": 0.0, "end": 9.0, "text": "...", "words": list(words)}]


def test_a_word_of_whisper_without_a_space_belongs_to_the_one_before_it():
    """openai/whisper, whisper/tokenizer.py, `split_tokens_on_spaces` (https://github.com/openai/whisper)."""
    words = [piece(" a", 0.0, 0.2), piece(" well", 0.2, 0.5), piece("-known", 0.5, 0.9), piece(" 10", 1.0, 1.3)]
    found = read(json.dumps({"segments": segments(*words, piece(",000", 1.3, 1.9), piece(" men", 2.0, 2.5))}))
    assert said(found) == [("a", 0.0, 0.2), ("well-known", 0.2, 0.9), ("10,000", 1.0, 1.9), ("men", 2.0, 2.5)]
    bare = [piece(text, *span) for text, span in (("well", (0.2, 0.5)), ("known", (0.5, 0.9)))]
    assert said(read(json.dumps({"segments": segments(*bare)}))) == [("well", 0.2, 0.5), ("known", 0.5, 0.9)]


def test_words_of_the_server_of_whisper_cpp_are_pieces():
    """ggml-org/whisper.cpp, examples/server, "verbose_json" (https://github.com/ggml-org/whisper.cpp)."""
    words = [piece("[_BEG_]", 0.0, 0.0), piece(" Ver", 0.1, 0.3), piece("bs", 0.3, 0.5), piece(",", 0.5, 0.8)]
    found = read(json.dumps({"segments": segments(*words, piece(" too", 0.8, 1.0))}))
    assert said(found) == [("Verbs,", 0.1, 0.5), ("too", 0.8, 1.0)]


def test_a_bare_list_holds_segments_or_words():
    """SYSTRAN/faster-whisper, how to write JSON (https://github.com/SYSTRAN/faster-whisper/issues/94)."""
    words = [piece(" so", 0.0, 0.5), piece(" what", 0.5, 1.0)]
    for text in (json.dumps(segments(*words)), json.dumps(words)):
        assert said(read(text)) == [("so", 0.0, 0.5), ("what", 0.5, 1.0)]


def test_chunks_of_a_pipeline_are_words_if_they_are_asked_for():
    """Transformers, `AutomaticSpeechRecognitionPipeline` (https://huggingface.co/docs/transformers)."""
    chunks = [{"text": " so", "timestamp": [0.0, 0.5]}, {"text": " what?", "timestamp": [0.5, None]}]
    assert said(read(json.dumps({"text": " so what?", "chunks": chunks}))) == [("so", 0.0, 0.5), ("what?", 0.5, 1.1)]
    with pytest.raises(WordsError, match="return_timestamps='word'"):
        read(json.dumps({"chunks": [{"text": " so what?", "timestamp": [0.0, 1.0]}]}))


def test_pieces_whose_silence_was_removed_are_moved_to_their_entry():
    """ggml-org/whisper.cpp with `--vad` (https://github.com/ggml-org/whisper.cpp/issues/4046)."""
    tokens = [token("[_BEG_]", 0.0, 0.0), token(" so", 0.1, 0.4), token("on", 0.4, 0.9), token("[_TT_50]", 1.0, 1.0)]
    entries = [{**token(" soon", 4.5, 5.5), "tokens": tokens}]
    entries.append({**token(" now", 6.0, 7.0), "tokens": [token(" now", 6.2, 7.0)]})
    found = read(json.dumps({"transcription": entries}))
    assert said(found) == [("soon", 4.6, 5.4), ("now", 6.2, 7.0)]
    assert "Words that were moved" in found.remarks[0] and found.remarks[0].endswith(": 1.")


def test_a_transcript_in_milliseconds_is_told():
    """AssemblyAI counts so (https://www.assemblyai.com/docs, "Transcript", `words`)."""
    words = [{"text": "so", "start": 250, "end": 650}, {"text": "what", "start": 730, "end": 1022}]
    with pytest.raises(WordsError, match=r"Half of its words last 400 s or more\. .*milliseconds"):
        read(json.dumps({"words": words}))


@pytest.mark.parametrize(
    ("words", "phones", "silence"),
    [("ORT-MAU", "MAU", "<p:>"), ("TokensAlign", "PhonAlign", "#"), ("wrd", "phn", "h#"), ('""word""', "phone", "sil")],
)
def test_tiers_of_other_aligners_are_known_with_their_silence(words: str, phones: str, silence: str):
    """WebMAUS, SPPAS and TIMIT; a program had put its name between quotes.

    BAS web services, help of runMAUSBasic (https://clarin.phonetik.uni-muenchen.de/BASWebServices/services/help),
    SPPAS, "Alignment" (https://sppas.org), TIMIT (https://catalog.ldc.upenn.edu/docs/LDC93S2/timit.html).
    """
    sounds = [(0.0, 1.0, silence), (1.0, 1.2, "s"), (1.2, 1.5, "@U"), (1.5, 2.0, silence)]
    tiers = [(words, [(0.0, 1.0, silence), (1.0, 1.5, "so"), (1.5, 2.0, "")]), (phones, sounds), ("KAN-MAU", sounds)]
    found = read(long_textgrid(tiers))
    assert said(found) == [("so", 1.0, 1.5)]
    assert [phone.label for phone in found.words[0].phones] == ["s", "@U"]
    assert not found.remarks


def test_the_only_tier_with_texts_has_the_words_whatever_it_is_called():
    """Praat, "To TextGrid...": tiers are called as one likes (https://www.fon.hum.uva.nl/praat/manual/)."""
    found = read(long_textgrid([("Mary", [(0.0, 1.0, ""), (1.0, 2.0, "so")]), ("empty", [(0.0, 2.0, "")])]))
    assert said(found) == [("so", 1.0, 2.0)]
    assert "'Mary', the only one with text" in found.remarks[0]
    with pytest.raises(WordsError, match="'phone'.*Name the tier with the words"):
        read(long_textgrid([("phone", [(0.0, 1.0, "s")])]))
