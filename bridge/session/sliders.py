"""Moved sliders: detected by their values, and shown at once by writing the pose of the current frame."""

from dataclasses import replace
from typing import NamedTuple

import bpy
import numpy as np
from bpy.types import FCurve, Object, Scene

from ...core.errors import VerbsError
from ...core.play.score import Track
from ..action.generated_action import written_until
from ..authoring.verb_cache import signatures_rest
from ..blender import jobs
from ..data.adverb_values import adverb_curves, path_of, slider_values, stepped_adverbs
from ..data.frames.counting import counting_of
from ..layers.talking import colours_told
from .character import Character, Display, Seen, SliderState, display_of
from .live_characters import SLIDERS, characters
from .playable import Playable, plan_of, playable_of
from .request import Request

SAME = 1e-6
DRIVEN_SAME = 1e-4
AT_ONCE, OVER_FLOOR = 480, 120
"""Number of frames after the start, on level ground and over a floor, up to which the motion is replayed from its
beginning for every move of a slider of a character that has layers or whose adverbs change over time.
"""


class Sliders(NamedTuple):
    """The sliders of a director at one moment, read once per change.

    Parameters
    ----------
    names : (D,) relevant adverbs.
    values : (D,) slider values.
    curves : their keys, by name; none for those that only Blender can evaluate.
    stepped : names of those that only Blender can evaluate.
    """

    names: tuple[str, ...]
    values: tuple[float, ...]
    curves: dict[str, FCurve]
    stepped: tuple[str, ...]

    @property
    def is_animated(self) -> bool:
        """Whether any of them is keyed, or can only be evaluated by Blender."""
        return bool(self.curves or self.stepped)


def sliders_now(director: Object, names: tuple[str, ...]) -> Sliders:
    """Read some sliders of a director.

    Raises
    ------
    VerbError
        If one holds no number.
    """
    curves, stepped = adverb_curves(director), stepped_adverbs(director, names)
    keyed = {name: curves[path_of(name)] for name in names if path_of(name) in curves and name not in stepped}
    return Sliders(names, slider_values(director, names), keyed, stepped)


def slider_state(director: Object, digest: str, names: tuple[str, ...], scene: Scene) -> SliderState:
    """Return a director's slider values now that its generated action is made; parameters are those of the class."""
    return SliderState(digest, names, scene.frame_current_final, slider_values(director, names))


def taken_over(director: Object) -> bool:
    """Return whether the user assigned another action to the live armature."""
    data, generated = director.verbs_adverbs.directs.animation_data, director.verbs_adverbs.generated
    return generated is not None and data is not None and data.action not in {generated, None}


def notice_moved(director: Object, scene: Scene) -> bool | None:
    """Show the pose of a director's sliders if they were moved; return whether they were, None if unknown.

    A slider was moved if its value differs from the one with which the generated action was made or from its own keys,
    or if it has just returned to that.
    """
    character = characters.get(director.session_uid)
    state = character.sliders if character is not None else None
    if character is None or state is None:
        return None
    frame, held, seen = scene.frame_current_final, tuple(map(director.get, state.names)), state.seen
    here = seen is not None and seen.frame == frame
    if here and seen.held == held:
        return False
    try:
        now = sliders_now(director, state.names)
    except VerbsError:
        return None
    expected = seen.expected if here else _expected(character, state, now, frame)
    moved = (here and seen.shown) or not _same(now.values, expected)
    state.seen = Seen(frame, held, expected, moved)
    if not moved or taken_over(director):
        return moved
    try:
        show(director, character, state, now, scene)
    except VerbsError:
        character.hold(None, None)
    return True


