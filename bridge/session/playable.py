"""What a director plays: one verb or its score; and the digests that detect changes."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from bpy.types import Object, PropertyGroup, Scene
from numpy.typing import NDArray

from ...core.errors import VerbError, VerbsError
from ...core.figure.channels import Channels
from ...core.graph.verb_graph import VerbGraph, graph_of
from ...core.play.score import play_score, player_of
from ...core.verb.verb import Verb
from ..action.tracks import Keys, keys_of, tracks_of
from ..action.write_pose import PosePlan, make_plan
from ..authoring.graph import graph_for, graph_signature, members
from ..authoring.verbs import built_for, verb_signature
from ..blender.jobs import computed
from ..data.adverb_values import stepped_adverbs
from ..data.content import plain, read_anew
from ..data.director import (
    check_directed,
    check_free,
    check_names,
    following_of,
    in_step,
    origin_of,
)
from ..data.frames.counting import counting_of
from ..data.layer_properties import LAYER_STATES
from ..data.targets import are_settled
from ..layers.layers import layer_names, layers_signature, with_layers_of
from .floor_mesh import floor_digest
from .request import Played, Request, adverb_names, gather_score, gather_verb, names_of
from .timeline import digest_of, frame_span
from .write_takes import adopted_for_now, take_to_adopt

Array = NDArray[np.float64]

UNHEARD = frozenset({"frames_ahead"})
"""Settings of a performance that do not affect what is played."""
GROWS = 4
"""Factor by which each part of a long motion is longer than the previous one."""
SOON = 1e-6
"""Seconds after which the outcome of a command is known."""
AT_HAND = 30.0
"""Seconds from the director's start within which the outcome of a command is played at once; later ones are reported
when the timeline has been computed, as that takes as long.
"""

SCORE = "SCORE"
"""Value for a director's score in place of the identifier of a single verb."""


@dataclass(frozen=True, eq=False)
class Playable:
    """Something a director plays: one verb repeatedly, or its score through the verb graph.

    Parameters
    ----------
    graph : verb graph of the armature, or of the single verb.
    signature : digest of everything it is made from, except the director's sliders, keys and location.
    verb : the verb that is played, None for a score.
    """

    graph: VerbGraph
    signature: str
    verb: Verb | None = None

    @property
    def channels(self) -> Channels:
        """The channels of its value columns."""
        return self.graph.channels

    @property
    def adverb_names(self) -> tuple[str, ...]:
        """Names of the adverbs that affect it."""
        return adverb_names(self.graph)

    def gather(self, director: Object, origin: Array, frames: Array, scene: Scene) -> Request:
        """Return the director's request, from its start frame on, at origin (4,) and `frames` (T,)."""
        if self.verb is not None:
            return gather_verb(director, self.graph, origin, frames, scene)
        return gather_score(director, self.graph, origin, frames, scene)


def playable_of(armature: Object, director: Object) -> Playable:
    """Return what a director plays on its armature, rebuilt if it is out of date.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    if director.verbs_adverbs.performance.active:
        return score_playable(armature, director)
    return _verb_alone(armature, director, chosen_verb(director))


def _verb_alone(armature: Object, director: Object, item: PropertyGroup) -> Playable:
    playable = verb_playable(armature, item)
    return replace(playable, signature=_of_verb(playable.signature, director))


def to_bake(director: Object) -> str:
    """Return what a bake of the performance contains: `SCORE`, or the identifier of the director's single verb."""
    own = director.verbs_adverbs
    return chosen_verb(director).uid if own.live and not own.performance.active else SCORE


