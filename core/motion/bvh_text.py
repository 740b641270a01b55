"""BVH files as text: defects that importers cannot handle are repaired if safe; else an error names the line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import ClipError, UntimedError, quoted

Array = NDArray[np.float64]

SHORTEST_FRAME, LONGEST_FRAME = 1e-3, 1.0
"""Minimum and maximum duration of a frame in seconds; other values are errors."""
SAID = re.compile(r"\s*(Frames|Frame\s+Time)\s*:\s*(\S*)", re.IGNORECASE)
NO_LENGTH = 0.01
"""An End Site that is shorter than this share of its joint's offset counts as missing."""
CUT_OFF = re.compile(r"[-+.]+|[-+.\d]+[eE][-+]?")
"""Incomplete numbers at which a file may be truncated."""
UTF_8, LATIN_1 = "utf-8-sig", "latin-1"


@dataclass(frozen=True)
class BvhText:
    """A BVH file that can be imported.

    Parameters
    ----------
    text : the rewritten file, in UTF-8, with one figure and one frame per line.
    remarks : sentences on what was repaired.
    """

    text: str
    remarks: tuple[str, ...]


@dataclass(frozen=True)
class _Figure:
    """One of the figures in a file: its name, its lines, its number of joints, and the columns of its values."""

    name: str
    lines: tuple[str, ...]
    joints: int
    columns: slice


def read_bvh_text(data: bytes, name: str, rate: float = 0.0) -> BvhText:
    """Check a BVH file before it is imported, and repair what can be repaired reliably.

    Latin-1 names, decimal commas, frames wrapped into several lines, truncation, and a second figure are repaired, with
    a remark.

    Parameters
    ----------
    data : the file.
    name : name of the file in messages.
    rate : frame rate if the file does not specify one; 0 if unknown.

    Raises
    ------
    ClipError
        If it contains no frames of a figure; `UntimedError` if neither the file nor `rate` gives the frame rate.
    """
    lines, remarks = _lines_of(data, name)
    begin = next((row for row, line in enumerate(lines) if line.strip()), len(lines))
    if begin == len(lines) or lines[begin].strip().upper() != "HIERARCHY":
        raise ClipError(f"'{name}' is not a BVH file: it does not begin with HIERARCHY.")
    motion = next((row for row, line in enumerate(lines) if line.strip().upper() == "MOTION"), None)
    if motion is None:
        raise ClipError(
            f"'{name}' has no MOTION section in its {len(lines)} lines: the file is cut off. Export it again."
        )
    figures = _figures_in(lines[begin + 1 : motion], begin + 2, name)
    first = next((row for row in range(motion + 1, len(lines)) if _is_row(lines[row])), len(lines))
    values, told = _rows(lines[first:], first + 1, figures[-1].columns.stop, name)
    said = {match[1].split()[-1].lower(): match[2] for match in map(SAID.match, lines[motion + 1 : first]) if match}
    remarks += told
    if said.get("frames") != str(len(values)) and not told:
        remarks += (f"'{name}' states {said.get('frames') or 'no'} frames but contains {len(values)}.",)
    seconds, told = _seconds(said.get("time", ""), rate, name)
    remarks += told
    kept = max(figures, key=lambda figure: figure.joints)
    if len(figures) > 1:
        others = quoted(figure.name for figure in figures if figure is not kept)
        remarks += (f"'{name}' contains {len(figures)} figures: '{kept.name}' was used, {others} left out.",)
    head = ["HIERARCHY", *_with_ends(kept, name), "MOTION", f"Frames: {len(values)}", f"Frame Time: {seconds!r}"]
    return BvhText(
        "\n".join([*head, *(" ".join(map(repr, row)) for row in values[:, kept.columns].tolist()), ""]), remarks
    )


def _lines_of(data: bytes, name: str) -> tuple[list[str], tuple[str, ...]]:
    """Return the lines of a file, and a remark if its encoding was guessed."""
    remarks: tuple[str, ...] = ()
    try:
        text = data.decode(UTF_8)
    except UnicodeDecodeError:
        text = data.decode(LATIN_1)
        remarks = (f"'{name}' is not UTF-8 text: its names were read as Latin-1.",)
    return re.split(r"\r\n|\r|\n", text.rstrip("\x1a\0")), remarks


def _is_row(line: str) -> bool:
    """Return whether a line after MOTION belongs to the frames."""
    return bool(line.strip()) and not SAID.match(line)


def _figures_in(head: Sequence[str], number: int, name: str) -> list[_Figure]:
    """Return the figures in a hierarchy whose first line is `number`, in the order of their columns."""
    found: list[_Figure] = []
    lines: list[str] = []
    depth = column = begin = joints = 0
    for row, line in enumerate(head, number):
        for part in (part.strip() for part in re.split(r"([{}])", line) if part.strip()):
            words = part.split()
            word = words[0].upper()
            if word == "ROOT":
                lines, begin, joints = [], column, 0
            lines.append(part.replace(",", ".") if word == "OFFSET" and "." not in part else part)
            joints += word in ("ROOT", "JOINT")
            column += _channels(words, row, name) if word == "CHANNELS" else 0
            depth += (part == "{") - (part == "}")
            if depth < 0:
                raise ClipError(f"'{name}', line {row}: this closing bracket has no opening one. Export it again.")
            if depth == 0 and part == "}" and joints:
                found.append(_Figure(" ".join(lines[0].split()[1:]), tuple(lines), joints, slice(begin, column)))
                joints = 0
    if depth:
        raise ClipError(
            f"'{name}', line {number + len(head)}: a bracket in the hierarchy was never closed. Export it again."
        )
    if not found:
        raise ClipError(f"'{name}' has no ROOT in its hierarchy, so it has no figure. Export it again.")
    return found


