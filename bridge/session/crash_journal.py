"""Journals: files that record an ongoing take, so that it survives a crash of Blender.

Blender does not auto-save during a performance. So each performed character has a journal, in the folder of Blender's
auto-saved files. Its first line identifies the character. Every further line holds what was requested since the
previous line (seconds, verbs, sliders, handles) as JSON, which is parsed and never run. The journal is removed when the
take has become a score. A journal found later belongs to a take that was never finished.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Object

from ..blender.store import made
from ..data.director import director_of
from ..data.transition_items import verb_of

if TYPE_CHECKING:
    from .write_takes import Take

FORMAT = 1
LONGEST = 64_000_000
"""Bytes of the longest journal, some ten hours; a longer file is not read."""

Rows = list[tuple[float, ...]]


@dataclass(frozen=True)
class Unfinished:
    """A take that was never finished.

    Parameters
    ----------
    path : path of its journal.
    verb : identifier of its first verb.
    names : names of the adverbs.
    fps, start : frames a second, and the frame at which it begins.
    commands, sliders, handles : as in a `Take`.
    """

    path: Path
    verb: str
    names: tuple[str, ...]
    fps: float
    start: float
    commands: list[tuple[float, str]]
    sliders: Rows
    handles: Rows

    @property
    def seconds(self) -> float:
        """Its duration, seconds."""
        return max(len(self.sliders) - 1, 0) / self.fps


def unfinished(armature: Object) -> Unfinished | None:
    """Return the armature's unfinished take, None if there is none; a journal is cached until it is written again."""
    path = _path(armature)
    try:
        seen = path.stat()
    except OSError:
        return None
    (read,) = made(("journal", path, seen.st_mtime_ns, seen.st_size), lambda: (_read(path),))
    return read if read is not None and verb_of(armature, read.verb) is not None else None


def discard(armature: Object) -> None:
    """Remove the armature's journal."""
    _remove(_path(armature))


def _remove(path: Path) -> None:
    """Remove a journal; one that another program has open stays, and is offered again."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _name(armature: Object) -> str:
    """Return the name of the armature's director, or of the one it will get."""
    director = director_of(armature)
    return director.name if director is not None else f"{armature.name} director"


def _path(armature: Object) -> Path:
    named = f"{bpy.data.filepath}\n{_name(armature)}".encode("utf-8", "surrogateescape")
    whose = blake2b(named, digest_size=12).hexdigest()
    return Path(bpy.app.tempdir).resolve().parent / f"verbs_adverbs_{whose}.jsonl"


class Journal:
    """The journal of an ongoing take; it is renamed along with the blend file or the director.

    Parameters
    ----------
    armature : the performed armature.
    take : the take, which grows during the performance.
    fps, start : frames a second, and the frame at which it begins.

    Attributes
    ----------
    problem : message on why writing has stopped; empty while it works.
    """

    def __init__(self, armature: Object, take: Take, fps: float, start: float) -> None:
        self.problem = ""
        self._path, self._take = _path(armature), take
        self._frames = self._commands = 0
        head = {"format": FORMAT, "verb": take.verb, "names": take.names, "fps": fps, "start": start}
        self._write("x", {**head, "file": bpy.data.filepath, "director": _name(armature)})

    def write(self, armature: Object, commands: Sequence[tuple[float, str]]) -> None:
        """Append what was requested since the last call; `commands` are all so far, with the verbs' identifiers."""
        take = self._take
        self._follow(_path(armature))
        news = {
            "commands": commands[self._commands :],
            "sliders": take.sliders[self._frames :],
            "handles": take.handles[self._frames :],
        }
        if not self.problem and (news["commands"] or news["sliders"]):
            self._write("a", news)
            self._commands, self._frames = len(commands), len(take.sliders)

    def remove(self) -> None:
        """Remove the file, because the take has become a score or was discarded."""
        _remove(self._path)

    def _follow(self, path: Path) -> None:
        if path != self._path and not self.problem:
            try:
                self._path.replace(path)
                self._path = path
            except OSError as error:
                self._tell(error)

    def _tell(self, error: OSError) -> None:
        self.problem = (
            f"This take will be lost if Blender crashes: '{self._path}' cannot be written ({error.strerror}). Choose "
            "another folder in Preferences > File Paths > Temporary Files."
        )

    def _write(self, mode: str, line: dict[str, object]) -> None:
        try:
            if mode == "x":
                self._path.unlink(missing_ok=True)
            with open(self._path, mode, encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            self._tell(error)


def _read(path: Path) -> Unfinished | None:
    """Return the take in a journal, as far as it can be read; None if it is unreadable or empty."""
    try:
        if not path.is_file() or path.stat().st_size > LONGEST:
            return None
        lines = [json.loads(line) for line in _whole(path.read_text(encoding="utf-8"))]
        found = _taken(path, lines[0], lines[1:]) if lines else None
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return found if found is not None and found.sliders else None


def _whole(text: str) -> Iterable[str]:
    """Return the lines that end with a line break: the last one may have been cut off."""
    return (line for line in text.splitlines(keepends=True) if line.endswith("\n"))


def _taken(path: Path, head: dict, lines: list[dict]) -> Unfinished | None:
    names, fps = tuple(str(name) for name in head["names"]), float(head["fps"])
    if head["format"] != FORMAT or not (math.isfinite(fps) and fps > 0.0):
        return None
    commands = [(_finite(seconds), str(verb)) for line in lines for seconds, verb in line["commands"]]
    sliders = [tuple(map(_finite, row)) for line in lines for row in line["sliders"]]
    handles = [tuple(map(_finite, row)) for line in lines for row in line["handles"]]
    fits = len(handles) == len(sliders) and all(len(row) == len(names) for row in sliders)
    if not fits or {len(row) for row in handles} - {4}:
        return None
    return Unfinished(path, str(head["verb"]), names, fps, _finite(head["start"]), commands, sliders, handles)


def _finite(value: Any) -> float:
    """Parse a number of a journal.

    Raises
    ------
    ValueError
        If it is not a number, or not finite.
    """
    number = float(value)
    if not math.isfinite(number):
        raise ValueError("not a finite number")
    return number
