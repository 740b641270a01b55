"""What is in the open file, in words and numbers that can be written as JSON, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import Any

import bpy
from bpy.types import Object, PropertyGroup

from ... import bridge
from ...core.errors import MOST_CHOICES, GraphError, VerbsError, quoted

Told = dict[str, Any]
ERROR, WARNING = "error", "warning"


def armatures_named(names: Sequence[str] = ()) -> list[Object]:
    """Return the armatures of the file, whether they have verbs or not, in the order of their names.

    Parameters
    ----------
    names : of those that are wanted; all without any.

    Raises
    ------
    VerbsError
        If no armature has one of the names.
    """
    return _chosen([one for one in bpy.data.objects if one.type == "ARMATURE"], names, "")


def characters(names: Sequence[str] = ()) -> list[Object]:
    """Return the armatures of the file that have verbs, in the order of their names.

    Parameters
    ----------
    names : of those that are wanted; all without any.

    Raises
    ------
    VerbsError
        If no armature has one of the names, or it has no verbs.
    """
    return _chosen([one for one in armatures_named() if one.verbs_adverbs.verbs], names, " with verbs")


def _chosen(found: Sequence[Object], names: Sequence[str], which: str) -> list[Object]:
    known = {one.name for one in found}
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        there = quoted(sorted(known), MOST_CHOICES) or "none"
        raise VerbsError(f"No character '{unknown}'{which} is in this file. There are: {there}.")
    return sorted((one for one in found if not names or one.name in names), key=lambda one: one.name)


def described(armature: Object) -> Told:
    """Return what a character has: verbs with their adverbs and examples, layers, transitions, director and words."""
    rig, director = armature.verbs_adverbs, bridge.data.director.director_of(armature)
    told: Told = {
        "name": armature.name,
        "linked": armature.library is not None,
        "verbs": [_verb(item) for item in rig.verbs],
        "layers": [item.name for item in rig.layers],
        "transitions": len(rig.transitions),
        "director": None,
    }
    if director is not None:
        own = director.verbs_adverbs
        told["director"] = {
            "name": director.name,
            "live": own.live,
            "performs": own.performance.active,
            "commands": bridge.data.commands.command_count(director),
            "words": len(own.speech.words),
        }
    return told


def _verb(item: PropertyGroup) -> Told:
    examples = [reference.example_name for reference in item.examples if reference.enabled]
    return {"name": item.name, "adverbs": [used.name for used in item.adverbs], "examples": examples}


def built(armature: Object) -> Iterator[Told]:
    """Build a character's verbs and its graph, one after the other, and yield what came of each.

    Yields
    ------
    The name, the seconds that it took, and complaints: pairs of ``'error'`` or ``'warning'`` and a sentence.
    """
    for item in armature.verbs_adverbs.verbs:
        begun = perf_counter()
        complaints = _build(armature, item)
        yield {"verb": item.name, "seconds": perf_counter() - begun, "complaints": complaints}
    if armature.verbs_adverbs.transitions:
        begun = perf_counter()
        complaints = [[ERROR, text] for text in _graph(armature)]
        yield {"graph": armature.name, "seconds": perf_counter() - begun, "complaints": complaints}


def _build(armature: Object, item: PropertyGroup) -> list[list[str]]:
    try:
        made = bridge.build.verbs.built_for(armature, item, thorough=True)
    except VerbsError as error:
        return [[ERROR, str(error)]]
    lines = bridge.build.verbs.lines_of(armature, item, made)
    return [[line.kind.lower(), line.text] for line in lines if line.kind.lower() in (ERROR, WARNING)]


def _graph(armature: Object) -> tuple[str, ...]:
    try:
        bridge.build.graph.graph_for(armature, thorough=True)
    except GraphError as error:
        return error.complaints
    return ()
