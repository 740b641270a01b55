"""The example character: Add > Armature > Verbs & Adverbs Biped."""

import bpy
from bpy.props import BoolProperty, EnumProperty
from bpy.types import Context, Menu, Object, Operator

from .. import bridge
from ..core.errors import VerbsError
from .modes import ANIMATE, SET_UP
from .operator_base import Intent


class VERBS_ADVERBS_OT_add_biped(Intent, Operator):
    """Add a biped with example walks and a ready-made verb to try: sad to happy, downhill to uphill, left to right"""

    bl_idname = "verbs_adverbs.add_biped"
    bl_label = "Add Example Biped"

    walk: BoolProperty(name="Walk", description="Add walk examples and the verb 'walk'", default=True)
    wave: BoolProperty(name="Wave", description="Add wave examples and the verb 'wave'", default=False)
    reach: BoolProperty(name="Reach", description="Add reach examples and the verb 'reach'", default=False)
    stand: BoolProperty(name="Stand", description="Add an idle and the verb 'stand'", default=False)

    cast: EnumProperty(
        name="More Verbs",
        description="More verbs, each with its examples",
        items=(
            ("NONE", "None", "Only the verbs ticked above"),
            ("GOING", "Locomotion", "An injured walk, a run, turns on the spot and side steps"),
            ("STRIKES", "Strikes", "A punch and a kick whose adverbs set where they hit"),
            ("GESTURES", "Gestures", "Pointing, lifting, carrying, looking at a place, sitting down and nodding"),
            ("ALL", "All Three", "Locomotion, strikes and gestures"),
            (
                "TALKING",
                "Talking",
                "Gestures for speech: a beat, indicating, offering, counting, a shrug and a greeting",
            ),
        ),
        default="NONE",
    )
    join: BoolProperty(
        name="Transitions",
        description="Add suggested transitions to and from standing, and between walks and runs; takes a few seconds",
        default=False,
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return "" if context.mode == "OBJECT" else "Go to Object Mode first"

    def leads_to(self, context: Context) -> str:
        """Go to Animate, where verbs play; stay in Set Up for a reach, which needs a target first, or without verbs."""
        ready = self.walk or self.wave or self.stand or self.cast != "NONE"
        return ANIMATE if ready else SET_UP

    def do(self, context: Context) -> str:
        armature, fps = bridge.authoring.biped.add_biped(context), bridge.data.annotate.scene_fps(context.scene)
        if self.stand:
            bridge.authoring.biped.define_verb(armature, "stand", bridge.authoring.biped.stance_actions(armature, fps))
        if self.reach:
            bridge.authoring.biped.define_reach(armature, bridge.authoring.biped.reach_actions(armature, fps))
        if self.wave:
            bridge.authoring.biped.define_verb(armature, "wave", bridge.authoring.biped.wave_actions(armature, fps))
        if self.walk:
            bridge.authoring.biped.define_verb(armature, "walk", bridge.authoring.biped.walk_actions(armature, fps))
        if self.cast != "NONE":
            bridge.authoring.biped.add_cast(armature, self.cast, fps)
        rig = armature.verbs_adverbs
        rig.active_verb = max(rig.verbs.find("walk"), 0) if self.walk else rig.active_verb
        if self.join:
            self._join(armature)
        *names, last = [verb.name for verb in armature.verbs_adverbs.verbs] or [""]
        told = f"{', '.join(names)} and {last}" if names else last
        return f"Added '{armature.name}'" + (f" with the verb{'s' if names else ''} {told}" if told else "")

    def _join(self, armature: Object) -> None:
        """Add the transitions; if that fails, everything added before stays."""
        try:
            bridge.authoring.biped.join_verbs(armature)
        except VerbsError as error:
            self.tell("WARNING", str(error))


def _draw_entry(menu: Menu, _context: Context) -> None:
    menu.layout.operator(VERBS_ADVERBS_OT_add_biped.bl_idname, text="Verbs & Adverbs Biped", icon="ARMATURE_DATA")


CLASSES = (VERBS_ADVERBS_OT_add_biped,)


def register() -> None:
    """Put the biped into the Add menu."""
    bpy.types.VIEW3D_MT_armature_add.append(_draw_entry)  # pyright: ignore[reportArgumentType]


def unregister() -> None:
    """Take the biped out of the Add menu."""
    bpy.types.VIEW3D_MT_armature_add.remove(_draw_entry)  # pyright: ignore[reportArgumentType]
