"""Bakes and scores without a window, written to files: the same as the operators make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bpy.types import Action, Object, Scene

from ... import bridge
from ...core.errors import MOST_CHOICES, ScoreError, VerbError, VerbsError, quoted
from ..baking import check_assignable, hand_over
from .told import Progress, Told


@dataclass(frozen=True)
class Wanted:
    """What to bake for each character.

    Parameters
    ----------
    verb : name of the verb; None for what the director performs.
    first, last : frames.
    name : name of the action; if empty, it is made from what is baked. With several characters, each one's name is
        appended.
    """

    verb: str | None
    first: int
    last: int
    name: str


def bake_all(
    armatures: Sequence[Object], scene: Scene, wanted: Wanted, assign: bool, progress: Progress
) -> dict[Object, Action]:
    """Bake some characters, and return the new actions, which are not assigned yet.

    None of them sees the bake of another one, so that it does not matter which are baked in the same process.

    Parameters
    ----------
    assign : whether the actions are to be assigned; whether they can be is checked first.

    Raises
    ------
    VerbsError
        If one cannot be baked.
    """
    for armature in armatures:
        check_assignable(armature, assign)
    made: dict[Object, Action] = {}
    for armature in progress.each(armatures):
        progress.status(f"Baking '{armature.name}'")
        name = f"{wanted.name} {armature.name}" if wanted.name and len(armatures) > 1 else wanted.name
        made[armature] = _baked(armature, scene, wanted, name)
    return made


def _baked(armature: Object, scene: Scene, wanted: Wanted, name: str) -> Action:
    write_new = bridge.session.bakes.baked.write_new
    if wanted.verb is None:
        options = bridge.session.bake.PerformanceOptions(name, wanted.first, wanted.last)
        return write_new(armature, bridge.session.bake.bake_of_performance(armature, options, scene))
    items = armature.verbs_adverbs.verbs
    if wanted.verb not in items:
        raise VerbError(f"'{armature.name}' has no verb '{wanted.verb}'. It has: {', '.join(items.keys())}.")
    span = float(wanted.first), float(wanted.last)
    options = bridge.session.bake.BakeOptions(name, 0, *span, animated=True)
    built = bridge.authoring.verbs.verb_for(armature, items[wanted.verb])
    return write_new(armature, bridge.session.bake.bake_of_verb(armature, built, options, scene))


def bakes_again(
    armatures: Sequence[Object], scene: Scene, name: str, progress: Progress
) -> tuple[list[Told], list[str]]:
    """Bake again what was baked of some characters, into the same actions.

    Parameters
    ----------
    name : name of the one bake that is wanted; if empty, all bakes of each character are.

    Returns
    -------
    The actions that were written, and sentences on anything else that was done.

    Raises
    ------
    VerbsError
        If a character has none, or one cannot be baked again, such as for edits that would be lost.
    """
    again, written, told = bridge.session.bakes.bake_again, list[Told](), list[str]()
    for armature in progress.each(armatures):
        progress.status(f"Baking '{armature.name}' again")
        found = [] if name else again.bakes_of(armature)
        for action in found or [again.bake_to_repeat(armature, name)]:
            done = again.bake_again(armature, action, "ASK", scene)
            written += [_told(armature, one) for one in done.actions]
            told += done.told
    return written, told


def hand_over_all(made: Mapping[Object, Action], assign: bool) -> None:
    """Assign the new actions and switch the directors off; or, without `assign`, only keep the actions."""
    for armature, action in made.items():
        hand_over(armature, action, assign)


def told_of(made: Mapping[Object, Action]) -> list[Told]:
    """Return which action each character got, with its frames and the number of its keys."""
    return [_told(armature, action) for armature, action in made.items()]


def _told(armature: Object, action: Action) -> Told:
    curves = bridge.blender.versions.curves_of(action, armature)
    keys = sum(len(curve.keyframe_points) for curve in curves)
    frames = [round(frame) for frame in action.frame_range]
    return {"character": armature.name, "action": action.name, "frames": frames, "keys": keys}


LARGEST = 200_000_000
"""Bytes of a score; a character with a key in each frame of an hour takes some 40 million."""


def perform_score(path: str, armatures: Sequence[Object], scene: Scene) -> list[Object]:
    """Let characters perform the score in a file, and return those that it names, in the order of their names.

    Raises
    ------
    VerbsError
        If the score cannot be read, or asks for something that is not there; the sentence says where.
    """
    from ...core.play.written_score import read_score

    file, known = Path(path), {one.name: one for one in armatures}
    try:
        if file.stat().st_size > LARGEST:
            raise ScoreError(f"The score '{path}' is larger than {LARGEST} bytes. Write a score with fewer characters.")
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise VerbsError(f"The score '{path}' cannot be read: {error}") from error
    scores = bridge.layers.scores
    found = read_score(text, bridge.data.annotate.scene_fps(scene), scores.starts_of(known))
    for name, part in found.items():
        if name not in known:
            there = quoted(sorted(known), MOST_CHOICES)
            raise ScoreError(f"Score, characters: there is no character '{name}'. The file has: {there}.")
        bridge.data.director.check_directed(known[name])
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
        raise VerbsError(
            "No character in this file has a director, so there is no score. Add a command to a character first."
        )
    return told, remarks
