"""Directing: add a director, and switch its verb on and off."""

from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy.types import Context, Event, Operator

from .. import bridge
from ..bridge.blender.naming import told_frame
from ..bridge.data.current import current_armature, selected_armatures
from ..core.errors import VerbError
from . import reasons
from .jobs import Lasting
from .operator_base import Intent


def director_missing(context: Context) -> str:
    """Why there is no director to work with; empty if there is one."""
    reason = reasons.character(context)
    if reason:
        return reason
    return (
        ""
        if bridge.data.director.director_of(current_armature(context))
        else "Switch the verb on first: this adds a director"
    )


def _not_live(context: Context) -> str:
    reason = reasons.directed(context) or director_missing(context)
    if reason:
        return reason
    return (
        ""
        if bridge.data.director.director_of(current_armature(context)).verbs_adverbs.live
        else "Switch the verb on first"
    )


def _counted(count: int) -> str:
    return f"{count} character{' is' if count == 1 else 's are'}"


class VERBS_ADVERBS_OT_director_add(Intent, Operator):
    """Add a director: an Empty that has the adverb sliders and marks where the character starts"""

    bl_idname = "verbs_adverbs.director_add"
    bl_label = "Add Director"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.character(context)
        if reason:
            return reason
        return (
            "This armature already has a director"
            if bridge.data.director.director_of(current_armature(context))
            else ""
        )

    def do(self, context: Context) -> str:
        director = bridge.data.director.ensure_director(current_armature(context))
        return f"Added '{director.name}'"


