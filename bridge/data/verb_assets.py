"""Verbs as assets: armatures in no scene, each with a copy of one verb, and those that came from another file."""

from collections.abc import Iterator

import bpy
from bpy.types import Object

from ..blender.store import while_unchanged
from .current import ours

TAG = "verb"
"""Tag of all assets that hold a verb, by which one is known in the Asset Browser before it is loaded."""


def is_marked(thing: Object) -> bool:
    """Whether an object is what *Mark as Asset* has made for a verb, in the file where it was marked."""
    return bool(thing.verbs_adverbs.asset_of) and thing.asset_data is not None and thing.library is None


def marked_for(uid: str) -> Object | None:
    """Return the asset of the verb with an identifier, if it is marked as one in this file."""
    return next((one for one in ours() if one.verbs_adverbs.asset_of == uid and is_marked(one)), None)


def arrived() -> Iterator[Object]:
    """Yield armatures in scenes that were assets in another file, and were appended or linked by themselves."""
    found = (one for one in ours() if one.verbs_adverbs.asset_of and not is_marked(one))
    yield from (one for one in found if one.users_scene)


def shown_arrived() -> list[Object]:
    """Return what `arrived` yields, looked for only when something has changed; for panels."""
    names = while_unchanged(("arrived verbs",), lambda: [_key(one) for one in arrived()])
    return [one for name in names if (one := bpy.data.objects.get(name)) is not None]


def _key(thing: Object) -> tuple[str, str | None]:
    return thing.name, thing.library.filepath if thing.library is not None else None
