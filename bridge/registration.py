"""Registering the stored data: property groups and the pointers to them on actions and objects."""

import bpy

from .properties import CLASSES, VERBS_ADVERBS_ActionAnnotation, VERBS_ADVERBS_RigDefinition


def register() -> None:
    """Register the property groups and hang them on Action and Object."""
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Action.verbs_adverbs = bpy.props.PointerProperty(type=VERBS_ADVERBS_ActionAnnotation)
    bpy.types.Object.verbs_adverbs = bpy.props.PointerProperty(type=VERBS_ADVERBS_RigDefinition)


def unregister() -> None:
    """Take both pointers and the property groups away; the data stays in the file."""
    del bpy.types.Object.verbs_adverbs
    del bpy.types.Action.verbs_adverbs
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
