"""Putting a verb that is an asset on a character: it is copied, and all else that came with it is taken away."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
from bpy.types import ID, Collection, Library, Object, Scene

from ....core.errors import VerbError
from ...data.linked.verb_assets import is_marked
from ..copying_verbs import Copied, copy_verbs


def put_from_file(armature: Object, path: str, name: str, fps: float) -> Copied:
    """Copy the verb of an asset in another file to an armature; nothing but the verb and its actions stays.

    Parameters
    ----------
    armature : the armature that gets the verb.
    path : absolute path of the blend file.
    name : name of the asset in it.
    fps : frames per second at which the actions' keys lie.

    Raises
    ------
    VerbsError
        If there is no such asset, or its bones do not correspond. Nothing has changed then.
    """
    with _only_what_is_used():
        return copy_verbs(armature, source := _loaded(path, name), _verbs(source), {}, fps)


def put(armature: Object, source: Object, fps: float) -> Copied:
    """Copy the verb of an asset in this file to an armature.

    An asset that was appended or linked is taken away then, with its actions that nothing uses, unless something hangs
    on it; one that is marked in this file stays.

    Raises
    ------
    VerbsError
        If its bones do not correspond. Nothing has changed then.
    """
    made = copy_verbs(armature, source, _verbs(source), {}, fps)
    users = bpy.data.user_map(subset=[source])[source]
    if not is_marked(source) and all(one == source or isinstance(one, (Collection, Scene)) for one in users):
        take_away(source)
    return made


def _verbs(source: Object) -> set[str]:
    return {verb.uid for verb in source.verbs_adverbs.verbs}


def _loaded(path: str, name: str) -> Object:
    """Append an asset without linking it to a scene."""
    if not Path(path).is_file():
        raise VerbError(f"There is no file '{path}' any more. Refresh the Asset Browser.")
    loading: Any = bpy.data.libraries.load(path, link=False)
    try:
        with loading as (there, wanted):
            wanted.objects = [one for one in there.objects if one == name]
    except OSError as error:
        raise VerbError(f"'{path}' cannot be read as a blend file. Choose another one.") from error
    found = next(iter(wanted.objects), None)
    if not isinstance(found, Object) or not found.verbs_adverbs.asset_of:
        raise VerbError(f"'{name}' in '{path}' holds no verb. Choose an asset that Mark as Asset has made for a verb.")
    return found


@contextmanager
def _only_what_is_used() -> Iterator[None]:
    """Remove in the end whatever was loaded and is used by nothing that was there before."""
    before = {one.session_uid for one in bpy.data.user_map()}
    try:
        yield
    finally:
        _keep_used(before)


def _keep_used(before: set[int]) -> None:
    """Remove data-blocks that are not among those from before, unless these use them; actions that stay are kept."""
    users = bpy.data.user_map()
    new = {one for one in users if one.session_uid not in before and not isinstance(one, Library)}
    used: set[ID] = set()
    reached = [one for one in new if users[one] - new]
    while reached:
        used.update(reached)
        reached = [one for one in new - used if users[one] & used]
    for action in (one for one in used if isinstance(one, bpy.types.Action) and one.library is None):
        action.use_fake_user = True
    bpy.data.batch_remove(list(new - used))
    _remove_unneeded(list(bpy.data.libraries))


def _remove_unneeded(libraries: Sequence[Library]) -> None:
    """Remove those of some libraries from which nothing is linked or packed: Blender would not save them anyway.

    Blender keeps them when something is appended, and, before version 5, when that is undone.
    """
    needed = {one.library for one in bpy.data.user_map()} | {one.parent for one in bpy.data.libraries}
    paths = [one.filepath for one in bpy.data.libraries]
    for library in [one for one in libraries if one not in needed and paths.count(one.filepath) == 1]:
        bpy.data.libraries.remove(library)


def take_away(source: Object) -> None:
    """Remove the armature of an asset, and what only that has used of its bones and its examples' actions."""
    actions = {row.action for verb in source.verbs_adverbs.verbs for row in verb.examples if row.action is not None}
    parts: set[ID] = {source.data, *actions}  # pyright: ignore[reportAssignmentType]
    users, library = bpy.data.user_map(subset=list(parts)), source.library
    bpy.data.batch_remove([source, *(one for one in parts if users[one] <= {source})])
    if library is not None:
        _remove_unneeded([library])
