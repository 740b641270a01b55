"""Answers that are kept: those that panels ask for at every drawing until something changes, others while nothing may.

Blender gives notice of most changes. Of pose markers that are dragged it gives none, but as with all that a user does
an operator has ended then, and is the last one in its list. A script may change what is stored without either. So
whatever writes or plays asks anew; what is kept here is for what is only shown, such as a list of verbs and the reasons
why buttons are grey. Whoever writes or plays many characters in one go asks some things of each of them, and says
while what these are found from rests.
"""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import bpy
from bpy.app.handlers import persistent

from .events import Heard, listen, stop_listening

Answer = TypeVar("Answer")

_kept: dict[Hashable, Any] = {}
_last_operator = 0
"""Address of the operator that had ended last when the answers were found."""


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
    if question not in _kept:
        _kept[question] = find()
    return _kept[question]


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
    _kept.clear()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    changes = lists.depsgraph_update_post, lists.undo_post, lists.redo_post, lists.load_post
    return tuple((functions, forget_answers) for functions in changes)


def watch() -> None:
    """Begin to notice changes."""
    listen(_handlers())


def unwatch() -> None:
    """Stop noticing changes."""
    stop_listening(_handlers())
    forget_answers()
