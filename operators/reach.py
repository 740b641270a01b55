"""A verb's reach: what adverbs measure, objects that bones reach for, and refining the verb until it hits them."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup, Timer, Window

from .. import bridge
from ..bridge.blender.events import redraw_areas
from ..bridge.data.current import at, current_armature, current_verb
from ..bridge.data.schema import ENDS, SPACES
from ..core.errors import MOST_CHOICES, RigError, VerbError, VerbsError, quoted
from . import reasons
from .jobs import Lasting, Sliced
from .operator_base import Intent

if TYPE_CHECKING:
    from ..bridge.authoring.refinement import Refining

_points: list[tuple[str, str, str]] = []
_reaching: list[tuple[str, str, str]] = []
NO_VERB = ("NONE", "None", "The character only stands at the target")
TICK = 0.02
GIVE_UP, ENOUGH = ("ESC", "RIGHTMOUSE"), ("RET", "NUMPAD_ENTER")
_timer: tuple[Window, Timer] | None = None


def _bones(_operator: Operator, context: Context, _typed: str) -> list[str]:
    return [bone.name for bone in current_armature(context).data.bones]


def _keytimes(_operator: Operator, context: Context, _typed: str) -> list[str]:
    return bridge.authoring.definitions.keytimes_of(current_verb(context))


class VERBS_ADVERBS_OT_measure_place(Intent, Operator):
    """Let adverbs of the chosen verb measure the position of a bone at a keytime; missing adverbs are added"""

    bl_idname = "verbs_adverbs.measure_place"
    bl_label = "Measure a Place"

    bone: StringProperty(name="Bone", description="Bone to measure, such as a hand", search=_bones)
    end: EnumProperty(name="End", description="End of the bone to measure", items=ENDS, default="TAIL")
    keytime: StringProperty(name="Keytime", description="Keytime at which to measure", search=_keytimes)
    space: EnumProperty(name="Relative To", description="Origin and axes for the measurement", items=SPACES)
    x: StringProperty(name="X", description="Adverb for the position along X; empty for none", default="x")
    y: StringProperty(name="Y", description="Adverb for the position along Y; empty for none", default="y")
    z: StringProperty(name="Z", description="Adverb for the height; empty for none", default="z")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        bone = context.active_pose_bone
        names = bridge.authoring.definitions.keytimes_of(current_verb(context))
        self.bone = bone.name if bone else self.bone
        if self.keytime not in names and len(names) > 1:
            self.keytime = names[1]
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        names = bridge.authoring.definitions.keytimes_of(verb)
        if self.bone not in armature.data.bones:
            raise RigError(f"'{armature.name}' has no bone '{self.bone}'. Choose one of its bones to measure.")
        if self.keytime not in names:
            known = quoted(names, MOST_CHOICES)
            raise VerbError(f"Verb '{verb.name}' has no keytime '{self.keytime}'. Choose one of {known}.")
        wanted = [
            (axis, name.strip()) for axis, name in zip(bridge.data.schema.PLACES, (self.x, self.y, self.z), strict=True)
        ]
        wanted = [(axis, name) for axis, name in wanted if name]
        if not wanted or len({name for _, name in wanted}) < len(wanted):
            raise VerbError("Name an adverb for at least one axis, and a different adverb for each.")
        for name in (name for _, name in wanted if name not in armature.verbs_adverbs.adverbs):
            bridge.blender.naming.checked_name(name, "adverb", ())
        for axis, name in wanted:
            if name not in armature.verbs_adverbs.adverbs:
                bridge.authoring.definitions.add_adverb(armature, name)
            bridge.authoring.definitions.use_adverb(verb, name, True)
            used = verb.adverbs[name]
            used.measure, used.bone, used.end = axis, self.bone, self.end
            used.keytime, used.space = self.keytime, self.space
        return f"{', '.join(name for _, name in wanted)} measure '{self.bone}' at '{self.keytime}'; now press Measure"


class VERBS_ADVERBS_OT_measure(Lasting, Operator):
    """Measure every example of the chosen verb, and use the results as their adverb values"""

    bl_idname = "verbs_adverbs.measure"
    bl_label = "Measure"

    fit_ranges: BoolProperty(
        name="Fit Ranges", description="Set each adverb's range to the values in all verbs that use it", default=True
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.measured(context) or reasons.verb_example(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        filled = bridge.authoring.measuring.fill_measured(armature, verb, self.fit_ranges)
        bridge.authoring.definitions.keep_in_step(armature)
        said = f"Measured {filled.adverbs} adverb{'' if filled.adverbs == 1 else 's'} of {filled.examples} examples"
        if filled.flat:
            names = quoted(filled.flat)
            said += f"; {names} has the same value in all of them, so the verb cannot vary along it"
        return said


class VERBS_ADVERBS_OT_measure_travel(Lasting, Operator):
    """Add and measure the adverbs speed, turn and slope, as far as the examples differ in them"""

    bl_idname = "verbs_adverbs.measure_travel"
    bl_label = "Speed and Turn"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        filled = bridge.authoring.measuring.measure_travel(armature, verb)
        bridge.authoring.definitions.keep_in_step(armature)
        names = ", ".join(used.name for used in verb.adverbs if used.measure != "NONE")
        return f"Verb '{verb.name}' now varies along {names}, measured in {filled.examples} examples"


def _point_items(_operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    verb = current_verb(context)
    found = bridge.data.targets.measured_points(verb) if verb is not None else []
    _points[:] = [
        (str(row), f"{bone} ({end.lower()}) at {keytime}", f"The {end.lower()} of {bone} at the keytime {keytime}")
        for row, (bone, end, keytime) in enumerate(found)
    ]
    return _points


class VERBS_ADVERBS_OT_target_add(Intent, Operator):
    """Add an Empty that a measured bone reaches for; drag it and the character follows"""

    bl_idname = "verbs_adverbs.target_add"
    bl_label = "Add Target"

    point: EnumProperty(name="Reaches", description="Measured bone that reaches for the target", items=_point_items)
    object: StringProperty(name="Object", description="Name of the target object; empty for a new Empty")

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        return (
            ""
            if bridge.data.targets.measured_points(current_verb(context))
            else "Let adverbs measure the position of a bone first"
        )

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        reached = context.scene.objects.get(self.object) if self.object else None
        if self.object and reached is None:
            raise VerbError(f"This scene has no object '{self.object}'. Choose another one.")
        point = bridge.data.targets.measured_points(verb)[int(self.point)]
        target = bridge.data.targets.add_target(armature, verb, point, reached)
        context.view_layer.update()
        return f"'{target.bone}' now reaches for '{target.object.name}' at '{target.keytime}'"


class VERBS_ADVERBS_OT_target_remove(Intent, Operator):
    """Remove the target. The sliders return to their earlier values; the object stays"""

    bl_idname = "verbs_adverbs.target_remove"
    bl_label = "Remove Target"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        verb = current_verb(context)
        return "" if at(verb.targets, verb.active_target) is not None else "Add a target first"

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        bridge.data.targets.remove_target(current_armature(context), verb, verb.active_target)
        return ""


def _reaching_items(_operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    found = _reaching_verbs(context)
    _reaching[:] = [NO_VERB, *((item.uid, item.name, f"Reach with verb {item.name}") for item in found)]
    return _reaching


def _reaching_verbs(context: Context | None) -> list[PropertyGroup]:
    armature = current_armature(context)
    verbs = armature.verbs_adverbs.verbs if armature is not None else ()
    return [item for item in verbs if bridge.data.targets.measured_points(item)]


class VERBS_ADVERBS_OT_reach_there(Intent, Operator):
    """Choose the verb with which the character reaches for its steering target after walking up to it"""

    bl_idname = "verbs_adverbs.reach_there"
    bl_label = "Reaches With"

    verb: EnumProperty(name="Verb", description="Verb whose adverbs measure a position", items=_reaching_items)

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb_played(context)
        if reason:
            return reason
        return "" if _reaching_verbs(context) else "Let adverbs of a verb measure the position of a bone first"

    def do(self, context: Context) -> str:
        performance = bridge.data.director.ensure_director(current_armature(context)).verbs_adverbs.performance
        performance.reach_verb = self.verb if self.verb != NO_VERB[0] else ""
        return ""


class VERBS_ADVERBS_OT_refine(Sliced, Intent, Operator):
    """Add pseudo-examples where the verb misses its measured values. Enter stops early and keeps them, Esc cancels"""

    bl_idname = "verbs_adverbs.refine"
    bl_label = "Refine"

    mode = "INVOKE_DEFAULT"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.measured(context) or reasons.verb_example(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        going = _begin(context)
        while going.step():
            pass
        return _keep(going, armature, verb)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        return self.in_slices(context, self._start)

    def _start(self, context: Context) -> set[str]:
        try:
            self._going = _begin(context)
        except VerbsError as error:
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        self._armature, self._verb = bridge.blender.undo.Reference(current_armature(context)), current_verb(context).uid
        context.window_manager.progress_begin(0.0, 1.0)
        _start_timer(context)
        context.window_manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        if event.type == "TIMER":
            if self._going.step():
                context.window_manager.progress_update(self._going.share)
                context.workspace.status_text_set(f"Refining: {self._going.told}   Enter: finish now   Esc: cancel")
                return {"RUNNING_MODAL"}
            return self._finish(context)
        if event.value == "PRESS" and event.type in ENOUGH:
            return self._finish(context)
        if event.value == "PRESS" and event.type in GIVE_UP:
            self._end(context)
            self.report({"INFO"}, "Refinement cancelled; nothing has changed")
            return {"CANCELLED"}
        return {"PASS_THROUGH"} if event.type in {"MOUSEMOVE", "INBETWEEN_MOUSEMOVE"} else {"RUNNING_MODAL"}

    def cancel(self, context: Context) -> None:
        """Stop refining, because another file is loaded."""
        self._end(context)

    def _end(self, context: Context) -> None:
        _stop_timer()
        context.window_manager.progress_end()
        context.workspace.status_text_set(None)

    def _finish(self, context: Context) -> set[str]:
        self._end(context)
        armature = self._armature.find()
        there = armature is not None and bridge.data.director.is_in_a_scene(armature)
        verbs = armature.verbs_adverbs.verbs if there else ()
        verb = next((verb for verb in verbs if verb.uid == self._verb), None)
        if armature is None or verb is None:
            self.report({"ERROR"}, "The verb that was being refined has been deleted. Refine another one.")
            return {"CANCELLED"}
        try:
            said = _keep(self._going, armature, verb)
        except VerbsError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, said)
        return {"FINISHED"}


class VERBS_ADVERBS_OT_refinement_remove(Intent, Operator):
    """Remove all pseudo-examples, so that the verb is made from its own examples only"""

    bl_idname = "verbs_adverbs.refinement_remove"
    bl_label = "Remove Refinement"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        own = current_verb(context).refinement
        return "" if own.text or own.exactly or own.last_millimetres != "NONE" else "The verb has no refinement"

    def do(self, context: Context) -> str:
        bridge.authoring.refinement.remove_refinement(current_verb(context))
        _play_again()
        return "Removed the refinement: the verb is made from its own examples only"


def _begin(context: Context) -> "Refining":
    return bridge.authoring.refinement.Refining(current_armature(context), current_verb(context))


def _keep(going: "Refining", armature: bpy.types.Object, verb: bpy.types.PropertyGroup) -> str:
    going.keep(armature, verb)
    bridge.authoring.verbs.note_built(armature, verb, bridge.authoring.verbs.built_for(armature, verb))
    _play_again()
    redraw_areas()
    own, count = verb.refinement, len(going.best.pseudo.places)
    return (
        f"{count} pseudo-examples: average error {own.average_before:.2g} % to {own.average_after:.2g} %, largest "
        f"error {own.maximum_before:.2g} % to {own.maximum_after:.2g} %"
    )


def _play_again() -> None:
    """Let characters whose verb is switched on follow the current state of the verb."""
    bridge.session.live.flush()


def _start_timer(context: Context) -> None:
    global _timer
    _timer = context.window, context.window_manager.event_timer_add(TICK, window=context.window)


def _stop_timer() -> None:
    global _timer
    timer, _timer = _timer, None
    if timer is not None:
        bpy.context.window_manager.event_timer_remove(timer[1])


CLASSES = (
    VERBS_ADVERBS_OT_measure_place,
    VERBS_ADVERBS_OT_measure,
    VERBS_ADVERBS_OT_measure_travel,
    VERBS_ADVERBS_OT_target_add,
    VERBS_ADVERBS_OT_target_remove,
    VERBS_ADVERBS_OT_reach_there,
    VERBS_ADVERBS_OT_refine,
    VERBS_ADVERBS_OT_refinement_remove,
)


def unregister() -> None:
    """Stop a running refinement; the verb stays as it was."""
    _stop_timer()
