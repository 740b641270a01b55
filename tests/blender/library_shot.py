"""Rigs in one file and shots in another that link and override them, as an animator makes them."""

from pathlib import Path

import bpy
import numpy as np
from blender import losses
from blender.losses import only
from blender.performance import biped_with_graph
from blender.stage import poses_at

OPS = bpy.ops.verbs_adverbs
LAST = 110
COLLECTION = "Character"
SAME = 1e-5


def rig_file(folder: Path, directed: str = "") -> Path:
    """Save a file with the biped, its body and its verbs in one collection; returns its path.

    Parameters
    ----------
    directed : empty for no director, 'still' for one that plays nothing, 'live' for one that plays its score.
    """
    armature = biped_with_graph()
    bpy.context.scene.frame_end = LAST
    collection = bpy.data.collections.new(COLLECTION)
    bpy.context.scene.collection.children.link(collection)
    if directed:
        assert OPS.command_add(verb="walk", frame=12) == {"FINISHED"}
        director = armature.verbs_adverbs.director
        director.location, director["mood"] = (0.5, -0.25, 0.0), 0.6
        director.verbs_adverbs.performance.active = True
        if directed == "live":
            assert OPS.live_on() == {"FINISHED"}
    for one in list(bpy.context.scene.collection.objects):
        collection.objects.link(one)
        bpy.context.scene.collection.objects.unlink(one)
    path = folder / "rig.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def shot_of(path: Path, how: str = "collection"):
    """Return the overridden armature of a rig in an empty file, active and selected.

    Parameters
    ----------
    how : 'object' for an override of the armature alone, 'hierarchy' for one of all by Python, 'collection' for what
        Make Library Override makes of an instance of the collection.
    """
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    bpy.context.scene.frame_end = LAST
    found = another(path, how)
    only(found)
    return found


def another(path: Path, how: str = "collection"):
    """Override the rig in the open file, once more if it is there already; returns the armature."""
    before = set(bpy.data.objects)
    scene, layer = bpy.context.scene, bpy.context.view_layer
    with bpy.data.libraries.load(str(path), link=True) as (_there, wanted):
        wanted.objects, wanted.collections = (["Biped"], []) if how == "object" else ([], [COLLECTION])
    if how == "object":
        scene.collection.objects.link(wanted.objects[0].override_create())
    elif how == "hierarchy":
        wanted.collections[0].override_hierarchy_create(scene, layer, do_fully_editable=True)
    else:
        instance = bpy.data.objects.new("Instance", None)
        instance.instance_type, instance.instance_collection = "COLLECTION", wanted.collections[0]
        scene.collection.objects.link(instance)
        only(instance)
        assert bpy.ops.object.make_override_library() == {"FINISHED"}
    made = [one for one in bpy.data.objects if one not in before and one.library is None]
    return next(one for one in made if one.type == "ARMATURE")


def director_of(armature):
    """The director of an overridden armature, which must be the shot's own."""
    found = armature.verbs_adverbs.director
    assert found.library is None and found.override_library is None
    assert found.verbs_adverbs.directs == armature
    return found


def again(folder: Path, name: str = "Biped"):
    """Save the shot, open it again, and return the armature of a name that is in it, active and selected."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "shot.blend"))
    return opened(folder, name)


def opened(folder: Path, name: str = "Biped"):
    """Open the shot as it was saved last; returns the armature, active and selected."""
    return losses.opened(folder / "shot.blend", name)


def motion_of(armature, frames=range(1, LAST + 1, 3)) -> np.ndarray:
    """Matrices (F, J, 4, 4) of all bones in the world at some frames."""
    return poses_at(armature, frames)


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two motions are the same but for rounding."""
    return float(np.abs(one - other).max()) <= SAME
