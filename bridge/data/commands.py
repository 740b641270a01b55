"""Setting and reading keys of a director: those of its sliders and of its layers' switches, and its commands.

Commands are keys of the custom property "command": a key requests the verb with that number at its frame.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose, isfinite
from typing import TYPE_CHECKING

import bpy
from bpy.types import FCurve, Keyframe, Object, PropertyGroup

from ...core.errors import GraphError, VerbError
from ...core.layers.switches import STOP, SWITCH_NUMBERS, SWITCH_WISHES
from ..blender.animation import assigned_curves, drivers_of, is_muted, keyed_in
from ..blender.naming import COMMAND
from ..blender.versions import bag_for_write
from .adverb_values import adverb_curves, all_curves, path_of, slider_values
from .current import MaybeNone, is_linked, scene_of
from .director import check_free, director_of, ensure_director
from .frames.counting import counting_of, note_rate
from .layer_properties import switch_of

if TYPE_CHECKING:
    from ...core.play.player import Wish

GROUP, LAYERS = "Commands", "Layers"
SAME_FRAME = 1e-3
SAME = 1e-5
"""Absolute and relative difference above which a slider counts as moved away from its keys."""
STOPS = frozenset({"stop", "stop_hard"})
"""Requests that stop a layer; all others start it."""


@dataclass(frozen=True)
class CommandKey:
    """A command: a key of the property "command".

    Parameters
    ----------
    frame : frame of the key, which may be a subframe.
    number : number of the requested verb, 0 for none.
    """

    frame: float
    number: int


def command_curve(director: Object) -> FCurve | MaybeNone:
    """Return the F-curve of the director's commands, muted or not; None if there is none."""
    return _curve_of(director, COMMAND)


def _curve_of(director: Object, slider: str) -> FCurve | MaybeNone:
    """Return the F-curve of a slider in the director's own action, muted or not; None if there is none."""
    return next((curve for curve in assigned_curves(director) if curve.data_path == path_of(slider)), None)


def command_keys(director: Object) -> tuple[CommandKey, ...]:
    """Return the director's commands in chronological order; empty while their curve is muted."""
    curve = command_curve(director)
    if curve is None or is_muted(curve):
        return ()
    found = (key_of(point) for point in curve.keyframe_points)
    return tuple(sorted(found, key=lambda key: key.frame))


def command_count(director: Object) -> int:
    """Return the number of commands, including muted ones."""
    curve = command_curve(director)
    return len(curve.keyframe_points) if curve is not None else 0


def has_score(director: Object) -> bool:
    """Return whether a director has a score: it is playing one, or has commands or a take."""
    if director.verbs_adverbs.performance.active or command_count(director):
        return True
    action = keyed_in(director)
    return action is not None and bool(action.verbs_adverbs.take.uid)


def command_at(director: Object, index: int) -> CommandKey:
    """Return the command at an index of the list, which is also the index of its key in the curve."""
    return key_of(command_curve(director).keyframe_points[index])


def key_of(point: Keyframe) -> CommandKey:
    """Return the command that a key of the curve stands for."""
    return CommandKey(point.co[0], round(point.co[1]) if isfinite(point.co[1]) else 0)


def verb_of_number(armature: Object, number: int) -> PropertyGroup | None:
    """Return the verb with this number, or None if there is none or it was removed."""
    return next((item for item in armature.verbs_adverbs.verbs if item.number == number > 0), None)


def ensure_numbers(armature: Object) -> None:
    """Give every verb without a number one that no verb has had before."""
    rig = armature.verbs_adverbs
    rig.next_number = max([rig.next_number, *(item.number + 1 for item in rig.verbs)])
    for item in rig.verbs:
        if item.number == 0:
            item.number, rig.next_number = rig.next_number, rig.next_number + 1


def ask_for(armature: Object, verb: PropertyGroup, frame: float) -> None:
    """Add a command for one of an armature's verbs at a frame of the scene, and make it the active one in the list.

    A director is added if there is none.

    Raises
    ------
    VerbsError
        If the command cannot be keyed; nothing has changed then.
    """
    director = director_of(armature) or ensure_director(armature)
    placed = counting_of(director).in_keys(frame)
    add_command(director, verb, placed)
    _choose_command(director, placed)


def _choose_command(director: Object, frame: float) -> None:
    """Make the command at a frame of the director's keys the active one in the list."""
    apart = [abs(key.co[0] - frame) for key in command_curve(director).keyframe_points]
    director.verbs_adverbs.performance.active_command = apart.index(min(apart))


