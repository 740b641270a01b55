"""Everything that a file holds, found by walking over Blender's RNA: judges whether undo gives a file's state back.

The walk knows nothing of the extension. It notes what can be set, in all data-blocks; what Blender works out from that,
such as matrices in the world, and what belongs to windows is left out.
"""

from collections.abc import Iterator

import bpy
import numpy as np

Seen = dict[str, object]

OF_WINDOWS = {"WINDOWMANAGER", "SCREEN", "WORKSPACE", "BRUSH", "PALETTE", "LIBRARY", "LINESTYLE"}
WORKED_OUT = {
    *("rna_type", "session_uid", "tag", "is_evaluated", "original", "preview", "asset_data", "id_data", "id_root"),
    *("matrix", "matrix_world", "matrix_basis", "matrix_local", "matrix_channel", "bl_rna", "depsgraph", "users"),
    *("display_aspect", "cursor", "view_layers", "tool_settings", "select", "is_updated", "is_updated_data"),
    *(
        "dimensions",
        "frame_float",
        "use_fake_bezier",
        "original_label",
        "active",
        "active_index",
        "all_objects",
        "strips_all",
    ),
    *("sequences_all", "meta_stack", "co_ui", "handle_left_type", "handle_right_type", "select_control_point"),
    *("select_left_handle", "select_right_handle", "edges", "loops", "polygons", "loop_triangles", "normals"),
    *(
        "vertex_normals",
        "polygon_normals",
        "corner_normals",
        "loop_triangle_polygons",
        "attributes",
        "color_attributes",
    ),
    *("edit_bones", "motion_path", "curve_mapping", "session_uuid", "strip", "channels_bag"),
}
NEARLY = 1e-6
DIGESTS = "verbs_adverbs_generated"
"""Beginning of the names of digests of keys, which are compared themselves."""
DEEPEST = 20
MANY = ("Keyframe", "MeshVertex")
"""Types of which there are thousands: only where they are is read, all at once."""


def whole_file() -> Seen:
    """Return everything that can be set, by the place where it is."""
    bpy.context.view_layer.update()
    found: Seen = {}
    for one in _data_blocks():
        place = f"{type(one).__name__} {one.name_full}"
        found[place] = (one.use_fake_user, repr(_own(one)))
        _walk(one, place, found, set())
    active = bpy.context.view_layer.objects.active
    found["context"] = (bpy.context.mode, getattr(active, "name_full", ""), bpy.context.scene.name)
    return found


def _data_blocks() -> Iterator[bpy.types.ID]:
    lists = (getattr(bpy.data, prop.identifier) for prop in bpy.data.bl_rna.properties if prop.type == "COLLECTION")
    yield from (one for several in lists for one in several if one.id_type not in OF_WINDOWS)


def _own(thing: object) -> object:
    """Custom properties of a thing, with what they hold."""
    try:
        keys = sorted(thing.keys())
    except (AttributeError, TypeError):
        return ()
    return [
        (key, _plain(thing[key]))
        for key in keys
        if not key.startswith(DIGESTS) and not hasattr(thing.bl_rna.properties.get(key), "fixed_type")
    ]


def _plain(value: object) -> object:
    if isinstance(value, bpy.types.ID):
        return value.name_full
    if hasattr(value, "keys"):
        return [(key, _plain(value[key])) for key in sorted(value.keys())]
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.to_list() if hasattr(value, "to_list") else getattr(value, "name_full", value)


def _walk(thing: bpy.types.bpy_struct, place: str, found: Seen, been: set[object]) -> None:
    me = type(thing), thing.as_pointer()
    if me in been or place.count("/") > DEEPEST:
        return
    been.add(me)
    for prop in thing.bl_rna.properties:
        name = prop.identifier
        if name in WORKED_OUT:
            continue
        at = f"{place}/{name}"
        if prop.type == "COLLECTION":
            _walk_all(getattr(thing, name), prop.fixed_type.identifier, at, found, been)
        elif prop.type == "POINTER":
            _point(getattr(thing, name, None), at, found, been)
        elif not prop.is_readonly:
            found[at] = _value(getattr(thing, name), prop)


def _value(value: object, prop: bpy.types.Property) -> object:
    if getattr(prop, "is_array", False):
        return tuple(np.ravel(np.array(value)).tolist())
    return sorted(value) if isinstance(value, set) else value


def _point(value: object, at: str, found: Seen, been: set[object]) -> None:
    """Note a data-block by its name, and what else is pointed to by what it holds, once."""
    if isinstance(value, bpy.types.ID) and not value.is_embedded_data:
        found[at] = value.name_full
    elif isinstance(value, bpy.types.bpy_struct):
        _walk(value, at, found, been)
    else:
        found[at] = value


def _walk_all(items: bpy.types.bpy_prop_collection, kind: str, at: str, found: Seen, been: set[object]) -> None:
    found[f"{at} count"] = len(items)
    if kind in MANY:
        numbers = np.empty((2 if kind == "Keyframe" else 3) * len(items), dtype=np.float32)
        items.foreach_get("co", numbers)
        found[at] = tuple(numbers.tolist())
        return
    for index, item in enumerate(items):
        if isinstance(item, bpy.types.ID):
            found[f"{at}/{index}"] = item.name_full
        elif isinstance(item, bpy.types.bpy_struct):
            own = _own(item)
            if own:
                found[f"{at}/{index} own"] = repr(own)
            _walk(item, f"{at}/{index}", found, been)


def differences(some: Seen, others: Seen) -> list[str]:
    """Return the places at which two states differ, with what is there."""
    names = [name for name in {**some, **others} if not _same(some.get(name), others.get(name))]
    return [f"{name}: {some.get(name)!r:.100} -> {others.get(name)!r:.100}" for name in names]


def _same(some: object, other: object) -> bool:
    """Whether values are the same, numbers up to the precision with which poses are worked out again."""
    if some == other:
        return True
    if not all(isinstance(one, tuple | float) for one in (some, other)) or np.shape(some) != np.shape(other):
        return False
    numbers = [np.ravel(one) for one in (some, other)]
    return all(one.dtype.kind == "f" for one in numbers) and np.allclose(*numbers, rtol=1e-5, atol=NEARLY)
