"""Verbs as assets: marked for the Asset Browser, put on characters, and dropped in a 3D view."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, StringProperty
from bpy.types import (
    AssetRepresentation,
    Context,
    Depsgraph,
    Event,
    Object,
    Operator,
    Region,
    RegionView3D,
    Scene,
    Window,
)
from bpy_extras.view3d_utils import location_3d_to_region_2d, region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Vector
from mathutils.geometry import intersect_point_line

from ... import bridge
from ...bridge.blender.events import Heard, listen, stop_listening
from ...bridge.data.current import armature_for, current_armature, current_verb
from ...bridge.data.verb_assets import TAG, marked_for
from ...core.errors import RigError, VerbError, quoted
from .. import reasons
from ..finding import tell_warnings
from ..jobs import Lasting, tell_later
from ..operator_base import Intent
from ..perform import region_under

FROM_FILE, FROM_HERE = "OBJECT_OT_transform_to_mouse", "OBJECT_OT_add_named"
"""Operators by which Blender drops an asset of another file, and one of this file, in a 3D view."""
NEAR = 24.0
"""Pixels within which a bone counts as below the mouse, where the interface is not scaled."""


_window = 0
"""Address of the window in which something was dropped."""


@persistent
def on_change(_scene: Scene, _depsgraph: Depsgraph) -> None:
    """Something has changed: if the active object is a verb's asset, check soon whether it was dropped."""
    active = getattr(bpy.context, "object", None)
    if active is None or not active.verbs_adverbs.asset_of or bpy.app.background:
        return
    global _window
    _window = bpy.context.window.as_pointer() if bpy.context.window is not None else 0
    if not bpy.app.timers.is_registered(_settle):
        bpy.app.timers.register(_settle, first_interval=0.0)


def _settle() -> None:
    """If a verb was dropped, undo the drop, and put the verb on the character that it was dropped on."""
    window = _window_of_drop()
    dropped = window.view_layer.objects.active
    if dropped is None or not _was_dropped(dropped):
        return
    with TemporaryDirectory(dir=bpy.app.tempdir) as folder:
        file, name = _kept(dropped, Path(folder) / "dropped.blend")
        uid = dropped.session_uid
        with bpy.context.temp_override(**_place(window)):
            bpy.ops.ed.undo()
        window = _window_of_drop()
        left = next((one for one in bpy.data.objects if one.session_uid == uid), None)
        if left is not None and window.view_layer.objects.get(left.name) == left:
            file, name = "", left.name
        elif left is not None:
            bridge.authoring.assets.take_away(left)  # Blender's undo keeps what was linked
        with bpy.context.temp_override(**_place(window)):
            bpy.ops.verbs_adverbs.verb_put("INVOKE_DEFAULT", True, asset=name, library=file, dropped=True)


def _window_of_drop() -> Window:
    """The window in which something was dropped; the first window if that is not known."""
    windows = list(bpy.context.window_manager.windows)
    return next((one for one in windows if one.as_pointer() == _window), windows[0])


def _was_dropped(thing: Object) -> bool:
    last: Operator | None = next(reversed(bpy.context.window_manager.operators.values()), None)
    uid, properties = thing.verbs_adverbs.asset_of, getattr(last, "properties", None)
    if not uid or last is None or last.bl_idname not in (FROM_FILE, FROM_HERE):
        return False
    if last.bl_idname == FROM_FILE:
        return properties.session_uid == thing.session_uid
    placed = next((one for one in bpy.data.objects if one.session_uid == properties.session_uid), None)
    return placed is not None and placed.verbs_adverbs.asset_of == uid


def _kept(dropped: Object, path: Path) -> tuple[str, str]:
    """File (empty for this one) and name by which what was dropped is found again once the drop is undone."""
    here = marked_for(dropped.verbs_adverbs.asset_of)
    if here is not None:
        return "", here.name
    library = dropped.library or dropped.data.library
    if library is not None:
        return bpy.path.abspath(library.filepath), _name_in_file(dropped)
    bpy.data.libraries.write(str(path), {dropped})
    return str(path), dropped.name


def _name_in_file(dropped: Object) -> str:
    """Name that what was dropped has in its own file; in this file a number may have been added to it."""
    known = dropped.library_weak_reference
    if known is not None:
        return known.id_name[2:]
    return dropped.name if dropped.library is not None else re.sub(r"\.\d{3}$", "", dropped.name)


def _place(window: Window) -> dict[str, Any]:
    area = next((one for one in window.screen.areas if one.type == "VIEW_3D"), window.screen.areas[0])
    region = next((one for one in area.regions if one.type == "WINDOW"), area.regions[-1])
    return {"window": window, "area": area, "region": region}


def under_mouse(context: Context, event: Event) -> Object | None:
    """Return the armature whose body is under the mouse in a 3D view, else the one whose bone is nearest to it."""
    area, region = region_under(context, event) or (None, None)
    if area is None or region is None or region.type != "WINDOW":
        return None
    view, spot = area.spaces.active.region_3d, Vector((event.mouse_x - region.x, event.mouse_y - region.y))
    pixel = spot.x, spot.y
    origin, ray = region_2d_to_origin_3d(region, view, pixel), region_2d_to_vector_3d(region, view, pixel)
    hit, _, _, _, body, _ = context.scene.ray_cast(context.evaluated_depsgraph_get(), origin, ray)
    found = armature_for(body.original) if hit else None
    return found or _nearest(context, region, view, spot)


def _nearest(context: Context, region: Region, view: RegionView3D, spot: Vector) -> Object | None:
    """Return the visible armature with the bone that is seen nearest to a place, if it is near."""
    near = [(_off(rig, region, view, spot), rig.name) for rig in context.visible_objects if rig.type == "ARMATURE"]
    off, name = min(near, default=(NEAR, ""))
    return context.scene.objects.get(name) if off < NEAR * context.preferences.system.ui_scale else None