def add_command(director: Object, verb: PropertyGroup, frame: float) -> None:
    """Add a command for a verb of the director's armature at a frame of its keys; it replaces an existing one.

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
    if not set_key(director, COMMAND, frame, GROUP):
        del director[COMMAND]
        if present is not None:
            director[COMMAND] = present
        raise GraphError(
            f"Blender could not key the command of '{director.name}'. Check whether its F-curve is locked."
        )
    for key in command_curve(director).keyframe_points:
        key.interpolation = "CONSTANT"


def set_key(director: Object, name: str, frame: float, group: str) -> bool:
    """Key a slider's current value at a frame of the director's keys; return False if Blender cannot.

    The frame rate is stored on the action, which may be new.
    """
    done = director.keyframe_insert(path_of(name), frame=frame, group=group)
    if done:
        note_rate(director, scene_of(director, bpy.context.scene))
    return done


def describe_commands(director: Object) -> None:
    """List in the property's tooltip which verbs its numbers stand for."""
    if type(director.get(COMMAND)) is int and not is_linked(director):
        verbs = director.verbs_adverbs.directs.verbs_adverbs.verbs
        meant = ", ".join(f"{item.number} {item.name}" for item in verbs)
        told = f"Number of the commanded verb: {meant}"
        director.id_properties_ui(COMMAND).update(
            min=0, soft_max=max((item.number for item in verbs), default=1), description=told
        )


def remove_command(director: Object, index: int) -> CommandKey:
    """Remove the command at an index of the list, and return it."""
    check_editable(director)
    curve = command_curve(director)
    gone = command_at(director, index)
    curve.keyframe_points.remove(curve.keyframe_points[index])
    curve.update()
    if curve.is_empty:
        _remove_curve(director, curve)
    return gone


def move_command(director: Object, index: int, frame: float) -> None:
    """Move the command at an index of the list to a frame of the scene, as dragging its key does; it stays active.

    If another command is already there, nothing changes.

    Raises
    ------
    GraphError
        If the director's action cannot be edited, or the curve of its commands is locked.
    """
    check_editable(director)
    curve, placed = command_curve(director), counting_of(director).in_keys(frame)
    if curve.lock:
        raise GraphError(
            f"The commands of '{director.name}' are locked. Unlock their F-curve in the Graph Editor first."
        )
    others = [key.co[0] for row, key in enumerate(curve.keyframe_points) if row != index]
    if any(abs(other - placed) < SAME_FRAME for other in others):
        return
    key = curve.keyframe_points[index]
    key.co_ui = placed, key.co[1]
    curve.update()
    _choose_command(director, placed)
    director.update_tag()


def clear_commands(director: Object) -> int:
    """Remove all commands; return their number."""
    check_editable(director)
    count = command_count(director)
    if count:
        _remove_curve(director, command_curve(director))
    return count


def _remove_curve(director: Object, curve: FCurve) -> None:
    bag_for_write(director, keyed_in(director)).fcurves.remove(curve)


def key_sliders(armature: Object, adverbs: Sequence[PropertyGroup], frame: float) -> None:
    """Key the current values of a director's sliders at a frame of the scene, after adding missing sliders.

    Parameters
    ----------
    adverbs : adverbs of the armature whose sliders are keyed.

    Raises
    ------
    VerbsError
        If a slider is not a number or cannot be keyed, or if its keys would be written into an action with examples.
        Nothing has changed then.
    """
    director = director_of(armature)
    known = {item.uid: item.name for item in director.verbs_adverbs.adverbs}
    names = [known.get(item.uid, item.name) for item in adverbs]
    check_editable(director, "its sliders cannot be keyed")
    slider_values(director, names)
    _check_keyable(director, names)
    ensure_director(armature)
    _mean_this_moment(director, [item.name for item in adverbs], frame)
    for item in adverbs:
        set_key(director, item.name, counting_of(director).in_keys(frame), "Adverbs")


def _mean_this_moment(director: Object, names: Sequence[str], frame: float) -> None:
    """Set keyed sliders to the values of their keys at the time of a frame of the scene, unless they were moved.

    Where the frame rates of keys and scene differ, Blender shows such a slider as it is at another time.
    """
    counting, curves = counting_of(director), adverb_curves(director)
    for name in names if not counting.agrees else ():
        curve = curves.get(path_of(name))
        if curve is not None and isclose(curve.evaluate(frame), director[name], rel_tol=SAME, abs_tol=SAME):
            director[name] = curve.evaluate(counting.in_keys(frame))


