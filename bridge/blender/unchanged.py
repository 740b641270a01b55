"""Answers that panels ask for at every drawing, kept until something changes.

Blender gives notice of most changes. Of pose markers that are dragged it gives none, but as with all that a user does
an operator has ended then, and is the last one in its list. A script may change what is stored without either. So
whatever writes or plays asks anew; what is kept here is for what is only shown, such as a list of verbs and the reasons
why buttons are grey.
"""

from collections.abc import Callable, Hashable
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
