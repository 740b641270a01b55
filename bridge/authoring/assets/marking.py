"""Marking a verb as an asset: an armature in no scene that holds a copy of it, with a picture."""

import bpy
import numpy as np
from bpy.types import Object, PropertyGroup
from numpy.typing import NDArray

from ....core.figure.strip import strip
from ....core.verb.verb import Verb
from ...blender.naming import LONGEST_NAME, cut
from ...data.linked.verb_assets import TAG, marked_for
from ...rig.evaluated import ends_of, point_to_itself
from ..copying_verbs import copy_verbs
from ..verbs import verb_for

PIXELS = 256
POSES = 4
"""Poses in the picture of a verb."""
KEPT = "author", "copyright", "license", "catalog_id"
"""What marking again leaves of an asset as the user has it, beside further tags."""


def mark_verb(armature: Object, item: PropertyGroup, fps: float) -> Object:
    """Mark a verb as an asset, or bring its asset up to date; returns the asset.

    The asset is an armature with the same bones, linked to no scene, which holds a copy of the verb and shares the
    examples' actions. The armature with the verb stays as it is.

    Parameters
    ----------
    armature, item : an armature and one of its verbs.
    fps : frames per second at which the actions' keys lie.

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
    made.name = item.name.encode()[:LONGEST_NAME].decode(errors="ignore")
    preview = made.preview_ensure()
    preview.image_size = PIXELS, PIXELS
    preview.image_pixels_float.foreach_set(picture.ravel())  # pyright: ignore[reportArgumentType]
    return made


def clear_asset(item: PropertyGroup) -> None:
    """Take away the asset that a verb is marked as; the verb and its actions stay."""
    found = marked_for(item.uid)
    if found is not None:
        bpy.data.objects.remove(found)


def told_of(verb: Verb) -> str:
    """What the Asset Browser tells of a verb: its examples, its adverbs and how long it takes."""
    count = len(verb.example_names)
    along = f", varies along {', '.join(verb.adverb_names)}" if verb.adverb_names else ""
    seconds = verb.duration(verb.places.mean(axis=0))
    return f"{count} example{'' if count == 1 else 's'}{along}; {'a cycle of ' if verb.cyclic else ''}{seconds:.1f} s"


def picture_of(verb: Verb, adverbs: list[float]) -> NDArray[np.float32]:
    """Return a picture (H, W, 4), its lowest row first, of a verb's poses from its beginning to its end.

    Parameters
    ----------
    adverbs : (D,) values at which it is shown.
    """
    phases = np.linspace(0.0, 1.0, POSES, endpoint=not verb.cyclic)
    return strip(verb.channels, verb.sample_phases(phases, verb.mixing(np.array(adverbs))), PIXELS)


def _bare_copy(armature: Object) -> Object:
    """Return a copy of an armature in no scene, without what it stores, plays and hangs on.

    Constraints stay as far as they are about its own bones, since they move bones when the verb is copied to others.
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
