"""Files that the command line reads and writes, such as parts: bakes of several processes that are combined later."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import bpy
from bpy.types import Action, Object

from ...core.errors import VerbsError, listed, quoted
from .told import Told

PIECE = 1 << 20


def check_open() -> None:
    """Check that a file is open; Blender continues with an empty one if it cannot read the named file.

    Raises
    ------
    VerbsError
        If no file is open.
    """
    if not bpy.data.filepath:
        raise VerbsError("No file is open: none was named, or Blender could not read it. Name a file before --command.")


def check_writable(paths: Iterable[str | None]) -> None:
    """Check before computing anything that the files can be written to their folders.

    Parameters
    ----------
    paths : paths of the files; None or empty for those that are not written.

    Raises
    ------
    VerbsError
        If a folder does not exist or cannot be written to, or a folder has the name of the file.
    """
    for path in (Path(named).resolve() for named in paths if named):
        if path.is_dir():
            raise VerbsError(f"'{path}' is a folder. Give the path of a file.")
        if not path.parent.is_dir():
            raise VerbsError(
                f"The folder '{path.parent}' for '{path.name}' does not exist. Create it, or name another one."
            )
        try:
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise VerbsError(
                f"'{path.name}' cannot be written to the folder '{path.parent}': {error.strerror}. Name another folder."
            ) from error


def write_json(path: str | None, report: Told) -> None:
    """Write a result as JSON, if a file was named for it."""
    if not path:
        return
    whole = Path(path).resolve()
    unfinished = whole.with_name(f"{whole.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        unfinished.replace(whole)
    finally:
        unfinished.unlink(missing_ok=True)


def saved(path: str) -> Path:
    """Save the open file under a path, and return the full path.

    Blender writes to a temporary file beside it, and moves that into place at the end.

    Raises
    ------
    VerbsError
        If Blender could not write it.
    """
    whole = Path(path).resolve()
    try:
        bpy.ops.wm.save_as_mainfile(filepath=str(whole), copy=True)
    except RuntimeError as error:
        raise VerbsError(f"Blender could not write '{whole}': {error}") from error
    return whole


def digest_of(path: str) -> str:
    """Digest of a file's bytes; empty if no file is named."""
    if not path:
        return ""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


NOTE = "Verbs & Adverbs part"
FORMAT = 1
ENDING = ".part.blend"
"""Ending of the names of parts in a folder."""


@dataclass(frozen=True)
class Share:
    """One of several equal shares of a job, counted from 1."""

    number: int
    whole: int

    def of(self, things: Sequence[Any]) -> list[Any]:
        """Return this share of some items: every n-th of them, with n shares."""
        return list(things[self.number - 1 :: self.whole])

    def __str__(self) -> str:
        """Return the share as it is written on the command line."""
        return f"{self.number}/{self.whole}"


@dataclass(frozen=True)
class Part:
    """The description stored in a part.

    Parameters
    ----------
    made_from : digests of the file and of the score, and what else all parts must have in common.
    share : which share of all characters it has, as text; empty if characters were named.
    characters : names of the actions that were baked, by the names of the characters.
    """

    made_from: dict[str, Any]
    share: str
    characters: dict[str, str]


def parsed_share(text: str) -> Share:
    """Return a share from its text, such as ``2/5``.

    Raises
    ------
    ValueError
        If the text is not a share, or its number exceeds that of the shares; the message is a sentence.
    """
    number, slash, whole = text.partition("/")
    if not (slash and number.isdecimal() and whole.isdecimal()):
        raise ValueError(
            f"'{text}' is not a share. Write two whole numbers, such as 2/5 for the second of five shares."
        )
    share = Share(int(number), int(whole))
    if not 1 <= share.number <= share.whole:
        raise ValueError(f"There is no share '{text}': {whole} shares are numbered 1/{whole} to {whole}/{whole}.")
    return share


def write_part(path: str, part: Part, actions: Iterable[Action]) -> Path:
    """Write a part, and return its path.

    Blender writes to a temporary file beside it, and moves that into place at the end.

    Raises
    ------
    VerbsError
        If Blender could not write it.
    """
    whole, note = Path(path).resolve(), bpy.data.texts.new(NOTE)
    note.from_string(json.dumps({"verbs_adverbs_part": FORMAT, **asdict(part)}, indent=1))
    try:
        bpy.data.libraries.write(str(whole), {note, *actions}, fake_user=True)
    except (OSError, RuntimeError) as error:
        raise VerbsError(f"Blender could not write '{whole}': {error}") from error
    finally:
        bpy.data.texts.remove(note)
    return whole


