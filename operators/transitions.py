"""Transitions of the verb graph: adding, suggesting, placing and removing them."""

from bpy.props import BoolProperty, EnumProperty, IntProperty
from bpy.types import Context, Event, Operator

from .. import bridge
from ..bridge.data.current import current_armature, current_transition, current_verb
from . import reasons
from .jobs import Lasting
from .operator_base import Intent, verb_choices

ENDS = (
    ("leaves_begin", "Leaves From", "Where the transition begins to leave the old verb"),
    ("leaves_end", "Leaves To", "Where the old verb has been left"),
    ("enters_begin", "Enters From", "Where the new verb begins to blend in"),
    ("enters_end", "Enters To", "Where the new verb begins to play alone"),
)
NUMBER = "<number>"


class VERBS_ADVERBS_OT_transition_add(Lasting, Operator):
    """Add a transition from one verb to another, at the point where they are most alike"""

    bl_idname = "verbs_adverbs.transition_add"
    bl_label = "Add Transition"

    source: EnumProperty(name="From", description="Verb that the transition leaves", items=verb_choices)
    target: EnumProperty(name="To", description="Verb that the transition enters", items=verb_choices)
    suggest: BoolProperty(
        name="Suggest",
        description="Place the transition where the poses, speed and contacts of the verbs are most alike",
        default=True,
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.source = current_verb(context).uid
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        source, target = (bridge.data.transition_items.verb_of(armature, uid) for uid in (self.source, self.target))
        if self.suggest:
            return bridge.authoring.transitions.add_suggested(armature, source, target)
        made = bridge.data.transition_items.add_transition(armature, source, target)
        return f"Added {bridge.data.transition_items.label_of(armature, made)}; now set where it leaves and enters"


class VERBS_ADVERBS_OT_transition_remove(Intent, Operator):
    """Remove the chosen transition from the verb graph"""

    bl_idname = "verbs_adverbs.transition_remove"
    bl_label = "Remove Transition"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.transition(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        label = bridge.data.transition_items.remove_transition(armature, armature.verbs_adverbs.active_transition)
        return f"Removed {label}"


class VERBS_ADVERBS_OT_transition_suggest(Lasting, Operator):
    """Place the chosen transition where the poses, speed and contacts of its verbs are most alike"""

    bl_idname = "verbs_adverbs.transition_suggest"
    bl_label = "Suggest Regions"

    choice: IntProperty(
        name="Choice", description="1 for the best place, 2 for the second best", default=1, min=1, max=3
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.transition(context)

    def do(self, context: Context) -> str:
        return bridge.authoring.transitions.suggest(
            current_armature(context), current_transition(context), self.choice - 1
        )


class VERBS_ADVERBS_OT_transitions_suggest(Lasting, Operator):
    """Add the best transition for every pair of verbs that has none yet in that direction"""

    bl_idname = "verbs_adverbs.transitions_suggest"
    bl_label = "Suggest All"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context)
        return reason or ("" if len(current_armature(context).verbs_adverbs.verbs) > 1 else "Add another verb first")

    def do(self, context: Context) -> str:
        added = bridge.authoring.transitions.suggest_all(current_armature(context))
        if not added:
            return "There already are transitions between all verbs"
        label, poorest = max(added, key=lambda one: one[1].distance)
        count = f"s; the worst, {label}" if len(added) > 1 else ""
        return f"Added {len(added)} transition{count}: {bridge.authoring.transitions.told(poorest)}"


class VERBS_ADVERBS_OT_transition_end_here(Intent, Operator):
    """Move this end of the region to the current frame of the example shown on the armature"""

    bl_idname = "verbs_adverbs.transition_end_here"
    bl_label = "From Current Frame"

    end: EnumProperty(name="End", description="End of the leaving or entering region", items=ENDS)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.transition(context)

    def do(self, context: Context) -> str:
        armature, item = current_armature(context), current_transition(context)
        bridge.authoring.transitions.check_verbs(armature, [item])
        verb = bridge.authoring.transitions.end_verb(armature, item, self.end)
        value = bridge.authoring.transitions.generic_at(
            armature, verb, bridge.authoring.verbs.verb_for(armature, verb), context.scene.frame_current_final
        )
        bridge.data.transition_items.set_end(item, self.end, value)
        return f"Generic time {value:.3f} of '{verb.name}'"


def _keytime_choices(operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    """Menu items for one end of a region: a plain number, or a keytime of the verb at that end."""
    _shown[:] = [
        (NUMBER, "Time", "At the generic time beside it: 0 is the first keytime, 1 the last"),
        *_keytimes(context, operator.end),
    ]
    return _shown


def _keytimes(context: Context | None, end: str) -> list[tuple[str, str, str]]:
    item = current_transition(context)
    verb = bridge.authoring.transitions.end_verb(current_armature(context), item, end) if item is not None else None
    times = bridge.authoring.transitions.keytimes_of(current_armature(context), verb) if verb is not None else {}
    return [(name, f"{name} ({time:.3g})", f"Keytime {name} of '{verb.name}'") for name, time in times.items()]


_shown: list[tuple[str, str, str]] = []


class VERBS_ADVERBS_OT_transition_keytime(Intent, Operator):
    """Place this end of the region at a keytime, or at a time given as a number"""

    bl_idname = "verbs_adverbs.transition_keytime"
    bl_label = "At Keytime"

    end: EnumProperty(name="End", description="End of the leaving or entering region", items=ENDS)
    keytime: EnumProperty(name="Keytime", description="Keytime of this end, or Time", items=_keytime_choices)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.transition(context)

    def do(self, context: Context) -> str:
        item, armature = current_transition(context), current_armature(context)
        bridge.authoring.transitions.check_verbs(armature, [item])
        if self.keytime == NUMBER:
            verb = bridge.authoring.verbs.verb_for(
                armature, bridge.authoring.transitions.end_verb(armature, item, self.end)
            )
            bridge.data.transition_items.set_end(
                item, self.end, bridge.authoring.transitions.generic_of(verb, item, self.end)
            )
        else:
            setattr(item, f"{self.end}_keytime", self.keytime)
        return ""


class VERBS_ADVERBS_OT_graph_check(Lasting, Operator):
    """Build all verbs and check the verb graph"""

    bl_idname = "verbs_adverbs.graph_check"
    bl_label = "Check Verb Graph"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bridge.data.content.read_anew(armature)
        bridge.authoring.graph.graph_for(armature)
        return bridge.authoring.graph.graph_status(current_armature(context)).headline


CLASSES = (
    VERBS_ADVERBS_OT_transition_add,
    VERBS_ADVERBS_OT_transition_remove,
    VERBS_ADVERBS_OT_transition_suggest,
    VERBS_ADVERBS_OT_transitions_suggest,
    VERBS_ADVERBS_OT_transition_end_here,
    VERBS_ADVERBS_OT_transition_keytime,
    VERBS_ADVERBS_OT_graph_check,
)


def unregister() -> None:
    """Forget the verb graphs that were built."""
