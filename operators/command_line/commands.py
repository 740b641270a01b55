"""The command `verbs` of Blender's command line: what can be asked of it, and how it answers.

It ends with 0 when all was done, with 1 when something is wrong with the file's verbs, with 2 when it was asked in a
way that it does not understand, and with 3 when a file could not be read or written, or a bake was refused.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

import bpy
from bpy.types import Object

from ... import bridge
from ...core.errors import VerbsError
from .told import ERROR, Told, built, characters, described

DONE, WRONG, REFUSED = 0, 1, 3
NAME = "verbs"
CLASSES = ()

_registered: list[object] = []


def register() -> None:
    """Add the command to Blender's command line."""
    _registered.append(bpy.utils.register_cli_command(NAME, run))


def unregister() -> None:
    """Take the command back."""
    while _registered:
        bpy.utils.unregister_cli_command(_registered.pop())


def run(words: Sequence[str]) -> int:
    """Do what was asked for on the command line, and return the exit code.

    Parameters
    ----------
    words : after the name of the command.
    """
    try:
        asked = _parser().parse_args(list(words))
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else DONE
    try:
        code, report = asked.do(asked)
        if asked.json:
            Path(asked.json).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    except (VerbsError, OSError) as error:
        sys.stderr.write(f"Error: {error}\n")
        return REFUSED
    return code


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        f"blender FILE --command {NAME}", description="Verbs and bakes of a file, without a window."
    )
    parsers = parser.add_subparsers(required=True, metavar="WHAT")
    for name, do, told in (
        ("list", _list, "tell what characters, verbs, layers, directors and words the file has"),
        ("check", _check, "build all verbs and graphs, and tell what is wrong with them"),
    ):
        _add(parsers, name, do, told)
    bake = _add(parsers, "bake", _bake, "bake a verb, or what directors perform, to actions in a file")
    bake.add_argument("--verb", help="verb to bake at its director's sliders; without it, what the director performs")
    bake.add_argument("--first", type=int, help="first frame; that of the scene by default")
    bake.add_argument("--last", type=int, help="last frame; that of the scene by default")
    bake.add_argument("--name", default="", help="name of the action")
    bake.add_argument("--keep-live", action="store_true", help="leave the director on, and only keep the new action")
    bake.add_argument("--again", action="store_true", help="bake again what the file has baked, into the same actions")
    bake.add_argument("--out", help="file to write; it may be the open one", required=True)
    return parser


def _add(parsers: object, name: str, do: Callable[[Namespace], tuple[int, Told]], told: str) -> ArgumentParser:
    made = parsers.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")  # pyright: ignore[reportAttributeAccessIssue]
    made.add_argument("--character", default="", help="name of the armature; all that have verbs by default")
    made.add_argument("--json", help="file for the answer as JSON")
    made.set_defaults(do=do)
    return made


def _say(text: str) -> None:
    """Answer with a line of text, at once, for whoever follows how far the work is."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _list(asked: Namespace) -> tuple[int, Told]:
    found = [described(armature) for armature in characters(asked.character)]
    for one in found:
        _say(f"{one['name']}: {len(one['verbs'])} verbs, {len(one['layers'])} layers")
        for verb in one["verbs"]:
            adverbs = ", ".join(verb["adverbs"]) or "no adverbs"
            _say(f"  {verb['name']} ({adverbs}): {len(verb['examples'])} examples")
    return DONE, {"characters": found}


def _check(asked: Namespace) -> tuple[int, Told]:
    found: list[Told] = []
    for armature in characters(asked.character):
        for one in built(armature):
            found.append({"character": armature.name, **one})
            what = one.get("verb") or "the verb graph"
            _say(f"{armature.name}, {what}: {one['seconds']:.2f} s")
            for kind, text in one["complaints"]:
                _say(f"  {kind}: {text}")
    wrong = any(kind == ERROR for one in found for kind, _ in one["complaints"])
    return WRONG if wrong else DONE, {"built": found}


def _to_bake(asked: Namespace) -> list[Object]:
    """Return the characters to bake: where none is named and no verb, those with a director, or with bakes."""
    found = characters(asked.character)
    if asked.again:
        found = [one for one in found if asked.character or bridge.session.bakes.bake_again.bakes_of(one)]
        if not found:
            raise VerbsError("This file has no bake that says what it was made from. Bake without --again.")
        return found
    if asked.verb is None and not asked.character:
        found = [one for one in found if bridge.data.director.director_of(one) is not None]
    if not found:
        raise VerbsError("No character of this file can be baked: none has verbs and a director. Name a verb to bake.")
    return found


def _bake(asked: Namespace) -> tuple[int, Told]:
    from .bakes import again, baked, saved

    scene = bpy.context.scene
    first = scene.frame_start if asked.first is None else asked.first
    last = scene.frame_end if asked.last is None else asked.last
    armatures, found = _to_bake(asked), []
    for number, armature in enumerate(armatures):
        _say(f"Progress: {100.0 * number / len(armatures):.1f} %")
        if asked.again:
            found += again(armature, scene, asked.name)
        else:
            found.append(baked(armature, scene, asked.verb, (first, last), asked.name, not asked.keep_live))
    path = saved(asked.out)
    _say(f"Progress: 100.0 %\nWrote {path}")
    return DONE, {"baked": found, "file": str(path)}
