"""What is stored of an armature's figure: which bones are its feet, where the user corrected what was found."""

from bpy.props import EnumProperty, StringProperty
from bpy.types import PropertyGroup

from .reach_properties import ENDS


class VERBS_ADVERBS_FootItem(PropertyGroup):
    """Bones of one leg that tell when its foot is down."""

    name: StringProperty(name="Side", description="Names of keytimes begin with it, such as L in L_down")
    thigh: StringProperty(name="Thigh", description="Bone at whose head the leg begins")
    ankle: StringProperty(name="Ankle", description="Bone at whose head the leg ends")
    ball: StringProperty(name="Ball", description="Bone that carries the ball of the foot, such as the toes")
    ball_end: EnumProperty(name="End", description="Which end of it touches the floor", items=ENDS, default="HEAD")
    heel: StringProperty(name="Heel", description="Bone that lands first; empty to guess where the heel is")
    heel_end: EnumProperty(name="End", description="Which end of it touches the floor", items=ENDS, default="HEAD")


CLASSES = (VERBS_ADVERBS_FootItem,)
