"""The record stored on a baked action: what it was baked from and how, and the keys as they were written.

The character is identified by names and by the identifier of one of its verbs, not by pointers: linking or appending
the action to another file must not pull in the character.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from math import isfinite
from typing import Any, TypeVar

from bpy.types import Action, Object

from ..blender.store import digest_of
from ..data.content import plain
from ..data.markers import effective_keytimes
from ..data.schema import BAKES, note

Options = TypeVar("Options")

NO_BAKE, OF_VERB, OF_PERFORMANCE, OF_STRIP = (name for name, _, _ in BAKES)


def record_of(action: Action) -> Any:
    """Return the record of an action's bake; its `kind` is ``'NONE'`` if it is not a bake."""
    return action.verbs_adverbs.bake


def is_bake(action: Action) -> bool:
    """Return whether an action is a bake with a record of its origin."""
    return record_of(action).kind != NO_BAKE


def note_origin(action: Action, kind: str, options: object, armature: Object, director: Object | None) -> Any:
    """Store what an action was baked from, and return the record."""
    record = record_of(action)
    note(action.verbs_adverbs)
    record.kind, record.options = kind, json.dumps(vars(options))
    record.armature, record.director = armature.name, director.name if director is not None else ""
    return record


def forget_bake(action: Action) -> None:
    """Turn a bake into an ordinary action, which is never baked again."""
    record = record_of(action)
    for name in record.bl_rna.properties.keys():
        if name not in {"rna_type", "name"}:
            record.property_unset(name)


def marked(action: Action) -> str:
    """Return everything that is marked in an action, as its markers have it, as a short text."""
    told = [(plain(item), effective_keytimes(item)) for item in action.verbs_adverbs.examples]
    return digest_of(told)


@contextmanager
def not_by_hand(action: Action) -> Iterator[None]:
    """Keep changes to a bake's examples in the `with` block from counting as edits by hand."""
    record = record_of(action)
    as_baked = is_bake(action) and record.annotated == marked(action)
    yield
    if as_baked:
        record.annotated = marked(action)


def options_of(record: Any, kind: type[Options]) -> Options | None:
    """Return the options stored in a record as a dataclass, None if they cannot be read.

    Parameters
    ----------
    kind : the dataclass, all of whose fields have defaults.
    """
    try:
        told = json.loads(record.options)
    except ValueError:
        return None
    if not isinstance(told, dict):
        return None
    found: dict[str, Any] = {}
    for field in fields(kind):  # pyright: ignore[reportArgumentType]
        value = told.get(field.name, field.default)
        if isinstance(field.default, float) and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not type(field.default) or (isinstance(value, float) and not isfinite(value)):
            return None
        found[field.name] = value
    return kind(**found)
