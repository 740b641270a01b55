"""Panels for directing: which verb plays, the adverbs' sliders, whether all is up to date, and baking."""

from bpy.types import Context, Menu, Object, Panel, PropertyGroup, UILayout

from .. import bridge
from ..bridge.blender import jobs
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature, selected_armatures
from ..bridge.session import live_characters
from ..operators.modes import ANIMATE, can_animate
from .sidebar import OfMode, Viewport, beside, draw_ends, draw_progress, draw_sliders, label_fields, sentence, with_unit


class VERBS_ADVERBS_PT_directing(OfMode, Panel):
    """Sliders that move the armature"""

    bl_label = "Direct"
    bl_idname = "VERBS_ADVERBS_PT_directing"
    tab_mode = ANIMATE
    bl_order = 5

    @classmethod
    def is_about(cls, context: Context) -> bool:
        return can_animate(current_armature(context))

    def draw(self, context: Context) -> None:
        armature = current_armature(context)
        director, foreign = bridge.data.director.director_of(armature), bridge.data.director.not_directed(armature)
        if foreign:
            sentence(self.layout, context, f"{foreign}.", "WARNING")
            return
        _draw_switch(self.layout, context, armature, director)
        if director is None:
            _draw_slider_promises(self.layout, armature)
            return
        _draw_sliders(self.layout, context, armature, director)
        if live_characters.is_stopped(director):
            part = bridge.action.generated_action.written_until(director.verbs_adverbs.generated) is not None
            shown = "up to where it was computed" if part else "from before the change"
            text = f"Computing was stopped; the timeline shows the motion {shown}. Press Update or move a slider."
            sentence(self.layout, context, text, "STALE")
            self.layout.operator("verbs_adverbs.performance_write", text="Update", icon="FILE_REFRESH")
        if director.verbs_adverbs.kept is not None:
            sentence(
                self.layout, context, bridge.action.generated_action.sentence_of(director, director.verbs_adverbs.kept)
            )
        beyond = live_characters.leaves_floor_at(armature)
        if beyond is not None:
            floor = director.verbs_adverbs.performance.floor.name
            text = (
                f"The character leaves the floor '{floor}' by frame {told_frame(beyond)} and then walks on air. Make "
                "it stop or turn earlier, or enlarge the floor."
            )
            sentence(self.layout, context, text, "WARNING")
        draw_rates(self.layout, context, director)


class VERBS_ADVERBS_PT_following(Viewport, Panel):
    """Where and when the character starts, how it follows its sliders, and how its feet are held"""

    bl_label = "Start, Feet and Floor"
    bl_idname = "VERBS_ADVERBS_PT_following"
    bl_parent_id = "VERBS_ADVERBS_PT_directing"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        armature = current_armature(context)
        if armature is None or bridge.data.director.not_directed(armature):
            return False
        return bridge.data.director.director_of(armature) is not None

    def draw(self, context: Context) -> None:
        director = bridge.data.director.director_of(current_armature(context))
        column = self.layout.column(align=True)
        label_fields(column, context)
        column.enabled = not director.verbs_adverbs.performance.in_hand
        column.prop(director.verbs_adverbs, "start_frame")
        column.prop(director, "location", text="Place")
        column.prop(director, "rotation_euler", index=2, text="Heading")
        _draw_following(column, director)


def draw_rates(layout: UILayout, context: Context, director: Object) -> None:
    """Draw a note and a button if the director's frame rate differs from the scene's."""
    told = bridge.data.frames.to_scene_rate.rates_told(director, context.scene)
    if told:
        sentence(layout, context, told)
        layout.operator("verbs_adverbs.to_scene_rate", icon="TIME")


def _draw_following(column: UILayout, director: Object) -> None:
    """Draw how the character follows its adverbs and the floor."""
    own = director.verbs_adverbs
    column.prop(own.performance, "settle")
    counted = bridge.data.frames.counting.counted_in(director)
    if counted.reads:
        column.prop(counted, "reads")
    column.prop(own.performance, "lock_feet")
    row = column.row()
    row.active = own.performance.lock_feet
    row.prop(own.performance, "hinged_knees")
    row = column.row()
    row.active = own.performance.lock_feet
    row.prop(own.performance, "steps_home")
    column.prop(own.performance, "floor")


