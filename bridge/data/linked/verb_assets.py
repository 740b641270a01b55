"""Verbs as assets: armatures in no scene, each with a copy of one verb, and those that came from another file."""

from collections.abc import Iterator

import bpy
from bpy.types import Object

TAG = "verb"
"""Tag of all assets that hold a verb, by which one is known in the Asset Browser before it is loaded."""


def is_marked(thing: Object) -> bool:
    """Whether an object is what *Mark as Asset* has made for a verb, in the file where it was marked."""
    return bool(thing.verbs_adverbs.asset_of) and thing.asset_data is not None and thing.library is None


def marked_for(uid: str) -> Object | None:
    """Return the asset of the verb with an identifier, if it is marked as one in this file."""
    return next((one for one in bpy.data.objects if one.verbs_adverbs.asset_of == uid and is_marked(one)), None)


def arrived() -> Iterator[Object]:
    """Yield armatures in scenes that were assets in another file, and were appended or linked by themselves."""
    found = (one for one in bpy.data.objects if one.verbs_adverbs.asset_of and not is_marked(one))
    yield from (one for one in found if one.users_scene)
