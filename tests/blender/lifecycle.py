"""What an extension may leave behind in a running Blender, as plain sets that can be compared."""

import gc
from collections.abc import Iterator
from types import FunctionType

import bpy
from blender.installed import MODULE

OWNERS = ("Action", "Object", "Armature", "Scene", "WindowManager", "TimelineMarker", "PoseBone", "Bone", "Collection")


def _subclasses(root: type) -> Iterator[type]:
    for child in root.__subclasses__():
        yield child
        yield from _subclasses(child)


def registered_classes() -> set[str]:
    """Qualified names of all registered Python classes."""
    roots = (
        bpy.types.Operator, bpy.types.Panel, bpy.types.UIList, bpy.types.Menu, bpy.types.Header,
        bpy.types.PropertyGroup, bpy.types.AddonPreferences, bpy.types.Gizmo, bpy.types.GizmoGroup,
    )  # fmt: skip
    found = {child for root in roots for child in _subclasses(root)}
    return {f"{child.__module__}.{child.__qualname__}" for child in found if getattr(child, "is_registered", False)}


def properties() -> set[str]:
    """Properties defined on the types that extensions add to."""
    return {f"{name}.{prop}" for name in OWNERS for prop in getattr(bpy.types, name).bl_rna.properties.keys()}


def handlers() -> set[str]:
    """Functions in every list of `bpy.app.handlers`."""
    lists = {name: getattr(bpy.app.handlers, name) for name in dir(bpy.app.handlers)}
    return {
        f"{name}: {function.__module__}.{function.__qualname__}"
        for name, functions in lists.items()
        if isinstance(functions, list)
        for function in functions
    }


def keymap_items() -> set[str]:
    """Items of the add-on key configuration."""
    config = bpy.context.window_manager.keyconfigs.addon
    return {
        f"{keymap.name}: {item.idname}" for keymap in (config.keymaps if config else ()) for item in keymap.keymap_items
    }


def operators() -> set[str]:
    """Names of the operators that can be called."""
    return {f"{group}.{name}" for group in dir(bpy.ops) for name in dir(getattr(bpy.ops, group))}


def timers() -> set[str]:
    """Names of the extension's functions that are registered in `bpy.app.timers`, which offers no list."""
    functions = (found for found in gc.get_objects() if type(found) is FunctionType)
    ours = (found for found in functions if (found.__module__ or "").startswith(MODULE))
    return {f"{found.__module__}.{found.__qualname__}" for found in ours if bpy.app.timers.is_registered(found)}


def drawing_functions() -> set[str]:
    """Functions that are appended to Blender's menus, headers and panels, without these classes' own `draw`."""
    drawn = (child for root in (bpy.types.Menu, bpy.types.Header, bpy.types.Panel) for child in _subclasses(root))
    return {
        f"{child.__name__}: {function.__module__}.{function.__qualname__}"
        for child in drawn
        for function in getattr(getattr(child, "draw", None), "_draw_funcs", ())
        if function.__module__ != child.__module__
    }


def traces() -> set[str]:
    """Everything above in one set."""
    return (
        registered_classes() | properties() | handlers() | keymap_items() | operators() | timers() | drawing_functions()
    )