class VERBS_ADVERBS_PT_baking(OfMode, Panel):
    """Bake what the director plays to keyframes"""

    bl_label = "Bake"
    bl_idname = "VERBS_ADVERBS_PT_baking"
    tab_mode = ANIMATE
    bl_order = 50
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def is_about(cls, context: Context) -> bool:
        armature = current_armature(context)
        return armature is not None and bool(armature.verbs_adverbs.verbs)

    def draw(self, context: Context) -> None:
        layout, director = self.layout, bridge.data.director.director_of(current_armature(context))
        scored = director is not None and director.verbs_adverbs.performance.active
        if scored:
            what = "of the performance"
        else:
            what = "at the sliders above" if director is not None else "at the adverbs' defaults"
        sentence(
            layout, context, f"Makes a new action with plain keyframes {what}. It plays without the extension.", ""
        )
        layout.operator_context = "INVOKE_DEFAULT"
        column = layout.column(align=True)
        if scored:
            column.operator("verbs_adverbs.bake_performance", icon="ACTION")
        else:
            cycle = column.operator("verbs_adverbs.bake", text="Bake Cycles", icon="ACTION")
            cycle.length = "CYCLES"
            frames = column.operator("verbs_adverbs.bake", text="Bake Frame Range", icon="PREVIEW_RANGE")
            frames.length = "RANGE"
        draw_bake_again(layout, context, current_armature(context))


class VERBS_ADVERBS_MT_bakes(Menu):
    """Choose a bake of the character to bake again"""

    bl_label = "Bakes"

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.operator_context = "INVOKE_DEFAULT"
        for name in bridge.session.bakes.bake_again.shown_bakes(current_armature(context)):
            layout.operator("verbs_adverbs.bake_again", text=name, icon="ACTION").action = name


def draw_bake_again(layout: UILayout, context: Context, armature: Object) -> None:
    """Draw the buttons for the existing bakes, if there are any."""
    bakes = bridge.session.bakes.bake_again.shown_bakes(armature)
    if not bakes:
        return
    layout.operator_context = "INVOKE_DEFAULT"
    column, name = layout.column(align=True), bakes[0]
    row = column.row(align=True)
    row.operator("verbs_adverbs.bake_again", text=f"Bake Again: {name}", icon="FILE_REFRESH").action = name
    if len(bakes) > 1:
        row.menu("VERBS_ADVERBS_MT_bakes", text="", icon="DOWNARROW_HLT")
    column.operator("verbs_adverbs.bake_correct", icon="NLA").action = name
    if bridge.session.bakes.bake_again.is_outdated(armature, name):
        sentence(layout, context, f"The score has changed since '{name}' was baked. Press Bake Again.")


def _draw_switch(layout: UILayout, context: Context, armature: Object, director: Object | None) -> None:
    if director is not None and director.verbs_adverbs.performance.in_hand:
        sentence(layout, context, f"{armature.name} is being performed and follows its sliders.", "DONE")
        return
    name, holder = bridge.authoring.definitions.verb_to_play(armature), bridge.data.director.holder_of(armature)
    told = bridge.data.director.told_by(armature)
    performs = told is not None and told.verbs_adverbs.performance.active
    what = "the score" if performs else f"'{name}'"
    several = len(armature.verbs_adverbs.verbs) > 1
    if director is not None and (several or bridge.data.commands.has_score(director)):
        row, own = beside(layout, context), director.verbs_adverbs.performance
        row.prop(own, "active", text="One Verb", toggle=1, invert_checkbox=True)
        row.prop(own, "active", text="Performance", toggle=1)
    row = beside(layout, context)
    if performs:
        row.label(text="The score", icon="ANIM")
    elif director is not None:
        row.operator_menu_enum("verbs_adverbs.director_verb", "verb", text=name or "Verb", icon="ANIM")
    else:
        row.label(text=name, icon="ANIM")
    hindrance = "" if performs or holder is not None else _hindrance(armature, name)
    if holder is not None:
        row.operator("verbs_adverbs.live_off", text="Switch Off", icon="QUIT")
    else:
        row = row.row(align=True)
        row.enabled = not hindrance
        row.operator("verbs_adverbs.live_on", text="Switch On", icon="QUIT").verb = name
        row.operator("verbs_adverbs.live_on", text="", icon="TIME").from_here = True
    if len(selected_armatures(context)) > 1:
        row = layout.row(align=True)
        row.operator("verbs_adverbs.live_on", text="Selected On", icon="GROUP_BONE").every = True
        row.operator("verbs_adverbs.live_off", text="Selected Off").every = True
    job = jobs.going()
    if job is not None:
        draw_progress(layout, job)
    elif hindrance:
        why = f"{hindrance[0].lower()}{hindrance[1:]}"
        sentence(layout, context, f"{what[0].upper()}{what[1:]} cannot be played: {why}", "WARNING")
    elif holder is None:
        sentence(layout, context, f"Switch on to let {what} and its sliders move {armature.name}.")
    elif holder != director:
        sentence(layout, context, f"Its director was deleted. Switch off to restore {armature.name}.", "WARNING")
    else:
        problem = live_characters.problem_of(holder)
        begins = told_frame(bridge.data.frames.counting.counting_of(holder, context.scene).start)
        text = problem or f"{what[0].upper()}{what[1:]} moves {armature.name} from frame {begins}."
        sentence(layout, context, text, "ERROR" if problem else "DONE")
    if director is not None and holder == director:
        _draw_what_plays(layout, context, director)


