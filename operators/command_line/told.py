"""What the command line prints: the contents of the open file as for JSON, problems, and progress."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

import bpy
from bpy.types import Object, PropertyGroup

from ... import bridge
from ...bridge.blender.jobs import heard_by
from ...core.errors import MOST_CHOICES, GraphError, VerbsError, quoted

Told = dict[str, Any]
ERROR, WARNING = "error", "warning"


def armatures_named(names: Sequence[str] = ()) -> list[Object]:
    """Return the armatures in the file, whether or not they have verbs, sorted by name.

    Parameters
    ----------
    names : names of the armatures that are wanted; if empty, all are.

    Raises
    ------
    VerbsError
        If no armature has one of the names.
    """
    return _chosen([one for one in bpy.data.objects if one.type == "ARMATURE"], names, "")


def characters(names: Sequence[str] = ()) -> list[Object]:
    """Return the armatures in the file that have verbs, sorted by name.

    Parameters
    ----------
    names : names of the armatures that are wanted; if empty, all are.

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
        raise VerbsError(f"This file has no character '{unknown}'{which}. It has: {there}.")
    return sorted((one for one in found if not names or one.name in names), key=lambda one: one.name)


def described(armature: Object) -> Told:
    """Describe a character: verbs with their adverbs and examples, layers, transitions, director and words."""
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
    """Build a character's verbs and its graph, one after the other, and yield the result of each.

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
        made = bridge.authoring.verbs.built_for(armature, item)
    except VerbsError as error:
        return [[ERROR, str(error)]]
    lines = bridge.authoring.verbs.lines_of(armature, item, made)
    return [[line.kind.lower(), line.text] for line in lines if line.kind.lower() in (ERROR, WARNING)]


def _graph(armature: Object) -> tuple[str, ...]:
    try:
        bridge.authoring.graph.graph_for(armature)
    except GraphError as error:
        return error.complaints
    return ()


T = TypeVar("T")

PLAIN, OPENJD = "plain", "openjd"
FORMS = (PLAIN, OPENJD)
LEAST = 1.0
"""Percent of progress between two messages."""


def say(text: str) -> None:
    """Print a line of text at once, for whoever is watching the progress."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Progress:
    """Reports progress, which never goes back.

    Parameters
    ----------
    form : ``'plain'`` for a reader, ``'openjd'`` for a render farm.
    """

    def __init__(self, form: str) -> None:
        self._form, self._told = form, -LEAST

    def done(self, percent: float) -> None:
        """Report how much of the whole is done, if that has changed enough."""
        if percent - self._told >= LEAST or percent >= 100.0 > self._told:
            self._told = percent
            say(f"openjd_progress: {percent:.1f}" if self._form == OPENJD else f"Progress: {percent:.1f} %")

    def status(self, text: str) -> None:
        """Report what is being done now."""
        say(f"openjd_status: {text}" if self._form == OPENJD else text)

    def fail(self, text: str) -> None:
        """Tell a render farm why the job has failed; a reader sees the error anyway."""
        if self._form == OPENJD:
            say(f"openjd_fail: {text}")

    def each(self, things: Sequence[T]) -> Iterator[T]:
        """Yield items to work on, and report progress before, during and after each."""
        for number, thing in enumerate(things):
            self.done(100.0 * number / len(things))
            with self._within(100.0 * number / len(things), 100.0 / len(things)):
                yield thing

    @contextmanager
    def _within(self, begin: float, share: float) -> Iterator[None]:
        """Report the progress of long computations; as their number is unknown, each takes half of what is left."""
        last, left = 0.0, 1.0

        def heard(fraction: float) -> None:
            nonlocal last, left
            if fraction < last:
                left *= 0.5
            last = fraction
            self.done(begin + share * (1.0 - left * (1.0 - 0.5 * fraction)))

        with heard_by(heard):
            yield
