"""Sliders that are moved: noticed by their values, and shown at once by writing the pose of the current frame."""

from dataclasses import dataclass, replace

import bpy
import numpy as np
from bpy.types import Object, Scene

from ...core.errors import VerbsError
from ...core.play.score import Track
from ..action.generated_action import written_until
from ..authoring.verb_cache import signatures_rest
from ..blender import jobs
from ..data.adverb_values import adverb_curves, path_of, slider_values, stepped_adverbs
from ..data.frames.counting import counting_of
from ..layers.talking import colours_told
from .character import Character, Display, display_of
from .live_characters import SLIDERS, characters
from .playable import Playable, key_of, playable_of, request_of
from .request import Request
from .timeline import is_animated

SAME = 1e-6
DRIVEN_SAME = 1e-4
AT_ONCE, OVER_FLOOR = 480, 120
"""Up to so many frames after the start, on level ground and over a floor, the motion is played again from its
beginning for every move of a slider of a character that has layers or whose adverbs change over time."""


@dataclass(eq=False)
class SliderState:
    """What the sliders of a live character said when its generated action was made, and what was shown since.

    Parameters
    ----------
    digest : of all that the generated action was made from.
    names : (D,) adverbs that count.
    made : (D,) values of their sliders when it was made.
    heard : frame, and the values that the driven ones among them had there when it was made.
    shown : frame and slider values of the pose that was written last.
    expected : a frame, and the values (D,) that the sliders have there if nobody has moved them.
    quiet : frame and contents of the sliders when they were last found not to have been moved.
    """

    digest: str
    names: tuple[str, ...]
    made: tuple[float, ...]
    heard: tuple[float, ...]
    shown: tuple[float, ...] = ()
    expected: tuple[float, tuple[float, ...]] = (-1e9, ())
    quiet: tuple[object, ...] = ()


def slider_state(director: Object, digest: str, names: tuple[str, ...], scene: Scene) -> SliderState:
    """What the sliders of a director say now that its generated action is made; parameters are those of the class."""
    return SliderState(digest, names, slider_values(director, names), driven_values(director, names, scene))


def taken_over(director: Object) -> bool:
    """Whether somebody assigned another action to the live armature."""
    data, generated = director.verbs_adverbs.directs.animation_data, director.verbs_adverbs.generated
    return generated is not None and data is not None and data.action not in {generated, None}


def notice(director: Object, scene: Scene) -> bool | None:
    """Show the pose of a director's sliders if they were moved; returns whether they were, None if that is unknown.

    A slider was moved if its value differs from the one with which the generated action was made or from its own keys,
    or if it has just returned to that.
    """
    character = characters.get(director.session_uid)
    state = character.sliders if character is not None else None
    if character is None or state is None:
        return None
    frame = scene.frame_current_final
    held = (frame, *map(director.get, state.names))
    if held == state.quiet:
        return False
    try:
        now = slider_values(director, state.names)
    except VerbsError:
        return None
    told = (frame, *now)
    if state.expected[0] != frame:
        state.expected = (frame, _expected(director, character, state, now, frame))
    if told == state.shown or (_same(now, state.expected[1]) and state.shown[:1] != (frame,)):
        state.quiet = held
        return False
    state.quiet = ()
    state.shown = told
    if taken_over(director):
        return True
    try:
        show(director, character, state, now, scene)
    except VerbsError:
        character.hold(None, None)
    return True