def ask_layer(armature: Object, layer: PropertyGroup, wish: "Wish", frame: float | None) -> None:
    """Request that a layer be started or stopped, by its switch.

    Parameters
    ----------
    wish : ``'start'``, ``'instead'``, ``'after'``, ``'stop'`` or ``'stop_hard'``, see `AskLayer`.
    frame : of the scene, at which the switch is keyed; None to set it without a key, while the armature is performed.

    Raises
    ------
    VerbsError
        If the switch cannot be keyed; nothing has changed then.
    """
    director, name = director_of(armature) or ensure_director(armature), switch_of(layer)
    if frame is None:
        director[name] = float(_next_number(wish, {round(director.get(name, STOP))}))
        director.update_tag()
        return
    check_editable(director, "its layers cannot be keyed")
    _check_keyable(director, [name])
    _check_heard(director, layer)
    ensure_director(armature)
    curve, present = adverb_curves(director).get(path_of(name)), director.get(name, STOP)
    counting = counting_of(director)
    start, frame = counting.begin, counting.in_keys(frame)
    keys = [] if curve is None else [(point.co[0], round(point.co[1])) for point in curve.keyframe_points]
    keyed = bool(keys) or start >= frame or set_key(director, name, start, LAYERS)
    around = {number for _, number in _beside(keys, frame)} if keys else {round(present)}
    director[name] = float(_next_number(wish, around))
    if not (keyed and set_key(director, name, frame, LAYERS)):
        director[name] = present
        raise GraphError(
            f"Blender could not key layer '{layer.name}'. Check whether the F-curve of '{name}' is locked."
        )
    for key in adverb_curves(director)[path_of(name)].keyframe_points:
        key.interpolation = "CONSTANT"
    director.update_tag()


def layer_keys(director: Object, layer: PropertyGroup) -> list[tuple[float, str]]:
    """Return the requests to start and stop a layer with their frames in the scene, in order, from the first start."""
    curve = adverb_curves(director).get(path_of(switch_of(layer)))
    found, in_scene = list[tuple[float, str]](), counting_of(director).in_scene
    for point in curve.keyframe_points if curve is not None else ():
        wish = SWITCH_WISHES.get(round(point.co[1]) if isfinite(point.co[1]) else STOP, "stop")
        if found or wish not in STOPS:
            found.append((in_scene(point.co[0]), wish))
    return found


def _beside(keys: Sequence[tuple[float, int]], frame: float) -> list[tuple[float, int]]:
    """Return the keys just before and after a frame, of keys in chronological order."""
    earlier = [key for key in keys if key[0] < frame - SAME_FRAME]
    later = [key for key in keys if key[0] > frame + SAME_FRAME]
    return [*earlier[-1:], *later[:1]]


def _next_number(wish: "Wish", around: set[int]) -> int:
    """Return a number of a switch for a request; to start the layer, none of its neighbours in time, `around`."""
    numbers = SWITCH_NUMBERS[wish]
    return next((number for number in numbers if number not in around), numbers[0])


def _check_heard(director: Object, layer: PropertyGroup) -> None:
    """Check that keys of a layer's switch have an effect.

    Raises
    ------
    GraphError
        If its curve is muted, or a driver moves it.
    """
    path = path_of(switch_of(layer))
    if any(driver.data_path == path and not driver.mute for driver in drivers_of(director)):
        raise GraphError(
            f"A driver starts and stops layer '{layer.name}', so keys have no effect. Remove the driver first."
        )
    if any(curve.data_path == path and is_muted(curve) for curve in all_curves(director)):
        raise GraphError(f"The keys of layer '{layer.name}' are muted. Unmute its F-curve in the Graph Editor first.")


def forget_layer_keys(director: Object, layer: PropertyGroup) -> bool:
    """Remove all keys of a layer's switch, and turn it off; return whether there were any."""
    found = forget_keys(director, switch_of(layer), "its layers cannot be changed")
    director[switch_of(layer)] = float(STOP)
    director.update_tag()
    return found


def forget_keys(director: Object, slider: str, otherwise: str) -> bool:
    """Remove all keys of a slider that are in the director's own action; return whether there were any.

    Parameters
    ----------
    otherwise : end of the sentence that says what cannot be done if the action is linked.

    Raises
    ------
    VerbsError
        For the reasons of `check_editable`.
    """
    check_editable(director, otherwise)
    curve = _curve_of(director, slider)
    if curve is not None:
        _remove_curve(director, curve)
    return curve is not None


def _check_keyable(director: Object, names: Sequence[str]) -> None:
    action = keyed_in(director)
    if action is not None and action.verbs_adverbs.examples:
        raise VerbError(
            f"'{director.name}' uses action '{action.name}', which has examples, and keys would be added to them. "
            "Assign another action to the director, or none."
        )
    paths = {path_of(name): name for name in names}
    for curve in assigned_curves(director):
        if curve.data_path in paths and (curve.lock or (curve.group is not None and curve.group.lock)):
            raise VerbError(
                f"The F-curve of slider '{paths[curve.data_path]}' of '{director.name}' is locked, so it cannot be "
                "keyed. Unlock it in the Graph Editor first."
            )


def check_editable(director: Object, otherwise: str = "its commands cannot be changed") -> None:
    """Check that a director's action can be written.

    Parameters
    ----------
    otherwise : end of the sentence that says what cannot be done if the action is linked.

    Raises
    ------
    GraphError
        If the action comes from another file.
    RigError
        If one of its NLA strips is being edited.
    """
    check_free(director)
    action = keyed_in(director)
    if action is not None and action.library is not None:
        raise GraphError(
            f"Action '{action.name}' of '{director.name}' is linked from another file, so {otherwise}. Make it local"
            " first."
        )
