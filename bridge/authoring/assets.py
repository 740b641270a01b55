"""Verbs as assets: marking them, each as an armature outside all scenes, and applying them to characters."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.types import ID, Collection, Library, Object, PropertyGroup, Scene
from numpy.typing import NDArray

from ...core.errors import VerbError
from ...core.figure.strip import strip
from ...core.verb.verb import Verb
from ..blender.naming import cut
from ..data.verb_assets import TAG, is_marked, marked_for
from ..rig.evaluated import ends_of, point_to_itself
from .copying_verbs import Copied, copy_verbs
from .verbs import verb_for

PIXELS = 256
POSES = 4
"""Number of poses in the preview image of a verb."""
KEPT = "author", "copyright", "license", "catalog_id"
"""Asset metadata that marking again keeps as the user set it, besides additional tags."""


def mark_verb(armature: Object, item: PropertyGroup, fps: float) -> Object:
    """Mark a verb as an asset, or update its asset; return the asset.

    The asset is an armature with the same bones, linked to no scene, which has a copy of the verb and shares the
    examples' actions. The armature with the verb is not changed.

    Parameters
    ----------
    armature, item : an armature and one of its verbs.
    fps : frame rate of the actions' keys, in frames per second.

    Raises
    ------
    VerbsError
        If the verb cannot be built. Nothing has changed then.
    """
    verb = verb_for(armature, item)
    picture = picture_of(verb, [armature.verbs_adverbs.adverbs[name].default for name in verb.adverb_names])
    former = marked_for(item.uid)
    made = _bare_copy(armature)
    try:
        copy_verbs(made, armature, {item.uid}, {}, fps)
    except Exception:
        bpy.data.objects.remove(made)
        raise
    made.verbs_adverbs.asset_of = item.uid
    made.asset_mark()
    tags = [TAG, *verb.adverb_names]
    if former is not None:
        for name in KEPT:
            setattr(made.asset_data, name, getattr(former.asset_data, name))
        tags += [tag.name for tag in former.asset_data.tags]
        bpy.data.objects.remove(former)
    for tag in dict.fromkeys(cut(tag, "") for tag in tags):
        made.asset_data.tags.new(tag, skip_if_exists=True)
    made.asset_data.description = told_of(verb)
    made.name = cut(item.name, "")
    preview = made.preview_ensure()
    preview.image_size = PIXELS, PIXELS
    preview.image_pixels_float.foreach_set(picture.ravel())  # pyright: ignore[reportArgumentType]
    return made


def clear_asset(item: PropertyGroup) -> None:
    """Remove the asset of a verb; the verb and its actions are kept."""
    found = marked_for(item.uid)
    if found is not None:
        bpy.data.objects.remove(found)


def told_of(verb: Verb) -> str:
    """Return the description of a verb in the Asset Browser: its examples, its adverbs and its duration."""
    count = len(verb.example_names)
    along = f", varies along {', '.join(verb.adverb_names)}" if verb.adverb_names else ""
    seconds = verb.duration(verb.places.mean(axis=0))
    return f"{count} example{'' if count == 1 else 's'}{along}; {'a cycle of ' if verb.cyclic else ''}{seconds:.1f} s"


def picture_of(verb: Verb, adverbs: list[float]) -> NDArray[np.float32]:
    """Return an image (H, W, 4), bottom row first, of a verb's poses from its beginning to its end.

    Parameters
    ----------
    adverbs : (D,) adverb values at which to show it.
    """
    phases = np.linspace(0.0, 1.0, POSES, endpoint=not verb.cyclic)
    return strip(verb.channels, verb.sample_phases(phases, verb.mixing(np.array(adverbs))), PIXELS)


def _bare_copy(armature: Object) -> Object:
    """Return a copy of an armature in no scene, without its stored data, animation and parent.

    Constraints within its own bones are kept, since they move bones when the verb is copied to others.
    """
    made: Object = armature.copy()  # pyright: ignore[reportAssignmentType]
    made.animation_data_clear()
    made.property_unset("verbs_adverbs")
    made.parent, made.matrix_world = None, armature.matrix_world
    made.hide_render = True
    point_to_itself(made, armature)
    for held in list(made.constraints):
        made.constraints.remove(held)
    for bone in made.pose.bones:
        bone.custom_shape = None
        for held in list(bone.constraints):
            if any(getattr(holder, name) not in (None, made) for holder, name in ends_of(held)):
                bone.constraints.remove(held)
    return made


def put_from_file(armature: Object, path: str, name: str, fps: float) -> Copied:
    """Copy the verb of an asset in another file to an armature; only the verb and its actions are kept.

    Parameters
    ----------
    armature : the armature that gets the verb.
    path : absolute path of the blend file.
    name : name of the asset in it.
    fps : frame rate of the actions' keys, in frames per second.

    Raises
    ------
    VerbsError
        If there is no such asset, or its bones do not correspond. Nothing has changed then.
    """
    with _only_what_is_used():
        return copy_verbs(armature, source := _loaded(path, name), _verbs(source), {}, fps)


def put(armature: Object, source: Object, fps: float) -> Copied:
    """Copy the verb of an asset in this file to an armature.

    An asset that was appended or linked is removed then, with its unused actions, unless something depends
    on it; one that was marked in this file is kept.

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
        raise VerbError(f"The file '{path}' no longer exists. Refresh the Asset Browser.")
    loading: Any = bpy.data.libraries.load(path, link=False)
    try:
        with loading as (there, wanted):
            wanted.objects = [one for one in there.objects if one == name]
    except OSError as error:
        raise VerbError(f"'{path}' cannot be read as a blend file. Choose another file.") from error
    found = next(iter(wanted.objects), None)
    if not isinstance(found, Object) or not found.verbs_adverbs.asset_of:
        raise VerbError(f"'{name}' in '{path}' contains no verb. Choose an asset that was made with Mark as Asset.")
    return found


@contextmanager
def _only_what_is_used() -> Iterator[None]:
    """Remove, after the `with` block, whatever was loaded and is not used by data from before."""
    before = {one.session_uid for one in bpy.data.user_map()}
    try:
        yield
    finally:
        _keep_used(before)


def _keep_used(before: set[int]) -> None:
    """Remove data-blocks that did not exist before, unless those from before use them; used actions get a fake user."""
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
    """Remove libraries from which nothing is linked or packed: Blender would not save them anyway.

    Blender keeps them when something is appended, and, before version 5, when that is undone.
    """
    needed = {one.library for one in bpy.data.user_map()} | {one.parent for one in bpy.data.libraries}
    paths = [one.filepath for one in bpy.data.libraries]
    for library in [one for one in libraries if one not in needed and paths.count(one.filepath) == 1]:
        bpy.data.libraries.remove(library)


def take_away(source: Object) -> None:
    """Remove the armature of an asset, and its bones and its examples' actions if nothing else uses them."""
    actions = {row.action for verb in source.verbs_adverbs.verbs for row in verb.examples if row.action is not None}
    parts: set[ID] = {source.data, *actions}  # pyright: ignore[reportAssignmentType]
    users, library = bpy.data.user_map(subset=list(parts)), source.library
    bpy.data.batch_remove([source, *(one for one in parts if users[one] <= {source})])
    if library is not None:
        _remove_unneeded([library])
