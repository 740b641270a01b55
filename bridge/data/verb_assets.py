"""Verbs as assets: armatures outside all scenes, each with a copy of one verb, and those from other files."""

from collections.abc import Iterator

import bpy
from bpy.types import Object

from ..blender.store import while_unchanged
from .current import ours

TAG = "verb"
"""Tag of all assets that contain a verb, which identifies them in the Asset Browser before they are loaded."""


def is_marked(thing: Object) -> bool:
    """Return whether an object was made by *Mark as Asset* for a verb in this file."""
    return bool(thing.verbs_adverbs.asset_of) and thing.asset_data is not None and thing.library is None


def marked_for(uid: str) -> Object | None:
    """Return the asset of the verb with an identifier, if it is marked as one in this file."""
    return next((one for one in ours() if one.verbs_adverbs.asset_of == uid and is_marked(one)), None)


def arrived() -> Iterator[Object]:
    """Yield armatures in scenes that were assets in another file and were appended or linked individually."""
    found = (one for one in ours() if one.verbs_adverbs.asset_of and not is_marked(one))
    yield from (one for one in found if one.users_scene)


def shown_arrived() -> list[Object]:
    """Return what `arrived` yields, looked up only after a change; for panels."""
    names = while_unchanged(("arrived verbs",), lambda: [_key(one) for one in arrived()])
    return [one for name in names if (one := bpy.data.objects.get(name)) is not None]


def _key(thing: Object) -> tuple[str, str | None]:
    return thing.name, thing.library.filepath if thing.library is not None else None
