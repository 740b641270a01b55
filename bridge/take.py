"""What a character was asked for while it was performed, and writing that as its director's score."""

from dataclasses import dataclass, field

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ..core.errors import GraphError
from ..core.motion.reduce_keys import needed_rows
from .commands import add_command, clear_commands
from .director import check_free, path_of, stepped_adverbs
from .handles import columns_of
from .naming import HANDLES as PROPERTIES
from .transitions import verb_of
from .versions import assign_action, assigned_slot_name, bag_for_write, curves_of, fcurve_ensure

Array = NDArray[np.float64]

SAME = 1e-5
LINEAR = 1
GROUP = "Adverbs"


@dataclass(eq=False)
class Take:
    """What is asked for, written down as it is heard.

    Parameters
    ----------
    verb : identifier of the verb that it begins with.
    names : (D,) of the adverbs.
    commands : seconds and identifier of the verb of each.
    sliders : (D,) for every whole frame from the first on.
    handles : likewise, how the player was steered.
    """

    verb: str
    names: tuple[str, ...]
    commands: list[tuple[float, str]] = field(default_factory=list)
    sliders: list[tuple[float, ...]] = field(default_factory=list)
    handles: list[tuple[float, ...]] = field(default_factory=list)


def check_writable(director: Object) -> None:
    """Check that a score can be written.

    Raises
    ------
    GraphError
        If the director's action comes from another file.
    RigError
        If one of its NLA strips is being edited.
    """
    check_free(director)
    data = director.animation_data
    if data is not None and data.action is not None and data.action.library is not None:
        raise GraphError(
            f"Action '{data.action.name}' of '{director.name}' is linked from another file, so no score can be written"
            " to it. Make it local first."
        )


def write_take(director: Object, take: Take, fps: float, frame: float) -> list[str]:
    """Make a take the director's score: the commands and adverb keys that it had are replaced.

    Returns the names of adverbs that moved and cannot be kept, since drivers or NLA strips move them.

    Parameters
    ----------
    director : who keeps it; driven adverbs are left to their drivers.
    take : what was asked for.
    fps : frames a second.
    frame : the current one, whose values the sliders get.
    """
    _part_from_copies(director)
    own = director.verbs_adverbs
    armature, performance = own.directs, own.performance
    performance.active, performance.start_verb = True, take.verb
    clear_commands(director)
    for seconds, uid in take.commands:
        verb = verb_of(armature, uid)
        if verb is not None:
            add_command(director, verb, own.start_frame + seconds * fps)
    frames = own.start_frame + np.arange(len(take.sliders), dtype=np.float64)
    columns = np.array(take.sliders).reshape(-1, len(take.names)).T
    stepped = stepped_adverbs(director, take.names)
    for name, column in zip(take.names, columns, strict=True):
        if name not in stepped and name in director:
            _clear(director, name)
            if np.ptp(column) > SAME:
                _key(director, name, frames, column)
            director[name] = float(np.interp(frame, frames, column))
    moved = columns_of(take.handles)
    for name in PROPERTIES:
        _clear(director, name)
        director.pop(name, None)
    for name, column in moved.items():
        director[name] = float(np.interp(frame, frames, column))
        _key(director, name, frames, column)
    return [name for name, column in zip(take.names, columns, strict=True) if name in stepped and np.ptp(column) > SAME]


def _part_from_copies(director: Object) -> None:
    """A linked copy of a director shares its score until one of them is performed."""
    action, slot = (director.animation_data_create().action, assigned_slot_name(director))
    for other in bpy.data.objects if action is not None else ():
        data = other.animation_data
        alike = data is not None and data.action == action and assigned_slot_name(other) == slot
        if alike and other != director and other.verbs_adverbs.directs is not None:
            assign_action(director, action.copy(), slot)
            return


def _clear(director: Object, name: str) -> None:
    """Take the keys of a custom property away."""
    data = director.animation_data
    action = data.action if data is not None else None
    for curve in curves_of(action, director) if action is not None else ():
        if curve.data_path == path_of(name):
            bag_for_write(director, action).fcurves.remove(curve)
            return


def _key(director: Object, name: str, frames: Array, column: Array) -> None:
    """Key a custom property that has no keys, straight from key to key, with no more keys than it takes."""
    data = director.animation_data_create()
    action = data.action or bpy.data.actions.new(f"{director.name} score")
    curve = fcurve_ensure(bag_for_write(director, action), path_of(name), 0, GROUP)
    rows = needed_rows(frames, column[:, None], _apart, SAME)
    curve.keyframe_points.add(len(rows))
    curve.keyframe_points.foreach_set("co", np.stack([frames, column], axis=-1)[rows].astype(np.float32).ravel())
    curve.keyframe_points.foreach_set("interpolation", np.full(len(rows), LINEAR, dtype=np.int32))
    curve.update()


def _apart(played: Array, true: Array) -> Array:
    return np.abs(played - true)[:, 0]