def playable_to_bake(armature: Object, director: Object, plays: str) -> Playable:
    """Return the playable to bake, given what `to_bake` returned at the first bake.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    read_anew(armature)
    if plays == SCORE:
        return score_playable(armature, director)
    item = next((one for one in armature.verbs_adverbs.verbs if one.uid == plays), None)
    if item is None:
        raise VerbError(f"'{armature.name}' no longer has the verb that was baked. Make a new bake.")
    return _verb_alone(armature, director, item)


def signature_of(armature: Object, director: Object, root: str) -> str:
    """Return the signature of what `playable_of` would return for the root `root`, without building anything."""
    performance = director.verbs_adverbs.performance
    if not performance.active:
        alone = verb_signature(armature, chosen_verb(director), root)
        return _of_verb(alone + layers_signature(armature, root), director)
    return _of_score(graph_signature(armature, root) + layers_signature(armature, root), director)


def heeded_names(armature: Object, director: Object) -> tuple[str, ...]:
    """Return the adverb names of what `playable_of` would return, without building anything."""
    score = director.verbs_adverbs.performance.active
    verbs = members(armature) if score else [chosen_verb(director)]
    return names_of([[used.name for used in item.adverbs] for item in verbs], layer_names(armature))


def _of_verb(verb: str, director: Object) -> str:
    """Return a digest of a verb and of its follow settings."""
    following = following_of(director)
    return f"{verb} {following.settle:g} {following.steps} {following.hinges} {sorted(following.at_once)}"


def _of_score(graph: str, director: Object) -> str:
    """Return a digest of a verb graph and of how a director performs it."""
    settings = plain(director.verbs_adverbs.performance, UNHEARD)
    return f"{graph} {settings} {floor_digest(director)} {sorted(following_of(director).at_once)}"


def score_playable(armature: Object, director: Object | None) -> Playable:
    """Return the verb graph of an armature, to be played by a score or a performer.

    Parameters
    ----------
    director : the director that has the score, None if the armature has no director yet.
    """
    compiled = graph_for(armature)
    graph = with_layers_of(armature, compiled.graph)
    made_of = compiled.signature + layers_signature(armature)
    return Playable(graph, _of_score(made_of, director) if director is not None else "")


def verb_playable(armature: Object, item: PropertyGroup) -> Playable:
    """Return one verb of an armature as a playable; errors are those of `playable_of`."""
    built = built_for(armature, item)
    graph = with_layers_of(armature, graph_of(built.verb))
    return Playable(graph, built.signature + layers_signature(armature), built.verb)


def chosen_verb(director: Object) -> PropertyGroup:
    """Return the verb that a director is set to play.

    Raises
    ------
    VerbError
        If there is none with that name.
    """
    armature, name = director.verbs_adverbs.directs, director.verbs_adverbs.verb
    verbs = armature.verbs_adverbs.verbs
    if name not in verbs:
        said = f"has no verb '{name}'" if name else "has no verb to play"
        raise VerbError(f"'{armature.name}' {said}. Choose a verb for its director.")
    return verbs[name]


@dataclass(frozen=True, eq=False)
class Plan:
    """What a director plays and its sources, determined once per change, before anything is changed.

    Parameters
    ----------
    playable : what is played.
    poses : plan for converting its rows to keys of the armature.
    digest : digest of everything the generated action is made from, see `timeline.digest_of`.
    gather : reads the request at all frames of the generated action, or at the first of them.
    """

    playable: Playable
    poses: PosePlan
    digest: str
    gather: Callable[[], Request]

    @cached_property
    def request(self) -> Request:
        """The request, cached; reading it takes long if sliders have drivers."""
        return self.gather()

    def first(self, rows: int) -> Self | None:
        """Return this plan for the first `rows` frames only, None if there are not several times as many."""
        if GROWS * rows > len(self.request.frames):
            return None
        frames, adverbs = self.request.frames[:rows], self.request.adverbs[:rows]
        return replace(self, gather=lambda: replace(self.request, frames=frames, adverbs=adverbs))

    def keys(self, played: Played) -> list[Keys]:
        """Return the keys of a motion, in a job in slices."""
        key = "keys", self.digest, *played.request.key
        return computed(key, lambda tell: keys_of(tracks_of(self.poses, played.values, played.frames, tell)))


def plan_of(director: Object, scene: Scene) -> Plan:
    """Determine what a director plays, rebuilt if it is out of date; nothing is changed.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    armature = director.verbs_adverbs.directs
    playable = playable_of(armature, director)
    poses, root = make_plan(armature, playable.channels), playable.channels.skeleton.names[0]
    digest = digest_of(director, armature, root, playable.signature, scene)

    def gather() -> Request:
        frames = frame_span(director, scene, playable.channels.width)
        return playable.gather(director, np.array(origin_of(director, armature)), frames, scene)

    return Plan(playable, poses, digest, gather)


def refusal_of(director: Object, layer: str, frame: float, scene: Scene) -> str:
    """Return why a layer requested by a director at a frame is not started; empty if it is, or if it waits.

    Drivers are not evaluated, since that takes long, nor are starts late on the timeline checked.
    """
    armature, counting = director.verbs_adverbs.directs, counting_of(director, scene)
    if frame - counting.start > AT_HAND * counting.fps:
        return ""
    try:
        if stepped_adverbs(director, heeded_names(armature, director)):
            return ""
        request = plan_of(director, scene).request
        player, seconds = player_of(request.graph, request.here), max(frame - request.start, 0.0) / request.fps
        play_score(player, request.here, seconds + SOON)
        heard = player.advance([seconds + SOON]).happenings
    except VerbsError:
        return ""
    mine = [told for told in heard if told.name == layer and told.kind in LAYER_STATES and told.time >= seconds - SOON]
    return mine[-1].text if mine else ""


def check_playable(director: Object, scene: Scene) -> None:
    """Check that a director can play, before a refresh changes it.

    A refresh first synchronises adverbs, take and targets of the director, and would leave them changed if it failed
    afterwards. If they are in sync already, it changes things only at the very end, and needs no check.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    armature = director.verbs_adverbs.directs
    check_directed(armature)
    check_free(armature)
    check_names(armature)
    if in_step(armature) and take_to_adopt(director) is None and are_settled(armature):
        return
    with adopted_for_now(director):
        plan_of(director, scene).request.play()
