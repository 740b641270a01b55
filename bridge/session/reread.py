"""What undo has read anew: it reads only data-blocks that differ, and what hangs on these lies elsewhere afterwards.

The data-block itself stays at its address, but all that hangs on it is made anew while the old is still there. So
whoever looks after every undo sees by one address of each data-block whether it is another one.
"""

import bpy
from bpy.types import Object, Scene

from ..data.adverb_values import stepped_adverbs
from ..data.annotate import scene_fps
from ..data.content import place_of_curves
from ..data.director import goes_by_itself, last_frame

Places = tuple[object, ...]


def places_of(director: Object, scene: Scene) -> Places | None:
    """Where all lies that a live director's generated action depends on, None where more is needed to tell.

    More is needed where other objects have a say: a floor, a parent of the director's own, drivers and targets.
    """
    own = director.verbs_adverbs
    armature, data = own.directs, director.animation_data
    names = tuple(item.name for item in own.adverbs)
    if own.performance.floor is not None or stepped_adverbs(director, names):
        return None
    verbs = armature.verbs_adverbs.verbs
    if not goes_by_itself(director, armature) or not armature.data.bones or any(item.targets for item in verbs):
        return None
    keys = place_of_curves(data.action) if data is not None and data.action is not None else 0
    generated = place_of_curves(own.generated) if own.generated is not None else 0
    return (
        own.as_pointer(),
        armature.verbs_adverbs.as_pointer(),
        armature.data.bones[0].as_pointer(),
        keys,
        generated,
        (last_frame(director, scene), scene_fps(scene), scene_fps(bpy.context.scene)),
        tuple(row.action.verbs_adverbs.as_pointer() for item in verbs for row in item.examples if row.action),
    )
