"""The director's score: what it asks for from its start frame on, and the walk through the verb graph that it gives."""

from dataclasses import dataclass

import numpy as np
from bpy.types import Object, Scene
from numpy.typing import NDArray

from ...core.bounds import COMMANDS, check_span
from ...core.errors import GraphError
from ...core.feet.live_locks import LiveLocks
from ...core.graph.verb_graph import VerbGraph
from ...core.play.recording import Recording
from ...core.play.score import Command, Score, Track, perform_score
from ...core.progress import Progress
from ..blender.naming import told_frame
from ..build.graph import start_of, unheard
from ..data.annotate import scene_fps
from ..data.commands import command_keys, verb_of_number
from .floor_mesh import floor_of
from .handles import handle_tracks
from .timeline import Played, adverb_values

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Performed:
    """A performance of a score.

    Parameters
    ----------
    played : at the frames that were asked for.
    recording : from the start frame on, at every whole frame.
    graph : that it went through.
    start, fps : the frame that is second 0 of the recording, and frames per second.
    """

    played: Played
    recording: Recording
    graph: VerbGraph
    start: float
    fps: float

    def frame(self, seconds: float) -> float:
        """Frame at `seconds` of the recording."""
        return self.start + seconds * self.fps


def adverb_names(graph: VerbGraph) -> tuple[str, ...]:
    """Adverbs that any verb of the graph knows, sorted."""
    return tuple(sorted({name for verb in graph.verbs for name in verb.adverb_names}))


def score_of(director: Object, graph: VerbGraph, origin: Array, frames: Array, adverbs: Array, fps: float) -> Score:
    """The director's score as core takes it; commands that cannot be heard are left out.

    Parameters
    ----------
    origin : (4,) where it starts, as `director.origin_of` says.
    frames : (F,) from the start frame on, at which the adverbs are known.
    adverbs : (F, D) in the order of `adverb_names`.
    """
    own = director.verbs_adverbs
    seconds = (frames - own.start_frame) / fps
    tracks = {name: Track(seconds, column) for name, column in zip(adverb_names(graph), adverbs.T, strict=True)}
    performance = own.performance
    return Score(
        verb=start_of(own.directs).name,
        commands=tuple(_commands(director, fps)),
        adverbs=tracks,
        seed=performance.seed,
        origin=tuple(origin.tolist()),
        settle=performance.settle,
        handles=handle_tracks(director, frames, seconds),
    )


def _commands(director: Object, fps: float) -> list[Command]:
    own, keys = director.verbs_adverbs, command_keys(director)
    if len(keys) > COMMANDS:
        raise GraphError(
            f"The score of '{director.name}' has {len(keys)} commands; no more than {COMMANDS} are followed. Delete the"
            " keys of its property 'command' that are not needed."
        )
    return [
        Command(
            max(key.frame - own.start_frame, 0.0) / fps,
            verb_of_number(own.directs, key.number).name,
            f"at frame {told_frame(key.frame)}",
        )
        for key in keys
        if not unheard(director, key)
    ]


@dataclass(frozen=True, eq=False)
class AskedScore:
    """All that a performance of a score is computed from; no data of Blender's is looked at any more.

    Parameters
    ----------
    graph : to go through.
    score : what is asked for.
    locks : what holds the points that stand, fresh for one performance; None if nothing does.
    start, fps : the frame that it starts at, and frames per second.
    every : (F,) whole frames from the start on.
    frames : (T,) those of them at which the result is wanted, or before the start.
    adverbs : (F, D)
    """

    graph: VerbGraph
    score: Score
    locks: LiveLocks | None
    start: float
    fps: float
    every: Array
    frames: Array
    adverbs: Array

    def compute(self, progress: Progress | None = None) -> Played:
        """Perform it, and tell of the frames alone; `progress` as `core.progress` says."""
        return self.perform(progress).played

    def perform(self, progress: Progress | None = None) -> Performed:
        """Perform it; `progress` as `core.progress` says.

        Raises
        ------
        VerbsError
            If a command cannot be followed, or an adverb is not a finite number.
        """
        seconds = (self.every - self.start) / self.fps
        recording = perform_score(self.graph, self.score, seconds, self.locks, progress)
        rows = np.maximum(self.frames - self.start, 0.0).astype(np.intp)
        whole = np.array_equal(rows, np.arange(len(self.every)))
        values = recording.values if whole else recording.values[rows]
        played = Played(self.frames, self.adverbs[rows], recording.phases[rows], values, np.zeros(len(rows)))
        return Performed(played, recording, self.graph, self.start, self.fps)


def gather_score(director: Object, graph: VerbGraph, origin: Array, frames: Array, scene: Scene) -> AskedScore:
    """What the director's score is to be performed with from its start frame on; before it the first pose is held.

    Parameters
    ----------
    graph : the armature's.
    origin : (4,) where it starts.
    frames : (T,) whole and increasing, at which the result is wanted.

    Raises
    ------
    VerbsError
        If an adverb is not a finite number, or there are too many frames or commands.
    """
    start, fps = float(director.verbs_adverbs.start_frame), scene_fps(scene)
    check_span(director.name, start, float(frames[-1]), fps, "the last one")
    every = np.arange(start, max(frames[-1], start) + 1.0)
    adverbs = adverb_values(director, adverb_names(graph), every, scene)
    score = score_of(director, graph, origin, every, adverbs, fps)
    return AskedScore(graph, score, locks_for(director, graph), start, fps, every, frames, adverbs)


def locks_for(director: Object, graph: VerbGraph) -> LiveLocks | None:
    """What holds the points that stand, fresh for one performance; None if there are none or they are to slide."""
    if not director.verbs_adverbs.performance.lock_feet or not graph.points:
        return None
    return LiveLocks(graph.channels, graph.points, floor_of(director))
