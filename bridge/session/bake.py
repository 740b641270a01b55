"""Baking: a verb, or a director's whole score, as plain keyframes in a new action.

The action plays without the extension, and can be used as an example again.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from bpy.types import Action, Object, Scene
from numpy.typing import NDArray

from ...core.bounds import FARTHEST_FRAME, FRAMES, check_span, check_values
from ...core.errors import GraphError, VerbError
from ...core.figure.channels import climb
from ...core.graph.verb_graph import VerbGraph, graph_of
from ...core.play.score import Passing, passing, player_of
from ...core.progress import Progress, share_of
from ...core.verb.verb import Verb
from ..action.bake_record import OF_PERFORMANCE, OF_VERB
from ..action.baked_curves import packed
from ..action.tracks import Keys, baked_tracks, keys_of
from ..action.write_pose import PosePlan, make_plan
from ..blender.jobs import computed
from ..blender.naming import told_frame
from ..data.adverb_values import slider_values
from ..data.annotate import scene_fps
from ..data.director import director_of, origin_of
from ..data.frames.counting import counting_of
from ..data.layer_properties import sliders_of
from ..data.library_director import default_origin
from ..layers.layers import with_layers_of
from .annotate_bake import annotate_cycles, annotate_performance
from .bakes.baked import Baked, first_verb
from .floor_mesh import Feet, feet_of
from .playable import SCORE, playable_to_bake, to_bake
from .request import Played, Request, adverb_names, changing_request, even_request
from .timeline import check_repeats, is_animated, score_digest

Array = NDArray[np.float64]

SAME_FRAME = 1e-3
SAME_PHASE = 1e-5
NO_TURN = 1e-4
PACKING = 0.8
"""Fraction of the work on keys that is done before they are packed."""


@dataclass(frozen=True)
class BakeOptions:
    """What to bake.

    Parameters
    ----------
    name : name of the action; made from the verb and its adverbs if empty.
    cycles : how often the verb is played; 0 for the frames `start` to `end`.
    start, end : frames; with animated adverbs the performance still begins at the director's start frame.
    step : frames between keys.
    animated : follow the director's keys and drivers instead of holding its sliders' current values.
    in_place : leave out the travel.
    loop : let cycles modifiers repeat what can be repeated.
    degrees, distance : leave out keys whose removal causes no larger error, 0 for none; performance units.
    annotate : mark every whole cycle as an example.
    lock_feet : hold planted feet, if the director does too.
    """

    name: str = ""
    cycles: int = 1
    start: float = 1.0
    end: float = 250.0
    step: float = 1.0
    animated: bool = False
    in_place: bool = False
    loop: bool = True
    degrees: float = 0.0
    distance: float = 0.0
    annotate: bool = True
    lock_feet: bool = True


@dataclass(frozen=True, eq=False)
class Rendition:
    """What is to be keyed, and its timing.

    Parameters
    ----------
    played : the motion at the frames of the keys.
    frame_of : frames (n,) of generic times (n,).
    adverbs_at : adverbs (D,) at a frame.
    even : whether the adverbs are constant.
    """

    played: Played
    frame_of: Callable[[Array], Array]
    adverbs_at: Callable[[float], Array]
    even: bool


def bake_of_verb(armature: Object, verb: Verb, options: BakeOptions, scene: Scene) -> Baked:
    """Return the bake of a verb, to be written with `write_new`.

    Layers are included when baking a range of frames, but not in whole cycles of a verb, which are to be repeated.

    Parameters
    ----------
    armature : armature object; the sliders, keys and location of its director are used if it has one.
    verb : one of its built verbs.
    options : what to bake.
    scene : for the frame rate.

    Raises
    ------
    VerbsError
        If there is nothing to bake, or the armature has changed too much.
    """
    graph = graph_of(verb) if options.cycles else with_layers_of(armature, graph_of(verb))
    plan = make_plan(armature, graph.channels)
    rendition = _rendition(armature, graph, options, scene)
    if options.in_place:
        rendition = _without_travel(rendition, plan, _origin(armature))
    keys, written = _keyed(armature, plan, rendition.played, options)

    def mark(action: Action) -> None:
        if options.annotate:
            annotate_cycles(armature, action, verb, rendition, _kind(verb, options), scene_fps(scene))

    return Baked(
        OF_VERB,
        options,
        options.name or _name(verb, rendition),
        keys,
        written,
        armature.verbs_adverbs.verbs[verb.name].uid if verb.name in armature.verbs_adverbs.verbs else "",
        _repeats(verb, rendition, options),
        "" if options.in_place else keys[0].path,
        bool(options.loop and options.cycles),
        mark,
    )


def _keyed(
    armature: Object, plan: PosePlan, played: Played, options: "BakeOptions | PerformanceOptions"
) -> tuple[list[Keys], str]:
    """Return the keys of a motion, reduced as its options allow, and the same packed for storing."""

    def thinned(tell: Progress) -> tuple[list[Keys], str]:
        first = share_of(tell, 0.0, PACKING)
        kept = keys_of(baked_tracks(plan, played.values, played.frames, options.degrees, options.distance, first))
        return kept, packed(kept, share_of(tell, PACKING, 1.0))

    return computed(("baked keys", armature.session_uid, repr(options), *played.request.key), thinned)


def _without_travel(rendition: Rendition, plan: PosePlan, origin: Array) -> Rendition:
    values = rendition.played.values.copy()
    values[:, :3] = origin[[0, 1, 3]]
    climb(plan.channels, values, -rendition.played.heights)
    return replace(rendition, played=replace(rendition.played, values=values))


def _origin(armature: Object) -> Array:
    director = director_of(armature)
    return np.array(default_origin(armature) if director is None else origin_of(director, armature))


def _sliders(armature: Object, names: tuple[str, ...]) -> Array:
    director = director_of(armature)
    if director is not None:
        return np.array(slider_values(director, names), dtype=np.float64)
    defaults = {item.name: item.default for item in sliders_of(armature)}
    return np.array([defaults[name] for name in names], dtype=np.float64)


def _rendition(armature: Object, graph: VerbGraph, options: BakeOptions, scene: Scene) -> Rendition:
    director, verb, names = director_of(armature), graph.verbs[0], adverb_names(graph)
    if options.animated and director is not None and is_animated(director, names):
        return _animated(graph, director, _origin(armature), options, scene)
    fps, adverbs, origin = scene_fps(scene), _sliders(armature, names), _origin(armature)
    motion = verb.motion(adverbs[: len(verb.adverb_names)])
    cycles = options.cycles if verb.cyclic else min(options.cycles, 1)
    end = options.start + cycles * motion.duration * fps if options.cycles else options.end
    if cycles and end - options.start > FRAMES:
        raise _too_long(verb, cycles)
    frames = _frames(armature, verb, options.start, end, options)
    check_repeats(verb, frames, options.start, fps)
    request = even_request(graph, adverbs, _feet(director, graph, options), origin, options.start, fps, frames)
    return Rendition(
        request.play(),
        lambda phases: options.start + fps * motion.clock(phases),
        lambda frame: adverbs[: len(verb.adverb_names)],
        even=True,
    )


def _feet(director: Object | None, graph: VerbGraph, options: BakeOptions) -> Feet:
    return feet_of(director, graph, options.in_place) if options.lock_feet else Feet()


def _animated(graph: VerbGraph, director: Object, origin: Array, options: BakeOptions, scene: Scene) -> Rendition:
    start, verb = counting_of(director, scene).start, graph.verbs[0]
    cycles = options.cycles if verb.cyclic else min(options.cycles, 1)
    first, end = options.start, options.end
    if cycles:
        first, end = start, _end_of(graph, director, cycles, scene)
    frames = _frames(director.verbs_adverbs.directs, verb, first, end, options)
    check_span(director.name, start, max(end, start), scene_fps(scene), "the last frame of the bake")
    check_repeats(verb, frames, start, scene_fps(scene))
    request = changing_request(graph, director, _feet(director, graph, options), origin, frames, scene)
    passed = _passing(graph, director, max(end, start), scene)
    return Rendition(
        request.play(),
        lambda phases: _frames_at(phases, passed),
        lambda frame: _adverbs_at(request, passed, frame)[: len(verb.adverb_names)],
        even=False,
    )


def _adverbs_at(request: Request, passed: Passing, frame: float) -> Array:
    """Return the adverbs (D,) at a frame, the verb's as they have settled; `passed` is in frames."""
    score = request.score
    if score.settle:
        return passed.adverbs[max(int(np.searchsorted(passed.times, frame, side="right")) - 1, 0)]
    seconds = np.array([(frame - request.start) / request.fps])
    return np.array([track.at(seconds)[0] for track in score.adverbs.values()])


