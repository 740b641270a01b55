"""A verb that is dropped in a 3D view: Blender adds what the asset is; that is taken back, and the verb is put instead.

Blender tells nobody that an asset was dropped. But the operator by which it was is the last one that ran, and names
the object that it has placed; so nothing that is added in another way is taken for a drop.
"""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.types import Context, Depsgraph, Event, Object, Operator, Region, RegionView3D, Scene, Window
from bpy_extras.view3d_utils import location_3d_to_region_2d, region_2d_to_origin_3d, region_2d_to_vector_3d
from mathutils import Vector
from mathutils.geometry import intersect_point_line

from ... import bridge
from ...bridge.blender.events import Heard, listen, stop_listening
from ...bridge.data.current import armature_for
from ...bridge.data.linked.verb_assets import marked_for
from ..perform import region_under

FROM_FILE, FROM_HERE = "OBJECT_OT_transform_to_mouse", "OBJECT_OT_add_named"
"""Operators by which Blender drops an asset of another file, and one of this file, in a 3D view."""
NEAR = 24.0
"""Pixels within which a bone counts as below the mouse, where the interface is not scaled."""


_window = 0
"""Address of the window in which something was dropped."""


@persistent
def on_change(_scene: Scene, _depsgraph: Depsgraph) -> None:
    """Something has changed: if the active object holds a verb for the Asset Browser, see soon if it was dropped."""
    active = getattr(bpy.context, "object", None)
    if active is None or not active.verbs_adverbs.asset_of or bpy.app.background:
        return
    global _window
    _window = bpy.context.window.as_pointer() if bpy.context.window is not None else 0
    if not bpy.app.timers.is_registered(_settle):
        bpy.app.timers.register(_settle, first_interval=0.0)


def _settle() -> None:
    """If a verb was dropped, take the drop back, and put the verb on the character on which it was dropped."""
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
            bridge.build.assets.putting.take_away(left)  # Blender's undo keeps what was linked
        with bpy.context.temp_override(**_place(window)):
            bpy.ops.verbs_adverbs.verb_put("INVOKE_DEFAULT", True, asset=name, library=file, dropped=True)


def _window_of_drop() -> Window:
    """The window in which something was dropped; the first one where that is not known."""
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
    """File, empty for this one, and name by which what was dropped is found again when the drop is taken back."""
    here = marked_for(dropped.verbs_adverbs.asset_of)
    if here is not None:
        return "", here.name
    library = dropped.library or dropped.data.library
    if library is not None:
        return bpy.path.abspath(library.filepath), _name_in_file(dropped)
    bpy.data.libraries.write(str(path), {dropped})
    return str(path), dropped.name


def _name_in_file(dropped: Object) -> str:
    """Name of what was dropped in the file that it is from; here a number may have been added to it."""
    known = dropped.library_weak_reference
    if known is not None:
        return known.id_name[2:]
    return dropped.name if dropped.library is not None else re.sub(r"\.\d{3}$", "", dropped.name)


def _place(window: Window) -> dict[str, Any]:
    area = next((one for one in window.screen.areas if one.type == "VIEW_3D"), window.screen.areas[0])
    region = next((one for one in area.regions if one.type == "WINDOW"), area.regions[-1])
    return {"window": window, "area": area, "region": region}


def under_mouse(context: Context, event: Event) -> Object | None:
    """Return the armature whose body is below the mouse in a 3D view, else the one whose bone is nearest to it."""
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
    """Begin to notice what is dropped."""
    listen(_handlers())


def unregister() -> None:
    """Stop noticing what is dropped."""
    stop_listening(_handlers())
    if bpy.app.timers.is_registered(_settle):
        bpy.app.timers.unregister(_settle)


CLASSES = ()
