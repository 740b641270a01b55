"""The director's score: its commands, the verbs at its start and at a stop, its takes, and baking it."""

from functools import partial
from typing import TYPE_CHECKING

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature
from ..core.errors import GraphError
from . import reasons
from .baking import Reducing, check_assignable, let_strips_play, told_together, write
from .jobs import Lasting
from .operator_base import Intent, verb_choices

if TYPE_CHECKING:
    from ..bridge.session.bake_strips import BakedStrip
    from ..bridge.session.bakes.baked import Baked

STRIPS = (
    ("ONE", "One Action", "Bake everything to one action"),
    ("OVERRIDE", "NLA Strips, Override", "Bake each layer to a strip that overrides the strips below"),
    (
        "COMBINE",
        "NLA Strips, Combine",
        "Bake each layer to a strip of differences that is combined with the strips below",
    ),
)

_takes: list[tuple[str, str, str]] = []
"""Keeps the texts of menus that are built as they open, since Blender does not."""


class VERBS_ADVERBS_OT_command_add(Intent, Operator):
    """Command this verb at the current frame. The character takes the shortest path to it through the verb graph"""

    bl_idname = "verbs_adverbs.command_add"
    bl_label = "Command"

    verb: StringProperty(name="Verb", description="Name of the verb to command")
    frame: FloatProperty(name="Frame", description="Frame of the command; the current frame if not set", precision=2)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_played(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        verb = armature.verbs_adverbs.verbs.get(self.verb)
        if verb is None:
            raise GraphError(f"'{armature.name}' has no verb '{self.verb}'. Choose one of its verbs.")
        frame = self.frame if self.properties.is_property_set("frame") else context.scene.frame_current_final
        first = bridge.authoring.graph.begins_before(armature, verb, frame)
        bridge.data.commands.ask_for(armature, verb, frame)
        if first is not None:
            bridge.data.director.director_of(armature).verbs_adverbs.performance.start_verb = first.uid
        begins = f"; until then the character does '{first.name}' (see Begins With)" if first is not None else ""
        return f"'{verb.name}' at frame {told_frame(frame)}{begins}"


class VERBS_ADVERBS_OT_command_remove(Intent, Operator):
    """Remove the chosen command from the score"""

    bl_idname = "verbs_adverbs.command_remove"
    bl_label = "Remove Command"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.command(context)

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        own = director.verbs_adverbs.performance
        gone = bridge.data.commands.remove_command(director, own.active_command)
        own.active_command = max(0, min(own.active_command, bridge.data.commands.command_count(director) - 1))
        frame = bridge.data.frames.counting.counting_of(director).in_scene(gone.frame)
        return f"Removed the command at frame {told_frame(frame)}"


class VERBS_ADVERBS_OT_command_go(Intent, Operator):
    """Go to the frame of the chosen command"""

    bl_idname = "verbs_adverbs.command_go"
    bl_label = "Go to Command"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.command(context)

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        frame = bridge.data.commands.command_at(director, director.verbs_adverbs.performance.active_command).frame
        bridge.data.annotate.go_to(context.scene, bridge.data.frames.counting.counting_of(director).in_scene(frame))
        return ""


class VERBS_ADVERBS_OT_score_clear(Intent, Operator):
    """Remove all commands; the keys of the adverbs stay"""

    bl_idname = "verbs_adverbs.score_clear"
    bl_label = "Clear Commands"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.command(context)

    def do(self, context: Context) -> str:
        count = bridge.data.commands.clear_commands(bridge.data.director.director_of(current_armature(context)))
        return f"Removed {count} command{'' if count == 1 else 's'}"


class VERBS_ADVERBS_OT_start_verb(Intent, Operator):
    """Choose the verb that the performance begins with"""

    bl_idname = "verbs_adverbs.start_verb"
    bl_label = "Begins With"

    verb: EnumProperty(name="Verb", description="Verb at the start of the performance", items=verb_choices)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_played(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.data.director.ensure_director(armature).verbs_adverbs.performance.start_verb = self.verb
        return f"The performance begins with '{bridge.data.transition_items.verb_of(armature, self.verb).name}'"


class VERBS_ADVERBS_OT_stop_verb(Intent, Operator):
    """Choose the verb that the character changes to at its target, instead of the one that stands"""

    bl_idname = "verbs_adverbs.stop_verb"
    bl_label = "Stops With"

    verb: EnumProperty(name="Verb", description="Verb that the character changes to when it stops", items=verb_choices)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_played(context)

    def do(self, context: Context) -> str:
        bridge.data.director.ensure_director(current_armature(context)).verbs_adverbs.performance.stop_verb = self.verb
        return ""


class VERBS_ADVERBS_OT_bake_performance(Reducing, Lasting, Operator):
    """Bake the director's score to keyframes in a new action that plays without the extension"""

    bl_idname = "verbs_adverbs.bake_performance"
    bl_label = "Bake Performance"

    name: StringProperty(name="Name", description="Name of the new action; if empty, made from the armature's name")
    frame_start: IntProperty(name="First Frame", description="Frame of the first key", default=1)
    frame_end: IntProperty(name="Last Frame", description="Frame of the last key", default=250)
    step: IntProperty(name="Step", description="Number of frames between keys", default=1, min=1, soft_max=10)
    annotate: BoolProperty(
        name="Keep Verbs",
        description="Mark the whole bake as an example with contacts and a keytime at every verb",
        default=True,
    )
    assign: BoolProperty(
        name="Assign", description="Assign the new action to the armature and switch its director off", default=True
    )
    strips: EnumProperty(name="Layers", description="How to bake layers", items=STRIPS)
    asks: BoolProperty(
        name="Ask", description="Show these settings before baking", default=True, options={"HIDDEN", "SKIP_SAVE"}
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb_played(context)
        if reason:
            return reason
        return (
            ""
            if bridge.data.director.director_of(current_armature(context))
            else "Add a command first: that adds a director"
        )

    def invoke(self, context: Context, _event: Event) -> set[str]:
        director, scene = bridge.data.director.director_of(current_armature(context)), context.scene
        if self.asks:
            self.choose_all(context)
        last = self._longest(context) if self.every else bridge.session.write_takes.last_frame(director, scene)
        self.frame_start = scene.frame_start
        self.frame_end = last if last > scene.frame_start else scene.frame_end
        if not self.asks:
            return self.execute(context)
        return self.ask(context, "Bake the performance to keyframes")

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        self.draw_whose(layout, context)
        layout.prop(self, "name")
        column = layout.column(align=True)
        for name in ("frame_start", "frame_end", "step"):
            column.prop(self, name)
        last = self._longest(context) if self.every else 0
        if last > self.frame_end:
            column.label(text=f"The longest take ends at frame {last}", icon="ERROR")
        if current_armature(context).verbs_adverbs.layers:
            layout.prop(self, "strips")
        column = layout.column()
        column.active = self.strips == "ONE"
        self.draw_reducing(column)
        for name in ("annotate", "assign"):
            column.prop(self, name)

    def selected(self, context: Context) -> list[Object]:
        """Return the selected characters that have a director."""
        return [one for one in super().selected(context) if bridge.data.director.director_of(one) is not None]

    def _longest(self, context: Context) -> int:
        """Frame at which the longest take of the characters ends, 0 if none plays one."""
        directors = map(bridge.data.director.director_of, self.selected(context))
        return max((bridge.session.write_takes.last_frame(one, context.scene) for one in directors), default=0)

    def do(self, context: Context) -> str:
        if self.strips == "ONE":
            written = [
                write(one, baked, self.assign) for one, baked in self.computed(context, partial(self._baked, context))
            ]
            what = f"action '{written[0][0].name}'"
        else:
            written = [self._put(one, found) for one, found in self.computed(context, partial(self._strips, context))]
            what = f"{written[0][0]} NLA strips"
        return told_together(written) if self.every else f"Baked the performance to {what}{written[0][1]}"

    def _baked(self, context: Context, armature: Object) -> "Baked":
        """Return the bake of one character to an action, ready to be written."""
        check_assignable(armature, self.assign)
        degrees, distance = self.tolerances(context)
        options = bridge.session.bake.PerformanceOptions(
            name=self.named(armature),
            start=self.frame_start,
            end=self.frame_end,
            step=self.step,
            degrees=degrees,
            distance=distance,
            annotate=self.annotate,
        )
        return bridge.session.bake.bake_of_performance(armature, options, context.scene)

    def _strips(self, context: Context, armature: Object) -> "list[BakedStrip]":
        """Return the bakes of one character to NLA strips, ready to be written."""
        check_assignable(armature, True)
        options = bridge.session.bake_strips.StripOptions(
            name=self.named(armature),
            start=self.frame_start,
            end=self.frame_end,
            step=self.step,
            combine=self.strips == "COMBINE",
        )
        return bridge.session.bake_strips.bakes_of_strips(armature, options, context.scene)

    def _put(self, armature: Object, found: "list[BakedStrip]") -> tuple[int, str]:
        """Write strips and let them play; return how many there are, and the end of a sentence about them."""
        muted = bridge.session.bake_strips.write_strips(armature, found)
        kept = f". Earlier tracks with keyed strips were kept and muted: {', '.join(muted)}" if muted else ""
        return len(found), f"{kept}{let_strips_play(armature)}"


class VERBS_ADVERBS_OT_take_choose(Intent, Operator):
    """Choose the take that the director plays; the current take is kept"""

    bl_idname = "verbs_adverbs.take_choose"
    bl_label = "Take"

    def _items(self, context: Context | None) -> list[tuple[str, str, str]]:
        armature = current_armature(context)
        director = bridge.data.director.director_of(armature) if armature is not None else None
        _takes.clear()
        if armature is not None and director is not None:
            for one in bridge.session.write_takes.takes_of(armature):
                label = bridge.session.write_takes.take_label(director, one)
                _takes.append((one.name, label, f"Action '{one.name}'"))
        return _takes or [("", "None yet", "Perform first")]

    take: EnumProperty(name="Take", description="Action that contains the take", items=_items)

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        armature = current_armature(context)
        takes = (
            bridge.session.write_takes.takes_of(armature)
            if bridge.data.director.director_of(armature) is not None
            else []
        )
        return "" if takes else "Perform first: each performance becomes a take"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        action = next((one for one in bridge.session.write_takes.takes_of(armature) if one.name == self.take), None)
        if action is None:
            raise GraphError(f"'{armature.name}' has no take '{self.take}'. Choose one of its takes.")
        bridge.session.write_takes.choose_take(bridge.data.director.director_of(armature), action)
        bridge.session.live.flush()
        return f"Now playing '{action.name}'"


class VERBS_ADVERBS_OT_fit_scene(Intent, Operator):
    """Extend the scene to the end of the take"""

    bl_idname = "verbs_adverbs.fit_scene"
    bl_label = "Fit Scene"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.character(context)
        if reason:
            return reason
        director = bridge.data.director.director_of(current_armature(context))
        last = bridge.session.write_takes.last_frame(director, context.scene) if director is not None else 0
        if last == 0:
            return "No take is playing: perform first, or choose a take"
        return "" if last > context.scene.frame_end else "The take already ends before the scene does"

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        context.scene.frame_end = bridge.session.write_takes.last_frame(director, context.scene)
        bridge.session.live.flush()
        return f"The scene now ends at frame {context.scene.frame_end}"


class VERBS_ADVERBS_OT_take_keep(Intent, Operator):
    """Keep the take that was interrupted when Blender closed; it becomes the director's score"""

    bl_idname = "verbs_adverbs.take_keep"
    bl_label = "Keep"

    @classmethod
    def reason(cls, context: Context) -> str:
        return _unfinished(context)

    def do(self, context: Context) -> str:
        problems, said = bridge.session.performing.keep_unfinished(current_armature(context), context.scene)
        for problem in problems:
            self.report({"WARNING"}, problem)
        return " ".join(said)


class VERBS_ADVERBS_OT_take_discard(Intent, Operator):
    """Throw away the take that was interrupted when Blender closed"""

    bl_idname = "verbs_adverbs.take_discard"
    bl_label = "Discard"

    @classmethod
    def reason(cls, context: Context) -> str:
        return _unfinished(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.session.crash_journal.discard(armature)
        bridge.layers.saying.forget_said_live(armature)
        return "Discarded the unfinished take"


def _unfinished(context: Context) -> str:
    reason = reasons.directed(context)
    if reason:
        return reason
    return "" if bridge.session.crash_journal.unfinished(current_armature(context)) else "There is no unfinished take"


CLASSES = (
    VERBS_ADVERBS_OT_command_add,
    VERBS_ADVERBS_OT_command_remove,
    VERBS_ADVERBS_OT_command_go,
    VERBS_ADVERBS_OT_score_clear,
    VERBS_ADVERBS_OT_start_verb,
    VERBS_ADVERBS_OT_stop_verb,
    VERBS_ADVERBS_OT_take_choose,
    VERBS_ADVERBS_OT_fit_scene,
    VERBS_ADVERBS_OT_take_keep,
    VERBS_ADVERBS_OT_take_discard,
    VERBS_ADVERBS_OT_bake_performance,
)
