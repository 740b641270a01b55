"""Takes: the requests to a character during a performance, written as the score of its director.

A take is an action of the director with keys of commands, adverbs and handles. What F-curves cannot hold, such as the
start verb and the seed, is stored on the action. An earlier take is kept, and can be assigned again like any action.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from math import ceil

import bpy
import numpy as np
from bpy.types import Action, Object, PropertyGroup, Scene
from numpy.typing import NDArray

from ...core.motion.resampling import needed_rows
from ...core.play.score import HANDLES, Track
from ..action.generated_action import keep, replace_action
from ..authoring.transitions import verb_of
from ..blender.animation import keyed_in
from ..blender.naming import COMMAND
from ..blender.naming import HANDLES as PROPERTIES
from ..blender.versions import assign_action, assigned_slot_name, bag_for_write, curves_of, fcurve_ensure
from ..data.adverb_values import adverb_curves, path_of, stepped_adverbs
from ..data.commands import add_command, clear_commands
from ..data.current import ours
from ..data.director import check_free
from ..data.frames.counting import counting_of, note_rate
from ..data.layer_properties import layer_sliders, switch_of
from ..data.schema import new_uid
from ..layers.saying import keep_with_take, says_live

Array = NDArray[np.float64]

SAME = 1e-5
CONSTANT, LINEAR = 0, 1
GROUP = "Adverbs"
BEGINS = ("start_verb", "seed", "settle")
"""Properties stored with a take, since they define how a performance begins."""


@dataclass(eq=False)
class Take:
    """The requests to a character, recorded at every frame.

    Parameters
    ----------
    verb : identifier of the start verb.
    names : (D,) names of the adverbs.
    commands : seconds, and identifier of the verb, of each command.
    sliders : values (D,) of the adverbs at every whole frame from the first on.
    handles : values of the player's handles at the same frames.
    """

    verb: str
    names: tuple[str, ...]
    commands: list[tuple[float, str]] = field(default_factory=list)
    sliders: list[tuple[float, ...]] = field(default_factory=list)
    handles: list[tuple[float, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Written:
    """The result of writing a take.

    Parameters
    ----------
    action : name of the take's action.
    former : name of the action with the earlier score, empty if there was none.
    last : frame of the scene at which it ends.
    lost : names of adverbs whose values cannot be kept, since drivers or NLA strips move them.
    """

    action: str
    former: str
    last: int
    lost: tuple[str, ...]


def write_take(director: Object, take: Take, fps: float, scene: Scene) -> Written:
    """Make a take the director's score, in an action of its own unless it should replace the present score.

    Parameters
    ----------
    director : the director to store it on; driven adverbs are left to their drivers.
    take : the take to write.
    fps : how many times a second the sliders were read.
    scene : the scene whose current frame determines the sliders' new values.
    """
    _part_from_copies(director)
    own = director.verbs_adverbs
    former = _put_by(director, dict(zip(take.names, take.sliders[0], strict=True)))
    armature, performance = own.directs, own.performance
    note_rate(director, scene)
    keyed_in(director).verbs_adverbs.counted.reads = 0.0
    counting = counting_of(director, scene)
    performance.active, performance.start_verb = True, take.verb
    clear_commands(director)
    for seconds, uid in take.commands:
        verb = verb_of(armature, uid)
        if verb is not None:
            add_command(director, verb, counting.begin + seconds * counting.rate)
    frames = counting.begin + np.arange(len(take.sliders), dtype=np.float64) * (counting.rate / fps)
    frame = counting.in_keys(scene.frame_current_final)
    columns = np.array(take.sliders).reshape(-1, len(take.names)).T
    stepped = stepped_adverbs(director, take.names)
    switches = {switch_of(layer) for layer in armature.verbs_adverbs.layers}
    for name, column in zip(take.names, columns, strict=True):
        if name not in stepped and name in director:
            _clear(director, name)
            if np.ptp(column) > SAME:
                _key(director, name, frames, column, CONSTANT if name in switches else LINEAR)
            director[name] = float(np.interp(frame, frames, column))
    moved = columns_of(take.handles)
    for name in PROPERTIES:
        _clear(director, name)
        director.pop(name, None)
    for name, column in moved.items():
        director[name] = float(np.interp(frame, frames, column))
        _key(director, name, frames, column)
    last = ceil(frames[-1])
    lost = [name for name, column in zip(take.names, columns, strict=True) if name in stepped and np.ptp(column) > SAME]
    played = {name: director[name] for name in take.names if name in director}
    name = _note(director, last, played)
    keep_with_take(director)
    return Written(name, former, last_frame(director, scene), tuple(lost))


def _put_by(director: Object, sliders: Mapping[str, float]) -> str:
    """Give the director an action for a new take; return the name of the action with its earlier score.

    If there is no score to keep, the name is empty and the director continues with its action.

    Parameters
    ----------
    director : the director with the score.
    sliders : adverb values by name with which that score played, where it has no keys for them.
    """
    action, performance = director.animation_data_create().action, director.verbs_adverbs.performance
    if action is None:
        bag_for_write(director, bpy.data.actions.new(_free_name(director)))
    if action is None or performance.replaces or not _has_score(director):
        return ""
    if not action.verbs_adverbs.take.uid:
        _note(director, 0, sliders)
    slot = assigned_slot_name(director)
    keep(action)
    copy = action.copy()
    copy.name = _free_name(director)
    assign_action(director, copy, slot)
    return action.name


def _has_score(director: Object) -> bool:
    own = {path_of(name) for name in (COMMAND, *PROPERTIES, *director.verbs_adverbs.adverbs.keys())}
    action = keyed_in(director)
    return action is not None and (
        says_live(director) or any(curve.data_path in own for curve in curves_of(action, director))
    )


def _free_name(director: Object) -> str:
    names = (f"{director.name} take {number}" for number in count(1))
    return next(name for name in names if name not in bpy.data.actions)


def _note(director: Object, last: int, sliders: Mapping[str, float]) -> str:
    """Store the start settings of a director's performance on its action; return the action's name."""
    action, performance = keyed_in(director), director.verbs_adverbs.performance
    note = action.verbs_adverbs.take
    note.uid = performance.take = new_uid()
    for named in BEGINS:
        setattr(note, named, getattr(performance, named))
    note.last_frame = last
    note.values.clear()
    for name, value in sliders.items():
        item = note.values.add()
        item.name, item.value = name, value
    return action.name


def take_to_adopt(director: Object) -> PropertyGroup | None:
    """Return the data stored on the director's action if it is a take not adopted yet; else None."""
    action, performance = keyed_in(director), director.verbs_adverbs.performance
    note = action.verbs_adverbs.take if action is not None else None
    return note if note is not None and note.uid not in {"", performance.take} else None


