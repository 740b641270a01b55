"""The phases of a gesture in an example: found from the speed of the hands, to be corrected by hand."""

from bpy.props import BoolProperty
from bpy.types import Context, Event, Operator

from ... import bridge
from ...bridge.data.current import current_action, current_armature, current_example
from ...core.errors import quoted
from .. import reasons
from ..operator_base import Intent

WIDTH, MOST = 460, 5
"""Width of the dialog, and keytimes that it names."""


class VERBS_ADVERBS_OT_phases_find(Intent, Operator):
    """Find where the chosen example is prepared, strokes, is held and relaxes, by the speed of its hands"""

    bl_idname = "verbs_adverbs.phases_find"
    bl_label = "Find Gesture Phases"

    replace: BoolProperty(
        name="Replace Keytimes",
        description="Let what is found take the place of the keytimes that the example has between its ends",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.example(context) or reasons.armature(context)
        if reason or not current_example(context).cyclic:
            return reason
        return f"'{current_example(context).name}' is cyclic, and a gesture is done once: untick Cyclic first"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Ask before keytimes are replaced."""
        if not bridge.build.gesture_phases.keytimes_between(current_example(context)):
            return self.execute(context)
        self.replace = True
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Replace")

    def draw(self, context: Context) -> None:
        """Draw which keytimes are replaced."""
        names = bridge.build.gesture_phases.keytimes_between(current_example(context))
        self.layout.label(text=f"What is found replaces {quoted(names, MOST)}.", icon="INFO")

    def do(self, context: Context) -> str:
        armature, action, example = current_armature(context), current_action(context), current_example(context)
        fps = bridge.data.annotate.fps_of(example, context.scene)
        told = bridge.build.gesture_phases.find_phases(armature, action, example, fps, self.replace)
        for line in action.verbs_adverbs.found:
            if line.kind != "INFO":
                self.tell("WARNING", line.text)
        return told


CLASSES = (VERBS_ADVERBS_OT_phases_find,)
