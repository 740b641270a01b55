"""The store: what was made or found, kept so that it is made or found once. All that says what puts it out of date.

- `made` keeps what depends on its key alone, such as a verb by the digest of its examples. It is never out of date.
  What was used longest ago is dropped when all takes too much memory.
- `latest` keeps the last of a kind for each user, such as the verb that an armature's list shows. It may be out of
  date: the key that it was made from is kept with it.
- `while_unchanged` keeps what panels ask for at every drawing, until something in the file changes. Blender gives
  notice of most changes. Of pose markers that are dragged it gives none, but as with all that a user does an operator
  has ended then, and is the last one in its list. A script may change what is stored without either. So whatever writes
  or plays asks anew; what is kept here is for what is only shown.
- `Resting` keeps what is asked of many characters in one go, while whoever goes through them says that what it is found
  from rests.
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
"""Bytes that all that is made may take, about, and those that are reckoned for what says nothing else."""

_made: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
"""What was made by its key, with its bytes; what was used last comes last."""
_latest: dict[Key, tuple[object, Any]] = {}
"""For each kind and user, the key and what was made from it last."""
_answers: dict[Hashable, Any] = {}
_last_operator = 0
"""Address of the operator that had ended last when the answers were found."""


def digest_of(*parts: object) -> str:
    """Digest of some parts in their order: of bytes as they are, of all else as `repr` writes it."""
    found = blake2b(digest_size=16)
    for part in parts:
        found.update(part if isinstance(part, bytes) else repr(part).encode())
    return found.hexdigest()


def made(key: Key, make: Callable[[], Answer], size: Callable[[Answer], int] | None = None) -> Answer:
    """Return what is made from a key, made now if it is not kept.

    Parameters
    ----------
    key : its kind, and all that it is made from: digests, values, and what is made once and never changes.
    make : makes it; what it raises is let through.
    size : bytes that it takes, about; `USUAL` when left out.
    """
    found = kept(key)
    if found is None:
        found = make()
        keep(key, found, USUAL if size is None else size(found))
    return found


def kept(key: Key) -> Any:
    """Return what was made from a key, None if it is not kept."""
    found = _made.get(key)
    if found is None:
        return None
    _made.move_to_end(key)
    return found[0]


def keep(key: Key, value: object, size: int = USUAL) -> None:
    """Keep what was made from a key, and drop what was used longest ago if it is too much; `size` is in bytes."""
    _made[key] = value, size
    _made.move_to_end(key)
    total = sum(size for _, size in _made.values())
    while total > MEMORY and len(_made) > 1:
        total -= _made.popitem(last=False)[1][1]


def all_made(kind: str) -> dict[Any, Any]:
    """Return all of a kind that is kept by its keys, that used last first."""
    return {key: value for key, (value, _) in reversed(_made.items()) if key[0] == kind}


def latest(user: Key, key: object, make: Callable[[], Answer]) -> Answer:
    """Return what is made from a key for a user, made now unless it was made from an equal one the last time.

    Parameters
    ----------
    user : the kind, and whom it is made for, by session identifiers; nothing for what only one is shown of.
    key : all that it is made from.
    make : makes it; what it raises is let through.
    """
    found = _latest.get(user)
    if found is None or found[0] != key:
        found = _latest[user] = key, make()
    return found[1]


def last_of(user: Key) -> Any:
    """Return what was made last for a user, of whatever key; None if nothing was."""
    found = _latest.get(user)
    return found[1] if found is not None else None


def note_last(user: Key, value: Answer) -> Answer:
    """Keep and return what a user has from now on; what it was made from is told by the value itself."""
    _latest[user] = None, value
    return value


def forget() -> None:
    """Forget everything."""
    _made.clear()
    note_other_file()


def forget_made(kind: str) -> None:
    """Forget all of a kind."""
    for key in all_made(kind):
        del _made[key]


def while_unchanged(question: Hashable, find: Callable[[], Answer]) -> Answer:
    """Return the answer to a question, which is found once and kept until something in the file changes.

    Parameters
    ----------
    question : what is asked, with the session's identifiers of the data that it is about.
    find : finds the answer.
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
    """Answers that are found once while what they are found from rests, and each time while it may change."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Any] | None = None

    @contextmanager
    def rest(self) -> Iterator[None]:
        """Find each answer only once in the `with` block, in which nothing that it is about changes."""
        before = self._kept
        self._kept = {} if before is None else before
        try:
            yield
        finally:
            self._kept = before

    @contextmanager
    def change(self) -> Iterator[None]:
        """Find each answer every time in the `with` block, and anew after it."""
        before, self._kept = self._kept, None
        try:
            yield
        finally:
            self._kept = None if before is None else {}

    def once(self, question: Hashable, find: Callable[[], Answer]) -> Answer:
        """Return the answer to a question, found once where it rests; parameters are those of `while_unchanged`."""
        if self._kept is None:
            return find()
        if question not in self._kept:
            self._kept[question] = find()
        return self._kept[question]


keys_and_floors = Resting()
"""What is asked of the keys of actions and of the floors that characters walk on."""


@persistent
def forget_answers(*_args: object) -> None:
    """Find all answers anew from now on; also a handler for whatever changes the file."""
    _answers.clear()


@persistent
def note_other_file(*_args: object) -> None:
    """Handler for another file: forget what was found of the one before; what was made may serve again."""
    _latest.clear()
    forget_answers()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    changes = lists.depsgraph_update_post, lists.undo_post, lists.redo_post
    return *((functions, forget_answers) for functions in changes), (lists.load_post, note_other_file)


def watch() -> None:
    """Begin to notice changes."""
    listen(_handlers())


def unwatch() -> None:
    """Stop noticing changes, and forget everything."""
    stop_listening(_handlers())
    forget()