def adopt_take(director: Object) -> None:
    """Apply the start settings of the director's action, if the user has assigned another take."""
    note, performance = take_to_adopt(director), director.verbs_adverbs.performance
    if note is None:
        return
    performance.take = note.uid
    for name in BEGINS:
        setattr(performance, name, getattr(note, name))
    for name, value in _layers_before(director, note).items():
        director[name] = value
    for item in note.values:  # pyright: ignore[reportGeneralTypeIssues]
        if item.name in director.verbs_adverbs.adverbs:
            director[item.name] = item.value
    for name, neutral in zip(PROPERTIES, HANDLES.values(), strict=True):
        if path_of(name) not in adverb_curves(director):
            director.pop(name, None)
        elif name not in director:
            director[name] = neutral


def _layers_before(director: Object, note: PropertyGroup) -> dict[str, float]:
    """Return the slider defaults of layers that did not exist yet when a take was written."""
    sliders = layer_sliders(director.verbs_adverbs.directs)
    known = {item.name: item.default for item in director.verbs_adverbs.adverbs}
    noted = {item.name for item in note.values}  # pyright: ignore[reportGeneralTypeIssues]
    return {name: known[name] for name in sliders if name in known and name not in noted}


@contextmanager
def adopted_for_now(director: Object) -> Iterator[None]:
    """Adopt the take that `adopt_take` would adopt, and undo that afterwards."""
    note, performance = take_to_adopt(director), director.verbs_adverbs.performance
    begun = {name: getattr(performance, name) for name in ("take", *BEGINS)}
    names = (*PROPERTIES, *note.values.keys(), *_layers_before(director, note)) if note is not None else ()
    values = {name: _plain(director.get(name)) for name in names}
    try:
        adopt_take(director)
        yield
    finally:
        for name, value in begun.items():
            setattr(performance, name, value)
        for name, value in values.items():
            if value is not None:
                director[name] = value
            else:
                director.pop(name, None)