def _passing(graph: VerbGraph, director: Object, end: float, scene: Scene) -> Passing:
    """Return how generic time passes up to the frame `end`, in frames instead of seconds."""
    start, fps = counting_of(director, scene).start, scene_fps(scene)
    request = changing_request(graph, director, Feet(), np.zeros(4), np.array([end]), scene)
    until = (end - start) / fps

    def passed(tell: Progress) -> Passing:
        found = passing(player_of(request.graph, request.score), request.score, until, tell)
        return found._replace(times=start + fps * found.times)

    return computed(("passed", start, fps, end, *request.key), passed)


def _frames_at(phases: Array, passed: Passing) -> Array:
    """Return the frames (n,) at which generic times `phases` (n,) are reached, infinite for those that are not."""
    goes_on = np.append(True, np.diff(passed.phases) > 0.0)
    found = np.interp(phases, passed.phases[goes_on], passed.times[goes_on])
    return np.where(phases <= passed.phases[-1] + SAME_PHASE, found, np.inf)


def _end_of(graph: VerbGraph, director: Object, cycles: int, scene: Scene) -> float:
    """Return the frame at which the given number of cycles has been played."""
    start, verb = counting_of(director, scene).start, graph.verbs[0]
    check_span(director.name, start, start, scene_fps(scene), "the first frame of the bake")
    count = 2.0 * cycles * verb.duration(slider_values(director, verb.adverb_names)) * scene_fps(scene)
    while count <= FRAMES:
        passed = _passing(graph, director, start + np.ceil(count) + 2.0, scene)
        if passed.phases[-1] >= cycles:
            return float(_frames_at(np.array([float(cycles)]), passed)[0])
        count *= 2.0
    raise _too_long(verb, cycles)


