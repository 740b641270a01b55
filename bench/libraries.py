"""Time of the queries that panels make at every redraw, for a library of thousands of clips."""

import time
from collections.abc import Callable, Iterator

import bpy
from bpy.types import Object

from ..demo.operate import do
from ..dev.figure import Figure
from .installed import module
from .timing import interleaved

VERBS, CLIPS = 200, 15
ROWS = 5
BUTTONS = (
    "verb_add",
    "verb_remove",
    "verb_rename",
    "verb_build",
    "measure_travel",
    "transitions_suggest",
    "graph_check",
)
"""Operators of the panels *Verbs* and *Verb Graph*, whose polls are called when these are drawn."""
REPEATS = 50


def library_figures() -> Iterator[Figure]:
    """Yield figures of a character with many verbs, each with its own clips."""
    do("add_biped")
    armature = bpy.context.object
    for number in range(1, VERBS):
        _add_verb(armature, number)
    first = _processor_time(lambda: _asked(armature))
    again = interleaved({"asked": lambda: _asked(armature)}, REPEATS, clock=time.process_time)["asked"]
    said = f"{1e3 * first:.0f} ms after a change"
    what = f"what the panels of verbs ask, {VERBS} verbs of {VERBS * CLIPS:,} clips"
    yield Figure(what, 1e3 * again, 1.0, "ms", said)


def _add_verb(armature: Object, number: int) -> None:
    """Add a verb like the walk, with copies of its clips."""
    rig = armature.verbs_adverbs
    walk, made = rig.verbs["walk"], rig.verbs.add()
    made.uid, made.name, made.number = module("bridge.data.schema").new_uid(), f"verb {number}", number + 10
    for used in walk.adverbs:
        made.adverbs.add().name = used.name
    for like in walk.examples:
        reference = made.examples.add()
        reference.action, reference.example_uid = like.action.copy(), like.example_uid
        reference.action.name = f"clip {number} {like.action_name}"


def _asked(armature: Object) -> None:
    verbs, graph = module("bridge.authoring.verbs"), module("bridge.authoring.graph")
    for item in armature.verbs_adverbs.verbs[:ROWS]:
        verbs.shown_status(armature, item)
    graph.shown_graph_status(armature)
    for name in BUTTONS:
        getattr(bpy.ops.verbs_adverbs, name).poll()


def _processor_time(task: Callable[[], object]) -> float:
    begun = time.process_time()
    task()
    return time.process_time() - begun