def _off(rig: Object, region: Region, view: RegionView3D, spot: Vector) -> float:
    """Pixels between a place in a region and the nearest bone of an armature."""
    least = float("inf")
    for bone in rig.pose.bones:
        ends = [location_3d_to_region_2d(region, view, rig.matrix_world @ end) for end in (bone.head, bone.tail)]
        if None not in ends:
            on_line, share = intersect_point_line(spot, *ends)
            nearest = on_line if 0.0 <= share <= 1.0 else ends[round(max(0.0, min(1.0, share)))]
            least = min(least, (spot - nearest.to_2d()).length)
    return least


def _handlers() -> tuple[Heard, ...]:
    return ((bpy.app.handlers.depsgraph_update_post, on_change),)


def register() -> None:
    """Start watching for dropped assets."""
    listen(_handlers())


def unregister() -> None:
    """Stop watching for dropped assets."""
    stop_listening(_handlers())
    if bpy.app.timers.is_registered(_settle):
        bpy.app.timers.unregister(_settle)


class VERBS_ADVERBS_OT_verb_asset_mark(Lasting, Operator):
    """Mark this verb as an asset with a preview of its poses, or update its asset"""

    bl_idname = "verbs_adverbs.verb_asset_mark"
    bl_label = "Mark as Asset"

    @classmethod
    def reason(cls, context: Context) -> str:
        return reasons.verb(context)

    def do(self, context: Context) -> str:
        armature, verb = current_armature(context), current_verb(context)
        again = marked_for(verb.uid) is not None
        fps = bridge.data.annotate.scene_fps(context.scene)
        made = bridge.authoring.assets.mark_verb(armature, verb, fps)
        if again:
            return f"Updated asset '{made.name}'. Save this file to keep it"
        return f"Marked '{made.name}' as an asset. Save this file in an asset library to use it in other files"


class VERBS_ADVERBS_OT_verb_asset_clear(Intent, Operator):
    """Remove this verb's asset from the Asset Browser; the verb, its examples and its actions stay"""

    bl_idname = "verbs_adverbs.verb_asset_clear"
    bl_label = "Clear Asset"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        return reason or ("" if marked_for(current_verb(context).uid) else "This verb is not marked as an asset")

    def do(self, context: Context) -> str:
        verb = current_verb(context)
        bridge.authoring.assets.clear_asset(verb)
        return f"'{verb.name}' is no longer an asset"


class VERBS_ADVERBS_OT_verb_put(Intent, Operator):
    """Copy an asset's verb and its examples, and nothing else, to a character with corresponding bones"""

    bl_idname = "verbs_adverbs.verb_put"
    bl_label = "Put on Character"

    asset: StringProperty(
        name="Asset",
        description="Name of the asset; empty for the one selected in the Asset Browser",
        options={"SKIP_SAVE"},
    )
    library: StringProperty(
        name="File",
        description="Blend file with the asset; empty for this file",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    character: StringProperty(
        name="Character",
        description="Name of the armature that gets the verb; empty for the active object's",
        options={"SKIP_SAVE"},
    )
    dropped: BoolProperty(
        name="Dropped", description="The asset was dropped at the mouse position", options={"HIDDEN", "SKIP_SAVE"}
    )

    @classmethod
    def reason(cls, context: Context) -> str:
        return "Leave Edit Mode first" if context.mode.startswith("EDIT") else ""

    def invoke(self, context: Context, event: Event) -> set[str]:
        """Find the character under the mouse, if the asset was dropped."""
        found = under_mouse(context, event) if self.dropped else None
        if found is not None:
            self.character = found.name
        return self.execute(context)

    def tell(self, kind: str, text: str) -> None:
        """Report something to the user; after a drop, Blender itself shows no reports."""
        if self.dropped:
            tell_later(kind, text)
        else:
            super().tell(kind, text)

    def do(self, context: Context) -> str:
        armature = self._armature(context)
        refused = bridge.data.director.not_edited(armature) or reasons.resting_of(armature)
        if refused:
            raise RigError(f"{refused}.")
        fps = bridge.data.annotate.scene_fps(context.scene)
        path, name, putting = self.library, self.asset, bridge.authoring.assets
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
            raise RigError(f"'{found.name}' is an asset itself. Select the character that should get the verb.")
        return found


def _chosen(asset: AssetRepresentation | None) -> tuple[str, str]:
    """File (empty for this one) and name of the asset that is selected in the Asset Browser.

    Raises
    ------
    VerbError
        If no asset is selected, or the selected one is no verb.
    """
    if asset is None:
        raise VerbError("No asset was named. Choose a verb in the Asset Browser.")
    if not holds_verb(asset):
        raise VerbError(f"'{asset.name}' is not a verb. Choose an asset that was made with Mark as Asset.")
    return ("", asset.local_id.name) if asset.local_id is not None else (asset.full_library_path, asset.name)


def holds_verb(asset: AssetRepresentation) -> bool:
    """Whether an asset of the Asset Browser is a verb, as far as its tags tell."""
    return asset.id_type == "OBJECT" and asset.metadata.tags.find(TAG) >= 0


def _in_this_file(context: Context, name: str) -> Object:
    found = context.blend_data.objects.get(name)
    if found is None or not found.verbs_adverbs.asset_of:
        raise VerbError(f"This file has no verb asset '{name}'. Choose one in the Asset Browser.")
    return found


CLASSES = (VERBS_ADVERBS_OT_verb_asset_mark, VERBS_ADVERBS_OT_verb_asset_clear, VERBS_ADVERBS_OT_verb_put)
