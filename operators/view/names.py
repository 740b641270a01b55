"""What is typed in lists and beside them: names, changed with Ctrl-click or double-click as in Blender's own
lists, and the frame of the chosen command.
"""

from collections.abc import Callable
from typing import Any

import bpy
from bpy.props import FloatProperty, StringProperty
from bpy.types import PropertyGroup

from ... import bridge
from ...bridge.blender.events import redraw_areas
from ...bridge.data.action_properties import VERBS_ADVERBS_KeytimeItem
from ...bridge.data.object_properties import (
    VERBS_ADVERBS_AdverbItem,
    VERBS_ADVERBS_Performance,
    VERBS_ADVERBS_VerbItem,
)
from ...core.errors import VerbsError
from ..jobs import tell_later
from ..keytimes import name_of_keytime

Rename = Callable[[PropertyGroup, str], None]


def _rename_verb(item: PropertyGroup, name: str) -> None:
    armature = bridge.data.current.armature_of(item)
    bridge.authoring.definitions.rename_verb(armature, armature.verbs_adverbs.verbs.find(item.name), name)


def _rename_adverb(item: PropertyGroup, name: str) -> None:
    armature = bridge.data.current.armature_of(item)
    bridge.authoring.definitions.rename_adverb(armature, armature.verbs_adverbs.adverbs.find(item.name), name)


def _rename_keytime(item: PropertyGroup, name: str) -> None:
    bridge.data.annotate.rename_keytime(bridge.data.current.action_of(item), item, name_of_keytime(name))


RENAMED: dict[type[PropertyGroup], Rename] = {
    VERBS_ADVERBS_VerbItem: _rename_verb,
    VERBS_ADVERBS_AdverbItem: _rename_adverb,
    VERBS_ADVERBS_KeytimeItem: _rename_keytime,
}


def _setter(rename: Rename) -> Callable[[Any, str], None]:
    """Return the setter for a name typed in a list: it applies the name, or reports why it cannot."""

    def set_name(item: Any, name: str) -> None:
        if name == item.name:
            return
        _told(lambda: rename(item, name))

    return set_name


def _told(change: Callable[[], None]) -> None:
    """Apply what was typed, or report why that is not possible."""
    try:
        change()
    except VerbsError as error:
        if not bpy.app.background:
            tell_later("ERROR", str(error))
    redraw_areas()


def _chosen_frame(performance: Any) -> float:
    """Frame of the scene at which the chosen command is, 0 without one."""
    director = performance.id_data
    if performance.active_command >= bridge.data.commands.command_count(director):
        return 0.0
    chosen = bridge.data.commands.command_at(director, performance.active_command)
    return bridge.data.frames.counting.counting_of(director).in_scene(chosen.frame)


def _move_chosen(performance: Any, frame: float) -> None:
    """Move the chosen command to a frame, or report why it cannot be moved."""
    director, index = performance.id_data, performance.active_command
    if index < bridge.data.commands.command_count(director) and frame != _chosen_frame(performance):
        _told(lambda: bridge.data.commands.move_command(director, index, frame))


CLASSES = ()


def register() -> None:
    """Add a property for each thing that is typed; its value is not stored."""
    for kind, rename in RENAMED.items():
        kind.typed_name = StringProperty(
            name="Name",
            description="Name, changed everywhere it is used. Ctrl-click or double-click to rename",
            get=lambda item: item.name,
            set=_setter(rename),
            options={"SKIP_SAVE"},
        )
    VERBS_ADVERBS_Performance.command_frame = FloatProperty(
        name="Frame",
        description="Frame of the chosen command; its key in the Timeline moves with it",
        precision=2,
        step=100,
        get=_chosen_frame,
        set=_move_chosen,
        options={"SKIP_SAVE"},
    )


def unregister() -> None:
    """Remove the properties."""
    for kind in RENAMED:
        del kind.typed_name
    del VERBS_ADVERBS_Performance.command_frame
