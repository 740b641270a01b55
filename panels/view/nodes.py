"""The verb graph in node editors: a node for each verb, with a row and a link for each of its transitions."""

from typing import TYPE_CHECKING

import bpy
from bpy.props import FloatVectorProperty, StringProperty
from bpy.types import Context, Node, NodeSocket, NodeTree, PropertyGroup, UILayout

from ... import bridge
from ...bridge.data.current import MaybeNone, is_newer
from ...bridge.session import live_characters
from ...operators.view.nodes import note_links
from ..graph import KIND_ICONS
from ..sidebar import sentence

if TYPE_CHECKING:
    from bpy.types import Object

WAY_COLOR = (0.95, 0.62, 0.18, 1.0)
FIELD, UNIT, LETTER = 3.0, 20.0, 7.6
"""Width of the field of a likelihood in rows' heights; pixels of a row's height and of a letter at scale 1."""
NEW = "New transition"

_handlers: list[object] = []


class VERBS_ADVERBS_VerbGraphTree(NodeTree):
    """Verbs as nodes and transitions as links, in sync with the panel Verb Graph"""

    bl_idname = "VERBS_ADVERBS_VerbGraphTree"
    bl_label = "Verb Graph"
    bl_icon = "ARMATURE_DATA"

    armature_name: StringProperty(name="Armature", description="Name of the armature whose verb graph this shows")

    def update(self) -> None:
        """Blender calls this when links or nodes have changed."""
        note_links(self)


class Owned:
    """Mixin of what belongs to a tree: finds the armature whose verb graph it shows."""

    if TYPE_CHECKING:
        id_data: NodeTree
        uid: str

    def owner(self) -> "Object | MaybeNone":
        """The armature; None if it is gone."""
        tree = self.id_data
        ours = bridge.authoring.nodes.is_verb_graph(tree)
        return bridge.authoring.nodes.armature_of_tree(tree) if ours else None


class VERBS_ADVERBS_WaySocket(Owned, NodeSocket):
    """A transition of a verb"""

    bl_idname = "VERBS_ADVERBS_WaySocket"
    bl_label = "Transition"

    uid: StringProperty(name="Transition", description="Identifier of the transition; empty for a new one")

    def draw(self, _context: Context, layout: UILayout, _node: Node, _text: str) -> None:
        """Draw the target verb, the regions and the likelihood."""
        armature = self.owner()
        items = armature.verbs_adverbs.transitions if armature is not None else ()
        item = next((one for one in items if self.uid and one.uid == self.uid), None)
        if armature is not None and item is not None:
            _draw_way(layout, armature, item)
        else:
            row = layout.row()
            row.alignment = "RIGHT"
            row.label(text="" if self.uid else NEW)

    @classmethod
    def draw_color_simple(cls) -> tuple[float, float, float, float]:
        """Colour of its dot."""
        return WAY_COLOR


class VERBS_ADVERBS_EnteredSocket(NodeSocket):
    """Where transitions enter a verb"""

    bl_idname = "VERBS_ADVERBS_EnteredSocket"
    bl_label = "Enter"

    def draw(self, _context: Context, layout: UILayout, _node: Node, text: str) -> None:
        """Draw its name."""
        layout.label(text=text)

    @classmethod
    def draw_color_simple(cls) -> tuple[float, float, float, float]:
        """Colour of its dot."""
        return WAY_COLOR


class Named(Owned):
    """Mixin of a node that stands for a verb, whose name it has."""

    if TYPE_CHECKING:
        name: str

    @classmethod
    def poll(cls, tree: NodeTree) -> bool:
        """Whether a tree can have such nodes."""
        return bridge.authoring.nodes.is_verb_graph(tree)

    def verb(self) -> "PropertyGroup | MaybeNone":
        """The verb; None if it is gone."""
        armature = self.owner()
        return bridge.data.transition_items.verb_of(armature, self.uid) if armature is not None else None

    def draw_label(self) -> str:
        """Name of the verb."""
        item = self.verb()
        return item.name if item is not None else self.name


