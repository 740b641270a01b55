"""A director's request, as input for core: its score through the verb graph, or one verb repeatedly."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from bpy.types import Object, Scene
from numpy.typing import NDArray

from ...core.bounds import COMMANDS, check_span
from ...core.errors import GraphError
from ...core.feet.constrained_player import AnyPlayer
from ...core.feet.playing_together import advance_all, comes_free, matters_from
from ...core.figure.channels import climb
from ...core.graph.verb_graph import VerbGraph
from ...core.play.player import AskAdverbs
from ...core.play.recorded_motion import Recording
from ...core.play.score import Command, Score, Track, play_score, player_of, record
from ...core.progress import Progress
from ...core.verb.verb import Verb, placed
from ..authoring.graph import start_of, unheard
from ..blender.jobs import computed
from ..blender.naming import told_frame
from ..blender.store import digest_of, made
from ..data.adverb_values import slider_values
from ..data.commands import command_keys, verb_of_number
from ..data.director import FREELY, Following, following_of
from ..data.frames.counting import Counting, counting_of, on_readings
from .floor_mesh import Feet, feet_of
from .timeline import adverb_values, check_repeats, heard_values, is_animated
from .write_takes import handle_tracks

Array = NDArray[np.float64]

PERFORMED, ALL = "performed", 2
"""Kind of what the store keeps of motions, and times its values that a motion with all that is known of it takes."""
READ = 30.0
"""How often a second, at least, adverbs of a verb that do not settle are read: at every frame, and in between."""
MOVED = 1e-6
"""Smallest absolute and relative difference from its keys that shows that a slider was moved."""
NEAR = 2
"""Number of cycles before a frame from which on a single verb is played, if locks of older cycles do not matter."""
LONG = 20.0
"""Seconds before a frame from which on it is played if they do: a point that never lifts has come to rest by then."""
MOST_PLACES = 1000
"""Approximate maximum number of positions to check for being on the floor."""
SHARED = 5_000_000
"""Largest number of values in a motion cached for characters that differ only in location."""


@dataclass(frozen=True, eq=False)
class Request:
    """Everything a motion is computed from; Blender's data are not read after this.

    Parameters
    ----------
    graph : the verb graph to play.
    score : the score to play.
    feet : how planted points are treated.
    start, fps : start frame, and frames per second.
    frames : (T,) increasing output frames; before the start the first pose is held.
    adverbs : (T, D) at them.
    """

    graph: VerbGraph
    score: Score
    feet: Feet
    start: float
    fps: float
    frames: Array
    adverbs: Array

    @cached_property
    def digest(self) -> str:
        """Digest of the whole request, except the graph."""
        return _digest(self.score, self.feet, self.start, self.fps, self.frames.tobytes())

    @property
    def key(self) -> tuple[Hashable, ...]:
        """Key that identifies the request among everything a job computes."""
        return "played", self.graph, self.digest

    def seconds(self, frames: Array) -> Array:
        """Return seconds (T,) since the beginning at `frames` (T,), 0 before it."""
        passed = np.maximum(frames - self.start, 0.0) / self.fps
        return passed if self.fps == self.score.rate else on_readings(passed, self.score.rate, self.score.between)

    def compute(self, progress: Progress | None = None) -> "Played":
        """Compute the motion; `progress` as described in `core.progress`.

        Raises
        ------
        VerbsError
            If a command cannot be carried out, or an adverb is not a finite number.
        """
        seconds, rows = np.unique(self.seconds(self.frames), return_inverse=True)
        recorded, forks = self._recorded(seconds, progress)
        raised = self.score.origin[2] - self.here.origin[2]
        recording = replace(recorded, values=self.placed(recorded.values), heights=recorded.heights + raised)
        values = recording.values if len(rows) == len(seconds) else recording.values[rows]
        heights = recording.heights[rows] - self.score.origin[2]
        return Played(self, values, recording.phases[rows], heights, recording, forks)

    def play(self) -> "Played":
        """Return the motion as `compute` does, in a job in slices; a job computes an equal request only once."""
        return computed(self.key, self.compute)

    def row_at(self, seconds: float) -> Array:
        """Return the row (width,) at one time, as in `compute`.

        The distant past is skipped: at constant adverbs the earlier cycles of a verb, or the time it has been at rest.
        """
        score = self.here
        player = player_of(self.graph, score)
        even = all(len(track.values) == 1 for track in score.adverbs.values())
        more = self.graph.transitions or self.graph.layers or score.commands or score.handles
        if even and len(self.graph.verbs) == 1 and not more:
            now = player.moment.playing.now
            length = sum(now.lengths)
            if now.verb.cyclic:
                cycles = int(seconds / length) - (NEAR if comes_free(player) else math.ceil(LONG / length))
                score = replace(score, lead=-cycles) if cycles > 0 else score
                player = player_of(self.graph, score)
            else:
                seconds = min(seconds, length + LONG)
        if self.feet.floor is not None:
            held = self.feet.held(player)
            play_score(held, score, seconds)
            return self.placed(held.advance([seconds]).values)[0]
        pieces = play_score(player, score, seconds)
        begin = matters_from(player, pieces, seconds) if self.feet.locked else seconds
        pieces = pieces[max(sum(piece.begin.time <= begin for piece in pieces) - 1, 0) :]
        return self.placed(advance_all([self.feet.held(player, pieces[0])], [seconds], [pieces])[0].values)[0]

    @property
    def heeds_places(self) -> bool:
        """Whether the motion depends on its location: on a floor there, or on look targets."""
        return self.feet.floor is not None or (self.graph.layers is not None and self.graph.layers.heeds_places)

    @property
    def here(self) -> Score:
        """The score as played: from (0, 0, 0) if it does not depend on location, so that characters can share it."""
        return self.score if self.heeds_places else replace(self.score, origin=(0.0, 0.0, 0.0, 0.0))

    def placed(self, values: Array) -> Array:
        """Return played rows (T, width), moved to the start of this request, if they are not there already."""
        if self.heeds_places:
            return values
        x, y, z, heading = self.score.origin
        moved = placed(values, np.array([x, y, heading]))
        climb(self.graph.channels, moved, z)
        return moved

    def _recorded(self, seconds: Array, progress: Progress | None) -> tuple[Recording, tuple[AnyPlayer, ...]]:
        """Play it, unless cached for an identical character; for a single verb with forks of the player."""
        score = self.here

        def perform() -> tuple[Recording, tuple[AnyPlayer, ...]]:
            forks: list[AnyPlayer] = []
            player = self.feet.held(player_of(self.graph, score))
            keep = (lambda: forks.append(player.fork())) if len(self.graph.verbs) == 1 else None
            return record(player, score, seconds, progress, keep), tuple(forks)

        if self.feet.floor is not None or len(seconds) * self.graph.channels.width > SHARED:
            return perform()
        key = PERFORMED, self.graph, _digest(score, self.feet, seconds.tobytes())
        return made(key, perform, lambda found: ALL * found[0].values.nbytes)


def _digest(score: Score, feet: Feet, *parts: object) -> str:
    """Return a digest of a score, of how the feet are held, and of other things that `repr` distinguishes."""
    tracks = [
        [(name, track.seconds.tobytes(), track.values.tobytes()) for name, track in sorted(kind.items())]
        for kind in (score.adverbs, score.handles)
    ]
    plain, ground = replace(score, adverbs={}, handles={}), feet.floor.digest if feet.floor is not None else ""
    return digest_of((plain, tracks, feet.locked, feet.steps, ground, parts))


@dataclass(frozen=True, eq=False)
class Played:
    """A motion at the requested frames.

    Parameters
    ----------
    request : the request it was computed from.
    values : (T, width) in performance space.
    phases : (T,) generic time of the current verb.
    heights : (T,) height climbed since the start, part of the root's height in `values`.
    recording : recording of these frames, except those before the start, and of all events since the start.
    forks : for a single verb, players at some times, to continue from.
    """

    request: Request
    values: Array
    phases: Array
    heights: Array
    recording: Recording
    forks: tuple[AnyPlayer, ...]

    @property
    def frames(self) -> Array:
        """The requested frames (T,)."""
        return self.request.frames

    @property
    def adverbs(self) -> Array:
        """The requested adverbs (T, D)."""
        return self.request.adverbs

    @cached_property
    def leaves_floor_at(self) -> float | None:
        """First frame beyond the floor, None if there is none or no floor; long motions are only sampled."""
        floor, each = self.request.feet.floor, max(1, len(self.frames) // MOST_PLACES)
        if floor is None:
            return None
        places = zip(self.frames[::each].tolist(), self.values[::each, :2].tolist(), strict=True)
        return next((frame for frame, (x, y) in places if floor.is_beyond(x, y)), None)

    def frame(self, seconds: float) -> float:
        """Return the frame at `seconds` of the recording."""
        return self.request.start + seconds * self.request.fps

    def row_from(self, frame: float, adverbs: Mapping[str, float]) -> Array:
        """Return the row (width,) at a frame if adverbs jump to other values there, played from the last fork before.

        Adverbs still settling to the requested values continue to do so. Beyond the last frame the last row is
        returned.
        """
        request = self.request
        (seconds,) = request.seconds(np.minimum([frame], self.frames[-1])).tolist()
        now = {name: float(track.at(np.array([seconds]))[0]) for name, track in request.score.adverbs.items()}
        moved = {name: value for name, value in adverbs.items() if abs(value - now[name]) > MOVED * (1.0 + abs(value))}
        before = [player for player in self.forks if player.time <= seconds]
        player = before[-1].fork() if before else request.feet.held(player_of(request.graph, request.here))
        play_score(player, request.here, seconds)
        player.command(seconds, AskAdverbs(moved, at_once=frozenset(moved)))
        return request.placed(player.advance([seconds]).values)[0]


def adverb_names(graph: VerbGraph) -> tuple[str, ...]:
    """Return the adverbs of all verbs and layers of a graph, in the order of `names_of`."""
    layers = tuple(graph.layers.sliders) if graph.layers is not None else ()
    return names_of([verb.adverb_names for verb in graph.verbs], [layers])


def names_of(verbs: Sequence[Sequence[str]], layers: Sequence[Sequence[str]] = ()) -> tuple[str, ...]:
    """Return the adverbs of some verbs, sorted; those of a single verb come first, in its own order."""
    first = tuple(verbs[0]) if len(verbs) == 1 else tuple(sorted({name for names in verbs for name in names}))
    return (*first, *sorted({name for names in layers for name in names if name not in first}))


def gather_score(director: Object, graph: VerbGraph, origin: Array, frames: Array, scene: Scene) -> Request:
    """Return the request of a director that plays its score, from its start frame on.

    Parameters
    ----------
    graph : the armature's verb graph.
    origin : (4,) where it starts.
    frames : (T,) whole and increasing output frames; before the start the first pose is held.

    Raises
    ------
    VerbsError
        If an adverb is not a finite number, or there are too many frames or commands.
    """
    counting, names = counting_of(director, scene), adverb_names(graph)
    check_span(director.name, counting.start, float(frames[-1]), counting.fps, "the last one")
    every, seconds = counting.readings(float(frames[-1]))
    adverbs = adverb_values(director, names, every, scene)
    score = score_of(director, graph, origin, (every, seconds), adverbs, counting)
    at_frames = heard_values(director, names, frames, (every, adverbs), scene)
    return Request(graph, score, feet_of(director, graph), counting.start, counting.fps, frames, at_frames)


def score_of(
    director: Object, graph: VerbGraph, origin: Array, read: tuple[Array, Array], adverbs: Array, counting: Counting
) -> Score:
    """Return the director's score as input for core; commands that have no effect are left out.

    Parameters
    ----------
    origin : (4,) where it starts, see `director.origin_of`.
    read : frames (F,) of the keys, and seconds (F,) since the beginning, at which the adverbs are known.
    adverbs : (F, D) in the order of `adverb_names`.
    counting : the director's frame counting.
    """
    frames, seconds = read
    return replace(
        beginning_of(director, origin),
        commands=tuple(_commands(director, counting)),
        adverbs=_tracks(adverb_names(graph), seconds, adverbs),
        handles=handle_tracks(director, frames, seconds),
        rate=counting.reads,
    )


def beginning_of(director: Object, origin: Array) -> Score:
    """Return the beginning of a director's score at an origin (4,), for playing and performing, without requests."""
    own, following = director.verbs_adverbs, following_of(director)
    return Score(
        verb=start_of(own.directs).name,
        seed=max(own.performance.seed, 0),  # values set without Blender's checks may be negative
        origin=tuple(origin.tolist()),
        settle=following.settle,
        at_once=following.at_once,
    )


