"""Finding keytimes and contacts without a window, in the actions of the open file or in BVH files.

Each clip is processed by itself, so that it does not matter how clips are spread over processes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import bpy
from bpy.types import ID, Action, Object

from ... import bridge
from ...bridge.authoring.clips.clip_files import BVH, Before, import_clips, stood_up
from ...core.errors import VerbsError
from .files import Share, check_shares, parsed_share
from .told import Progress, Told, say

FORMAT, NAME = 1, "verbs_adverbs_found"
DECIMALS = 6
"""Of frames; further ones are rounding errors, which differ from process to process."""
ENDING = ".found.json"
"""Ending of the parts of what was found in clips."""


@dataclass(frozen=True)
class Source:
    """A clip: its name in the answer, and its file, or its armature and action in the open file."""

    name: str
    file: Path | None = None
    armature: Object | None = None
    action: Action | None = None


def sources_of_files(names: Sequence[str]) -> list[Source]:
    """Return the named BVH files and those in the named folders, sorted by name.

    Raises
    ------
    VerbsError
        If a file or folder is not there, a file is no BVH file, or a folder has none.
    """
    found: dict[str, Source] = {}
    for name in names:
        path = Path(name)
        inside = [one for one in sorted(path.rglob("*")) if one.suffix.lower() == BVH] if path.is_dir() else [path]
        if not inside:
            raise VerbsError(f"The folder '{path}' has no BVH files. Name another folder.")
        for one in inside:
            if not one.is_file():
                raise VerbsError(f"There is no file '{one}'. Check the path.")
            if one.suffix.lower() != BVH:
                raise VerbsError(
                    f"'{one}' is not a BVH file. Import it in Blender, save, and run find on that blend file."
                )
            told = one.relative_to(path).as_posix() if path.is_dir() else one.as_posix()
            if told in found:
                raise VerbsError(
                    f"'{one}' and '{found[told].file}' have the same name. Process one of them separately."
                )
            found[told] = Source(told, one)
    return [found[told] for told in sorted(found)]


def files_listed(path: str) -> list[str]:
    """Return the files that a text file lists, one a line; relative paths begin at its folder."""
    if not path:
        return []
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise VerbsError(f"'{path}' is not UTF-8 text: byte {error.start + 1} is invalid. Save it as UTF-8.") from error
    return [str(Path(path).parent / line.strip()) for line in lines if line.strip()]


def sources_of_actions(armatures: Sequence[Object]) -> list[Source]:
    """Return the actions of the open file that move a bone of an armature, each once.

    Raises
    ------
    VerbsError
        If there are none.
    """
    found: list[Source] = []
    for action in sorted(bpy.data.actions, key=lambda one: one.name):
        moved = (one for one in armatures if bridge.data.example_list.moves(action, one))
        armature = next(moved, None)
        if armature is not None and action.library is None and not bridge.action.generated_action.is_generated(action):
            found.append(Source(action.name, None, armature, action))
    if not found:
        raise VerbsError(
            "No action in this file moves a bone of its armatures. Open a file with animated armatures, or name BVH "
            "files."
        )
    return found


class ReadAs(NamedTuple):
    """How BVH files are read: their unit in metres, and the frame rate of those that do not state one, or 0."""

    scale: float
    rate: float


def find_in(sources: Sequence[Source], read_as: ReadAs, mark: bool, progress: Progress) -> list[Told]:
    """Find keytimes and contacts in clips; for a clip that cannot be read, the result holds the reason.

    Parameters
    ----------
    read_as : how files are read.
    mark : whether to mark the cleanest cycle of each clip as an example; imported clips then stay in the file.
    """
    found: list[Told] = []
    kept: list[Object] = []
    for source in progress.each(sources):
        progress.status(f"Looking at '{source.name}'")
        try:
            told = (
                _found_in_file(source, read_as, kept if mark else None)
                if source.file
                else _found_in_action(source, mark)
            )
        except VerbsError as error:
            told = {"kind": None, "cycles": [], "contacts": [], "remarks": [str(error)]}
        for remark in told["remarks"]:
            say(f"  {remark}")
        found.append({"clip": source.name, **told})
    return found


def _found_in_action(source: Source, mark: bool) -> Told:
    armature: Any = source.armature
    return _found_in(armature, source.action, bridge.data.annotate.scene_fps(bpy.context.scene), mark)  # pyright: ignore[reportArgumentType]


def _found_in_file(source: Source, read_as: ReadAs, kept: list[Object] | None) -> Told:
    """Import a clip and process it; the clip stays in the file if armatures are `kept`, else it is removed.

    Raises
    ------
    VerbsError
        If it cannot be imported, or nothing is found in it.
    """
    file: Any = source.file
    before, stay = Before(bpy.context.scene), list[ID]()
    try:
        clip, *more = import_clips(file, bpy.context.scene, read_as.scale, rate=read_as.rate)
        armature, action, fps, mended, name = stood_up(clip, file, before, read_as.scale, "Y", read_as.rate)
        if more:
            mended += (f"It contains {len(more) + 1} takes; only '{name}' was processed.",)
        told = _found_in(armature, action, fps, kept is not None)
        told["remarks"] = [*mended, *told["remarks"]]
        if kept is not None:
            action.name, action.use_fake_user = Path(source.name).stem, True
            stay.append(action)
            if not any(bridge.authoring.conforming.is_same(one, armature) for one in kept):
                kept.append(armature)
                stay += [armature, armature.data]
        return told
    finally:
        before.remove_new(stay)


def _found_in(armature: Object, action: Action, fps: float, mark: bool) -> Told:
    finding = bridge.authoring.clips.finding
    (clip,) = finding.look_into(armature, [action], fps)
    marked = finding.find_examples(armature, [action], fps).warnings if mark else ()
    cycles = [(cycle, layout) for cycle in clip.cycles if (layout := finding.layout_of(clip, cycle)) is not None]
    whole = finding.layout_of(clip, None)
    return {
        "fps": fps,
        "kind": clip.detection.kind,
        "cycles": [
            {
                "keytimes": [{"name": name, "frame": round(frame, DECIMALS)} for name, frame in layout.keytimes],
                "contacts": _told_contacts(layout.contacts),
                "ends_differ": round(cycle.closing, DECIMALS),
            }
            for cycle, layout in cycles
        ],
        "contacts": _told_contacts(whole.contacts) if whole is not None else [],
        "remarks": list(dict.fromkeys([*clip.detection.remarks, *marked])),
    }


def _told_contacts(contacts: Sequence[tuple[str, str, Sequence[tuple[float, float]]]]) -> list[Told]:
    return [
        {"bone": bone, "end": end, "frames": [[round(frame, DECIMALS) for frame in window] for window in windows]}
        for bone, end, windows in contacts
    ]


def told_found(clips: Sequence[Told], share: Share | None) -> Told:
    """Return the results in the form in which they are written: all of them, or a share."""
    told: Told = {NAME: FORMAT, "clips": list(clips)}
    return told if share is None else {**told, "share": str(share)}


def collected(paths: Sequence[Path]) -> Told:
    """Return the results of several processes as one process would have written them.

    Raises
    ------
    VerbsError
        If a part cannot be read or is missing, or a clip is in two of them.
    """
    shares: dict[Path, str] = {}
    clips: dict[str, tuple[Path, Told]] = {}
    for path in paths:
        told = _read(path)
        shares[path] = str(told.get("share", ""))
        for clip in told["clips"]:
            if clip["clip"] in clips:
                raise VerbsError(
                    f"Clip '{clip['clip']}' is in both '{clips[clip['clip']][0]}' and '{path}'. Leave out one of them."
                )
            clips[clip["clip"]] = path, clip
    check_shares(shares)
    return told_found([clips[name][1] for name in sorted(clips)], None)


def _read(path: Path) -> Mapping[str, Any]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        if told.get("share"):
            parsed_share(told["share"])
        readable = told[NAME] == FORMAT and all(isinstance(clip["clip"], str) for clip in told["clips"])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise VerbsError(f"'{path}' was not written by `find --json`: {error}.") from error
    if not readable:
        raise VerbsError(f"'{path}' was written by another version of Verbs & Adverbs. Run find again.")
    return told
