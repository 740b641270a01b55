"""Performing in the sidebar: the button, and while it goes on a button for every verb."""

from bpy.types import Context, Object, Panel, UILayout

from .. import bridge
from ..bridge.data.current import current_armature
from ..bridge.session import in_hand
from ..operators import reasons
from .sidebar import Viewport, sentence

COLUMNS = 3
HINT = (
    "Over the view: 1 to 9 ask for verbs, Left and Right turn the character, Up and Down move the next adverb, Ctrl and"
    " the left button say where to go and stand. Esc or Enter ends and keeps the take."
)
WAITS = "The take begins with your first command; until then Esc leaves everything as it was."
BY_ITSELF = "chosen by itself"


class VERBS_ADVERBS_PT_perform(Viewport, Panel):
    """Let the character play live, and say what it does"""

    bl_label = "Perform"
    bl_idname = "VERBS_ADVERBS_PT_perform"
    bl_order = 6

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bool(armature.verbs_adverbs.verbs)

    def draw(self, context: Context) -> None:
        layout, going = self.layout, in_hand.session is not None
        row = layout.row()
        row.scale_y = 1.6
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("verbs_adverbs.perform", icon="REC" if going else "PLAY", depress=going)
        armature = current_armature(context)
        if not going:
            _draw_unfinished(layout, context, armature)
        _draw_verbs(layout, context)
        if going:
            sentence(layout, context, HINT)
            if in_hand.session.waits:
                sentence(layout, context, WAITS)
        director = bridge.data.director.director_of(armature)
        if director is not None:
            _draw_steering(layout, context, director)


def _draw_unfinished(layout: UILayout, context: Context, armature: Object) -> None:
    found = bridge.session.journal.unfinished(armature)
    if found is None:
        return
    box = layout.box()
    minutes, seconds = divmod(int(found.seconds), 60)
    sentence(box, context, f"A take of {minutes}:{seconds:02d} was not finished.", "ERROR")
    row = box.row(align=True)
    row.operator("verbs_adverbs.take_keep")
    row.operator("verbs_adverbs.take_discard")


def _draw_verbs(layout: UILayout, context: Context) -> None:
    flow = layout.grid_flow(columns=COLUMNS, even_columns=True, row_major=True, align=True)
    for number, verb in enumerate(bridge.build.graph.members(current_armature(context)), 1):
        flow.operator("verbs_adverbs.perform_command", text=f"{number} {verb.name}").verb = verb.uid


def _draw_steering(layout: UILayout, context: Context, director: Object) -> None:
    own, armature = director.verbs_adverbs.performance, director.verbs_adverbs.directs
    column = layout.column()
    column.enabled = not reasons.armature(context)
    column.use_property_split, column.use_property_decorate = True, False
    column.prop_search(own, "steer_by", director.verbs_adverbs, "adverbs")
    column.prop(own, "steer")
    if own.steer != "NONE":
        column.prop(own, "target")
        column.prop(own, "stops")
    name, chosen = bridge.build.graph.stop_of(armature)
    row = column.row(align=True)
    row.label(text="Stops with")
    told = name if chosen else f"{name} ({BY_ITSELF})" if name else BY_ITSELF.capitalize()
    row.operator_menu_enum("verbs_adverbs.stop_verb", "verb", text=told if name is not None else "No verb stands")
    if name is None:
        sentence(column, context, bridge.session.steered.NOTHING_STANDS, "WARNING")
    if own.steer == "TARGET" and own.stops:
        column.prop(own, "stop_frame")
    column = column.column()
    column.enabled = not own.in_hand
    column.prop(own, "floor")
    column.prop(own, "replaces")


CLASSES = (VERBS_ADVERBS_PT_perform,)
