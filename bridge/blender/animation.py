"""What moves an object: its properties, the action that is assigned to it, its NLA strips and its drivers."""

from typing import Any

from bpy.types import ID, Action, AnimData, DriverTarget, FCurve, NlaStrip

from .versions import curves_of

REST = {
    "location": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
}
"""Rest values of the transform properties of a bone or an object."""
ROTATIONS = ("rotation_euler", "rotation_quaternion", "rotation_axis_angle")
ROTATION_PROPERTY = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
"""Property of each rotation mode that is not an Euler order."""


def rotation_property(mode: str) -> str:
    """Return the name of the property that a rotation mode uses."""
    return ROTATION_PROPERTY.get(mode, "rotation_euler")


def _data_of(owner: ID) -> AnimData | None:
    return getattr(owner, "animation_data", None)


def keyed_in(owner: ID) -> Action | Any:
    """Return the action that is assigned to an object, which holds its keys; None if there is none."""
    data = _data_of(owner)
    return data.action if data is not None else None


def assigned_curves(owner: ID) -> list[FCurve]:
    """Return the F-curves with which an object's assigned action moves it."""
    action = keyed_in(owner)
    return curves_of(action, owner) if action is not None else []


def nla_strips(owner: ID) -> list[NlaStrip]:
    """Return strips in the NLA of an object, muted ones too."""
    data = _data_of(owner)
    return [strip for track in data.nla_tracks for strip in track.strips] if data is not None else []


def nla_plays(owner: ID) -> bool:
    """Return whether NLA strips may move an object: its NLA is on, and a track with strips is not muted."""
    data = _data_of(owner)
    return data is not None and data.use_nla and any(track.strips and not track.mute for track in data.nla_tracks)


def drivers_of(owner: ID) -> list[FCurve]:
    """Return drivers of an object's properties."""
    data = _data_of(owner)
    return list(data.drivers) if data is not None else []


def driver_targets(owner: ID) -> list[DriverTarget]:
    """Return what the drivers of an object read."""
    variables = (variable for curve in drivers_of(owner) for variable in curve.driver.variables)
    return [target for variable in variables for target in variable.targets]


def is_muted(curve: FCurve) -> bool:
    """Return whether a curve or its group is muted."""
    return curve.mute or (curve.group is not None and curve.group.mute)


def plays(curve: FCurve) -> bool:
    """Return whether Blender evaluates a curve: it is not muted, and has keys, samples or a generating modifier."""
    return not is_muted(curve) and not curve.is_empty