class VERBS_ADVERBS_OT_live_on(Lasting, Operator):
    """Let the verb move the armature, on the timeline and when a slider is dragged"""

    bl_idname = "verbs_adverbs.live_on"
    bl_label = "Switch Verb On"

    verb: StringProperty(name="Verb", description="Verb to play; if empty, the director's verb or the chosen one")
    from_here: BoolProperty(
        name="Start Here", description="Start the performance at the current frame", options={"SKIP_SAVE"}
    )
    every: BoolProperty(
        name="All Selected",
        description="Switch on all selected characters in one step. Each plays its director's verb or score, or its "
        "chosen verb",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_live_on") -> str:
        """What the button does."""
        if properties.every:
            return "Switch on all selected characters in one step"
        begins = "Let the verb move the armature, and start the performance at the current frame"
        return begins if properties.from_here else ""

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        return "" if current_armature(context).verbs_adverbs.verbs else "Add a verb first"

    def do(self, context: Context) -> str:
        return self._together(context) if self.every else self._alone(context)

    def _together(self, context: Context) -> str:
        held, told = bridge.data.director.holder_of, bridge.authoring.definitions.verb_to_play
        resting = [one for one in selected_armatures(context) if one.verbs_adverbs.verbs and held(one) is None]
        if not resting:
            raise VerbError("No selected character with a verb is switched off. Select the characters to switch on.")
        scene, verbs = context.scene, {one: told(one) for one in resting}
        start = scene.frame_current if self.from_here else None
        switched = bridge.session.switching.switch_on_together(verbs, scene, start)
        if not switched.directors:
            raise VerbError(" ".join(switched.refused))
        for director in switched.directors:
            director.verbs_adverbs.kept = None
        if switched.refused:
            self.tell("WARNING", " ".join(switched.refused))
        return f"{_counted(len(switched.directors))} switched on"

    def _alone(self, context: Context) -> str:
        armature, scene = current_armature(context), context.scene
        start = scene.frame_current if self.from_here else None
        verb = self.verb or bridge.authoring.definitions.verb_to_play(armature)
        rested = bridge.data.director.holder_of(armature) is None
        director = bridge.session.switching.switch_on(armature, verb, scene, start)
        own = director.verbs_adverbs
        if rested:
            own.kept = None
        what = "its score" if own.performance.active else f"'{verb}'"
        begins = bridge.data.frames.counting.counting_of(director).start
        return f"'{director.name}' plays {what} from frame {told_frame(begins)}"


class VERBS_ADVERBS_OT_live_off(Intent, Operator):
    """Switch the verb off and restore the armature exactly as it was before"""

    bl_idname = "verbs_adverbs.live_off"
    bl_label = "Switch Verb Off"

    every: BoolProperty(
        name="All Selected",
        description="Switch off all selected characters in one step",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_live_off") -> str:
        """What the button does."""
        every = "Switch off all selected characters in one step, and restore each as it was before"
        return every if properties.every else ""

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context)
        if reason:
            return reason
        return "" if bridge.data.director.holder_of(current_armature(context)) else "No verb is switched on"

    def do(self, context: Context) -> str:
        return self._together(context) if self.every else self._alone(context)

    def _together(self, context: Context) -> str:
        """Switch off those that are on; report those that cannot be edited or are being performed."""
        refused = {one: reasons.resting_of(one) for one in selected_armatures(context)}
        found = {one: bridge.data.director.holder_of(one) for one in refused}
        holders = [holder for one, holder in found.items() if holder is not None and not refused[one]]
        if not holders:
            raise VerbError("No selected character is switched on. Select the characters to switch off.")
        ends = list(zip(holders, bridge.session.switching.switch_off_together(holders), strict=True))
        lost = [reason for one, reason in refused.items() if reason and found[one] is not None]
        lost += [off.lost for _, off in ends if off.lost]
        if lost:
            self.tell("WARNING", " ".join(lost))
        kept = [bridge.action.generated_action.sentence_of(holder, off.kept) for holder, off in ends]
        return " ".join([f"{_counted(len(holders))} switched off.", *filter(None, kept)])

    def _alone(self, context: Context) -> str:
        holder = bridge.data.director.holder_of(current_armature(context))
        if holder is None:
            raise VerbError(
                "No verb is switched on for the active character. Select a character that is switched on, or tick All "
                "Selected."
            )
        off = bridge.session.switching.switch_off(holder)
        if off.lost:
            self.report({"WARNING"}, off.lost)
        return bridge.action.generated_action.sentence_of(holder, off.kept)


class VERBS_ADVERBS_OT_generated_keep(Intent, Operator):
    """Copy what is playing, with any manual edits, to a separate action; the verb stays on"""

    bl_idname = "verbs_adverbs.generated_keep"
    bl_label = "Keep as Action"

    name: StringProperty(name="Name", description="Name of the action; if empty, made from the armature and the verb")

    @classmethod
    def reason(cls, context: Context) -> str:
        return _not_live(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.name = ""
        return context.window_manager.invoke_props_dialog(self, confirm_text="Keep")

    def draw(self, _context: Context) -> None:
        self.layout.prop(self, "name", placeholder="From armature and verb")

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        kept = bridge.session.live.keep_generated(director, context.scene, self.name.strip())
        return f"Saved as action '{kept.name}'"


class VERBS_ADVERBS_OT_performance_write(Lasting, Operator):
    """Recompute the performance now, from all examples and keys, instead of at the next pause in your work"""

    bl_idname = "verbs_adverbs.performance_write"
    bl_label = "Compute Now"

    @classmethod
    def reason(cls, context: Context) -> str:
        return _not_live(context)

    def do(self, context: Context) -> str:
        bridge.session.live.compute_now(bridge.data.director.director_of(current_armature(context)), context.scene)
        return ""


class VERBS_ADVERBS_OT_to_scene_rate(Intent, Operator):
    """Convert the director's keys, start frame and takes to the scene's frame rate, keeping their time in seconds"""

    bl_idname = "verbs_adverbs.to_scene_rate"
    bl_label = "To Scene's Rate"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.directed(context) or director_missing(context)
        if reason:
            return reason
        director = bridge.data.director.director_of(current_armature(context))
        told = bridge.data.frames.to_scene_rate.rates_told(director, context.scene)
        return "" if told else "The score already uses the scene's frame rate"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        director, takes = bridge.data.director.director_of(armature), bridge.session.write_takes.takes_of(armature)
        said = bridge.data.frames.to_scene_rate.move_to_rate(director, context.scene, takes)
        bridge.session.live.flush()
        return said


def _verb_items(_operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    armature = current_armature(context)
    verbs = armature.verbs_adverbs.verbs if armature is not None else ()
    _shown[:] = [(item.name, item.name, "Play this verb") for item in verbs]
    return _shown


_shown: list[tuple[str, str, str]] = []


class VERBS_ADVERBS_OT_director_verb(Lasting, Operator):
    """Choose the verb that the director plays"""

    bl_idname = "verbs_adverbs.director_verb"
    bl_label = "Choose Verb"

    verb: EnumProperty(name="Verb", description="Verb that the director plays", items=_verb_items)

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = director_missing(context)
        if reason:
            return reason
        return "" if current_armature(context).verbs_adverbs.verbs else "Add a verb first"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        director = bridge.data.director.director_of(armature)
        if director.verbs_adverbs.live:
            bridge.session.switching.switch_on(armature, self.verb, context.scene)
        director.verbs_adverbs.verb = self.verb
        return ""


CLASSES = (
    VERBS_ADVERBS_OT_director_add,
    VERBS_ADVERBS_OT_live_on,
    VERBS_ADVERBS_OT_live_off,
    VERBS_ADVERBS_OT_generated_keep,
    VERBS_ADVERBS_OT_performance_write,
    VERBS_ADVERBS_OT_to_scene_rate,
    VERBS_ADVERBS_OT_director_verb,
)


def register() -> None:
    """Start reacting to sliders."""
    bridge.session.handlers.register()


def unregister() -> None:
    """Stop reacting to sliders."""
    bridge.session.handlers.unregister()
