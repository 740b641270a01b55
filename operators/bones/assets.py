"""Verbs as assets: marked for the Asset Browser, and put on characters of this or another file."""

import bpy
from bpy.props import BoolProperty, StringProperty
from bpy.types import AssetRepresentation, Context, Event, Object, Operator

from ... import bridge
from ...bridge.data.current import current_armature, current_verb
from ...bridge.data.linked.verb_assets import TAG, marked_for
from ...core.errors import RigError, VerbError, quoted
from .. import reasons
from ..finding import tell_warnings
from ..jobs import Lasting, tell_later
from ..operator_base import Intent
from .dropping import under_mouse


class VERBS_ADVERBS_OT_verb_asset_mark(Lasting, Operator):
    """Mark this verb as an asset with a picture of its poses, or bring its asset up to date with what it is now"""

    bl_idname = "verbs_adverbs.verb_asset_mark"
    bl_label = "Mark as Asset"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        again = marked_for(verb.uid) is not None
        fps = bridge.data.annotate.scene_fps(context.scene)
        made = bridge.build.assets.marking.mark_verb(armature, verb, fps)
        if again:
            return f"Asset '{made.name}' is what the verb is now. Save this file"
        return f"'{made.name}' is an asset. Save this file in a folder of an asset library to find it in other files"


class VERBS_ADVERBS_OT_verb_asset_clear(Intent, Operator):
    """Take this verb's asset away from the Asset Browser; the verb itself, its examples and its actions stay"""

    bl_idname = "verbs_adverbs.verb_asset_clear"
    bl_label = "Clear Asset"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        return reason or ("" if marked_for(current_verb(context).uid) else "This verb is not marked as an asset")

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        bridge.build.assets.marking.clear_asset(verb)
        return f"'{verb.name}' is no asset any more"


class VERBS_ADVERBS_OT_verb_put(Intent, Operator):
    """Copy the verb of an asset with its examples to the chosen character, whose bones correspond, and nothing else"""

    bl_idname = "verbs_adverbs.verb_put"
    bl_label = "Put on Character"

    asset: StringProperty(
        name="Asset",
        description="Name of the asset; empty for the one that is chosen in the Asset Browser",
        options={"SKIP_SAVE"},
    )
    library: StringProperty(
        name="File",
        description="Blend file that the asset is in; empty for this file",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    character: StringProperty(
        name="Character",
        description="Name of the armature that gets the verb; empty for that of the active object",
        options={"SKIP_SAVE"},
    )
    dropped: BoolProperty(
        name="Dropped", description="It was dropped where the mouse is", options={"HIDDEN", "SKIP_SAVE"}
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return "Leave Edit Mode first" if context.mode.startswith("EDIT") else ""

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Find the character below the mouse, if the asset was dropped."""
        found = under_mouse(context, event) if self.dropped else None
        if found is not None:
            self.character = found.name
        return self.execute(context)

    def tell(self, kind: str, text: str) -> None:
        """Report something to the user; of what was dropped Blender shows no reports by itself."""
        if self.dropped:
            tell_later(kind, text)
        else:
            super().tell(kind, text)

    def do(self, context: Context) -> str:
        armature = self._armature(context)
        refused = bridge.data.linked.whose.not_edited(armature) or reasons.resting_of(armature)
        if refused:
            raise RigError(f"{refused}.")
        fps = bridge.data.annotate.scene_fps(context.scene)
        path, name, putting = self.library, self.asset, bridge.build.assets.putting
        if not name:
            path, name = _chosen(getattr(context, "asset", None))
        if path:
            made = putting.put_from_file(armature, bpy.path.abspath(path), name, fps)
        else:
            made = putting.put(armature, _in_this_file(context, name), fps)
        context.view_layer.update()
        tell_warnings(self, made.warnings)
        return f"Put {quoted(made.verbs)} on '{armature.name}'"

    def _armature(self, context: Context) -> Object:
        found = context.scene.objects.get(self.character) if self.character else current_armature(context)
        if found is None or found.type != "ARMATURE":
            raise RigError("There is no character here. Drop the verb on one, or select its armature first.")
        if found.verbs_adverbs.asset_of:
            raise RigError(f"'{found.name}' is an asset itself. Select the character that is to get the verb.")
        return found


def _chosen(asset: AssetRepresentation | None) -> tuple[str, str]:
    """File, empty for this one, and name of the asset that is chosen in the Asset Browser.

    Raises
    ------
    VerbError
        If none is, or if it is no verb.
    """
    if asset is None:
        raise VerbError("No asset was named. Choose a verb in the Asset Browser.")
    if not holds_verb(asset):
        raise VerbError(f"'{asset.name}' is no verb. Choose an asset that Mark as Asset has made for a verb.")
    return ("", asset.local_id.name) if asset.local_id is not None else (asset.full_library_path, asset.name)


def holds_verb(asset: AssetRepresentation) -> bool:
    """Whether an asset of the Asset Browser is a verb, as far as its tags tell."""
    return asset.id_type == "OBJECT" and asset.metadata.tags.find(TAG) >= 0


def _in_this_file(context: Context, name: str) -> Object:
    found = context.blend_data.objects.get(name)
    if found is None or not found.verbs_adverbs.asset_of:
        raise VerbError(f"There is no asset '{name}' in this file that holds a verb. Choose one in the Asset Browser.")
    return found


CLASSES = (
    VERBS_ADVERBS_OT_verb_asset_mark,
    VERBS_ADVERBS_OT_verb_asset_clear,
    VERBS_ADVERBS_OT_verb_put,
)
