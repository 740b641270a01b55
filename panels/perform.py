"""The panels for performing live, with a button for every verb, and for the score with its recorded commands."""

from bpy.types import Context, Keyframe, Object, Panel, UILayout, UIList

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.commands import CommandKey
from ..bridge.data.current import current_armature
from ..bridge.session import live_characters
from ..operators import reasons
from ..operators.modes import ANIMATE
from .directing import draw_bake_again
from .sidebar import List, OfMode, Viewport, at_right, draw_choice, label_fields, sentence, titled

COLUMNS = 3
HINT = (
    "With the mouse over the view: 1 to 9 command verbs, Left and Right {}, Up and Down change the next adverb{}. Esc "
    "or Enter ends and keeps the take; Ctrl Enter also bakes it."
)
TURNS = "turn the character", ", Ctrl-click sends the character to a place to stand"
UNJOINED = "There are no transitions between verbs yet: Perform adds the best ones automatically."
WAITS = "The take starts with your first command. Press Esc before that to leave everything unchanged."
RECORDS = "Everything you command is being recorded. Esc or Enter ends and keeps the take."
BY_ITSELF = "automatic"


class VERBS_ADVERBS_PT_perform(OfMode, Panel):
    """Play the character live by giving commands"""

    bl_label = "Perform"
    bl_idname = "VERBS_ADVERBS_PT_perform"
    tab_mode = ANIMATE
    bl_order = 6

    @classmethod
    def is_about(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bool(armature.verbs_adverbs.verbs)

    def draw(self, context: Context) -> None:
        layout, going = self.layout, live_characters.performance is not None
        row = layout.row()
        row.scale_y = 1.6
        row.operator_context = "INVOKE_DEFAULT"
        row.operator("verbs_adverbs.perform", icon="REC" if going else "PLAY", depress=going)
        armature = current_armature(context)
        if not going:
            _draw_unfinished(layout, context, armature)
        _draw_verbs(layout, context)
        if not going and len(armature.verbs_adverbs.verbs) > 1 and not len(armature.verbs_adverbs.transitions):
            sentence(layout, context, UNJOINED)
        if going:
            sentence(layout, context, _hint(armature))
            told = (WAITS, RECORDS) if live_characters.performance.waits else (RECORDS, WAITS)
            sentence(layout, context, told[0], instead=told[1])


def _hint(armature: Object | None) -> str:
    """What keys and mouse do while performing; if no adverb turns the armature, the hint says so."""
    take = live_characters.performance.take_of(armature)
    if take.guide.turns:
        return HINT.format(*TURNS)
    name = take.guide.steering.adverb
    moves = f"change '{name}' (no adverb turns the character)" if name else "do nothing (there is no adverb)"
    return HINT.format(moves, "")


class VERBS_ADVERBS_PT_steering(Viewport, Panel):
    """How the character is steered during the performance, how it stops, and its takes"""

    bl_label = "Steering and Takes"
    bl_idname = "VERBS_ADVERBS_PT_steering"
    bl_parent_id = "VERBS_ADVERBS_PT_perform"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bridge.data.director.director_of(armature) is not None

    def draw(self, context: Context) -> None:
        _draw_steering(self.layout, context, bridge.data.director.director_of(current_armature(context)))


def _draw_unfinished(layout: UILayout, context: Context, armature: Object) -> None:
    found = bridge.session.crash_journal.unfinished(armature)
    if found is None:
        return
    box = layout.box()
    minutes, seconds = divmod(int(found.seconds), 60)
    sentence(box, context, f"There is an unfinished take of {minutes}:{seconds:02d}.", "ERROR")
    row = box.row(align=True)
    row.operator("verbs_adverbs.take_keep")
    row.operator("verbs_adverbs.take_discard")


def _draw_verbs(layout: UILayout, context: Context) -> None:
    flow = layout.grid_flow(columns=COLUMNS, even_columns=True, row_major=True, align=True)
    for number, verb in enumerate(bridge.authoring.graph.shown_members(current_armature(context)), 1):
        flow.operator("verbs_adverbs.perform_command", text=f"{number} {verb.name}").verb = verb.uid


def _draw_steering(layout: UILayout, context: Context, director: Object) -> None:
    own, armature = director.verbs_adverbs.performance, director.verbs_adverbs.directs
    column = layout.column()
    column.enabled = not reasons.character(context)
    label_fields(column, context)
    row = titled(column, context, "Turns With")
    row.use_property_split = False
    row.prop_search(own, "steer_by", director.verbs_adverbs, "adverbs", text="")
    draw_choice(column, context, own, "steer")
    if own.steer != "NONE":
        draw_choice(column, context, own, "target")
        column.prop(own, "stops")
        if own.target is None:
            sentence(column, context, "Choose a target to steer the character.")
    name, chosen = bridge.authoring.graph.stop_of(armature)
    row = titled(column, context, "Stops With")
    told = name if chosen else f"{name} ({BY_ITSELF})" if name else "Automatic"
    row.operator_menu_enum("verbs_adverbs.stop_verb", "verb", text=told if name is not None else "No standing verb")
    if name is None:
        sentence(column, context, bridge.session.destination.NOTHING_STANDS, "WARNING")
    if own.steer == "TARGET" and own.stops:
        reaching = bridge.session.destination.reaching_verb(director)
        row = titled(column, context, "Reaches With")
        told = reaching.name if reaching is not None else "None"
        row.operator_menu_enum("verbs_adverbs.reach_there", "verb", text=told)
        if reaching is None:
            column.prop(own, "stop_frame")
    column = column.column()
    column.enabled = not own.in_hand
    column.prop(own, "frames_ahead")
    column.prop(own, "replaces")


class VERBS_ADVERBS_UL_commands(List, UIList):
    """Commands of a director: the keys of its property."""

    def draw_row(self, context: Context, row: UILayout, item: Keyframe) -> None:
        armature = current_armature(context)
        director, key = bridge.data.director.director_of(armature), bridge.data.commands.key_of(item)
        verb, wrong = (
            bridge.data.commands.verb_of_number(armature, key.number),
            bool(live_characters.unheeded(director, key)),
        )
        row.alert = wrong
        name = verb.name if verb is not None else f"verb number {key.number}"
        row.label(text=name, icon="ERROR" if wrong else "PLAY")
        at_right(row, _told_frames(director, key))


class VERBS_ADVERBS_PT_performing(OfMode, Panel):
    """What the character does and when: commands at frames"""

    bl_label = "Score"
    bl_idname = "VERBS_ADVERBS_PT_performing"
    tab_mode = ANIMATE
    bl_order = 9
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def is_about(cls, context: Context) -> bool:
        armature = current_armature(context)
        if armature is None:
            return False
        director = bridge.data.director.director_of(armature)
        several = len(armature.verbs_adverbs.verbs) > 1
        return several or (director is not None and bridge.data.commands.has_score(director))

    def draw(self, context: Context) -> None:
        layout, armature = self.layout, current_armature(context)
        director = bridge.data.director.director_of(armature)
        _draw_command_buttons(layout, context, armature)
        if director is None:
            return
        _draw_take(layout, context, director)
        _draw_commands(layout, context, director)
        _draw_settings(layout, context, armature, director)
        layout.operator_context = "INVOKE_DEFAULT"
        layout.operator("verbs_adverbs.bake_performance", icon="ACTION")
        draw_bake_again(layout, context, armature)


def _told_frames(director: Object, key: CommandKey) -> str:
    """Text for the frame of a command, followed by the frame at which its verb starts if that is later."""
    asked = round(bridge.data.frames.counting.counting_of(director).in_scene(key.frame))
    begins = live_characters.begins_at(director, key)
    later = f" → {told_frame(round(begins))}" if begins is not None and round(begins) > asked else ""
    return f"{told_frame(asked)}{later}"


def _draw_command_buttons(layout: UILayout, context: Context, armature: Object) -> None:
    layout.label(text=f"Add at frame {told_frame(context.scene.frame_current_final)}:")
    flow = layout.grid_flow(columns=COLUMNS, even_columns=True, row_major=True, align=True)
    for verb in bridge.authoring.graph.shown_members(armature):
        flow.operator("verbs_adverbs.command_add", text=verb.name).verb = verb.name


def _draw_take(layout: UILayout, context: Context, director: Object) -> None:
    data = director.animation_data
    if data is None or data.action is None or not bridge.session.write_takes.takes_of(director.verbs_adverbs.directs):
        return
    name = bridge.session.write_takes.take_label(director, data.action)
    layout.operator_menu_enum("verbs_adverbs.take_choose", "take", text=name, icon="ACTION")
    last = bridge.session.write_takes.last_frame(director, context.scene)
    if last > context.scene.frame_end:
        sentence(
            layout, context, f"The take ends at frame {last}, but the scene ends at {context.scene.frame_end}.", "INFO"
        )
        layout.operator("verbs_adverbs.fit_scene")


def _draw_commands(layout: UILayout, context: Context, director: Object) -> None:
    curve, own = bridge.data.commands.command_curve(director), director.verbs_adverbs.performance
    if not bridge.data.commands.command_count(director):
        sentence(layout, context, "Each button adds a command at the current frame, as a key that you can drag.")
        return
    row = layout.row()
    row.template_list(
        "VERBS_ADVERBS_UL_commands", "", curve, "keyframe_points", own, "active_command", rows=5, maxrows=5
    )
    column = row.column(align=True)
    column.operator("verbs_adverbs.command_remove", icon="REMOVE", text="")
    column.operator("verbs_adverbs.command_go", icon="TIME", text="")
    column.separator()
    column.operator("verbs_adverbs.score_clear", icon="TRASH", text="")
    if not own.active:
        sentence(layout, context, "To see the result, choose Performance under Direct and switch it on.")
    if bridge.blender.animation.is_muted(curve):
        sentence(
            layout,
            context,
            "The F-curve of the commands is muted, so commands have no effect. Unmute it in the Graph Editor.",
            "WARNING",
        )
    elif own.active_command < bridge.data.commands.command_count(director):
        field = layout.column()
        field.enabled = not own.in_hand and not bridge.data.director.not_directed(director.verbs_adverbs.directs)
        label_fields(field, context)
        field.prop(own, "command_frame")
        _draw_outcome(layout, context, director, bridge.data.commands.command_at(director, own.active_command))


def _draw_outcome(layout: UILayout, context: Context, director: Object, key: CommandKey) -> None:
    """Draw why a command has no effect, or when its verb starts."""
    wrong, begins = live_characters.unheeded(director, key), live_characters.begins_at(director, key)
    if wrong:
        sentence(layout, context, wrong, "WARNING")
    elif begins is not None:
        verb = bridge.data.commands.verb_of_number(director.verbs_adverbs.directs, key.number)
        sentence(layout, context, f"'{verb.name}' starts at frame {told_frame(round(begins))}.", "")


def _draw_settings(layout: UILayout, context: Context, armature: Object, director: Object) -> None:
    own, start = director.verbs_adverbs.performance, bridge.authoring.graph.start_of(armature)
    column = layout.column()
    column.enabled = not bridge.data.director.not_directed(armature)
    label_fields(column, context)
    row = titled(column, context, "Begins With")
    row.operator_menu_enum("verbs_adverbs.start_verb", "verb", text=start.name if start is not None else "Verb")
    column = column.column()
    column.enabled = not own.in_hand
    column.prop(own, "seed")
    column.prop(own, "settle")
    column.prop(own, "lock_feet")


CLASSES = (
    VERBS_ADVERBS_PT_perform,
    VERBS_ADVERBS_PT_steering,
    VERBS_ADVERBS_UL_commands,
    VERBS_ADVERBS_PT_performing,
)