def _draw_what_plays(layout: UILayout, context: Context, director: Object) -> None:
    """Draw how far the motion is computed, how long it lasts, and the button to keep it; also during computation.

    The buttons below thus stay in place when computing starts and ends.
    """
    _draw_part(layout, context, director)
    beyond = bridge.data.frames.counting.beyond_end(director, context.scene)
    if beyond:
        sentence(layout, context, beyond, "WARNING")
    layout.operator("verbs_adverbs.generated_keep", icon="FAKE_USER_ON")


def _draw_part(layout: UILayout, context: Context, director: Object) -> None:
    """Draw up to which frame a long motion is computed, if it is not yet complete."""
    live = director.verbs_adverbs.live
    until = bridge.action.generated_action.written_until(director.verbs_adverbs.generated) if live else None
    if until is not None:
        text = f"Computed up to frame {told_frame(until)}; the rest is computed while you work."
        sentence(layout, context, text, "TIME")


def _hindrance(armature: Object, name: str) -> str:
    verb = armature.verbs_adverbs.verbs.get(name)
    return bridge.authoring.verbs.shown_status(armature, verb).hindrance if verb is not None else "Choose a verb."


def _draw_slider_promises(layout: UILayout, armature: Object) -> None:
    """Draw the sliders that the verb will have, greyed out and at their defaults."""
    verb = armature.verbs_adverbs.verbs.get(bridge.authoring.definitions.verb_to_play(armature))
    column = layout.column(align=True)
    column.enabled = False
    for item in bridge.authoring.definitions.adverbs_of(armature, verb):
        column.prop(item, "default", text=with_unit(item.name, item.unit), slider=True)
        draw_ends(column, item)


def _draw_sliders(layout: UILayout, context: Context, armature: Object, director: Object) -> None:
    column = layout.column(align=True)
    column.active = director.verbs_adverbs.live
    draw_sliders(column, context, director, bridge.authoring.definitions.directed_adverbs(armature))
    both = beside(layout, context)
    row = both.row(align=True)
    row.operator("verbs_adverbs.adverbs_key", text="Key", icon="KEYFRAME_HLT")
    row.operator("verbs_adverbs.adverbs_reset", text="Reset", icon="LOOP_BACK")
    row = both.row(align=True)
    row.operator("verbs_adverbs.performance_write", text="Compute")
    row.operator("verbs_adverbs.keys_show", text="", icon="ACTION", depress=director.select_get())
    column = layout.column(align=True)
    _draw_pad_choice(column, context, armature)
    _draw_way_choice(column, context)


def _draw_way_choice(layout: UILayout, context: Context) -> None:
    """Draw the switches for the way ahead and for views and cameras that follow the character."""
    choice = context.window_manager.verbs_adverbs_way
    row = beside(layout, context)
    row.prop(choice, "shown", icon="ANIM", toggle=1)
    follow, camera = row.row(align=True), context.scene.camera
    follow.prop(choice, "follow", icon="CON_FOLLOWTRACK", toggle=1)
    followed = bridge.session.view.camera.followed_by(camera) if camera is not None else None
    pressed = followed is not None and followed == current_armature(context)
    follow.operator("verbs_adverbs.camera_follow", icon="CAMERA_DATA", text="", depress=pressed)


def _draw_pad_choice(layout: UILayout, context: Context, armature: Object) -> None:
    """Draw the switches and adverbs of the pad and the sheet, if the verb has enough adverbs."""
    choice, count = context.window_manager.verbs_adverbs_pad, len(bridge.authoring.pad.adverbs_to_choose(armature))
    sheet = context.window_manager.verbs_adverbs_sheet
    if count < 2:
        return
    column = layout.column(align=True)
    row = beside(column, context)
    row.prop(choice, "shown", icon="SNAP_FACE", text="Pad", toggle=1)
    ghosts = row.row(align=True)
    ghosts.enabled = choice.shown
    ghosts.prop(choice, "ghosts", icon="GHOST_ENABLED", toggle=1)
    row.prop(sheet, "shown", icon="GRID", toggle=1)
    if count > 2 and (choice.shown or sheet.shown):
        row = column.row(align=True)
        row.prop(choice, "to_the_right", text="")
        row.prop(choice, "upward", text="")
    if sheet.shown:
        _draw_sheet_choice(layout, sheet)


def _draw_sheet_choice(layout: UILayout, sheet: PropertyGroup) -> None:
    """Draw the size of the sheet, the time of its ghosts, and the button that saves a picture of it."""
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop(sheet, "columns")
    row.prop(sheet, "rows")
    column.prop(sheet, "moves", toggle=1)
    time = column.row(align=True)
    time.enabled = not sheet.moves
    time.prop(sheet, "generic", slider=True)
    column.operator("verbs_adverbs.sheet_render", icon="RENDER_STILL")


CLASSES = (
    VERBS_ADVERBS_PT_directing,
    VERBS_ADVERBS_PT_following,
    VERBS_ADVERBS_PT_baking,
    VERBS_ADVERBS_MT_bakes,
)
