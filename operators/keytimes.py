"""Keytimes of the chosen example: add, name, move, order and remove them, and go to them."""

from bpy.props import EnumProperty, StringProperty
from bpy.types import Context, Event, Operator

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_action, current_example
from ..core.errors import ExampleError
from . import reasons
from .operator_base import Intent, told_of

GOALS = (
    ("ACTIVE", "Chosen", "The keytime that is chosen in the list"),
    ("PREVIOUS", "Previous", "The last keytime before the current frame"),
    ("NEXT", "Next", "The first keytime after the current frame"),
)
NEAR = 1e-3


class VERBS_ADVERBS_OT_keytime_add(Intent, Operator):
    """Add a keytime at the current frame: an event that all examples of the verb share, such as a heel strike"""

    bl_idname = "verbs_adverbs.keytime_add"
    bl_label = "Add Keytime"
    bl_property = "name"

    name: StringProperty(name="Name", description="Name of the event, such as right heel down", default="event")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.name = bridge.blender.naming.free_name(
            self.name, (keytime.name for keytime in current_example(context).keytimes)
        )
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        frame = context.scene.frame_current_final
        bridge.data.annotate.add_keytime(
            current_action(context), current_example(context), name_of_keytime(self.name), frame
        )
        return f"Added keytime '{self.name}' at frame {told_frame(frame)}"


class VERBS_ADVERBS_OT_keytime_remove(Intent, Operator):
    """Remove the chosen keytime and its marker"""

    bl_idname = "verbs_adverbs.keytime_remove"
    bl_label = "Remove Keytime"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.keytime(context)
        if reason:
            return reason
        example = current_example(context)
        inner = 0 < example.active_keytime < len(example.keytimes) - 1
        return (
            ""
            if inner
            else "The first and last keytime mark the ends of the example and cannot be removed. Move them instead"
        )

    def do(self, context: Context) -> str:
        example = current_example(context)
        bridge.data.annotate.remove_keytime(current_action(context), example, example.active_keytime)
        return ""


class VERBS_ADVERBS_OT_keytime_rename(Intent, Operator):
    """Rename the chosen keytime and its marker"""

    bl_idname = "verbs_adverbs.keytime_rename"
    bl_label = "Rename Keytime"
    bl_property = "name"

    name: StringProperty(
        name="Name", description="New name of the event; it must be the same in all examples of a verb"
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.keytime(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        example = current_example(context)
        self.name = example.keytimes[example.active_keytime].name
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        example = current_example(context)
        bridge.data.annotate.rename_keytime(
            current_action(context), example.keytimes[example.active_keytime], name_of_keytime(self.name)
        )
        return ""


class VERBS_ADVERBS_OT_keytime_move(Intent, Operator):
    """Move the chosen keytime to the current frame; the first and last move the ends of the example"""

    bl_idname = "verbs_adverbs.keytime_move"
    bl_label = "Move Keytime Here"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.keytime(context)

    def do(self, context: Context) -> str:
        action, example, frame = current_action(context), current_example(context), context.scene.frame_current_final
        bridge.data.annotate.check_between(example, example.active_keytime, frame)
        bridge.data.annotate.move_keytime(action, example, example.active_keytime, frame)
        return ""


class VERBS_ADVERBS_OT_keytimes_sort(Intent, Operator):
    """Sort the keytimes of the chosen example by time, after markers were dragged past each other"""

    bl_idname = "verbs_adverbs.keytimes_sort"
    bl_label = "Sort Keytimes"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context)

    def do(self, context: Context) -> str:
        bridge.data.annotate.sort_keytimes(current_action(context), current_example(context))
        return ""


class VERBS_ADVERBS_OT_keytime_jump(Intent, Operator):
    """Go to the frame of a keytime"""

    bl_idname = "verbs_adverbs.keytime_jump"
    bl_label = "Go to Keytime"

    to: EnumProperty(name="To", items=GOALS, default="ACTIVE", description="Keytime to go to")

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_keytime_jump") -> str:
        """Tooltip of the button."""
        told = told_of(GOALS, properties.to)
        return f"Go to the frame of a keytime: {told[0].lower()}{told[1:]}"

    @classmethod
    def reason(cls, context: Context) -> str:
        return (
            "" if current_example(context) and current_example(context).keytimes else "There are no keytimes to go to"
        )

    def do(self, context: Context) -> str:
        example, scene = current_example(context), context.scene
        frames, now = (
            [
                bridge.data.structure.shown_frame(example, at)
                for _, at in bridge.data.markers.effective_keytimes(example)
            ],
            scene.frame_current_final,
        )
        rows = {
            "ACTIVE": [min(example.active_keytime, len(frames) - 1)],
            "PREVIOUS": sorted((i for i, at in enumerate(frames) if at < now - NEAR), key=lambda i: -frames[i]),
            "NEXT": sorted((i for i, at in enumerate(frames) if at > now + NEAR), key=lambda i: frames[i]),
        }[self.to]
        if not rows:
            raise ExampleError(
                f"Example '{example.name}' has no {self.to.lower()} keytime from frame {told_frame(now)}."
            )
        bridge.data.annotate.go_to(scene, frames[rows[0]])
        if self.to != "ACTIVE" and reasons.example(context) == "":
            example.active_keytime = rows[0]
        return ""


class VERBS_ADVERBS_OT_markers_sync(Intent, Operator):
    """Update keytimes from pose markers that were dragged or renamed, and restore missing markers"""

    bl_idname = "verbs_adverbs.markers_sync"
    bl_label = "Match Markers"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context)

    def do(self, context: Context) -> str:
        bridge.data.markers.sync(current_action(context))
        return ""


def name_of_keytime(name: str) -> str:
    """Return a typed keytime name, cleaned up; raises ExampleError if it is empty."""
    if not name.strip():
        raise ExampleError("A keytime needs a name, such as 'right heel down'. Type one.")
    return name.strip()


CLASSES = (
    VERBS_ADVERBS_OT_keytime_add,
    VERBS_ADVERBS_OT_keytime_remove,
    VERBS_ADVERBS_OT_keytime_rename,
    VERBS_ADVERBS_OT_keytime_move,
    VERBS_ADVERBS_OT_keytimes_sort,
    VERBS_ADVERBS_OT_keytime_jump,
    VERBS_ADVERBS_OT_markers_sync,
)
