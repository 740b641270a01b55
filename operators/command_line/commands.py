"""The command `verbs` of Blender's command line: its subcommands, and what they print.

Exit codes: 0 when all was done, 1 when something is wrong with the file's verbs, 2 when the arguments are not
understood, and 3 when a file could not be read or written, or a bake was refused.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Sequence

import bpy
from bpy.types import Object

from ... import bridge
from ...core.errors import VerbsError
from .files import (
    Part,
    check_open,
    check_writable,
    digest_of,
    joined,
    parsed_share,
    part_files,
    saved,
    write_json,
    write_part,
)
from .told import ERROR, FORMS, PLAIN, Progress, Told, armatures_named, built, characters, described, say

DONE, WRONG, REFUSED = 0, 1, 3
NAME = "verbs"
CLASSES = ()

_registered: list[object] = []


def register() -> None:
    """Add the command to Blender's command line."""
    _registered.append(bpy.utils.register_cli_command(NAME, run))


def unregister() -> None:
    """Remove the command."""
    while _registered:
        bpy.utils.unregister_cli_command(_registered.pop())


def run(words: Sequence[str]) -> int:
    """Carry out a command line, and return the exit code.

    Parameters
    ----------
    words : the words after the name of the command.
    """
    try:
        asked = _parser().parse_args(list(words))
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else DONE
    progress = Progress(asked.progress)
    try:
        if asked.opens:
            check_open()
        check_writable(getattr(asked, name, None) for name in ("json", "out", "part"))
        code, report = asked.do(asked, progress)
        write_json(asked.json, report)
    except (VerbsError, OSError) as error:
        sys.stderr.write(f"Error: {error}\n")
        progress.fail(str(error))
        return REFUSED
    return code


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        f"blender FILE --command {NAME}",
        description="List, check and bake the verbs of a file without opening a window.",
    )
    parsers = parser.add_subparsers(required=True, metavar="WHAT")
    for name, do, told in (
        ("list", _list, "list the characters, verbs, layers, directors and words in the file"),
        ("check", _check, "build all verbs and graphs, and report problems"),
    ):
        _of_characters(_add(parsers, name, do, told))
    score = _of_characters(
        _add(parsers, "score", _score, "write the scores of the directors as JSON, for `bake --score`")
    )
    score.add_argument("--out", help="file to write", required=True)
    _add_bake(parsers)
    join = _add(parsers, "join", _join, "combine baked parts in the file that they were baked from")
    join.add_argument("parts", nargs="+", metavar="PART", help="file written with --part, or a folder of such files")
    join.add_argument(
        "--keep-live", action="store_true", help="leave directors switched on and do not assign the new actions"
    )
    join.add_argument("--out", help="blend file to save; may be the open one", required=True)
    _add_find(parsers)
    return parser


def _add_find(parsers: object) -> None:
    what = "find keytimes and contacts in BVH files, or in the actions of the open file"
    find = _of_characters(_add(parsers, "find", _find, what, opens=False))
    find.add_argument("clips", nargs="*", metavar="CLIP", help="BVH file, or a folder of BVH files")
    find.add_argument("--list", default="", help="text file that lists BVH files or folders, one per line")
    find.add_argument("--share", type=_share, help="process only this share of the clips, such as 2/3")
    find.add_argument("--rate", type=float, default=0.0, help="frame rate of BVH files that do not state one")
    find.add_argument(
        "--scale", type=float, default=0.01, help="length of one unit of the BVH files in metres, such as 0.01"
    )
    find.add_argument("--out", help="blend file to save, with the cleanest cycle of each clip marked as an example")
    collect = _add(parsers, "collect", _collect, "combine the results of several runs of `find`", opens=False)
    collect.add_argument(
        "parts", nargs="+", metavar="PART", help="file written by `find --json`, or a folder of such files"
    )


