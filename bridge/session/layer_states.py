"""What the layers of a character do at the current frame, for the panel: off, playing, waiting, or refused and why."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bpy.types import Object, PropertyGroup, Scene

from ...core.play.player import OF_LAYERS, Happening
from ..blender.naming import told_frame
from ..data.director import director_of
from .live_characters import characters


class LayerState(NamedTuple):
    """What a layer does.

    Parameters
    ----------
    kind : ``'off'``, or the kind of what happened to it last.
    text : a sentence about it.
    holder : name of the layer that has what it needs, if it was refused.
    """

    kind: str
    text: str
    holder: str = ""


def state_of(armature: Object, item: PropertyGroup, scene: Scene) -> LayerState:
    """What a layer does at the current frame, as far as is known; fast enough for a panel."""
    director = director_of(armature)
    character = characters.get(director.session_uid) if director is not None else None
    if not item.enabled or director is None or character is None:
        return LayerState("off", "Start it at a frame; it plays where the director does.")
    if character.take is not None:
        return _said(item, character.take.layers_heard, "", lambda time: f"{time:.1f} s")
    played = character.played
    if played is None or not director.verbs_adverbs.live:
        return LayerState("off", "Switch on under Direct to see it play.")
    seconds = (scene.frame_current_final - played.request.start) / played.request.fps
    past = [told for told in played.recording.happenings if told.time <= seconds]
    return _said(item, past, "frame ", lambda time: told_frame(round(played.frame(time), 1)))


def _said(
    item: PropertyGroup, happenings: Iterable[Happening], before: str, told: Callable[[float], str]
) -> LayerState:
    mine = [one for one in happenings if one.kind in OF_LAYERS and one.name == item.name]
    if not mine:
        return LayerState("off", "Not started up to here.")
    last = mine[-1]
    started = next((one for one in reversed(mine) if one.kind == "started"), last)
    at, since = f"{before}{told(last.time)}", f"{before}{told(started.time)}"
    texts = {
        "started": f"Comes in, since {since}.",
        "executing": f"Plays, since {since}.",
        "finished": f"Over since {at}.",
        "queued": f"Waits, since {at}, for the layers that have its bones.",
        "refused": last.text,
    }
    return LayerState(last.kind, texts[last.kind], last.other)