def _with_ends(figure: _Figure, name: str) -> list[str]:
    """Return the lines of a figure with an end site below each last joint, as far from the joint as the joint's parent.

    Otherwise importers invent an end, which depends on the scale, for bones without one or of length 0.
    """
    found: list[str] = []
    joints: list[_Open] = []
    above = ""
    for line in figure.lines:
        word = line.split()[0].upper()
        if word == "{":
            if above not in ("ROOT", "JOINT", "END"):
                raise ClipError(
                    f"'{name}': a bracket of '{figure.name}' does not follow a ROOT, JOINT or End Site. Export it "
                    "again."
                )
            if joints:
                joints[-1].ended = True
            joints.append(_Open(above == "END"))
        elif word == "OFFSET":
            if joints[-1].is_end and _length(line) <= NO_LENGTH * _length(joints[-2].offset):
                line = joints[-2].offset
            joints[-1].offset = line
        elif word == "}":
            last = joints.pop()
            if not last.offset:
                raise ClipError(f"'{name}': a joint of '{figure.name}' has no OFFSET. Export it again.")
            if not last.ended and not last.is_end:
                found += ["End Site", "{", last.offset, "}"]
        above = word
        found.append(line)
    return found


@dataclass
class _Open:
    """A joint or an end whose bracket is open: its OFFSET line, and whether it contains another joint or end."""

    is_end: bool
    offset: str = ""
    ended: bool = False


def _length(offset: str) -> float:
    """Return the length of an OFFSET line; 0 for any other."""
    words = offset.split()[1:]
    return float(np.linalg.norm(np.array(words, dtype=np.float64))) if words and all(map(_is_number, words)) else 0.0


def _channels(words: Sequence[str], row: int, name: str) -> int:
    """Return the number of channels that a line declares."""
    if len(words) < 2 or not words[1].isdecimal() or int(words[1]) != len(words) - 2:
        raise ClipError(
            f"'{name}', line {row}: the number after CHANNELS does not match the channels listed. Export it again."
        )
    return int(words[1])


def _rows(lines: Sequence[str], number: int, width: int, name: str) -> tuple[Array, tuple[str, ...]]:
    """Parse the frames (T, width), whose first line is `number` in the file; also return remarks."""
    text, remarks = "\n".join(lines), tuple[str, ...]()
    if "," in text:
        decimal = "." not in text and re.search(r",\s", text) is None
        text = text.replace(",", "." if decimal else " ")
        remarks = (f"'{name}' has decimal commas: they were read as decimal points.",) if decimal else ()
    words = [line.split() for line in text.split("\n")]
    for last in [line for line in words if line][-1:]:
        if CUT_OFF.fullmatch(last[-1]):
            last.pop()
    try:
        values = np.array([word for line in words for word in line], dtype=np.float64)
    except ValueError:
        values = np.array([np.nan])
    if not np.isfinite(values).all():
        row, word = next((row, word) for row, line in enumerate(words) for word in line if not _is_number(word))
        raise ClipError(f"'{name}', line {number + row}: '{word}' is not a number. Correct it, or export it again.")
    rows = [row for row, line in enumerate(words) if line]
    counts = np.array([len(words[row]) for row in rows], dtype=np.intp)
    if width == 0 or counts.sum() < width:
        raise ClipError(
            f"'{name}' has no complete frame: it has {counts.sum()} values, but one frame needs {width}. Export it "
            "again."
        )
    if counts.min() == counts.max() > width:
        return values.reshape(len(counts), -1)[:, :width], remarks
    whole = int(counts.sum()) // width
    ends = np.cumsum(counts)
    reached = set(ends.tolist())
    lost = [end for end in range(width, whole * width + 1, width) if end not in reached]
    if lost:
        row = rows[int(np.searchsorted(ends, lost[0]))]
        raise ClipError(f"'{name}', line {number + row}: this frame does not have {width} values. Export it again.")
    if ends[-1] > whole * width:
        remarks += (f"'{name}' is cut off in frame {whole + 1}: the {whole} frames before it were used.",)
    return values[: whole * width].reshape(whole, width), remarks


def _is_number(word: str) -> bool:
    try:
        return bool(np.isfinite(float(word)))
    except ValueError:
        return False


def _seconds(said: str, rate: float, name: str) -> tuple[float, tuple[str, ...]]:
    """Return the duration of a frame, and a remark if the file does not specify it."""
    word = said.replace(",", ".")
    seconds = float(word) if _is_number(word) else 0.0
    if SHORTEST_FRAME <= seconds <= LONGEST_FRAME:
        return seconds, ()
    wrong = f"has the invalid frame time '{said}'" if said else "does not state its frame time"
    if rate <= 0.0:
        raise UntimedError(f"'{name}' {wrong}. Set Frame Rate (in scripts: rate).")
    return 1.0 / rate, (f"'{name}' {wrong}: {rate:g} frames per second were used.",)
