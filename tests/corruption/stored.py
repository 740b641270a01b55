"""Finds what an extension has stored in a file, without knowing the extension: property groups, listed by RNA."""

from collections.abc import Iterator

import bpy

GROUP = "verbs_adverbs"
Place = tuple[bpy.types.PropertyGroup, bpy.types.Property]


def owners() -> list[bpy.types.ID]:
    """Objects and actions, which have a property group of the extension while it is enabled."""
    found = [*bpy.data.objects, *bpy.data.actions]
    return [one for one in found if getattr(one, GROUP, None) is not None]


def properties(group: bpy.types.bpy_struct) -> list[bpy.types.Property]:
    return [prop for prop in group.bl_rna.properties if prop.identifier != "rna_type"]


def is_nested(prop: bpy.types.Property) -> bool:
    """Whether a property holds one or several groups, not a value or a pointer to a data-block."""
    kind = getattr(prop, "fixed_type", None)
    return kind is not None and kind.base is not None and kind.base.identifier == "PropertyGroup"


def groups(group: bpy.types.PropertyGroup) -> Iterator[bpy.types.PropertyGroup]:
    """Yield a group and all groups within it."""
    yield group
    for prop in properties(group):
        if prop.type == "COLLECTION":
            for item in getattr(group, prop.identifier):
                yield from groups(item)
        elif prop.type == "POINTER" and is_nested(prop):
            yield from groups(getattr(group, prop.identifier))


def places() -> dict[tuple[str, str], list[Place]]:
    """All stored properties of the file, by the type of their group and their name."""
    found: dict[tuple[str, str], list[Place]] = {}
    for owner in owners():
        for group in groups(getattr(owner, GROUP)):
            for prop in properties(group):
                if prop.type != "POINTER" or not is_nested(prop):
                    found.setdefault((type(group).__name__, prop.identifier), []).append((group, prop))
    return found


def written(group: bpy.types.PropertyGroup) -> list[object]:
    """Everything that a group holds, as values that can be compared."""
    found: list[object] = []
    for prop in properties(group):
        value = getattr(group, prop.identifier)
        if prop.type == "COLLECTION":
            found.append((prop.identifier, [written(item) for item in value]))
        elif prop.type == "POINTER":
            nested = is_nested(prop)
            found.append((prop.identifier, written(value) if nested else getattr(value, "name_full", None)))
        else:
            array = getattr(prop, "is_array", False)
            found.append((prop.identifier, repr(list(value) if array else value)))
    return found


def write_raw(group: bpy.types.PropertyGroup, name: str, value: object) -> None:
    """Write a value without regard to a property's bounds and choices, as another program might have."""
    if hasattr(group, "bl_system_properties_get"):
        group.bl_system_properties_get(do_create=True)[name] = value
    else:
        group[name] = value
