"""Files that the command line reads and writes: whether they can be written is seen before the work begins.

What is written appears under its name in one step, once it is whole, so that a process that is killed leaves what was
there before.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import bpy

from ...core.errors import VerbsError
from .told import Told

PIECE = 1 << 20


def check_open() -> None:
    """Check that a file is open; Blender goes on with an empty one if it cannot read what was named.

    Raises
    ------
    VerbsError
        If none is.
    """
    if not bpy.data.filepath:
        raise VerbsError(
            "No file is open: Blender could not read the one that was named, or none was. Name a file before --command."
        )


def check_writable(paths: Iterable[str | None]) -> None:
    """Check, before anything is computed, that files can be written to the folders where they are wanted.

    Parameters
    ----------
    paths : of the files; those that are None or empty are not wanted.

    Raises
    ------
    VerbsError
        If there is no such folder, it cannot be written to, or a folder has the name of the file.
    """
    for path in (Path(named).resolve() for named in paths if named):
        if path.is_dir():
            raise VerbsError(f"'{path}' is a folder. Name a file in it.")
        if not path.parent.is_dir():
            raise VerbsError(f"There is no folder '{path.parent}' to write '{path.name}' to. Make it, or name another.")
        try:
            with tempfile.TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise VerbsError(
                f"'{path.name}' cannot be written to the folder '{path.parent}': {error.strerror}. Name another."
            ) from error


def write_json(path: str | None, report: Told) -> None:
    """Write an answer as JSON, if a file for it was named."""
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
    """Save the open file under a path, and return it whole; Blender writes beside it first, and puts it in place last.

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
