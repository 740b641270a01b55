"""Calling the extension's operators from the demo; if one refuses, the demo ends with its sentence."""

from collections.abc import Sequence
from importlib import import_module
from types import SimpleNamespace

import bpy
from bpy.types import Action, Object

EXTENSION = "bl_ext.user_default.verbs_adverbs"


def installed(modules: dict[str, str]) -> SimpleNamespace:
    """Import modules of the installed extension, and return them under the given names."""
    return SimpleNamespace(**{name: import_module(f"{EXTENSION}.{path}") for name, path in modules.items()})


def say(text: str) -> None:
    """Print how far the demo is."""
    print(text, flush=True)


class Refused(RuntimeError):
    """Raised if an operator of the extension refuses."""


def do(operator: str, /, **options: object) -> None:
    """Run `verbs_adverbs.OPERATOR`.

    Raises
    ------
    Refused
        If it is cancelled or reports an error.
    """
    try:
        ended = getattr(bpy.ops.verbs_adverbs, operator)("EXEC_DEFAULT", **options)
    except RuntimeError as error:
        raise Refused(f"{operator}: {error}") from None
    if ended != {"FINISHED"}:
        raise Refused(f"{operator} was cancelled")


def make_active(thing: Object) -> None:
    """Select `thing` alone and make it the active object."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing


def choose_verb(armature: Object, name: str) -> None:
    """Choose the verb called `name` in the list, so that operators act on it."""
    data = armature.verbs_adverbs
    data.active_verb = data.verbs.find(name)


def add_verb(armature: Object, name: str, adverbs: Sequence[str], actions: Sequence[Action]) -> None:
    """Define a verb over some of the armature's adverbs, with the first example of each action, and build it."""
    do("verb_add", name=name)
    choose_verb(armature, name)
    data = armature.verbs_adverbs
    used = {item.name for item in data.verbs[name].adverbs}
    for index, adverb in enumerate(data.adverbs):
        if (adverb.name in used) != (adverb.name in adverbs):
            do("verb_adverb_toggle", index=index)
    chosen = [
        {"name": a.name, "action": a.name, "uid": a.verbs_adverbs.examples[0].uid, "chosen": True} for a in actions
    ]
    do("verb_examples_add", choices=chosen)
    do("verb_build")
