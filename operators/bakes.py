"""What all bakes have in common: leaving out keys, and giving the new action to its armature."""

from bpy.props import BoolProperty, FloatProperty
from bpy.types import Action, Context, Object, UILayout

from .. import bridge

CENTIMETRES = 0.01


class Reducing:
    """Mixin of an operator that bakes."""

    reduce: BoolProperty(name="Reduce Keys", description="Leave out keys that are hardly missed")
    degrees: FloatProperty(name="Degrees", description="How far a bone may be turned off", default=0.5, min=0.0)
    centimetres: FloatProperty(name="Centimetres", description="How far a bone may be moved off", default=0.2, min=0.0)

    def draw_reducing(self, layout: UILayout) -> None:
        """Draw what is asked for."""
        layout.prop(self, "reduce")
        column = layout.column(align=True)
        column.active = self.reduce
        column.prop(self, "degrees")
        column.prop(self, "centimetres")

    def tolerances(self, context: Context) -> tuple[float, float]:
        """Degrees and world units by which keys that are left out may be missed, 0 to leave out none."""
        if not self.reduce:
            return 0.0, 0.0
        return self.degrees, self.centimetres * CENTIMETRES / (context.scene.unit_settings.scale_length or 1.0)


def check_assignable(armature: Object, assign: bool) -> None:
    """Check, before anything is baked, that the new action can be assigned if that is wanted.

    Raises
    ------
    VerbsError
        If it cannot.
    """
    if assign:
        bridge.data.director.check_free(armature)


def hand_over(armature: Object, action: Action, assign: bool) -> str:
    """Assign a new action in place of what the armature's director plays, or keep it aside for later.

    Returns what there is to tell of what was played, and of what plays otherwise now; empty for nothing.
    """
    if not assign:
        bridge.data.kept.keep(action)
        return ""
    holder, told = bridge.data.director.holder_of(armature), ""
    if holder is not None:
        told = bridge.data.kept.sentence_of(holder, bridge.session.live.switch_off(holder).kept)
    bridge.data.kept.replace_action(armature, action)
    told = f"{told} {bridge.session.saved_state.play_alone(armature)}".strip()
    armature.update_tag(refresh={"OBJECT", "DATA", "TIME"})
    return f". {told}" if told else ""
