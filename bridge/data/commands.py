"""Keys that a director is given: of its sliders, and of commands.

Every key of its custom property "command" asks for the verb of that number at its frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from bpy.types import FCurve, Keyframe, Object, PropertyGroup

from ...core.errors import GraphError, VerbError
from ..blender.naming import COMMAND
from ..blender.versions import bag_for_write, curves_of
from .adverb_values import is_muted, path_of, slider_values
from .current import is_linked
from .director import check_free, director_of, ensure_director

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


def ask_for(armature: Object, verb: PropertyGroup, frame: float) -> None:
    """Ask an armature's director for one of its verbs at a frame; it is made when there is none.

    Raises
    ------
    VerbsError
        If its command cannot be keyed; nothing has changed then.
    """
    add_command(director_of(armature) or ensure_director(armature), verb, frame)


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
        del director[COMMAND]
        if present is not None:
            director[COMMAND] = present
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


def key_sliders(armature: Object, adverbs: Sequence[PropertyGroup], frame: float) -> None:
    """Key at a frame what the sliders of an armature's director say now; they are brought in step with it first.

    Parameters
    ----------
    adverbs : of the armature, whose sliders are keyed.

    Raises
    ------
    VerbsError
        If one holds no number, or its keys cannot be written; or if they would be in an action with examples, which
        are never written. Nothing has changed then.
    """
    director = director_of(armature)
    known = {item.uid: item.name for item in director.verbs_adverbs.adverbs}
    names = [known.get(item.uid, item.name) for item in adverbs]
    check_editable(director, "its sliders cannot be keyed")
    slider_values(director, names)
    _check_keyable(director, names)
    ensure_director(armature)
    for item in adverbs:
        director.keyframe_insert(path_of(item.name), frame=frame, group="Adverbs")


def _check_keyable(director: Object, names: Sequence[str]) -> None:
    data = director.animation_data
    action = data.action if data else None
    if action is not None and action.verbs_adverbs.examples:
        raise VerbError(
            f"'{director.name}' plays action '{action.name}', which has examples, and the keys would be written there."
            " Assign another action to it, or none."
        )
    paths = {path_of(name): name for name in names}
    for curve in curves_of(action, director) if action is not None else ():
        if curve.data_path in paths and (curve.lock or (curve.group is not None and curve.group.lock)):
            raise VerbError(
                f"The curve of slider '{paths[curve.data_path]}' of '{director.name}' is locked, so it cannot be keyed."
                " Unlock it in the Graph Editor first."
            )


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
