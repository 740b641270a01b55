"""Measured adverbs: say that some measure where a bone is, and fill the examples' values from their motions."""

from bpy.props import BoolProperty, EnumProperty, StringProperty
from bpy.types import Context, Event, Operator

from .. import bridge
from ..bridge.data.current import current_armature, current_verb
from ..bridge.data.schema import ENDS, SPACES
from ..core.errors import MOST_CHOICES, RigError, VerbError, quoted
from . import reasons
from .intent import Intent
from .working import Lasting


def _bones(_operator: Operator, context: Context, _typed: str) -> list[str]:
    return [bone.name for bone in current_armature(context).data.bones]


def _keytimes(_operator: Operator, context: Context, _typed: str) -> list[str]:
    return bridge.build.definitions.keytimes_of(current_verb(context))


class VERBS_ADVERBS_OT_measure_place(Intent, Operator):
    """Let adverbs of the chosen verb measure where a bone is at a keytime; those that it lacks are added"""

    bl_idname = "verbs_adverbs.measure_place"
    bl_label = "Measure a Place"

    bone: StringProperty(name="Bone", description="Bone whose place is measured, such as a hand", search=_bones)
    end: EnumProperty(name="End", description="Which end of the bone is measured", items=ENDS, default="TAIL")
    keytime: StringProperty(name="Keytime", description="Moment at which it is measured", search=_keytimes)
    space: EnumProperty(name="Seen", description="From where the place is seen", items=SPACES)
    x: StringProperty(name="X", description="Adverb that measures the place along X, empty for none", default="x")
    y: StringProperty(name="Y", description="Adverb that measures the place along Y, empty for none", default="y")
    z: StringProperty(name="Z", description="Adverb that measures the height, empty for none", default="z")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        bone = context.active_pose_bone
        names = bridge.build.definitions.keytimes_of(current_verb(context))
        self.bone = bone.name if bone else self.bone
        if self.keytime not in names and len(names) > 1:
            self.keytime = names[1]
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        names = bridge.build.definitions.keytimes_of(verb)
        if self.bone not in armature.data.bones:
            raise RigError(f"'{armature.name}' has no bone '{self.bone}'. Choose one of its bones to be measured.")
        if self.keytime not in names:
            known = quoted(names, MOST_CHOICES)
            raise VerbError(f"Verb '{verb.name}' has no keytime '{self.keytime}'. Choose among {known}.")
        wanted = [
            (axis, name.strip()) for axis, name in zip(bridge.data.schema.PLACES, (self.x, self.y, self.z), strict=True)
        ]
        wanted = [(axis, name) for axis, name in wanted if name]
        if not wanted or len({name for _, name in wanted}) < len(wanted):
            raise VerbError("Name a different adverb for each axis that is to be measured, at least for one.")
        for name in (name for _, name in wanted if name not in armature.verbs_adverbs.adverbs):
            bridge.blender.naming.checked_name(name, "adverb", ())
        for axis, name in wanted:
            if name not in armature.verbs_adverbs.adverbs:
                bridge.build.definitions.add_adverb(armature, name)
            bridge.build.definitions.use_adverb(verb, name, True)
            used = verb.adverbs[name]
            used.measure, used.bone, used.end = axis, self.bone, self.end
            used.keytime, used.space = self.keytime, self.space
        return f"{', '.join(name for _, name in wanted)} measure '{self.bone}' at '{self.keytime}'; now press Measure"


class VERBS_ADVERBS_OT_measure(Lasting, Operator):
    """Read off what the measured adverbs say of every example of the chosen verb, and let the examples lie there"""

    bl_idname = "verbs_adverbs.measure"
    bl_label = "Measure"

    fit_ranges: BoolProperty(
        name="Fit Ranges", description="Let the adverbs range over what the examples measure", default=True
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.measured(context) or reasons.verb_example(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        filled = bridge.build.measuring.fill_measured(armature, verb, self.fit_ranges)
        bridge.build.definitions.keep_in_step(armature)
        said = f"Measured {filled.adverbs} adverb{'' if filled.adverbs == 1 else 's'} of {filled.examples} examples"
        if filled.flat:
            names = quoted(filled.flat)
            said += f"; {names} is the same in all of them, so the verb cannot vary along it"
        return said


class VERBS_ADVERBS_OT_measure_travel(Lasting, Operator):
    """Let the verb vary along speed, turn and slope, as far as its examples differ in them, and measure these"""

    bl_idname = "verbs_adverbs.measure_travel"
    bl_label = "Speed and Turn"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_example(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        filled = bridge.build.measuring.measure_travel(armature, verb)
        bridge.build.definitions.keep_in_step(armature)
        names = ", ".join(used.name for used in verb.adverbs if used.measure != "NONE")
        return f"Verb '{verb.name}' varies along {names}, measured in {filled.examples} examples"


CLASSES = (VERBS_ADVERBS_OT_measure_place, VERBS_ADVERBS_OT_measure, VERBS_ADVERBS_OT_measure_travel)