def _same(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return all(abs(x - y) <= SAME * (1.0 + abs(y)) for x, y in zip(a, b, strict=True))


def _expected(
    director: Object, character: Character, state: SliderState, now: tuple[float, ...], frame: float
) -> tuple[float, ...]:
    """Values (D,) that the sliders, which are at `now`, would have here if nothing but keys had moved them."""
    names, played = state.names, character.played
    curves = adverb_curves(director)
    stepped = stepped_adverbs(director, names)

    def expected(column: int, name: str) -> float:
        if name in stepped and played is not None:
            heard = float(np.interp(frame, played.frames, played.adverbs[:, column]))
            return now[column] if abs(heard - now[column]) <= DRIVEN_SAME * (1.0 + abs(heard)) else heard
        path = path_of(name)
        return curves[path].evaluate(frame) if path in curves else state.made[column]

    return tuple(expected(column, name) for column, name in enumerate(names))


def driven_changed(director: Object, character: Character, state: SliderState, scene: Scene) -> bool:
    """Whether a driven adverb has another value at this frame than when the generated action was made."""
    names, played = state.names, character.played
    told = driven_values(director, names, scene)
    if told == state.heard or played is None:
        return False
    frame, *now = told
    columns = [names.index(name) for name in stepped_adverbs(director, names)]
    made = [float(np.interp(frame, played.frames, played.adverbs[:, column])) for column in columns]
    return any(abs(x - y) > DRIVEN_SAME * (1.0 + abs(y)) for x, y in zip(now, made, strict=True))


def driven_values(director: Object, names: tuple[str, ...], scene: Scene) -> tuple[float, ...]:
    """The current frame, and the values that the driven ones among some adverbs have at it."""
    return scene.frame_current_final, *slider_values(director, stepped_adverbs(director, names))


def show(director: Object, character: Character, state: SliderState, adverbs: tuple[float, ...], scene: Scene) -> None:
    """Write the pose that the current frame has if the sliders are at `adverbs`.

    That is the pose that the generated action will have there. For a score, and where other sliders are keyed, all is
    played again up to this frame. Where that takes too long, a driver moves an adverb, or the moved slider is keyed
    itself, a verb goes on from the phase, the place and the planted feet that the generated action has here, and at
    the next frame the keys count again. A score shows nothing then before the hand rests, and neither does anything
    whose adverbs are others than when the generated action was made, or of which this frame is not yet computed.

    Raises
    ------
    VerbsError
        Why what is played cannot be built any more.
    """
    armature, frame = director.verbs_adverbs.directs, scene.frame_current_final
    display = _display_now(armature, director, character)
    playable = display.playable
    if playable.adverb_names != state.names or not display.fits(armature):
        return
    if not _keeps_past(director, character, state, playable, adverbs, scene):
        request = playable.gather(director, display.origin, np.array([frame]), scene)
        row = request.row_at(float(request.seconds(request.frames)[0]))
    elif playable.verb is None:
        return
    elif character.played is None:
        _compute_and_show(character, state, playable, scene)
        return
    elif frame > character.played.frames[-1] and written_until(director.verbs_adverbs.generated) is not None:
        return
    else:
        named = dict(zip(playable.adverb_names, _meant(director, state, adverbs, scene), strict=True))
        row = character.played.row_from(frame, named)
    display.show(armature, row)


def _meant(director: Object, state: SliderState, adverbs: tuple[float, ...], scene: Scene) -> tuple[float, ...]:
    """What sliders (D,) that are at `adverbs` mean at the current moment.

    Where the director's keys count other frames than the scene, Blender shows a keyed slider as it is at another
    moment. Unless somebody has moved it from there, it means what its keys say at this one.
    """
    counting = counting_of(director, scene)
    if counting.agrees:
        return adverbs
    frame = max(counting.in_keys(scene.frame_current_final), counting.begin)
    curves, stepped = adverb_curves(director), stepped_adverbs(director, state.names)

    def meant(value: float, shown: float, name: str) -> float:
        keyed = path_of(name) in curves and name not in stepped
        return curves[path_of(name)].evaluate(frame) if keyed and _same((value,), (shown,)) else value

    return tuple(map(meant, adverbs, state.expected[1], state.names))


def _display_now(armature: Object, director: Object, character: Character) -> Display:
    """What shows a character's rows; made anew where a slider has coloured the gestures of a layer otherwise."""
    display, colours = character.display, colours_told(armature)
    if display is None or display.colours != colours:
        with signatures_rest():
            display = display_of(armature, director, playable_of(armature, director))
        character.display, display.colours = display, colours
    return display


def _compute_and_show(character: Character, state: SliderState, playable: Playable, scene: Scene) -> None:
    """Compute the motion that the generated action holds, in slices if that takes long, and then show the pose.

    Nothing is shown if another job is going on.
    """
    going, named = jobs.going(), scene.name
    if jobs.attempted() is not None or (going is not None and going.kind != SLIDERS):
        return

    def again() -> None:
        (_, director), there = character.find(), bpy.data.scenes.get(named)
        if director is None or there is None or character.sliders is not state:
            return
        request = _as_made(request_of(director, playable, there), director, state)
        key = key_of(director, state.digest, request)
        character.played = jobs.computed(("played", *key), request.compute)
        show(director, character, state, slider_values(director, state.names), there)

    jobs.do(SLIDERS, "Computing the motion", again)


def _as_made(request: Request, director: Object, state: SliderState) -> Request:
    """The request as it was when the generated action was made: sliders without keys and drivers as they were then."""
    curves, stepped = adverb_curves(director), stepped_adverbs(director, state.names)
    tracks, adverbs = dict(request.score.adverbs), request.adverbs.copy()
    for column, (name, value) in enumerate(zip(state.names, state.made, strict=True)):
        if path_of(name) not in curves and name not in stepped:
            tracks[name] = Track(tracks[name].seconds, np.full(len(tracks[name].seconds), value))
            adverbs[:, column] = value
    return replace(request, score=replace(request.score, adverbs=tracks), adverbs=adverbs)


def _keeps_past(
    director: Object,
    character: Character,
    state: SliderState,
    playable: Playable,
    adverbs: tuple[float, ...],
    scene: Scene,
) -> bool:
    """Whether moved sliders count from the current frame on only, and not from the beginning of the motion."""
    names, curves = state.names, adverb_curves(director)
    stepped = stepped_adverbs(director, names)
    floor = director.verbs_adverbs.performance.floor is not None
    late = scene.frame_current_final - counting_of(director, scene).start > (OVER_FLOOR if floor else AT_ONCE)
    if playable.verb is not None and not _changes(director, character, state):
        return late and playable.graph.layers is not None
    if stepped or late:
        return True
    keyed = [column for column, name in enumerate(names) if path_of(name) in curves]
    told = state.expected[1]
    return playable.verb is not None and not _same(
        tuple(adverbs[column] for column in keyed), tuple(told[column] for column in keyed)
    )


def _changes(director: Object, character: Character, state: SliderState) -> bool:
    """Whether adverbs change while the motion goes on: they are keyed, or what drives them moves."""
    names, played = state.names, character.played
    if not is_animated(director, names):
        return False
    curves, stepped = adverb_curves(director), stepped_adverbs(director, names)
    keyed = any(path_of(name) in curves and name not in stepped for name in names)
    return keyed or (played is not None and bool(np.ptp(played.adverbs, axis=0).max(initial=0.0) > DRIVEN_SAME))
