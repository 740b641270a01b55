"""What is stored on a baked action: what it was baked from and how, and the keys as they were written.

The character is known by names and by the identifier of one of its verbs, not by pointers: an action that is linked or
appended to another file must not bring a character along.
"""

import json
from dataclasses import fields
from math import isfinite
from typing import Any, TypeVar

from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Action, Object, PropertyGroup

from .schema import BAKES, SCHEMA

Options = TypeVar("Options")

NO_BAKE, OF_VERB, OF_PERFORMANCE, OF_STRIP = (name for name, _, _ in BAKES)


class VERBS_ADVERBS_BakeRecord(PropertyGroup):
    """What a baked action was made from, so that it can be baked again; and its keys, so that edits can be told."""

    kind: EnumProperty(name="Bake", items=BAKES, default=NO_BAKE)
    options: StringProperty(name="Options", description="How it was baked, as JSON")
    armature: StringProperty(name="Armature", description="Name of the armature that it was baked for")
    director: StringProperty(name="Director", description="Name of the director that it was baked from, if it had one")
    verb: StringProperty(
        name="Verb", description="Identifier of the verb that was baked, or of a verb that the character has"
    )
    slot: IntProperty(name="Slot", description="Handle of the slot whose curves were baked, 0 where there are no slots")
    together: StringProperty(name="Together", description="Identifier of the NLA strips that were baked together")
    layer: StringProperty(name="Layer", description="Which strip of them it is")
    first: FloatProperty(name="First Frame", description="Frame of the first key that was written")
    last: FloatProperty(name="Last Frame", description="Frame of the last key that was written")
    digest: StringProperty(name="Digest", description="Digest of the curves as they were written")
    written: StringProperty(name="Written", description="The keys as they were written, compressed")
    annotated: StringProperty(name="Annotated", description="Digest of the examples as they were marked")


def record_of(action: Action) -> Any:
    """Return what is stored on an action about its bake; its `kind` is ``'NONE'`` if it is no bake."""
    return action.verbs_adverbs.bake


def is_bake(action: Action) -> bool:
    """Whether an action was baked, and says what from."""
    return record_of(action).kind != NO_BAKE


def note_origin(action: Action, kind: str, options: object, armature: Object, director: Object | None) -> Any:
    """Store what an action was baked from, and return the record."""
    record = record_of(action)
    action.verbs_adverbs.schema = max(action.verbs_adverbs.schema, SCHEMA)
    record.kind, record.options = kind, json.dumps(vars(options))
    record.armature, record.director = armature.name, director.name if director is not None else ""
    return record


def forget_bake(action: Action) -> None:
    """Make a bake an action like others, which is never baked again."""
    record = record_of(action)
    for name in record.bl_rna.properties.keys():
        if name not in {"rna_type", "name"}:
            record.property_unset(name)


def options_of(record: Any, kind: type[Options]) -> Options | None:
    """Return the options that are stored in a record as a dataclass, None if they cannot be read.

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
