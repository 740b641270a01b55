"""How the lines of a verb's report are stored on the armature."""

from bpy.props import EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import PropertyGroup

from ..schema import MENDS, RESULTS


class VERBS_ADVERBS_ReportLine(PropertyGroup):
    """A line about a verb, or about one of its examples, and what mends it."""

    kind: EnumProperty(name="Kind", items=RESULTS, default="INFO")
    text: StringProperty(name="Text")
    row: IntProperty(name="Example", description="Row of the example in the verb's list, -1 for none", default=-1)
    mend: EnumProperty(name="Mends", items=MENDS, default="NONE")
    other: IntProperty(name="Other Example", description="Row of a second example, -1 for none", default=-1)
    number: IntProperty(name="Number", description="Row of a keytime, or degree of a kernel", default=-1)
    frame: FloatProperty(name="Frame", description="Frame that a keytime would move to")
    word: StringProperty(name="Word", description="Name of an adverb, or identifier of a kernel")


CLASSES = (VERBS_ADVERBS_ReportLine,)