def _tracks(names: tuple[str, ...], seconds: Array, adverbs: Array) -> dict[str, Track]:
    columns = ((seconds, column) if np.ptp(column) > 0.0 else (seconds[:1], column[:1]) for column in adverbs.T)
    return {name: Track(*column) for name, column in zip(names, columns, strict=True)}


def _commands(director: Object, counting: Counting) -> list[Command]:
    own, keys = director.verbs_adverbs, command_keys(director)
    if len(keys) > COMMANDS:
        raise GraphError(
            f"The score of '{director.name}' has {len(keys)} commands, but at most {COMMANDS} are possible. Delete "
            "unneeded keys of its property 'command'."
        )
    return [
        Command(
            counting.seconds(key.frame),
            verb_of_number(own.directs, key.number).name,
            f"at frame {told_frame(counting.in_scene(key.frame))}",
        )
        for key in keys
        if not unheard(director, key)
    ]


def gather_verb(director: Object, graph: VerbGraph, origin: Array, frames: Array, scene: Scene) -> Request:
    """Return the request of a director that plays one verb: that verb repeatedly from its start frame on.

    Parameters
    ----------
    director : the director with its adverbs, start frame, floor and foot lock setting.
    graph : graph of the verb alone, with its layers.
    origin : (4,) where it starts, as `director.origin_of` says.
    frames : (T,) increasing output frames; before the start the first pose is held.
    scene : for the frame rate, and to evaluate drivers in.

    Raises
    ------
    VerbError
        If the verb would be repeated too often, or an adverb is not a finite number.
    """
    counting = counting_of(director, scene)
    check_repeats(graph.verbs[0], frames, counting.start, counting.fps)
    feet, names = feet_of(director, graph), adverb_names(graph)
    if is_animated(director, names):
        return changing_request(graph, director, feet, origin, frames, scene)
    values = np.array(slider_values(director, names), dtype=np.float64)
    return even_request(graph, values, feet, origin, counting.start, counting.fps, frames)


