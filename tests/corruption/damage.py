"""Damages to a file, each chosen by chance: stored data, curves, rigs, data-blocks, scenes."""

from random import Random

import bpy

from .state import MARK, curve_lists, curves
from .stored import GROUP, is_nested, owners, places, write_raw

NUMBERS = (float("nan"), float("inf"), float("-inf"), 1e30, -1e30, 1e-30, 0.0, -1.0, 0.5, 77.0, 1e6)
WHOLE = (-1, 0, 1, 77, -77, 2**31 - 1, -(2**31), 10**6)
JSON = ("{}", "[", "[[]]", "null", '{"a": NaN}', "NaN")
TEXTS = ("", " ", "x" * 300, "\U0001f600" * 40, "a\nb\tc", "\u202e]\"'\\", *JSON)
CANNOT = (TypeError, ValueError, RuntimeError, AttributeError, KeyError, ReferenceError, IndexError, OverflowError)
"""Exceptions that Blender raises when something cannot be written or done."""


class CannotDamage(Exception):
    """Nothing here can be damaged in this way."""


def one_of(rng: Random, choices: object) -> object:
    found = list(choices)
    if not found:
        raise CannotDamage
    return rng.choice(found)


def names_in_file(rng: Random) -> str:
    """Return the name of something in the file, often one that the extension has stored."""
    if rng.random() < 0.5:
        found = places()
        kinds = [kind for kind, there in found.items() if there[0][1].type == "STRING"]
        group, prop = one_of(rng, found[one_of(rng, sorted(kinds))])
        return getattr(group, prop.identifier)
    bones = [bone for armature in bpy.data.armatures for bone in armature.bones]
    return one_of(rng, [*bpy.data.objects, *bpy.data.actions, *bones]).name


def _worst(rng: Random, prop: bpy.types.Property) -> object:
    if prop.type == "FLOAT":
        value = rng.choice(NUMBERS)
        return [value] * prop.array_length if prop.is_array else value
    if prop.type == "INT":
        return rng.choice(WHOLE)
    if prop.type == "STRING":
        return rng.choice(TEXTS) if rng.random() < 0.6 else names_in_file(rng)
    if prop.type == "BOOLEAN":
        return rng.random() < 0.5
    if prop.type == "ENUM":
        return one_of(rng, [item.identifier for item in prop.enum_items])
    kind = getattr(bpy.types, prop.fixed_type.identifier)
    fitting = [one for one in (*bpy.data.objects, *bpy.data.actions) if isinstance(one, kind)]
    return one_of(rng, [None, *fitting])


def stored_value(rng: Random) -> str:
    """Set a stored property to another value."""
    found = places()
    kind = one_of(rng, sorted(kind for kind, there in found.items() if there[0][1].type != "COLLECTION"))
    group, prop = one_of(rng, found[kind])
    value = _worst(rng, prop)
    raw = rng.random() < 0.4
    told = f"{kind[0]}.{kind[1]} of {group.id_data.name} = {getattr(value, 'name', value)!r:.60}{' raw' if raw else ''}"
    if raw and prop.type == "ENUM":
        write_raw(group, prop.identifier, rng.choice((99, -1, 2**31 - 1)))
    elif raw and not (prop.type == "POINTER" and value is None):
        write_raw(group, prop.identifier, value)
    else:
        setattr(group, prop.identifier, value)
    return told


def stored_items(rng: Random) -> str:
    """Change a stored list: remove an item, add an empty or doubled one, reorder it, or clear it."""
    found = places()
    kinds = sorted(kind for kind, there in found.items() if there[0][1].type == "COLLECTION")
    group, prop = one_of(rng, found[one_of(rng, kinds)])
    items = getattr(group, prop.identifier)
    how = rng.choice(("add", "remove", "move", "clear", "double", "double"))
    told = f"{type(group).__name__}.{prop.identifier} of {group.id_data.name}: {how}"
    if how in {"add", "clear"}:
        getattr(items, how)()
        return told
    if not items:
        raise CannotDamage
    at = rng.randrange(len(items))
    if how == "remove":
        items.remove(at)
    elif how == "move":
        items.move(at, rng.randrange(len(items)))
    else:
        new = items.add()
        _copy(items[at], new)
    return told


def _copy(old: bpy.types.PropertyGroup, new: bpy.types.PropertyGroup) -> None:
    for prop in old.bl_rna.properties:
        if prop.identifier == "rna_type" or prop.type == "COLLECTION":
            continue
        if prop.type == "POINTER" and is_nested(prop):
            _copy(getattr(old, prop.identifier), getattr(new, prop.identifier))
        else:
            setattr(new, prop.identifier, getattr(old, prop.identifier))


def custom_property(rng: Random) -> str:
    """Give a custom property of an object or action a value of another type, or remove it."""
    found = [(one, key) for one in owners() for key in one.keys() if key not in {GROUP, MARK}]
    objects = [pair for pair in found if isinstance(pair[0], bpy.types.Object)]
    one, key = one_of(rng, objects if rng.random() < 0.8 else found)
    value = rng.choice((None, "text", "", [1, 2], [0.5, float("nan")], {"a": 1}, True, *NUMBERS, 2**31 - 1))
    if value is None:
        del one[key]
    else:
        one[key] = value
    one.update_tag()
    return f"{one.name}[{key!r}] = {value!r}"


def _assigned(rng: Random) -> bpy.types.Action:
    """Return an action, more often one that is assigned than another."""
    played = [one.animation_data.action for one in bpy.data.objects if one.animation_data]
    played = [action for action in played if action]
    return one_of(rng, played if played and rng.random() < 0.5 else bpy.data.actions)


def curve(rng: Random) -> str:
    """Damage an F-curve of an action: keys that are no numbers, another data path, or remove it."""
    action = _assigned(rng)
    found = one_of(rng, [one for _, one in curves(action)])
    how = rng.choice(("value", "frame", "path", "index", "mute", "empty", "modifier", "straight", "double", "remove"))
    told = f"F-curve {found.data_path}[{found.array_index}] of {action.name}: {how}"
    if how in {"value", "frame"}:
        point = one_of(rng, found.keyframe_points)
        value = rng.choice(NUMBERS)
        point.co[0 if how == "frame" else 1] = value
        return f"{told} {value}"
    if how == "path":
        found.data_path = rng.choice(("", "nothing", 'pose.bones["?"].location', found.data_path[:-2], "scale"))
    elif how == "index":
        found.array_index = rng.choice((0, 3, 4, 77))
    elif how == "mute":
        found.mute = True
    elif how == "empty":
        found.keyframe_points.clear()
    elif how == "modifier":
        found.modifiers.new(rng.choice(("CYCLES", "NOISE", "GENERATOR", "LIMITS", "STEPPED")))
    elif how == "straight":
        found.extrapolation = "LINEAR"
    else:
        _double_or_remove(action, found, how)
    return told


def _double_or_remove(action: bpy.types.Action, found: bpy.types.FCurve, how: str) -> None:
    for held in curve_lists(action):
        if found in list(held):
            if how == "double":
                held.new(found.data_path, index=found.array_index + 1)
            else:
                held.remove(found)


def all_curves(rng: Random) -> str:
    """Remove all curves of an action, or move all its keys far away."""
    action = _assigned(rng)
    if rng.random() < 0.5:
        for held in curve_lists(action):
            for one in list(held):
                held.remove(one)
        return f"no curves in {action.name}"
    far = rng.choice((-1e4, 0.37, 1e5))
    for _, one in curves(action):
        for point in one.keyframe_points:
            point.co[0] += far
        one.update()
    return f"keys of {action.name} moved by {far}"