def _too_long(verb: Verb, cycles: int) -> VerbError:
    return VerbError(
        f"{cycles} cycles of '{verb.name}' take more than {FRAMES} frames. Bake fewer cycles, or a frame range."
    )


def _frames(armature: Object, verb: Verb, start: float, end: float, options: BakeOptions) -> Array:
    frames = key_frames(start, end, options.step)
    check_values(f"The bake of '{armature.name}'", len(frames), verb.channels.width)
    return frames


def key_frames(start: float, end: float, step: float) -> Array:
    """Return the frames from `start` to `end`, both included, `step` apart except for the last.

    Raises
    ------
    VerbError
        If the range is empty, too long or out of bounds.
    """
    if not (step > 0.0 and end > start):
        raise VerbError(
            f"There are no frames from {told_frame(start)} to {told_frame(end)} in steps of {step:g}. Set an end after"
            " the start."
        )
    if not (abs(start) <= FARTHEST_FRAME and abs(end) <= FARTHEST_FRAME):
        raise VerbError(
            f"The frame range {told_frame(start)} to {told_frame(end)} is out of bounds. Set frames between "
            f"{-FARTHEST_FRAME} and {FARTHEST_FRAME}."
        )
    if (end - start) / step > FRAMES:
        raise VerbError(
            f"The frame range {told_frame(start)} to {told_frame(end)} needs more than {FRAMES} keys per channel. Set "
            "an earlier end or a larger step."
        )
    frames = np.arange(start, end, step)
    return np.append(frames[frames < end - SAME_FRAME], end)


