"""Scores without a window: written from the open file, and read from a file for characters to perform."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bpy.types import Object, Scene

from ... import bridge
from ...core.errors import MOST_CHOICES, ScoreError, VerbsError, quoted
from .told import Told

LARGEST = 200_000_000
"""Bytes of a score; a character with a key in each frame of an hour takes some 40 million."""


def perform_score(path: str, armatures: Sequence[Object], scene: Scene) -> list[Object]:
    """Let characters perform the score in a file, and return those that it names, in the order of their names.

    Raises
    ------
    VerbsError
        If it cannot be read, or asks for what is not there; the sentence says where.
    """
    from ...core.play.written_score import read_score

    file, known = Path(path), {one.name: one for one in armatures}
    try:
        if file.stat().st_size > LARGEST:
            raise ScoreError(f"The score '{path}' has more than {LARGEST} bytes. Write one for fewer characters.")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise VerbsError(f"The score '{path}' cannot be read: {error}") from error
    scores = bridge.layers.scores
    found = read_score(text, bridge.data.annotate.scene_fps(scene), scores.starts_of(known))
    for name, part in found.items():
        if name not in known:
            there = quoted(sorted(known), MOST_CHOICES)
            raise ScoreError(f"Score, characters: there is no character '{name}'. There are: {there}.")
        bridge.data.linked.whose.check_directed(known[name])
        scores.check_names(known[name], part)
    for name, part in found.items():
        scores.put_score(known[name], part, scene)
    return [known[name] for name in sorted(found)]


def told_scores(armatures: Sequence[Object], scene: Scene) -> tuple[Told, list[str]]:
    """Return the scores of characters as JSON can hold them, and remarks about what it cannot hold.

    Raises
    ------
    VerbsError
        If none of them has a director.
    """
    told, remarks = bridge.layers.scores.told_score(armatures, scene)
    if not told["characters"]:
        raise VerbsError("No character of this file has a director, so there is no score. Add a command to one first.")
    return told, remarks