def _plain(value: object) -> object:
    """Return a copy of a custom property's value, which stays valid when the property is replaced."""
    for kind in ("to_dict", "to_list"):
        if hasattr(value, kind):
            return getattr(value, kind)()
    return value


def takes_of(armature: Object) -> list[Action]:
    """Return the actions that are takes of an armature: those that start with one of its verbs."""
    known = {item.uid for item in armature.verbs_adverbs.verbs}
    noted = ((action, action.verbs_adverbs.take) for action in bpy.data.actions)
    return [action for action, note in noted if note.uid and note.start_verb in known]


def take_label(director: Object, action: Action) -> str:
    """Return a take's name for panels: without its director's name, and readable where Blender has numbered it."""
    own = action.name.removeprefix(director.name)
    return "By hand" if own.startswith("Action") else own.strip() or action.name


def choose_take(director: Object, action: Action) -> None:
    """Make the director play a take again; the previous one is kept.

    Raises
    ------
    RigError
        If one of the director's NLA strips is being edited.
    """
    check_free(director)
    replace_action(director, action, assigned_slot_name(director))
    adopt_take(director)
    director.verbs_adverbs.performance.active = True


def last_frame(director: Object, scene: Scene) -> int:
    """Return the scene frame at which the director's take ends, 0 if it plays none."""
    action = keyed_in(director)
    last = action.verbs_adverbs.take.last_frame if action is not None else 0
    return ceil(counting_of(director, scene).in_scene(float(last)) - SAME)


def _part_from_copies(director: Object) -> None:
    """Give the director its own action if a copy of it uses the same one: until then copies share their score."""
    action, slot = (director.animation_data_create().action, assigned_slot_name(director))
    for other in ours() if action is not None else ():
        data = other.animation_data
        alike = data is not None and data.action == action and assigned_slot_name(other) == slot
        if alike and other != director and other.verbs_adverbs.directs is not None:
            assign_action(director, action.copy(), slot)
            return


def _clear(director: Object, name: str) -> None:
    """Remove the keys of a custom property."""
    action = keyed_in(director)
    if action is None:
        return
    for curve in curves_of(action, director):
        if curve.data_path == path_of(name):
            bag_for_write(director, action).fcurves.remove(curve)
            return


def _key(director: Object, name: str, frames: Array, column: Array, how: int = LINEAR) -> None:
    """Key a custom property that has no keys, linear or held, with as few keys as needed.

    Where the value is constant, the keys have exactly the same value: the slightest change would restart settling.
    """
    curve = fcurve_ensure(bag_for_write(director, keyed_in(director)), path_of(name), 0, GROUP)
    rests = np.diff(column) == 0.0
    ends = np.flatnonzero(rests[1:] != rests[:-1]) + 1
    rows = np.union1d(needed_rows(frames, column[:, None], _apart, SAME), ends)
    curve.keyframe_points.add(len(rows))
    curve.keyframe_points.foreach_set("co", np.stack([frames, column], axis=-1)[rows].astype(np.float32).ravel())
    curve.keyframe_points.foreach_set("interpolation", np.full(len(rows), how, dtype=np.int32))
    curve.update()


def _apart(played: Array, true: Array) -> Array:
    return np.abs(played - true)[:, 0]


def handle_tracks(director: Object, frames: Array, seconds: Array) -> dict[str, Track]:
    """Return values of the director's keyed handles at `frames` (F,), at `seconds` (F,) of the performance."""
    curves = adverb_curves(director)
    return {
        handle: Track(seconds, np.array([curves[path_of(name)].evaluate(frame) for frame in frames]))
        for handle, name in zip(HANDLES, PROPERTIES, strict=True)
        if path_of(name) in curves
    }


def columns_of(rows: Sequence[Sequence[float]]) -> dict[str, Array]:
    """Return the values (F,) of each handle that was ever moved, by property name; `rows` hold all handles."""
    table = np.array(rows, dtype=np.float64).reshape(-1, len(PROPERTIES))
    return {
        name: column
        for name, column, neutral in zip(PROPERTIES, table.T, HANDLES.values(), strict=True)
        if len(column) and np.abs(column - neutral).max() > 0.0
    }