def _name(verb: Verb, rendition: Rendition) -> str:
    if not rendition.even or not verb.adverb_names:
        return f"{verb.name} baked"
    values = rendition.played.adverbs[0]
    told = " ".join(f"{name} {value:.3g}" for name, value in zip(verb.adverb_names, values, strict=False))
    return f"{verb.name} {told}"


def _travels(verb: Verb) -> bool:
    return bool(np.abs(verb.drifts).max() > 1e-6)


def _kind(verb: Verb, options: BakeOptions) -> str:
    if not _travels(verb):
        return "STATIONARY"
    return "IN_PLACE" if options.in_place else "TRAVELLING"


def _repeats(verb: Verb, rendition: Rendition, options: BakeOptions) -> bool:
    """Return whether modifiers should repeat the bake: whole cycles at constant adverbs, without turning."""
    if not (options.loop and verb.cyclic and rendition.even and options.cycles):
        return False
    travel = rendition.played.values[[0, -1], :3]
    return abs(travel[1, 2] - travel[0, 2]) <= NO_TURN


@dataclass(frozen=True)
class PerformanceOptions:
    """What to bake.

    Parameters
    ----------
    name : name of the action; the armature's if empty.
    start, end, step : whole frames; before the director's start frame the first pose is held.
    degrees, distance : leave out keys whose removal causes no larger error, 0 for none; performance units.
    annotate : mark the whole bake as an example.
    plays : as returned by `to_bake`; empty for what the director plays at the time of the bake.
    """

    name: str = ""
    start: int = 1
    end: int = 250
    step: int = 1
    degrees: float = 0.0
    distance: float = 0.0
    annotate: bool = True
    plays: str = ""

    def settled(self, director: Object) -> Self:
        """Return these options, with `plays` filled in."""
        return self if self.plays else replace(self, plays=to_bake(director))


def bake_of_performance(armature: Object, options: PerformanceOptions, scene: Scene) -> Baked:
    """Return the bake of what an armature's director performs, to be written with `write_new`.

    Parameters
    ----------
    armature : armature object with a director.
    options : what to bake.
    scene : for the frame rate.

    Raises
    ------
    VerbsError
        If there is nothing to bake or it cannot be performed.
    """
    director, plan, request = resolved(armature, options, scene)
    options, performed = options.settled(director), request.play()
    keys, written = _keyed(armature, plan, performed, options)

    def mark(action: Action) -> None:
        if options.annotate:
            annotate_performance(armature, action, performed, scene_fps(scene))

    name = options.name or f"{armature.name} performed"
    score = score_of_bake(director, armature, options)
    return Baked(OF_PERFORMANCE, options, name, keys, written, first_verb(armature), mark=mark, score=score)


def resolved(armature: Object, options: PerformanceOptions, scene: Scene) -> tuple[Object, PosePlan, Request]:
    """Return an armature's director, the plan for keying rows, and the request for the frames of a bake.

    Raises
    ------
    VerbsError
        If there is nothing to bake or it cannot be performed.
    """
    director = director_of(armature)
    if director is None:
        raise GraphError(f"'{armature.name}' has no director. Switch a verb on, or add a command, which adds one.")
    frames = key_frames(options.start, options.end, options.step)
    playable = playable_to_bake(armature, director, options.settled(director).plays)
    check_values(f"The bake of '{armature.name}'", len(frames), playable.channels.width)
    origin = np.array(origin_of(director, armature))
    return director, make_plan(armature, playable.channels), playable.gather(director, origin, frames, scene)


def score_of_bake(director: Object, armature: Object, options: PerformanceOptions) -> str:
    """Return a digest of the score baked with settled options, empty for a single verb."""
    return score_digest(director, armature) if options.plays == SCORE else ""
