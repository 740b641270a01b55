"""Scores as JSON: times in seconds or frames, what is left out, and a sentence for whatever is wrong."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from verbs_adverbs.core.errors import ScoreError
from verbs_adverbs.core.play.written_score import Key, read_score


def told(time: str, **asked: object) -> str:
    return json.dumps({"verbs_adverbs_score": 1, "time": time, "characters": {"Anna": asked}})


def test_seconds_count_from_the_start_frame_of_the_score_else_of_the_file():
    commands = [{"at": 2.0, "verb": "walk"}, {"at": 0.5, "verb": "stand"}]
    (own,) = read_score(told("seconds", commands=commands), 30.0, {"Anna": 11}).values()
    assert own.commands == ((26.0, "stand"), (71.0, "walk"))
    (named,) = read_score(told("seconds", commands=commands, start_frame=101), 30.0, {"Anna": 11}).values()
    assert named.commands == ((116.0, "stand"), (161.0, "walk")) and named.start_frame == 101
    (frames,) = read_score(told("frames", commands=commands), 30.0, {"Anna": 11}).values()
    assert frames.commands == ((0.5, "stand"), (2.0, "walk"))


def test_what_is_left_out_is_left_as_it_is_and_an_empty_list_is_none():
    (left,) = read_score(told("frames"), 24.0, {}).values()
    assert left.commands is None and left.words is None and not left.adverbs and left.seed is None
    (empty,) = read_score(told("frames", commands=[], words=[]), 24.0, {}).values()
    assert empty.commands == () and empty.words == ()


def test_handles_are_read_with_their_times():
    key = {"at": 1.0, "value": 2.0, "handles": ["FREE", "FREE"], "left": [0.5, 1.0], "right": [2.0, 3.0]}
    (part,) = read_score(told("seconds", adverbs={"mood": [key]}), 10.0, {"Anna": 1}).values()
    assert part.adverbs["mood"] == (Key(11.0, 2.0, "BEZIER", ("FREE", "FREE"), (6.0, 1.0), (21.0, 3.0)),)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
names = ("begins_with", "start_frame", "place", "heading", "seed", "settle", "commands", "adverbs", "layers", "words")


@given(st.text(max_size=30) | values.map(json.dumps))
def test_whatever_is_not_a_score_is_refused_in_a_sentence(text: str):
    with pytest.raises(ScoreError, match="^Score"):
        read_score(text, 24.0, {})


@given(st.dictionaries(st.sampled_from(names), values, min_size=1, max_size=2))
def test_whatever_stands_in_a_score_is_read_or_refused_in_a_sentence(asked: dict):
    try:
        read_score(json.dumps({"verbs_adverbs_score": 1, "time": "frames", "characters": {"Anna": asked}}), 24.0, {})
    except ScoreError as error:
        assert str(error).startswith("Score") and str(error).endswith(".")
