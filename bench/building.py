"""Time of building a walk of fifteen examples from its actions."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import bpy
from bpy.types import Object

from ..demo.captures import define_verbs, import_clips, read_folder
from ..demo.operate import do
from ..dev.figure import Figure
from .installed import module
from .timing import interleaved

EXAMPLES = 15
ROUNDS = 8
CAPTURES = Path(os.environ.get("VERBS_ADVERBS_MOCAP") or Path(__file__).parents[2] / "shared" / "mocap")


def build_figures() -> Iterator[Figure]:
    """Yield the generated walk, and the captured one if its folder exists."""
    tasks = {"generated biped": _builder(*_generated())}
    if (CAPTURES / "keytimes.json").is_file():
        tasks["motion capture"] = _builder(*_captured())
    for name, seconds in interleaved(tasks, ROUNDS).items():
        said = "actions and annotations read, examples closed, held and fitted"
        yield Figure(f"building a walk of {EXAMPLES} examples, {name}", seconds, 1.0, "s", said)


def _builder(armature: Object, name: str) -> Callable[[], object]:
    verbs, item = module("bridge.authoring.verbs"), armature.verbs_adverbs.verbs[name]
    count = sum(reference.enabled for reference in item.examples)
    assert count == EXAMPLES, f"The walk has {count} examples."

    def build() -> None:
        module("bridge.blender.store").forget()
        verbs.built_for(armature, item)

    return build


def _generated() -> tuple[Object, str]:
    do("add_biped")
    return bpy.context.view_layer.objects.active, "walk"


def _captured() -> tuple[Object, str]:
    folder = read_folder(CAPTURES)
    chosen = next(verb for verb in folder.verbs if len(verb.clips) == EXAMPLES)
    armature, actions = import_clips(folder, list(chosen.clips))
    define_verbs(armature, actions, replace(folder, verbs=(chosen,)))
    return armature, chosen.name
