"""Verbs kept by what they were made from: copies of a character share them, and files that are opened again have them.

The name of the armature is not part of that, so nothing that is kept may speak of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ..data.listing import referenced
from .signature import rooted_signature

if TYPE_CHECKING:
    from ...core.verb.verb import Verb
    from ..rig.rig import Rig

Content = tuple[str, ...]
Made = tuple["Verb", "Rig", tuple[str, ...]]

MOST = 48
"""Contents that are kept, two of a verb that told how its armature faces; the longest not asked for go first."""
_made: dict[Content, Made] = {}


def content_of(armature: Object, item: PropertyGroup, root: str) -> Content:
    """What a verb that travels on `root` is made from, and the names that it and its remarks speak of."""
    return rooted_signature(armature, item, root), *_names(item)


def kept_made(armature: Object, item: PropertyGroup) -> tuple[Content, Made] | None:
    """What a verb is made from, and the verb that was, with the armature as it was read and remarks; None if none is.

    What carries the travel is found in the examples. These count with any root, so one that was found before will do.
    """
    names = _names(item)
    roots = {made[1].root: None for content, made in reversed(_made.items()) if content[1:] == names}
    for content in (content_of(armature, item, root) for root in roots):
        made = _made.pop(content, None)
        if made is not None:
            _made[content] = made
            return content, made
    return None


def keep_made(content: Content, made: Made) -> None:
    """Keep a verb."""
    _made.pop(content, None)
    if len(_made) >= MOST:
        del _made[next(iter(_made))]
    _made[content] = made


def forget_made() -> None:
    """Drop all of them."""
    _made.clear()


def _names(item: PropertyGroup) -> tuple[str, ...]:
    examples = [(r.action.name, e.name) for r in item.examples if r.enabled and (e := referenced(r)) is not None]
    return item.name, *(name for pair in examples for name in pair)
