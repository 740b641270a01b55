"""Baking a verb to keyframes."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator

from .. import bridge
from ..bridge.data.current import current_armature
from ..core.errors import VerbError
from . import reasons
from .bakes import Reducing, check_assignable, hand_over
from .working import Lasting

LENGTHS = (
    ("CYCLES", "Cycles", "Play the verb a number of times from the first frame on"),
    ("RANGE", "Frame Range", "Play the verb from the first frame to the last"),
)
ROOTS = (
    ("KEEP", "Keep", "The character goes where the verb takes it"),
    ("IN_PLACE", "In Place", "The character stays where it starts, such as for a game"),
)


class VERBS_ADVERBS_OT_bake(Reducing, Lasting, Operator):
    """Bake the verb at the director's sliders to keyframes in a new action"""

    bl_idname = "verbs_adverbs.bake"
    bl_label = "Bake Verb"

    verb: StringProperty(name="Verb", description="Verb to bake; the director's, or the chosen one, when empty")
    name: StringProperty(name="Name", description="Name of the action; made from verb and adverbs when empty")
    length: EnumProperty(name="Length", description="How much of the motion is baked", items=LENGTHS, default="CYCLES")
    cycles: IntProperty(name="Cycles", description="How often the verb is played", default=1, min=1, soft_max=20)
    frame_start: FloatProperty(name="First Frame", description="Frame of the first key", default=1.0, precision=2)
    frame_end: FloatProperty(name="Last Frame", description="Frame of the last key", default=250.0, precision=2)
    step: FloatProperty(
        name="Step", description="Frames from one key to the next", default=1.0, min=0.01, soft_min=1.0, soft_max=10.0
    )
    animated: BoolProperty(
        name="Follow Keyed Adverbs",
        description="Follow the keys and drivers of the director's sliders, from its start frame on, instead of holding"
        " what they say now",
        default=True,
    )
    root: EnumProperty(
        name="Root Motion", description="Whether the character travels in the baked action", items=ROOTS, default="KEEP"
    )
    lock_feet: BoolProperty(
        name="Lock Feet",
        description="Planted points stand still, if those of the director do; without, a bake at an example's place is"
        " closest to the example",
        default=True,
    )
    loop: BoolProperty(
        name="Loop", description="Repeat whole cycles by modifiers, where the character does not turn", default=True
    )
    annotate: BoolProperty(
        name="Keep Keytimes",
        description="Mark the cycles as examples, the first 20 of them, with keytimes and contacts",
        default=True,
    )
    assign: BoolProperty(
        name="Assign", description="Give the new action to the armature, and switch its verb off", default=True
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.resting(context)
        if reason:
            return reason
        return "" if current_armature(context).verbs_adverbs.verbs else "Add a verb first"

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.frame_start, self.frame_end = context.scene.frame_start, context.scene.frame_end
        title = "Bake Frame Range" if self.length == "RANGE" else "Bake Cycles"
        return context.window_manager.invoke_props_dialog(self, width=360, title=title, confirm_text="Bake")

    def draw(self, context: Context) -> None:
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        layout.prop(self, "name", placeholder="Made from verb and adverbs")
        layout.prop(self, "length")
        column = layout.column(align=True)
        if self.length == "CYCLES":
            column.prop(self, "cycles")
        column.prop(self, "frame_start")
        if self.length == "RANGE":
            column.prop(self, "frame_end")
        column.prop(self, "step")
        layout.prop(self, "root")
        layout.prop(self, "animated")
        layout.prop(self, "lock_feet")
        self.draw_reducing(layout)
        if self.length == "CYCLES":
            layout.prop(self, "loop")
        for name in ("annotate", "assign"):
            layout.prop(self, name)

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        name = self.verb or bridge.build.definitions.verb_to_play(armature)
        if name not in armature.verbs_adverbs.verbs:
            raise VerbError(f"'{armature.name}' has no verb '{name}'. Choose one of its verbs.")
        check_assignable(armature, self.assign)
        degrees, distance = self.tolerances(context)
        options = bridge.session.bake.BakeOptions(
            name=self.name,
            cycles=self.cycles if self.length == "CYCLES" else 0,
            start=self.frame_start,
            end=self.frame_end,
            step=self.step,
            animated=self.animated,
            in_place=self.root == "IN_PLACE",
            loop=self.loop,
            degrees=degrees,
            distance=distance,
            annotate=self.annotate,
            lock_feet=self.lock_feet,
        )
        verb = bridge.build.verbs.verb_for(armature, armature.verbs_adverbs.verbs[name], thorough=True)
        action = bridge.session.bake.bake(armature, verb, options, context.scene)
        said = hand_over(armature, action, self.assign)
        return f"Baked '{verb.name}' to action '{action.name}'{said}"


CLASSES = (VERBS_ADVERBS_OT_bake,)
