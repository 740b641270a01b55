"""Performing in the sidebar: verbs to command, the commands' list, and what the performance begins with."""

from bpy.types import Context, Keyframe, Object, Panel, UILayout, UIList

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature
from .lists import List, at_right
from .sidebar import Viewport, sentence

COLUMNS = 3


class VERBS_ADVERBS_UL_commands(List, UIList):
    """Commands of a director: the keys of its property."""

    def draw_row(self, context: Context, row: UILayout, item: Keyframe) -> None:
        armature = current_armature(context)
        director, key = bridge.data.director.director_of(armature), bridge.data.commands.key_of(item)
        verb, wrong = (
            bridge.data.commands.verb_of_number(armature, key.number),
            bool(bridge.build.graph.unheard(director, key)),
        )
        row.alert = wrong
        name = verb.name if verb is not None else f"verb number {key.number}"
        row.label(text=name, icon="ERROR" if wrong else "PLAY")
        at_right(row, told_frame(key.frame))


class VERBS_ADVERBS_PT_performing(Viewport, Panel):
    """What the character does, and when: commands at frames"""

    bl_label = "Score"
    bl_idname = "VERBS_ADVERBS_PT_performing"
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = current_armature(context)
        if armature is None:
            return False
        director = bridge.data.director.director_of(armature)
        performs = director is not None and director.verbs_adverbs.performance.active
        return performs or len(armature.verbs_adverbs.verbs) > 1

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        director = bridge.data.director.director_of(armature)
        _draw_verbs(layout, context, armature)
        if director is None:
            return
        _draw_take(layout, context, director)
        _draw_commands(layout, context, director)
        _draw_settings(layout, armature, director)
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("verbs_adverbs.bake_performance", icon="ACTION")


def _draw_verbs(layout: UILayout, context: Context, armature: Object) -> None:
    layout.label(text=f"At frame {told_frame(context.scene.frame_current_final)}:")
    flow = layout.grid_flow(columns=COLUMNS, even_columns=True, row_major=True, align=True)
    for verb in bridge.build.graph.members(armature):
        flow.operator("verbs_adverbs.command_add", text=verb.name).verb = verb.name


def _draw_take(layout: UILayout, context: Context, director: Object) -> None:
    data = director.animation_data
    if data is None or data.action is None or not bridge.session.take.takes_of(director.verbs_adverbs.directs):
        return
    row = layout.row(align=True)
    row.label(text="Take")
    row.operator_menu_enum("verbs_adverbs.take_choose", "take", text=data.action.name)
    last = bridge.session.take.last_frame(director)
    if last > context.scene.frame_end:
        sentence(layout, context, f"The take ends at frame {last}, the scene at {context.scene.frame_end}.", "INFO")
        layout.operator("verbs_adverbs.fit_scene")


def _draw_commands(layout: UILayout, context: Context, director: Object) -> None:
    curve, own = bridge.data.commands.command_curve(director), director.verbs_adverbs.performance
    if not bridge.data.commands.command_count(director):
        sentence(layout, context, "Each button adds a command at the current frame: a key that can be dragged.")
        return
    row = layout.row()
    row.template_list("VERBS_ADVERBS_UL_commands", "", curve, "keyframe_points", own, "active_command", rows=4)
    column = row.column(align=True)
    column.operator("verbs_adverbs.command_remove", icon="REMOVE", text="")
    column.operator("verbs_adverbs.command_go", icon="TIME", text="")
    column.separator()
    column.operator("verbs_adverbs.score_clear", icon="TRASH", text="")
    if not own.active:
        sentence(layout, context, "Choose Performance under Direct and switch it on to see what these give.")
    if bridge.data.adverb_values.is_muted(curve):
        sentence(layout, context, "The commands' curve is muted, so none is heard.", "WARNING")
    elif own.active_command < bridge.data.commands.command_count(director):
        wrong = bridge.build.graph.unheard(director, bridge.data.commands.command_at(director, own.active_command))
        if wrong:
            sentence(layout, context, wrong, "WARNING")


def _draw_settings(layout: UILayout, armature: Object, director: Object) -> None:
    own, start = director.verbs_adverbs.performance, bridge.build.graph.start_of(armature)
    column = layout.column()
    column.enabled = not bridge.data.director.foreign(armature)
    column.use_property_split, column.use_property_decorate = True, False
    row = column.row(align=True)
    row.label(text="Begins with")
    row.operator_menu_enum("verbs_adverbs.start_verb", "verb", text=start.name if start is not None else "Verb")
    column = column.column()
    column.enabled = not own.in_hand
    column.prop(own, "seed")
    column.prop(own, "settle")
    column.prop(own, "lock_feet")


CLASSES = (VERBS_ADVERBS_UL_commands, VERBS_ADVERBS_PT_performing)
