"""What is stored about an armature's bones: which are its feet, how they lay, and what they were called before."""

import bpy
from bpy.props import CollectionProperty, EnumProperty, FloatVectorProperty, PointerProperty, StringProperty
from bpy.types import PropertyGroup

from ..action_properties import VERBS_ADVERBS_TextItem
from ..schema import ENDS


class VERBS_ADVERBS_FootItem(PropertyGroup):
    """Bones of one leg that tell when its foot is down."""

    name: StringProperty(name="Side", description="Names of keytimes begin with it, such as L in L_down")
    thigh: StringProperty(name="Thigh", description="Bone at whose head the leg begins")
    ankle: StringProperty(name="Ankle", description="Bone at whose head the leg ends")
    ball: StringProperty(name="Ball", description="Bone that carries the ball of the foot, such as the toes")
    ball_end: EnumProperty(name="End", description="Which end of it touches the floor", items=ENDS, default="HEAD")
    heel: StringProperty(name="Heel", description="Bone of the heel, which lands first; empty to guess its place")
    heel_end: EnumProperty(name="End", description="Which end of it touches the floor", items=ENDS, default="HEAD")


class VERBS_ADVERBS_FormerBone(PropertyGroup):
    """A name in actions, and the bone that it means now."""

    name: StringProperty(name="Name", description="Name of the bone in actions")
    bone: StringProperty(name="Bone", description="Bone that it means now; empty if it is left out")


class VERBS_ADVERBS_FormerAction(PropertyGroup):
    """An action whose curves have former names of bones."""

    action: PointerProperty(type=bpy.types.Action, name="Action")
    examples: StringProperty(
        name="Examples", description="Identifiers of its examples, by which a copy of it is known, with spaces between"
    )


class VERBS_ADVERBS_FormerNames(PropertyGroup):
    """Former names of bones, and the actions and examples that have them."""

    bones: CollectionProperty(type=VERBS_ADVERBS_FormerBone)
    actions: CollectionProperty(type=VERBS_ADVERBS_FormerAction)
    examples: CollectionProperty(type=VERBS_ADVERBS_TextItem)


class VERBS_ADVERBS_SeenBone(PropertyGroup):
    """A bone as it lay at rest when the armature's verbs were last built or edited, by which it is known again."""

    name: StringProperty(name="Name")
    parent: StringProperty(name="Parent", description="Bone that carried it, empty for none")
    rest: FloatVectorProperty(name="Rest", description="Rest frame in the armature's space, row by row", size=16)


class VERBS_ADVERBS_BoneNames(PropertyGroup):
    """What an armature's bones were called before, and how they lay when that was last seen."""

    former: CollectionProperty(type=VERBS_ADVERBS_FormerNames)
    seen: CollectionProperty(type=VERBS_ADVERBS_SeenBone)


CLASSES = (
    VERBS_ADVERBS_FootItem,
    VERBS_ADVERBS_FormerBone,
    VERBS_ADVERBS_FormerAction,
    VERBS_ADVERBS_FormerNames,
    VERBS_ADVERBS_SeenBone,
    VERBS_ADVERBS_BoneNames,
)
