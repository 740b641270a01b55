"""Choices that operators offer in menus."""

from bpy.types import Context, Operator

from ..bridge.current import current_armature

_verbs: list[tuple[str, str, str]] = []


def verb_choices(_operator: Operator, context: Context) -> list[tuple[str, str, str]]:
    """The armature's verbs by their identifiers."""
    armature = current_armature(context) if context is not None else None
    verbs = armature.verbs_adverbs.verbs if armature is not None else ()
    _verbs[:] = [(item.uid, item.name, f"Verb {item.name}") for item in verbs]
    return _verbs