def _add_bake(parsers: object) -> None:
    bake = _of_characters(_add(parsers, "bake", _bake, "bake a verb, or what the directors perform, to actions"))
    bake.add_argument("--share", type=_share, help="bake only this share of the characters, such as 2/5")
    bake.add_argument("--score", default="", help="score file; the characters named in it perform it")
    bake.add_argument(
        "--verb", help="verb to bake with the director's slider values; by default, what the director performs"
    )
    bake.add_argument("--first", type=_frame, help="first frame; by default the scene's")
    bake.add_argument("--last", type=_frame, help="last frame; by default the scene's")
    bake.add_argument("--name", default="", help="name of the action")
    bake.add_argument(
        "--keep-live", action="store_true", help="leave the director switched on and do not assign the new action"
    )
    bake.add_argument("--again", action="store_true", help="bake again into the actions that the file already has")
    where = bake.add_mutually_exclusive_group(required=True)
    where.add_argument("--out", help="blend file to save; may be the open one")
    where.add_argument("--part", help="file for the baked actions only, to be combined by `join`")


def _add(
    parsers: object, name: str, do: Callable[[Namespace, Progress], tuple[int, Told]], told: str, opens: bool = True
) -> ArgumentParser:
    """Add a subcommand.

    Parameters
    ----------
    opens : whether it needs an open file.
    """
    made = parsers.add_parser(name, help=told, description=f"{told[0].upper()}{told[1:]}.")  # pyright: ignore[reportAttributeAccessIssue]
    made.add_argument("--json", help="also write the result to this JSON file")
    made.add_argument("--progress", choices=FORMS, default=PLAIN, help="format of the progress messages")
    made.set_defaults(do=do, opens=opens)
    return made


def _of_characters(parser: ArgumentParser) -> ArgumentParser:
    told = "name of the armature; may be repeated; by default, all that have verbs"
    parser.add_argument("--character", action="append", default=[], help=told)
    return parser


def _share(text: str) -> object:
    try:
        return parsed_share(text)
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _frame(text: str) -> int | None:
    """Return a whole frame; None for an empty text, which farm templates write if nothing was chosen."""
    if not text.strip():
        return None
    try:
        return int(text)
    except ValueError as error:
        raise ArgumentTypeError(f"'{text}' is not a whole frame number.") from error


def _list(asked: Namespace, _progress: Progress) -> tuple[int, Told]:
    found = [described(armature) for armature in characters(asked.character)]
    for one in found:
        say(f"{one['name']}: {len(one['verbs'])} verbs, {len(one['layers'])} layers")
        for verb in one["verbs"]:
            adverbs = ", ".join(verb["adverbs"]) or "no adverbs"
            say(f"  {verb['name']} ({adverbs}): {len(verb['examples'])} examples")
    return DONE, {"characters": found}


def _check(asked: Namespace, progress: Progress) -> tuple[int, Told]:
    found: list[Told] = []
    for armature in progress.each(characters(asked.character)):
        for one in built(armature):
            found.append({"character": armature.name, **one})
            what = one.get("verb") or "the verb graph"
            say(f"{armature.name}, {what}: {one['seconds']:.2f} s")
            for kind, text in one["complaints"]:
                say(f"  {kind}: {text}")
    progress.done(100.0)
    wrong = any(kind == ERROR for one in found for kind, _ in one["complaints"])
    return WRONG if wrong else DONE, {"built": found}


def _find(asked: Namespace, progress: Progress) -> tuple[int, Told]:
    from . import finds

    if not (asked.json or asked.out):
        raise VerbsError("Say where to write the result: --json FILE, --out FILE, or both.")
    files = [*asked.clips, *finds.files_listed(asked.list)]
    if files:
        sources = finds.sources_of_files(files)
    else:
        check_open()
        sources = finds.sources_of_actions(armatures_named(asked.character))
    mine, read_as = asked.share.of(sources) if asked.share else sources, finds.ReadAs(asked.scale, asked.rate)
    clips = finds.find_in(mine, read_as, bool(asked.out), progress)
    if asked.out:
        say(f"Wrote {saved(asked.out)}")
    progress.done(100.0)
    return DONE, finds.told_found(clips, asked.share)