def _same(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return all(abs(x - y) <= SAME * (1.0 + abs(y)) for x, y in zip(a, b, strict=True))


def _expected(character: Character, state: SliderState, now: Sliders, frame: float) -> tuple[float, ...]:
    """Return the values (D,) that the sliders would have here if only keys had moved them."""
    played = character.played

    def expected(column: int, name: str) -> float:
        if name in now.stepped and played is not None:
            heard = float(np.interp(frame, played.frames, played.adverbs[:, column]))
            value = now.values[column]
            return value if abs(heard - value) <= DRIVEN_SAME * (1.0 + abs(heard)) else heard
        return now.curves[name].evaluate(frame) if name in now.curves else state.made[column]

    return tuple(expected(column, name) for column, name in enumerate(state.names))


def driven_changed(director: Object, character: Character, state: SliderState, scene: Scene) -> bool:
    """Return whether a driven adverb's value at this frame differs from when the generated action was made."""
    stepped, played, frame = stepped_adverbs(director, state.names), character.played, scene.frame_current_final
    columns, now = [state.names.index(name) for name in stepped], slider_values(director, stepped)
    if played is None or (frame == state.frame and now == tuple(state.made[column] for column in columns)):
        return False
    made = [float(np.interp(frame, played.frames, played.adverbs[:, column])) for column in columns]
    return any(abs(x - y) > DRIVEN_SAME * (1.0 + abs(y)) for x, y in zip(now, made, strict=True))


def show(director: Object, character: Character, state: SliderState, now: Sliders, scene: Scene) -> None:
    """Write the pose of the current frame with the sliders' current values.

    This is the pose that the generated action will have there. For a score, and where other sliders are keyed,
    everything is replayed up to this frame. If that takes too long, a driver moves an adverb, or the moved slider
    itself is keyed, a verb continues from the phase, position and planted feet that the generated action has here, and
    the keys apply again from the next frame on. In these cases a score shows nothing until the slider rests, and
    neither does anything whose adverbs have changed since the generated action was made, or whose current frame is not
    computed yet.

    Raises
    ------
    VerbsError
        Why what is played can no longer be built.
    """
    armature, frame = director.verbs_adverbs.directs, scene.frame_current_final
    display = _display_now(armature, director, character)
    playable = display.playable
    if playable.adverb_names != state.names or not display.fits(armature):
        return
    if not _keeps_past(director, character, state, playable, now, scene):
        request = playable.gather(director, display.origin, np.array([frame]), scene)
        row = request.row_at(float(request.seconds(request.frames)[0]))
    elif playable.verb is None:
        return
    elif character.played is None:
        _compute_and_show(character, state, scene)
        return
    elif frame > character.played.frames[-1] and written_until(director.verbs_adverbs.generated) is not None:
        return
    else:
        named = dict(zip(playable.adverb_names, _meant(director, state, now, scene), strict=True))
        row = character.played.row_from(frame, named)
    display.show(armature, row)


def _meant(director: Object, state: SliderState, now: Sliders, scene: Scene) -> tuple[float, ...]:
    """Return the effective values (D,) of sliders at the current moment.

    Where the director's keys use a different frame count from the scene, Blender shows a keyed slider as of another
    moment. Unless the user has moved it from there, the value of its keys at this moment is used.
    """
    counting = counting_of(director, scene)
    if counting.agrees or state.seen is None:
        return now.values
    frame = max(counting.in_keys(scene.frame_current_final), counting.begin)

    def meant(value: float, expected: float, name: str) -> float:
        return now.curves[name].evaluate(frame) if name in now.curves and _same((value,), (expected,)) else value

    return tuple(map(meant, now.values, state.seen.expected, now.names))


def _display_now(armature: Object, director: Object, character: Character) -> Display:
    """Return the display of a character's rows; rebuilt if a slider has changed the gestures of a layer."""
    display, colours = character.display, colours_told(armature)
    if display is None or display.colours != colours:
        with signatures_rest():
            display = display_of(armature, director, playable_of(armature, director))
        character.display, display.colours = display, colours
    return display


def _compute_and_show(character: Character, state: SliderState, scene: Scene) -> None:
    """Compute the motion of the generated action, in slices if that takes long, and then show the pose.

    Nothing is shown if another job is running.
    """
    going, named = jobs.going(), scene.name
    if jobs.attempted() is not None or (going is not None and going.kind != SLIDERS):
        return

    def again() -> None:
        (_, director), there = character.find(), bpy.data.scenes.get(named)
        if director is None or there is None or character.sliders is not state:
            return
        now = sliders_now(director, state.names)
        character.played = _as_made(plan_of(director, there).request, now, state).play()
        show(director, character, state, now, there)

    jobs.do(SLIDERS, "Computing the motion", again)


def _as_made(request: Request, now: Sliders, state: SliderState) -> Request:
    """Return the request from when the generated action was made: sliders without keys and drivers as of then."""
    tracks, adverbs = dict(request.score.adverbs), request.adverbs.copy()
    for column, (name, value) in enumerate(zip(state.names, state.made, strict=True)):
        if name not in now.curves and name not in now.stepped:
            tracks[name] = Track(tracks[name].seconds, np.full(len(tracks[name].seconds), value))
            adverbs[:, column] = value
    return replace(request, score=replace(request.score, adverbs=tracks), adverbs=adverbs)


def _keeps_past(
    director: Object,
    character: Character,
    state: SliderState,
    playable: Playable,
    now: Sliders,
    scene: Scene,
) -> bool:
    """Return whether moved sliders apply only from the current frame on, and not from the beginning of the motion."""
    floor = director.verbs_adverbs.performance.floor is not None
    late = scene.frame_current_final - counting_of(director, scene).start > (OVER_FLOOR if floor else AT_ONCE)
    if playable.verb is not None and not _changes(character, now):
        return late and playable.graph.layers is not None
    if now.stepped or late or state.seen is None:
        return True
    keyed = [column for column, name in enumerate(now.names) if name in now.curves]
    return playable.verb is not None and not _same(
        tuple(now.values[column] for column in keyed), tuple(state.seen.expected[column] for column in keyed)
    )


def _changes(character: Character, now: Sliders) -> bool:
    """Return whether adverbs change during the motion: they are keyed, or their drivers' inputs move."""
    if not now.is_animated:
        return False
    played = character.played
    moved = played is not None and bool(np.ptp(played.adverbs, axis=0).max(initial=0.0) > DRIVEN_SAME)
    return bool(now.curves) or moved
