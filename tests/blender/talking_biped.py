"""A biped that walks and has gestures, made once and opened for each test."""

from pathlib import Path

import bpy
from blender.performance import OPS
from blender.stage import opened_again


def talking_biped() -> bpy.types.Object:
    """Return a biped with a walk that is live, and verbs to talk with."""
    return opened_again("talking biped", add_talking_biped)


def add_talking_biped() -> None:
    assert OPS.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    assert OPS.live_on(verb="walk") == {"FINISHED"}


def read_words(subtitles: str, folder: Path) -> None:
    """Let the active armature say subtitles."""
    path = folder / "said.srt"
    path.write_text(subtitles)
    assert OPS.words_file(filepath=str(path)) == {"FINISHED"}
