"""Tags in a text that ask for gestures, what is shown without them, and what only looks like a tag."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from verbs_adverbs.core.words.cues import Cue, words_in_cues
from verbs_adverbs.core.words.read_words import words_in
from verbs_adverbs.core.words.tags import marked_words, shown
from verbs_adverbs.core.words.word import Utterance

from .spoken import long_textgrid, short_textgrid


def tagged(text: str) -> list[tuple[str, str]]:
    return [(word.text, word.tag) for word in marked_words(text, "It")[0]]


def in_strip(text: str) -> Utterance:
    return words_in_cues([Cue(1.0, 2.0, text, "The strip 'Text'")])


def test_a_tag_names_the_gesture_of_the_next_word_and_is_not_shown():
    assert tagged("look over <point left> there, now") == [
        ("look", ""), ("over", ""), ("there,", "point left"), ("now", ""),
    ]  # fmt: skip
    assert shown("look over <point left> there, now", "It") == "look over there, now"


def test_the_name_of_the_gesture_and_what_follows_it_can_be_asked_for():
    word = in_strip("<point  left\n#Door /> there").words[0]
    assert (word.gesture, word.tag) == ("point", "point left #Door")
    plain = in_strip("there").words[0]
    assert plain.gesture == ""


def test_a_tag_at_the_end_belongs_to_the_last_word():
    assert tagged("over there <nod>") == [("over", ""), ("there", "nod")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("over there <nod>.", [("over", ""), ("there.", "nod")]),
        ("there <nod>, yes", [("there,", ""), ("yes", "nod")]),
        ("<nod> - there", [("-", ""), ("there", "nod")]),
        ("<nod> ...", [("...", "nod")]),
    ],
)
def test_punctuation_is_no_word_for_a_tag(text: str, words: list[tuple[str, str]]):
    assert tagged(text) == words


def test_tags_need_no_spaces_around_them():
    assert tagged("<nod>yes<beat>and no<shrug>") == [("yes", "nod"), ("and", "beat"), ("no", "shrug")]


def test_a_text_of_tags_alone_is_a_gesture_in_silence():
    word = in_strip(" <nod twice> ").words[0]
    assert (word.text, word.tag, word.start, word.end, word.confidence) == ("", "nod twice", 1.0, 2.0, 1.0)


def test_of_several_tags_the_one_next_to_the_word_counts_and_the_others_are_told():
    found = in_strip("<nod> <point left> there <shrug>")
    assert [(word.text, word.tag) for word in found.words] == [("there", "point left")]
    assert "<nod>" in found.remarks[-1] and "<shrug>" in found.remarks[-1] and "'Text'" in found.remarks[-1]


STYLES = [
    "<b>{}</b>", "<i.loud>{}</i>", "<c.yellow.bg_blue>{}</c>", "<lang en-GB>{}</lang>", "<u>{}</u>", "{{\\an8}}{}",
]  # fmt: skip
STYLES += ["<ruby>{}<rt></rt></ruby>", '<font color="#fff">{}</font>', "<v Anna Bell>{}</v>", "<c>{}", "{}</nothing>"]


@pytest.mark.parametrize("style", STYLES)
def test_styles_and_speakers_are_neither_shown_nor_gestures(style: str):
    text = style.format("hello")
    assert [(word.text, word.tag) for word in in_strip(f"{text} you").words] == [("hello", ""), ("you", "")]
    assert tagged(f"<wave> {text}") == [("hello", "wave")]


def test_a_style_inside_a_word_does_not_part_it():
    assert tagged("<i>un</i>believ<b>able</b>") == [("unbelievable", "")]


def test_who_is_named_says_what_follows():
    words = marked_words("<v Anna>Well</v> yes <v.loud Ben Bell>No", "It")[0]
    assert [(word.text, word.speaker) for word in words] == [("Well", "Anna"), ("yes", "Anna"), ("No", "Ben Bell")]


@pytest.mark.parametrize(
    "text", ["a<b and", "I <3 you", "5 < 6 > 4", "<unk> here", "<|en|> here", "<never closed", "a>b"]
)
def test_what_only_looks_like_a_tag_is_text(text: str):
    assert shown(text, "It") == text
    assert not any(tag for _, tag in tagged(text))


def test_entities_are_letters_and_never_tags():
    assert tagged("you &amp; me &lt;nod&gt;") == [("you", ""), ("&", ""), ("me", ""), ("<nod>", "")]


TAGGED_FILES = {
    "SubRip": "1\n00:00:00,500 --> 00:00:01,000\nlook\n\n2\n00:00:01,000 --> 00:00:02,000\n<point left> there\n",
    "WebVTT": "WEBVTT\n\n00:00.500 --> 00:02.000\nlook <point left><00:01.000><c>there</c>\n",
    "WebVTT, time first": "WEBVTT\n\n00:00.500 --> 00:02.000\nlook<00:01.000> <point left>there\n",
    "Whisper": '{"segments": [{"start": 0.5, "end": 2.0, "words": [{"word": " look", "start": 0.5, "end": 1.0},'
    ' {"word": " <point left> there", "start": 1.0, "end": 2.0}]}]}',
    "long TextGrid": long_textgrid([("words", [(0.0, 0.5, ""), (0.5, 1.0, "look"), (1.0, 2.0, "<point left> there")])]),
    "short TextGrid": short_textgrid([("words", [(0.5, 1.0, "look"), (1.0, 2.0, "<point  left>there")])]),
}


@pytest.mark.parametrize("kind", TAGGED_FILES)
def test_tags_may_stand_in_every_kind_of_file(kind: str):
    found = words_in(TAGGED_FILES[kind].encode(), "talk")
    assert [(word.text, word.tag, word.start, word.end) for word in found.words] == [
        ("look", "", 0.5, 1.0), ("there", "point left", 1.0, 2.0),
    ]  # fmt: skip


WORDS = st.from_regex(r"[a-zé][a-zé']{0,6}[,.!?]?", fullmatch=True)
NAMES = st.from_regex(r"[a-z]{3,6}( [a-z#0-9]{1,4}){0,2}", fullmatch=True).filter(
    lambda tag: (
        tag.split()[0] not in ("div", "big", "sub", "sup", "font", "span", "ruby", "lang", "unk", "eps", "sil")
        and tag.split()[0] not in ("center", "small", "strike", "strong", "cutoff")
    )
)


@settings(max_examples=150)
@given(st.lists(st.tuples(NAMES | st.just(""), WORDS), min_size=1))
def test_tags_that_are_written_are_found_and_what_is_shown_is_the_rest(words: list[tuple[str, str]]):
    text = " ".join(f"<{tag}> {word}" if tag else word for tag, word in words)
    assert tagged(text) == [(word, tag) for tag, word in words]
    assert shown(text, "It") == " ".join(word for _, word in words)


def looked(text: str) -> list[tuple[str, str, str]]:
    return [(word.text, word.tag, word.look) for word in marked_words(text, "It")[0]]


def test_a_tag_says_what_is_looked_at_beside_a_gesture():
    assert looked("<look My Cube.001> <offer> there <nod><LOOK left/>now") == [
        ("there", "offer", "My Cube.001"), ("now", "nod", "left"),
    ]  # fmt: skip
    assert looked("so <look up>") == [("so", "", "up")]
    assert looked("<look up>") == [("", "", "up")]
    assert looked("there <look up>.") == [("there.", "", "up")]
    assert looked("<look> there") == [("there", "look", "")]


def test_of_several_looks_on_a_word_the_last_counts_and_others_are_told():
    words, left_out = marked_words("<look left> <look right> there <look up>", "It")
    assert [(word.text, word.look) for word in words] == [("there", "right")]
    assert left_out == ["look left", "look up"]


@pytest.mark.parametrize("kind", TAGGED_FILES)
def test_looks_come_along_from_files_of_all_kinds(kind: str):
    found = words_in(TAGGED_FILES[kind].replace("<point", "<look Cube><point").encode(), "talk")
    assert [word.look for word in found.words if word.look] == ["Cube"]