def part_files(names: Iterable[str], ending: str = ENDING) -> list[Path]:
    """Return the files of some parts, each named directly or through its folder.

    Raises
    ------
    VerbsError
        If a file or folder is not there, or a folder has no parts.
    """
    found: list[Path] = []
    for path in (Path(name).resolve() for name in names):
        inside = sorted(path.glob(f"*{ending}")) if path.is_dir() else [path]
        if not inside:
            raise VerbsError(f"The folder '{path}' has no parts: none of its files ends with {ending}.")
        missing = [one for one in inside if not one.is_file()]
        if missing:
            raise VerbsError(f"The part '{missing[0]}' is missing. Run the task that writes it again.")
        found += [one for one in inside if one not in found]
    return found


def check_shares(shares: Mapping[Path, str]) -> None:
    """Check that the parts are all the shares of one job, each once, or that none of them is a share.

    Raises
    ------
    VerbsError
        If one is missing or there twice, or they are from different jobs.
    """
    known: dict[int, Path] = {}
    wholes: dict[int, Path] = {}
    for path, text in shares.items():
        if text:
            share = parsed_share(text)
            wholes.setdefault(share.whole, path)
            if share.number in known:
                raise VerbsError(f"'{known[share.number]}' and '{path}' are both share {text}. Leave out one of them.")
            known[share.number] = path
    if len(wholes) > 1:
        (first, one), (second, other), *_ = wholes.items()
        raise VerbsError(
            f"'{one}' is one of {first} shares, but '{other}' is one of {second}: they belong to different jobs. "
            "Remove the parts of the older job."
        )
    for whole in wholes:
        missing = [f"{number}/{whole}" for number in range(1, whole + 1) if number not in known]
        if missing:
            raise VerbsError(
                f"Share {listed(missing)} is missing among {len(shares)} parts. Run the task that writes it again."
            )


def _read(path: Path) -> tuple[Part, dict[str, Action]]:
    """Append the actions of a part, and return them by their names in that part.

    Raises
    ------
    VerbsError
        If it is not a part, or lacks what its description names.
    """
    load: Any = bpy.data.libraries.load
    try:
        with load(str(path), link=False) as (there, wanted):
            wanted.texts = [name for name in there.texts if name.startswith(NOTE)]
    except OSError as error:
        raise VerbsError(f"'{path}' is not a readable Blender file. Run the task that writes it again.") from error
    except ValueError as error:
        raise VerbsError(f"'{path}' is not a part: it was not written with --part.") from error
    notes: list[Any] = list(wanted.texts)
    if not notes:
        raise VerbsError(f"'{path}' is not a part: it was not written with --part.")
    part = _parsed(path, notes[0].as_string())
    bpy.data.texts.remove(notes[0])
    with load(str(path), link=False) as (there, wanted):
        lacking = sorted(set(part.characters.values()) - set(there.actions))
        if lacking:
            raise VerbsError(f"Part '{path}' should contain the action '{lacking[0]}' but does not. Bake it again.")
        names = list(part.characters.values())
        wanted.actions = list(names)
    actions: list[Any] = list(wanted.actions)
    return part, dict(zip(names, actions, strict=True))


def _parsed(path: Path, text: str) -> Part:
    try:
        told = json.loads(text)
        known = told["verbs_adverbs_part"]
        characters = {str(name): str(action) for name, action in dict(told["characters"]).items()}
        part = Part(dict(told["made_from"]), str(told["share"]), characters)
        if part.share:
            parsed_share(part.share)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise VerbsError(f"The description stored in part '{path}' cannot be read. Bake it again.") from error
    if known != FORMAT:
        raise VerbsError(f"Part '{path}' was written by another version of Verbs & Adverbs. Bake it again.")
    return part


def joined(paths: Sequence[Path], file: str, known: Mapping[str, Object]) -> dict[str, Action]:
    """Append the actions of some parts to the open file, and return them sorted by the names of their characters.

    Parameters
    ----------
    file : digest of the open file.
    known : characters of the open file, by name.

    Raises
    ------
    VerbsError
        If parts do not fit each other or the file, or one is missing. Actions may have been appended.
    """
    read = {path: _read(path) for path in paths}
    parts = {path: part for path, (part, _) in read.items()}
    check_shares({path: part.share for path, part in parts.items()})
    first = parts[paths[0]].made_from
    found: dict[str, tuple[Path, Action]] = {}
    for path, (part, actions) in read.items():
        if part.made_from.get("file") != file:
            raise VerbsError(f"Part '{path}' was baked from another version of the file. Bake it again from this file.")
        if part.made_from != first:
            raise VerbsError(
                f"Parts '{paths[0]}' and '{path}' were not baked from the same score, verb and frames. Bake one of "
                "them again."
            )
        for name, action in part.characters.items():
            if name in found:
                raise VerbsError(
                    f"Character '{name}' is in both parts '{found[name][0]}' and '{path}'. Leave out one of them."
                )
            if name not in known:
                raise VerbsError(
                    f"Part '{path}' has character '{name}', which is not in this file. The file has: {quoted(known)}."
                )
            found[name] = path, actions[action]
    for _, action in found.values():
        action.use_fake_user = False
    return {name: found[name][1] for name in sorted(found)}
