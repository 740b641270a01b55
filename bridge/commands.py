"""Commands of a director: every key of its custom property "command" asks for the verb of that number at its frame."""

from dataclasses import dataclass
from math import isfinite

from bpy.types import FCurve, Keyframe, Object, PropertyGroup

from ..core.errors import GraphError
from .adverb_values import is_muted, path_of
from .current import is_linked
from .director import check_free
from .naming import COMMAND
from .versions import bag_for_write, curves_of

GROUP = "Commands"
SAME_FRAME = 1e-3


@dataclass(frozen=True)
class CommandKey:
    """A key of the property.

    Parameters
    ----------
    frame : where it lies, perhaps between frames.
    number : of the verb that is asked for, 0 for none.
    """

    frame: float
    number: int


def command_curve(director: Object) -> FCurve | None:
    """F-curve of the director's commands, muted or not; None when nothing was ever commanded."""
    data = director.animation_data
    curves = curves_of(data.action, director) if data is not None and data.action is not None else []
    return next((curve for curve in curves if curve.data_path == path_of(COMMAND)), None)


def command_keys(director: Object) -> tuple[CommandKey, ...]:
    """The director's commands in order of time; none while their curve is muted."""
    curve = command_curve(director)
    if curve is None or is_muted(curve):
        return ()
    found = (key_of(point) for point in curve.keyframe_points)
    return tuple(sorted(found, key=lambda key: key.frame))


def command_count(director: Object) -> int:
    """How many commands there are, muted ones too."""
    curve = command_curve(director)
    return len(curve.keyframe_points) if curve is not None else 0


def command_at(director: Object, index: int) -> CommandKey:
    """The command of a row of the curve's keys."""
    return key_of(command_curve(director).keyframe_points[index])


def key_of(point: Keyframe) -> CommandKey:
    """What a key of the curve says."""
    return CommandKey(point.co[0], round(point.co[1]) if isfinite(point.co[1]) else 0)


def verb_of_number(armature: Object, number: int) -> PropertyGroup | None:
    """The verb that commands call by a number, None when there is none (any more)."""
    return next((item for item in armature.verbs_adverbs.verbs if item.number == number > 0), None)


def ensure_numbers(armature: Object) -> None:
    """Give every verb a number of its own that no verb has had before."""
    rig = armature.verbs_adverbs
    rig.next_number = max([rig.next_number, *(item.number + 1 for item in rig.verbs)])
    for item in rig.verbs:
        if item.number == 0:
            item.number, rig.next_number = rig.next_number, rig.next_number + 1


def add_command(director: Object, verb: PropertyGroup, frame: float) -> None:
    """Ask for a verb of the director's armature at a frame; a command that is there already is replaced.

    Raises
    ------
    GraphError
        If the director's action cannot be edited.
    """
    check_editable(director)
    ensure_numbers(director.verbs_adverbs.directs)
    present = director.get(COMMAND)
    director[COMMAND] = verb.number
    describe_commands(director)
    if not director.keyframe_insert(path_of(COMMAND), frame=frame, group=GROUP):
        if present is None:
            del director[COMMAND]
        raise GraphError(f"Blender could not key the command of '{director.name}'. Look whether its curve is locked.")
    for key in command_curve(director).keyframe_points:
        key.interpolation = "CONSTANT"


def describe_commands(director: Object) -> None:
    """Say in the property's tooltip what its numbers mean."""
    if type(director.get(COMMAND)) is int and not is_linked(director):
        verbs = director.verbs_adverbs.directs.verbs_adverbs.verbs
        meant = ", ".join(f"{item.number} {item.name}" for item in verbs)
        told = f"Verb that is asked for, by its number: {meant}"
        director.id_properties_ui(COMMAND).update(
            min=0, soft_max=max((item.number for item in verbs), default=1), description=told
        )


def remove_command(director: Object, index: int) -> CommandKey:
    """Take back the command of a row; returns it."""
    check_editable(director)
    curve = command_curve(director)
    gone = command_at(director, index)
    curve.keyframe_points.remove(curve.keyframe_points[index])
    curve.update()
    if curve.is_empty:
        _remove_curve(director, curve)
    return gone


def clear_commands(director: Object) -> int:
    """Take back all commands; returns how many there were."""
    check_editable(director)
    count = command_count(director)
    if count:
        _remove_curve(director, command_curve(director))
    return count


def _remove_curve(director: Object, curve: FCurve) -> None:
    bag_for_write(director, director.animation_data.action).fcurves.remove(curve)


def check_editable(director: Object, otherwise: str = "its commands cannot be changed") -> None:
    """Check that a director's action can be written.

    Parameters
    ----------
    otherwise : what cannot be done if it is linked.

    Raises
    ------
    GraphError
        If the action comes from another file.
    RigError
        If one of its NLA strips is being edited.
    """
    check_free(director)
    data = director.animation_data
    action = data.action if data is not None else None
    if action is not None and action.library is not None:
        raise GraphError(
            f"Action '{action.name}' of '{director.name}' is linked from another file, so {otherwise}. Make it local"
            " first."
        )
