"""New actions made from the current one with the clip operators, previewed on the armature before confirming."""

from textwrap import wrap
from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, CollectionProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Action, Context, Event, Operator, PropertyGroup

from ... import bridge
from ...bridge.blender.naming import told_frame
from ...bridge.blender.versions import assign_action, assigned_slot_name
from ...bridge.data.current import at, current_action, current_armature, current_example
from ...core.errors import ActionError, VerbsError
from .. import reasons
from ..operator_base import LINE, Intent

if TYPE_CHECKING:
    from ...bridge.authoring.editing import Source
    from ...core.motion.clip import Motion


class Editing(Intent):
    """Mixin of an operator that makes a new action; a subclass defines `motion`, `NAMED` and `SHOWN`.

    While its dialog is open, the armature plays what would be made. When it is left, the armature gets back its action
    and pose, and what was shown is removed.
    """

    NAMED = ""
    SHOWN: tuple[str, ...] = ()
    shown = ""
    """Name of the previewed action, empty for none."""
    said, wrong = "", False

    play: BoolProperty(
        name="Use It", description="Assign the new action to the armature; the old one stays in the file", default=True
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.resting(context) or reasons.action_to_read(context)

    def motion(self, source: "Source") -> "Motion":
        """Return the motion made from those that were read."""
        raise NotImplementedError

    def placed(self, source: "Source") -> "Source":
        """Return the motions that were read, with the place where the new motion begins."""
        return source

    def others(self) -> list[Action]:
        """Return the other actions that go into the motion."""
        return []

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Preview the motion and ask."""
        armature = current_armature(context)
        self.kept = current_action(context).name
        self.before = bridge.session.saved_state.state_of(armature), assigned_slot_name(armature)
        self.check(context)
        return context.window_manager.invoke_props_dialog(self, width=340, confirm_text="Make")

    def check(self, context: Context) -> bool:
        """Preview the motion again with the current options."""
        self._hide(context)
        self.wrong = False
        try:
            made, self.said = self._write(context)
        except VerbsError as error:
            self.said, self.wrong = str(error), True
            return True
        armature, (state, slot) = current_armature(context), self.before
        paths = bridge.authoring.editing.value_paths(armature, made)
        self.before = bridge.session.saved_state.with_values(armature, state, paths), slot
        self.shown = made.name
        assign_action(armature, made)
        return True

    def cancel(self, context: Context) -> None:
        """Restore what was there before."""
        self._hide(context)

    def _hide(self, context: Context) -> None:
        shown, self.shown = bpy.data.actions.get(self.shown), ""
        if shown is not None:
            before = self.before[0], bpy.data.actions.get(self.kept), self.before[1]
            bridge.session.saved_state.put_back({current_armature(context): before})
            bpy.data.actions.remove(shown)

    def draw(self, context: Context) -> None:
        """Draw the options, and what would be made or why it cannot be made."""
        column = self.layout.column()
        column.use_property_split = True
        column.use_property_decorate = False
        self.draw_options(column)
        column.prop(self, "play")
        for row, line in enumerate(wrap(self.said, LINE)):
            self.layout.label(text=line, icon="BLANK1" if row else "ERROR" if self.wrong else "INFO")

    def draw_options(self, layout: bpy.types.UILayout) -> None:
        """Draw what can be chosen."""
        for name in self.SHOWN:
            layout.prop(self, name)

    def _write(self, context: Context) -> tuple[Action, str]:
        """Return the new action, and a sentence about its frames and what was left out."""
        armature, action, editing = current_armature(context), current_action(context), bridge.authoring.editing
        others = (
            (other, at(other.verbs_adverbs.examples, other.verbs_adverbs.active_example)) for other in self.others()
        )
        source = editing.read_source(armature, [(action, current_example(context)), *others], context.scene)
        made = editing.write_motion(armature, self.motion(source), self.placed(source), f"{action.name} {self.NAMED}")
        first, last = made.frame_range
        return made, " ".join((f"Frames {told_frame(first)} to {told_frame(last)}.", *source.complaints))

    def do(self, context: Context) -> str:
        self._hide(context)
        action = current_action(context)
        made, self.said = self._write(context)
        if self.play:
            bridge.action.generated_action.keep(action)
            assign_action(current_armature(context), made)
        return f"Made action '{made.name}'"


class VERBS_ADVERBS_OT_action_loop(Editing, Operator):
    """Make a new action that repeats the current one, each repeat starting where the last one ended"""

    bl_idname = "verbs_adverbs.action_loop"
    bl_label = "Loop"
    NAMED, SHOWN = "looped", ("times", "overlap")

    times: IntProperty(
        name="Times", description="How many times the action plays", default=4, min=2, max=1000, soft_max=50
    )
    overlap: FloatProperty(
        name="Overlap", description="Number of frames over which each repeat blends into the next", default=0.0, min=0.0
    )

    def motion(self, source: "Source") -> "Motion":
        return bridge.authoring.editing.looped(source, self.times, self.overlap)


class VERBS_ADVERBS_OT_action_revert(Editing, Operator):
    """Make a new action that plays the current one backward along the same path"""

    bl_idname = "verbs_adverbs.action_revert"
    bl_label = "Reverse"
    NAMED = "reversed"

    def motion(self, source: "Source") -> "Motion":
        return bridge.authoring.editing.reverted(source)

    def placed(self, source: "Source") -> "Source":
        return bridge.authoring.editing.from_its_end(source)


class VERBS_ADVERBS_OT_action_smooth(Editing, Operator):
    """Make a smoother copy of the current action; its first and last pose stay the same"""

    bl_idname = "verbs_adverbs.action_smooth"
    bl_label = "Smooth"
    NAMED, SHOWN = "smoothed", ("cutoff",)

    cutoff: FloatProperty(
        name="Cut-Off (Hz)",
        description="Removes movement faster than this many cycles per second",
        default=5.0,
        min=0.05,
        max=1000.0,
        soft_max=15.0,
    )

    def motion(self, source: "Source") -> "Motion":
        return bridge.authoring.editing.smoothed(source, self.cutoff)


class VERBS_ADVERBS_WarpKey(PropertyGroup):
    """A frame of the current action, and where it goes."""

    name: StringProperty(name="Name", description="Name of the keytime or marker")
    own: FloatProperty(name="Frame", description="Frame in the current action")
    moved: FloatProperty(name="New Frame", description="Frame in the new action", step=100, precision=1)


class VERBS_ADVERBS_OT_action_warp(Editing, Operator):
    """Make a new action in which the keytimes or markers of the current one are at other frames"""

    bl_idname = "verbs_adverbs.action_warp"
    bl_label = "Warp Time"
    NAMED = "warped"

    keys: CollectionProperty(type=VERBS_ADVERBS_WarpKey, options={"SKIP_SAVE"})
    smooth: BoolProperty(
        name="Smooth", description="Change the speed gradually between the frames instead of abruptly", default=True
    )

    def invoke(self, context: Context, event: Event) -> set[str]:
        self.keys.clear()
        for name, frame in bridge.authoring.editing.warp_frames(
            current_armature(context), current_action(context), current_example(context)
        ):
            key = self.keys.add()
            key.name, key.own, key.moved = name, frame, frame
        return super().invoke(context, event)

    def draw_options(self, layout: bpy.types.UILayout) -> None:
        for key in self.keys:
            layout.prop(key, "moved", text=f"{key.name} ({told_frame(key.own)})")
        layout.prop(self, "smooth")

    def motion(self, source: "Source") -> "Motion":
        return bridge.authoring.editing.warped(source, [(key.own, key.moved) for key in self.keys], self.smooth)


class _WithOther(Editing):
    other: StringProperty(name="Action", description="Another action of this armature")

    def others(self) -> list[Action]:
        found = bpy.data.actions.get((self.other, None)) or bpy.data.actions.get(self.other)
        if found is None:
            raise ActionError("Choose another action.")
        return [found]

    def draw_options(self, layout: bpy.types.UILayout) -> None:
        layout.prop_search(self, "other", bpy.data, "actions")
        super().draw_options(layout)


class VERBS_ADVERBS_OT_action_blend(_WithOther, Operator):
    """Make a new action in which the current one blends into another one"""

    bl_idname = "verbs_adverbs.action_blend"
    bl_label = "Blend Into"
    NAMED, SHOWN = "blended", ("at_contact", "frames")

    at_contact: BoolProperty(
        name="While a Foot Stands",
        description="Blend while the same foot is planted in both actions, according to their contacts",
        default=False,
    )
    frames: FloatProperty(
        name="Frames",
        description="Length of the blend at the end of the current action, in frames",
        default=10.0,
        min=0.0,
    )

    def motion(self, source: "Source") -> "Motion":
        return bridge.authoring.editing.blended(source, self.frames, self.at_contact)


class VERBS_ADVERBS_OT_action_embed(_WithOther, Operator):
    """Make a new action with another action inserted in the middle of the current one"""

    bl_idname = "verbs_adverbs.action_embed"
    bl_label = "Embed"
    NAMED, SHOWN = "with another one", ("begin", "frames")

    begin: FloatProperty(name="From Frame", description="Frame at which the other action starts")
    frames: FloatProperty(name="Ease", description="Number of frames to blend in and out", default=10.0, min=0.0)

    def invoke(self, context: Context, event: Event) -> set[str]:
        self.begin = context.scene.frame_current_final
        return super().invoke(context, event)

    def motion(self, source: "Source") -> "Motion":
        return bridge.authoring.editing.embedded(source, self.begin, self.frames)


CLASSES = (
    VERBS_ADVERBS_OT_action_loop,
    VERBS_ADVERBS_OT_action_revert,
    VERBS_ADVERBS_OT_action_smooth,
    VERBS_ADVERBS_WarpKey,
    VERBS_ADVERBS_OT_action_warp,
    VERBS_ADVERBS_OT_action_blend,
    VERBS_ADVERBS_OT_action_embed,
)
