"""The store: caches of what was computed or looked up, each with its own rule for when an entry is out of date.

- `made` caches what depends on its key alone, such as a verb by the digest of its examples. It is never out of date.
  The least recently used entries are dropped when the cache takes too much memory.
- `latest` caches the last of a kind for each user, such as the verb that an armature's list shows. It may be out of
  date: the key that it was made from is stored with it.
- `while_unchanged` caches what panels request at every redraw, until something in the file changes. Blender sends
  notifications of most changes. It sends none for dragged pose markers, but as with everything a user does an operator
  has ended then, and is the last one in its list. A script may change stored data without either. So whatever writes
  or plays looks values up again; those cached here are only for display.
- `Resting` caches what is looked up for many characters in one go, while the caller guarantees that its
  sources do not change.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, TypeVar

import bpy
from bpy.app.handlers import persistent

from .events import Heard, listen, stop_listening

Answer = TypeVar("Answer")
Key = tuple[Hashable, ...]

MEMORY, USUAL = 500_000_000, 100_000
"""Approximate limit of the `made` cache in bytes, and the size assumed for entries that give none."""

_made: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
"""Entries of `made` by key, with their size in bytes; the most recently used comes last."""
_latest: dict[Key, tuple[object, Any]] = {}
"""For each kind and user, the last key and what was made from it."""
_answers: dict[Hashable, Any] = {}
_last_operator = 0
"""Address of the operator that had ended last when the cached answers were found."""


def digest_of(*parts: object) -> str:
    """Return the digest of some parts in their order: of bytes as they are, of anything else by its `repr`."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(part if isinstance(part, bytes) else repr(part).encode())
    return found.hexdigest()


def made(key: Key, make: Callable[[], Answer], size: Callable[[Answer], int] | None = None) -> Answer:
    """Return what is made from a key, made now if it is not cached.

    Parameters
    ----------
    key : its kind, and everything that it is made from: digests, values, and immutable data.
    make : makes it; its exceptions are passed on.
    size : its approximate size in bytes; `USUAL` by default.
    """
    found = kept(key)
    if found is None:
        found = make()
        keep(key, found, USUAL if size is None else size(found))
    return found


def kept(key: Key) -> Any:
    """Return what was made from a key, None if it is not cached."""
    found = _made.get(key)
    if found is None:
        return None
    _made.move_to_end(key)
    return found[0]


def keep(key: Key, value: object, size: int = USUAL) -> None:
    """Cache what was made from a key, and drop the least recently used entries if needed; `size` is in bytes."""
    _made[key] = value, size
    _made.move_to_end(key)
    total = sum(size for _, size in _made.values())
    while total > MEMORY and len(_made) > 1:
        total -= _made.popitem(last=False)[1][1]


def all_made(kind: str) -> dict[Any, Any]:
    """Return all cached entries of a kind by key, the most recently used first."""
    return {key: value for key, (value, _) in reversed(_made.items()) if key[0] == kind}


def latest(user: Key, key: object, make: Callable[[], Answer]) -> Answer:
    """Return what is made from a key for a user, made now unless the last one was made from an equal key.

    Parameters
    ----------
    user : the kind, and what it is made for, by session identifiers; the kind alone where only one is ever shown.
    key : everything that it is made from.
    make : makes it; its exceptions are passed on.
    """
    found = _latest.get(user)
    if found is None or found[0] != key:
        found = _latest[user] = key, make()
    return found[1]


def last_of(user: Key) -> Any:
    """Return what was made last for a user, whatever its key; None if nothing was."""
    found = _latest.get(user)
    return found[1] if found is not None else None


def note_last(user: Key, value: Answer) -> Answer:
    """Set and return the latest value of a user; the value itself says what it was made from."""
    _latest[user] = None, value
    return value


def forget() -> None:
    """Clear all caches."""
    _made.clear()
    note_other_file()


def forget_made(kind: str) -> None:
    """Clear all entries of a kind."""
    for key in all_made(kind):
        del _made[key]


def while_unchanged(question: Hashable, find: Callable[[], Answer]) -> Answer:
    """Return the answer to a query, which is looked up once and cached until something in the file changes.

    Parameters
    ----------
    question : the query, with the session identifiers of the data that it is about.
    find : looks up the answer.
    """
    global _last_operator
    ended = bpy.context.window_manager.operators
    last = ended[-1].as_pointer() if ended else 0
    if last != _last_operator:
        forget_answers()
        _last_operator = last
    if question not in _answers:
        _answers[question] = find()
    return _answers[question]


class Resting:
    """Answers that are looked up once while their sources do not change, and every time while they may."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] | None = None

    @contextmanager
    def rest(self) -> Iterator[None]:
        """Look up each answer only once in the `with` block, in which none of its sources changes."""
        before = self._kept
        self._kept = {} if before is None else before
        try:
            yield
        finally:
            self._kept = before

    @contextmanager
    def change(self) -> Iterator[None]:
        """Look up each answer every time in the `with` block, and again after it."""
        before, self._kept = self._kept, None
        try:
            yield
        finally:
            self._kept = None if before is None else {}

    def once(self, question: Hashable, find: Callable[[], Answer]) -> Answer:
        """Return the answer to a query, looked up once inside `rest`; parameters are those of `while_unchanged`."""
        if self._kept is None:
            return find()
        if question not in self._kept:
            self._kept[question] = find()
        return self._kept[question]


keys_and_floors = Resting()
"""Answers about the keys of actions and about the floors that characters walk on."""


@persistent
def forget_answers(*_args: object) -> None:
    """Clear all cached answers; also a handler for everything that changes the file."""
    _answers.clear()


@persistent
def note_other_file(*_args: object) -> None:
    """Handler for another file: clear the answers about the previous one; entries of `made` may be reused."""
    _latest.clear()
    forget_answers()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    changes = lists.depsgraph_update_post, lists.undo_post, lists.redo_post
    return *((functions, forget_answers) for functions in changes), (lists.load_post, note_other_file)


def watch() -> None:
    """Start watching for changes."""
    listen(_handlers())


def unwatch() -> None:
    """Stop watching for changes, and clear all caches."""
    stop_listening(_handlers())
    forget()