def _collect(asked: Namespace, progress: Progress) -> tuple[int, Told]:
    from . import finds

    if not asked.json:
        raise VerbsError("Say where to write the result: --json FILE.")
    told = finds.collected(part_files(asked.parts, finds.ENDING))
    progress.done(100.0)
    return DONE, told


def _score(asked: Namespace, _progress: Progress) -> tuple[int, Told]:
    from .bakes import told_scores

    told, remarks = told_scores(characters(asked.character), bpy.context.scene)
    write_json(asked.out, told)
    for remark in remarks:
        say(f"Left out: {remark}")
    say(f"Wrote {asked.out}")
    return DONE, {"score": asked.out, "characters": list(told["characters"]), "left_out": remarks}


def _to_bake(asked: Namespace) -> list[Object]:
    """Return the characters to bake: without a name and a verb, those with a director or those in the score."""
    found = characters(asked.character)
    if asked.score:
        from .bakes import perform_score

        in_score = perform_score(asked.score, characters(), bpy.context.scene)
        found = found if asked.character else in_score
    if asked.verb is None and not asked.character:
        found = [one for one in found if bridge.data.director.director_of(one) is not None]
    if not found:
        raise VerbsError(
            "No character in this file can be baked, because none has verbs and a director. Name a verb with --verb."
        )
    return asked.share.of(found) if asked.share else found


def _bake_again(asked: Namespace, progress: Progress) -> tuple[int, Told]:
    from .bakes import bakes_again

    others = (asked.part, asked.score, asked.verb, asked.keep_live)
    if any(others) or asked.first is not None or asked.last is not None:
        raise VerbsError(
            "--again repeats the bakes of the file over the same frames. Leave out --part, --score, --verb, --first, "
            "--last and --keep-live."
        )
    found = characters(asked.character)
    if not asked.character:
        found = [one for one in found if bridge.session.bakes.bake_again.bakes_of(one)]
    if not found:
        raise VerbsError("This file has no bake to repeat. Bake without --again.")
    report, told = bakes_again(asked.share.of(found) if asked.share else found, bpy.context.scene, asked.name, progress)
    for sentence in told:
        say(sentence)
    path = saved(asked.out)
    progress.done(100.0)
    say(f"Wrote {path}")
    return DONE, {"baked": report, "file": str(path)}


def _bake(asked: Namespace, progress: Progress) -> tuple[int, Told]:
    if asked.again:
        return _bake_again(asked, progress)
    from .bakes import Wanted, bake_all, hand_over_all, told_of

    scene = bpy.context.scene
    first = scene.frame_start if asked.first is None else asked.first
    last = scene.frame_end if asked.last is None else asked.last
    armatures, assign = _to_bake(asked), not asked.keep_live
    made = bake_all(armatures, scene, Wanted(asked.verb, first, last, asked.name), assign, progress)
    report = told_of(made)
    if asked.part:
        digests = {"file": digest_of(bpy.data.filepath), "score": digest_of(asked.score)}
        made_from = {**digests, "verb": asked.verb, "first": first, "last": last}
        names = {armature.name: action.name for armature, action in made.items()}
        path = write_part(asked.part, Part(made_from, str(asked.share or ""), names), made.values())
    else:
        hand_over_all(made, assign)
        path = saved(asked.out)
    progress.done(100.0)
    say(f"Wrote {path}")
    return DONE, {"baked": report, "file": str(path)}


def _join(asked: Namespace, progress: Progress) -> tuple[int, Told]:
    from ..baking import check_assignable
    from .bakes import hand_over_all, told_of

    known = {one.name: one for one in characters()}
    found = joined(part_files(asked.parts), digest_of(bpy.data.filepath), known)
    made = {known[name]: action for name, action in found.items()}
    report = told_of(made)
    for armature in made:
        check_assignable(armature, not asked.keep_live)
    hand_over_all(made, not asked.keep_live)
    path = saved(asked.out)
    progress.done(100.0)
    say(f"Wrote {path}")
    return DONE, {"joined": report, "file": str(path)}