class VERBS_ADVERBS_EntryNode(Named, Node):
    """Where transitions enter a verb: a separate node that goes with the verb's node"""

    bl_idname = "VERBS_ADVERBS_EntryNode"
    bl_label = "Enter Verb"
    bl_width_min = 40.0
    bl_width_max = 1000.0

    uid: StringProperty(name="Verb", description="Identifier of the verb")

    def draw_label(self) -> str:
        """Name of the verb, after an arrow."""
        return f"→ {super().draw_label()}"


class VERBS_ADVERBS_VerbNode(Named, Node):
    """A verb of the graph"""

    bl_idname = "VERBS_ADVERBS_VerbNode"
    bl_label = "Verb"
    bl_icon = "ACTION"
    bl_width_default = 300.0
    bl_width_max = 1000.0

    uid: StringProperty(name="Verb", description="Identifier of the verb")
    put: FloatVectorProperty(name="Put", description="Automatic position and width", size=3)

    def draw_label(self) -> str:
        """Name of the verb, and whether it plays or comes."""
        armature, name = self.owner(), super().draw_label()
        plays, comes = live_characters.course_of(armature, bpy.context.scene) if armature is not None else ("", ())
        state = "plays" if name == plays else "comes" if name in comes else ""
        return f"{name} · {state}" if state else name

    def draw_buttons(self, context: Context, layout: UILayout) -> None:
        """Draw whether the verb repeats, and what is wrong with it."""
        armature, item = self.owner(), self.verb()
        if item is None:
            layout.label(text="Its armature was deleted. Delete this node tree", icon="ERROR")
            return
        shown = bridge.authoring.nodes
        if shown.goes_on(armature, item):
            row = layout.row()
            row.enabled = not is_newer(armature.verbs_adverbs)
            row.prop(item, "goes_on")
        lines = shown.complaints_of(armature, item)
        column = layout.column()
        column.alert = True
        for line in lines[: shown.MOST_COMPLAINTS]:
            sentence(column, context, line, "ERROR", letters=shown.letters_in(self.width))
        if len(lines) > shown.MOST_COMPLAINTS:
            column.label(text=f"and {len(lines) - shown.MOST_COMPLAINTS} more, in the panel Verb Graph", icon="BLANK1")


def _draw_way(layout: UILayout, armature: "Object", item: PropertyGroup) -> None:
    region_text = bridge.authoring.nodes.region_text
    wrong = item.enabled and bool(bridge.authoring.transitions.shown_remarks(armature, item))
    target = bridge.data.transition_items.verb_of(armature, item.target)
    row = layout.row(align=True)
    row.enabled = not is_newer(armature.verbs_adverbs)
    row.prop(item, "enabled", text="")
    told = row.row(align=True)
    told.active, told.alert = item.enabled, wrong
    name, regions = target.name if target is not None else item.target_name, region_text(item)
    told.label(text=name, icon="ERROR" if wrong else KIND_ICONS.get(item.kind, "ERROR"))
    at_end = told.row()
    at_end.ui_units_x = (len(regions) * LETTER + UNIT) / UNIT
    at_end.label(text=regions)
    field = row.row()
    field.ui_units_x, field.active = FIELD, item.enabled
    field.prop(item, "likelihood", text="")


def _draw_behind() -> None:
    from .node_marks import draw_marks

    draw_marks(bpy.context)


CLASSES = (
    VERBS_ADVERBS_VerbGraphTree,
    VERBS_ADVERBS_WaySocket,
    VERBS_ADVERBS_EnteredSocket,
    VERBS_ADVERBS_EntryNode,
    VERBS_ADVERBS_VerbNode,
)


def register() -> None:
    """Start marking playing verbs behind the nodes."""
    if not bpy.app.background:
        _handlers.append(bpy.types.SpaceNodeEditor.draw_handler_add(_draw_behind, (), "WINDOW", "PRE_VIEW"))


def unregister() -> None:
    """Stop marking playing verbs."""
    while _handlers:
        bpy.types.SpaceNodeEditor.draw_handler_remove(_handlers.pop(), "WINDOW")
