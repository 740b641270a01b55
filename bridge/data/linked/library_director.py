"""Directors of characters from another file: which one directs there, and which one here.

A director that is linked, or is a library override, is never that of this file: what it plays belongs to the file that
it comes from. Here the character gets a director of its own, which at first plays the same (see `new_director`).
"""

from bpy.types import Object

from ..current import MaybeNone, is_linked, ours
from ..layer_properties import restore_talk_layer

STATE = ("saved_action", "saved_slot", "saved_pose")
"""What is stored on a live director of how its armature was before, and on the armature too."""


def origin_of_override(armature: Object) -> Object | None:
    """The armature in another file that an override is of, the first of all if overrides have overrides; else None."""
    found, above = None, overridden(armature)
    while above is not None:
        found, above = above, overridden(above)
    return found


def overridden(armature: Object) -> Object | MaybeNone:
    """The linked armature that an override is of, None if it is none."""
    return armature.override_library.reference if armature.override_library is not None else None


def library_director(armature: Object) -> Object | None:
    """The director that moves an armature in the file that it comes from, linked or as an override."""
    linked = overridden(armature)
    for owner in (armature, linked):
        found = owner.verbs_adverbs.director if owner is not None else None
        if found is not None and is_linked(found) and found.verbs_adverbs.directs in (armature, linked, None):
            return found
    return None


def is_moved_in_library(armature: Object) -> bool:
    """Whether what an override stores of how it was before is that of its own file, where a director moves it now."""
    linked = overridden(armature)
    theirs = linked.verbs_adverbs.director if linked is not None else None
    if linked is None or theirs is None or not theirs.verbs_adverbs.live:
        return False
    return all(getattr(armature.verbs_adverbs, name) == getattr(linked.verbs_adverbs, name) for name in STATE)


def claim_director(armature: Object) -> bool:
    """Let an override name its director again, which is in this file, if it names one of its own file or none.

    Returns whether it did.

    Blender loses the name when the override is reset, or when the file is saved without the extension; the director
    keeps whom it directs.
    """
    rig = armature.verbs_adverbs
    if armature.override_library is None or (rig.director is not None and not is_linked(rig.director)):
        return False
    ours = [one for one in _local_directors() if one.verbs_adverbs.directs == armature]
    found = max(ours, key=lambda one: (bool(one.users_scene), one.verbs_adverbs.live), default=None)
    if found is None:
        return False
    rig.director = found
    if found.verbs_adverbs.live:
        for name in STATE:
            setattr(rig, name, getattr(found.verbs_adverbs, name))
    return True


def claim_directors() -> None:
    """Let every override name its director again, see `claim_director`, and have the layer of gestures that it had."""
    for director in _local_directors():
        armature = director.verbs_adverbs.directs
        claim_director(armature)
        if armature.verbs_adverbs.director == director:
            restore_talk_layer(armature, director)


def _local_directors() -> list[Object]:
    empties = (one for one in ours() if one.type == "EMPTY" and not is_linked(one))
    return [one for one in empties if one.verbs_adverbs.directs is not None]
