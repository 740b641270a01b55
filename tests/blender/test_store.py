"""The store: what is kept, for how long, and within what memory."""

import bpy
import pytest
from blender.stage import part


@pytest.fixture
def store():
    found = part("bridge.blender.store")
    found.forget()
    yield found
    found.forget()


def test_what_is_made_is_made_once_for_equal_keys(store):
    times = []
    for name in ("a", "b", "a"):
        assert store.made(("letter", name), lambda name=name: times.append(name) or name.upper()) == name.upper()
    assert times == ["a", "b"]
    assert store.kept(("letter", "c")) is None


def test_what_was_used_longest_ago_is_dropped_when_memory_runs_short(store, monkeypatch):
    monkeypatch.setattr(store, "MEMORY", 250)
    for name in "abc":
        store.made(("letter", name), name.upper, lambda _: 100)
        store.kept(("letter", "a"))
    assert list(store.all_made("letter")) == [("letter", "a"), ("letter", "c")]
    store.made(("letter", "d"), "D".lower, lambda _: 1000)
    assert list(store.all_made("letter")) == [("letter", "d")]


def test_one_kind_is_forgotten_alone(store):
    store.keep(("letter", "a"), "A")
    store.keep(("number", 1), "I")
    store.forget_made("letter")
    assert (store.kept(("letter", "a")), store.kept(("number", 1))) == (None, "I")


def test_the_latest_of_a_user_is_made_anew_for_another_key_only(store):
    times = []
    for key in (1, 1, 2, 1):
        store.latest(("shown", 7), key, lambda key=key: times.append(key) or key)
    assert times == [1, 2, 1]
    assert store.last_of(("shown", 7)) == 1
    assert store.last_of(("shown", 8)) is None


def test_another_file_keeps_what_was_made_and_forgets_whom_it_was_made_for(store):
    store.keep(("letter", "a"), "A")
    store.note_last(("shown", 7), "seven")
    assert store.while_unchanged("question", lambda: "answer") == "answer"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert store.kept(("letter", "a")) == "A"
    assert store.last_of(("shown", 7)) is None
    assert store.while_unchanged("question", lambda: "another") == "another"
