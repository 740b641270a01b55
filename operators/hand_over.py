"""Giving a baked action to its armature."""

from bpy.types import Action, Object

from .. import bridge


def hand_over(armature: Object, action: Action, assign: bool) -> None:
    """Assign a new action in place of what the armature's director plays, or keep it aside for later."""
    if not assign:
        action.use_fake_user = True
        return
    holder = bridge.director.holder_of(armature)
    if holder is not None:
        bridge.live.switch_off(holder)
    bridge.versions.assign_action(armature, action)
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