def even_request(
    graph: VerbGraph, adverbs: Array, feet: Feet, origin: Array, start: float, fps: float, frames: Array
) -> Request:
    """Return the request for a verb played from the frame `start` on at constant adverbs (D,); parameters as below."""
    score = _alone(graph.verbs[0], _tracks(adverb_names(graph), np.zeros(1), adverbs[None]), origin, fps)
    return Request(graph, score, feet, start, fps, frames, np.tile(adverbs, (len(frames), 1)))


def changing_request(
    graph: VerbGraph, director: Object, feet: Feet, origin: Array, frames: Array, scene: Scene
) -> Request:
    """Return the request for a verb played while the director's adverbs change.

    They are read at every frame, like those of a score; also between frames where adverbs do not settle.
    """
    counting, following = counting_of(director, scene), following_of(director)
    often = 1 if following.settle else math.ceil(READ / counting.reads)
    fine, seconds = counting.readings(float(frames[-1]), often)
    names, verb = adverb_names(graph), graph.verbs[0]
    adverbs = adverb_values(director, names, fine, scene)
    score = _alone(verb, _tracks(names, seconds, adverbs), origin, counting.reads, often, following)
    at_frames = heard_values(director, names, frames, (fine, adverbs), scene, between=True)
    return Request(graph, score, feet, counting.start, counting.fps, frames, at_frames)


def _alone(
    verb: Verb,
    tracks: Mapping[str, Track],
    origin: Array,
    fps: float,
    often: int = 1,
    following: Following = FREELY,
) -> Score:
    """Return the score of one verb that has already played one cycle; adverbs that do not settle go from key to key."""
    return Score(
        verb=verb.name,
        adverbs=tracks,
        origin=tuple(origin.tolist()),
        settle=following.settle,
        at_once=following.at_once,
        rate=fps,
        between=often,
        straight=not following.settle,
        lead=1,
    )
