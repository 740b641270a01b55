"""Checking the examples of a verb for likely mistakes, and mending what its report names."""

from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Operator

from .. import bridge
from ..bridge.data.current import current_armature, current_verb
from ..bridge.data.schema import MENDS
from . import reasons
from .jobs import Lasting
from .operator_base import told_of


class VERBS_ADVERBS_OT_examples_check(Lasting, Operator):
    """Look for mistakes in the examples: exchanged adverbs, keytimes elsewhere, cycles that begin on the other foot"""

    bl_idname = "verbs_adverbs.examples_check"
    bl_label = "Check Examples"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb_built(context)

    def do(self, context: Context) -> str:
        lines = bridge.build.diagnosis.checking.check_examples(current_armature(context), current_verb(context))
        return lines[0].text


class VERBS_ADVERBS_OT_verb_mend(Lasting, Operator):
    """Mend what a line of the report says about the chosen verb"""

    bl_idname = "verbs_adverbs.verb_mend"
    bl_label = "Mend"

    mend: EnumProperty(name="Mends", items=MENDS, default="NONE", description="What is done")
    row: IntProperty(name="Example", description="Row of the example in the verb's list", default=-1)
    other: IntProperty(name="Other Example", description="Row of a second example in the verb's list", default=-1)
    number: IntProperty(name="Number", description="Row of a keytime, or degree of a kernel", default=-1)
    frame: FloatProperty(name="Frame", description="Frame that the keytime moves to")
    word: StringProperty(name="Word", description="Name of an adverb, or identifier of a kernel")

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_verb_mend") -> str:
        """What the button does."""
        return told_of(MENDS, properties.mend)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        wanted = bridge.build.diagnosis.told.Mend(self.mend, self.other, self.number, self.frame, self.word)
        armature, verb = current_armature(context), current_verb(context)
        return bridge.build.diagnosis.checking.mend(armature, verb, self.row, wanted)


CLASSES = (VERBS_ADVERBS_OT_examples_check, VERBS_ADVERBS_OT_verb_mend)
