"""Contacts of the chosen example: points that stand still, and when."""

from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from .. import bridge
from ..bridge.data.current import current_action, current_armature, current_example
from ..bridge.data.schema import ENDS, SOLES
from ..core.detect.bone_names import told_point
from ..core.errors import ExampleError, RigError, listed
from . import reasons
from .operator_base import Intent

MOST_NAMED = 4

_choices: list[tuple[str, str, str]] = []


class VERBS_ADVERBS_OT_contact_add(Intent, Operator):
    """Add a contact point on every selected bone, such as both feet and both toes"""

    bl_idname = "verbs_adverbs.contact_add"
    bl_label = "Add Contact Points"

    bone: StringProperty(name="Bone", description="Bone with the contact point; empty for all selected bones")
    end: EnumProperty(
        name="Point", items=(*ENDS, *SOLES), default="HEAD", description="Point of the bone that stands still"
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.example(context) or reasons.armature(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        selected = _selected(context)
        self.bone = selected[0] if len(selected) == 1 else ""
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: Context) -> None:
        column = self.layout.column()
        column.use_property_split = True
        selected = _selected(context)
        if len(selected) > 1 and not self.bone:
            column.label(text=f"On {', '.join(selected[:MOST_NAMED])}{' ...' if len(selected) > MOST_NAMED else ''}")
        else:
            column.prop_search(self, "bone", current_armature(context).data, "bones")
        column.prop(self, "end")

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        bones = [self.bone] if self.bone else _selected(context)
        if not bones:
            raise RigError("No bone is named or selected. Select bones in Pose Mode, or type a bone's name.")
        for bone in bones:
            if bone not in armature.data.bones:
                raise RigError(f"Armature '{armature.name}' has no bone '{bone}'. Choose one of its bones.")
        action, example = current_action(context), current_example(context)
        names = [bridge.data.bones.names.name_for_contact(armature, example, bone) for bone in bones]
        for name in names:
            bridge.data.annotate.add_contact(action, example, name, self.end)
        return f"Added contact point{'s' if len(bones) > 1 else ''} on {listed(bones)}"


class VERBS_ADVERBS_OT_contact_remove(Intent, Operator):
    """Remove the chosen contact point and its windows"""

    bl_idname = "verbs_adverbs.contact_remove"
    bl_label = "Remove Contact Point"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.contact(context)

    def do(self, context: Context) -> str:
        example = current_example(context)
        bridge.data.annotate.remove_contact(current_action(context), example, example.active_contact)
        return ""


class VERBS_ADVERBS_OT_window_add(Intent, Operator):
    """Add a span of frames in which the chosen contact point stands still"""

    bl_idname = "verbs_adverbs.window_add"
    bl_label = "Add Contact Window"

    start: FloatProperty(name="Down", description="Frame at which the point comes to rest")
    end: FloatProperty(
        name="Up", description="Frame at which the point lifts off; may be beyond the end of a cyclic example"
    )
    snap: BoolProperty(name="Snap", description="Snap to a keytime if it is within one frame", default=True)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.contact(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        self.start = context.scene.frame_current_final
        self.end = self.start + 10.0
        return context.window_manager.invoke_props_dialog(self)

    def do(self, context: Context) -> str:
        example, contact = current_example(context), _contact(context)
        bridge.data.annotate.add_window(current_action(context), example, contact, self.start, self.end, self.snap)
        return ""


class VERBS_ADVERBS_OT_window_edge(Intent, Operator):
    """Start or end a contact window of the chosen point at the current frame"""

    bl_idname = "verbs_adverbs.window_edge"
    bl_label = "Contact Window at Current Frame"

    edge: EnumProperty(
        name="Edge",
        items=(
            ("DOWN", "Down Here", "The point comes to rest at the current frame, where a window begins"),
            ("UP", "Up Here", "The point lifts off at the current frame, where the window that is open ends"),
        ),
        default="DOWN",
        description="Whether to begin or end a window",
    )

    @classmethod
    def description(cls, _context: Context, properties: "VERBS_ADVERBS_OT_window_edge") -> str:
        down = (
            "The point comes to rest at the current frame. This begins a window, or moves the beginning of the one here"
        )
        up = "The point lifts off at the current frame, where the window that is open ends"
        return down if properties.edge == "DOWN" else up

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.contact(context)

    def do(self, context: Context) -> str:
        move = bridge.data.annotate.begin_window if self.edge == "DOWN" else bridge.data.annotate.end_window
        move(current_action(context), current_example(context), _contact(context), context.scene.frame_current_final)
        return ""


class VERBS_ADVERBS_OT_window_remove(Intent, Operator):
    """Remove this contact window from the chosen contact point"""

    bl_idname = "verbs_adverbs.window_remove"
    bl_label = "Remove Contact Window"

    index: IntProperty(name="Window", description="Row of the window", min=0)

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.contact(context)

    def do(self, context: Context) -> str:
        contact = _contact(context)
        if self.index >= len(contact.windows):
            raise ExampleError(
                f"'{contact.bone}' has {len(contact.windows)} windows, so there is no row {self.index + 1}. Choose "
                "another row."
            )
        bridge.data.annotate.remove_window(current_action(context), contact, self.index)
        return ""


def _keytime_items(_operator: Operator, context: Context | None) -> list[tuple[str, str, str]]:
    example = current_example(context)
    names = [keytime.name for keytime in example.keytimes] if example else []
    _choices[:] = [(str(row), name, f"Keytime '{name}'") for row, name in enumerate(names)]
    return _choices


class VERBS_ADVERBS_OT_window_from_keytimes(Intent, Operator):
    """Add a contact window from one keytime to another; in a cycle it may run across the loop point"""

    bl_idname = "verbs_adverbs.window_from_keytimes"
    bl_label = "Window from Keytimes"

    first: EnumProperty(name="Down", items=_keytime_items, description="Keytime at which the point comes to rest")
    last: EnumProperty(name="Up", items=_keytime_items, description="Keytime at which the point lifts off")

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.contact(context)

    def invoke(self, context: Context, _event: Event) -> set[str]:
        example = current_example(context)
        count = len(example.keytimes)
        names = [keytime.name for keytime in example.keytimes]
        down, up = (f"{_side(context)}_{event}" for event in ("down", "up"))
        if down in names and up in names:
            self.first, self.last = str(names.index(down)), str(names.index(up))
        elif count > 1:
            first = min(example.active_keytime, count - (1 if example.cyclic else 2))
            self.first, self.last = str(first), str((first + 1) % count)
        return context.window_manager.invoke_props_dialog(self)

    def draw(self, context: Context) -> None:
        column = self.layout.column()
        column.use_property_split = True
        column.label(text=f"{told_point(_bone(context), _contact(context).end)} stands still")
        column.prop(self, "first")
        column.prop(self, "last")

    def do(self, context: Context) -> str:
        action, example = current_action(context), current_example(context)
        frames = [frame for _, frame in bridge.data.markers.effective_keytimes(example)]
        if not self.first or not self.last:
            raise ExampleError(f"Example '{example.name}' has no keytimes yet. Add them first.")
        start, end = frames[int(self.first)], frames[int(self.last)]
        if end <= start and example.cyclic:
            end += frames[-1] - frames[0]
        bridge.data.annotate.add_window(action, example, _contact(context), start, end)
        return ""


def _contact(context: Context) -> PropertyGroup:
    example = current_example(context)
    return example.contacts[example.active_contact]


def _side(context: Context) -> str:
    """Side of the chosen contact point, which begins the names of its foot's keytimes; empty if it has none."""
    armature, bone = current_armature(context), _bone(context)
    if armature is None or bone not in armature.data.bones:
        return ""
    return bridge.rig.roles.side_at(armature, bone)


def _bone(context: Context) -> str:
    """Bone with the chosen contact point."""
    names = bridge.data.bones.names
    contact = _contact(context)
    return names.bone_of_contact(current_armature(context), current_example(context), contact) or contact.bone


def _selected(context: Context) -> list[str]:
    armature = current_armature(context)
    if context.mode != "POSE":
        return [armature.data.bones.active.name] if armature.data.bones.active else []
    return [bone.name for bone in armature.pose.bones if bridge.blender.versions.bone_selected(bone)]


CLASSES = (
    VERBS_ADVERBS_OT_contact_add,
    VERBS_ADVERBS_OT_contact_remove,
    VERBS_ADVERBS_OT_window_add,
    VERBS_ADVERBS_OT_window_edge,
    VERBS_ADVERBS_OT_window_remove,
    VERBS_ADVERBS_OT_window_from_keytimes,
)
