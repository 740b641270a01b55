"""What a director plays: one verb, or its score through the verb graph."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

import numpy as np
from bpy.types import Object, PropertyGroup, Scene
from numpy.typing import NDArray

from ...core.errors import VerbError
from ...core.figure.channels import Channels
from ...core.graph.verb_graph import VerbGraph
from ...core.play.score import perform_score
from ...core.verb.verb import Verb
from ..action.write_pose import make_plan
from ..blender.jobs import computed
from ..build.graph import graph_for, graph_signature, members
from ..build.verbs import built_for, signature
from ..data.content import plain
from ..data.director import check_free, check_names, check_ours, in_step, origin_of
from ..data.targets import are_settled
from .floor_mesh import floor_digest
from .score import AskedScore, adverb_names, gather_score, score_of
from .take import adopted_for_now, take_to_adopt
from .timeline import Asked, Played, digest_of, frame_span, gather

Array = NDArray[np.float64]

AT_ONCE = 240
"""Frames that are played again, the feet unlocked, for every move of a slider."""


class Computed(Protocol):
    """A performance that can be computed without a look at Blender's data; see `timeline.Asked`.

    Attributes
    ----------
    adverbs : what they are, at one frame or many.
    """

    adverbs: Array

    def compute(self, progress: Callable[[float], None] | None = None) -> Played:
        """Play it; `progress` as `core.progress` says."""
        ...


class Piece(Protocol):
    """Something that a director plays.

    Attributes
    ----------
    signature : digest of all that it is made from but the director's sliders, keys and place.
    """

    signature: str

    @property
    def channels(self) -> Channels:
        """What the columns of its values mean."""
        ...

    @property
    def adverb_names(self) -> tuple[str, ...]:
        """Adverbs that it heeds."""
        ...

    def gather(self, director: Object, origin: Array, frames: Array, scene: Scene) -> Computed:
        """What it is to be played with from the director's start frame on."""
        ...


@dataclass(frozen=True, eq=False)
class VerbPiece:
    """One verb, again and again."""

    verb: Verb
    signature: str

    @property
    def channels(self) -> Channels:
        """Of the verb."""
        return self.verb.channels

    @property
    def adverb_names(self) -> tuple[str, ...]:
        """Of the verb."""
        return self.verb.adverb_names

    def gather(self, director: Object, origin: Array, frames: Array, scene: Scene) -> Asked:
        """What it is to be played with from the director's start frame on."""
        return gather(self.verb, director, origin, frames, scene)


@dataclass(frozen=True, eq=False)
class ScorePiece:
    """A walk through the verb graph, told by commands."""

    graph: VerbGraph
    signature: str

    @property
    def channels(self) -> Channels:
        """Of the graph."""
        return self.graph.channels

    @property
    def adverb_names(self) -> tuple[str, ...]:
        """Of all verbs."""
        return adverb_names(self.graph)

    def gather(self, director: Object, origin: Array, frames: Array, scene: Scene) -> AskedScore:
        """What it is to be played with from the director's start frame on."""
        return gather_score(director, self.graph, origin, frames, scene)

    def row(self, director: Object, origin: Array, adverbs: tuple[float, ...], frame: float, fps: float) -> Array:
        """Values (width,) at a frame with even adverbs, the feet unlocked."""
        start = float(director.verbs_adverbs.start_frame)
        frames = np.append(np.arange(start, max(frame, start)), max(frame, start))
        score = score_of(director, self.graph, origin, frames, np.tile(np.array(adverbs), (len(frames), 1)), fps)
        return perform_score(self.graph, score, (frames - start) / fps).values[-1]


def piece_of(armature: Object, director: Object, thorough: bool = False) -> Piece:
    """What a director plays on its armature, up to date.

    Parameters
    ----------
    thorough : look at every key of the examples instead of trusting what Blender says of changes.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    performance = director.verbs_adverbs.performance
    if performance.active:
        compiled = graph_for(armature, thorough)
        return ScorePiece(compiled.graph, _of_score(compiled.signature, director))
    return verb_piece(armature, chosen_verb(director), thorough)


def signature_of(armature: Object, director: Object, root: str, thorough: bool = False) -> str:
    """The signature that `piece_of` would give what a director plays if it travels on `root`; nothing is built."""
    performance = director.verbs_adverbs.performance
    if not performance.active:
        return signature(armature, chosen_verb(director), thorough, root)
    return _of_score(graph_signature(armature, thorough, root), director)


def names_of(armature: Object, director: Object) -> tuple[str, ...]:
    """Adverbs that what a director plays heeds, in its order; nothing is built."""
    if not director.verbs_adverbs.performance.active:
        return tuple(used.name for used in chosen_verb(director).adverbs)
    return tuple(sorted({used.name for item in members(armature) for used in item.adverbs}))


def _of_score(graph: str, director: Object) -> str:
    return f"{graph} {plain(director.verbs_adverbs.performance)} {floor_digest(director)}"


def verb_piece(armature: Object, item: PropertyGroup, thorough: bool = False) -> VerbPiece:
    """One verb of an armature; parameters are those of `piece_of`."""
    built = built_for(armature, item, thorough)
    return VerbPiece(built.verb, built.signature)


def chosen_verb(director: Object) -> PropertyGroup:
    """Verb of the armature that a director plays.

    Raises
    ------
    VerbError
        If there is none of that name.
    """
    armature, name = director.verbs_adverbs.directs, director.verbs_adverbs.verb
    verbs = armature.verbs_adverbs.verbs
    if name not in verbs:
        said = f"has no verb '{name}' (any more)" if name else "is told no verb"
        raise VerbError(f"'{armature.name}' {said}. Choose a verb for its director.")
    return verbs[name]


def digest_of_piece(director: Object, piece: Piece, scene: Scene) -> str:
    """Digest of all that a piece's generated action is made from; see `timeline.digest_of`."""
    return digest_of(director, director.verbs_adverbs.directs, piece.channels.skeleton.names[0], piece.signature, scene)


def gather_piece(director: Object, piece: Piece, digest: str, scene: Scene) -> tuple[Computed, tuple[object, ...]]:
    """What a piece is to be played with, and a key that tells it from everything else that is played."""
    armature = director.verbs_adverbs.directs
    origin = np.array(origin_of(director, armature))
    asked = piece.gather(director, origin, frame_span(director, scene, piece.channels.width), scene)
    return asked, (armature.session_uid, digest, blake2b(np.ascontiguousarray(asked.adverbs)).digest())


def check_playable(director: Object, scene: Scene, thorough: bool) -> None:
    """Check that a director can play before a refresh brings it in step, so that what is refused changes nothing.

    A refresh that has nothing to bring in step changes something last, and needs no check.

    Parameters
    ----------
    thorough : that of `piece_of`.

    Raises
    ------
    VerbsError
        Why it cannot be played.
    """
    armature = director.verbs_adverbs.directs
    check_ours(armature)
    check_free(armature)
    check_names(armature)
    if in_step(armature) and take_to_adopt(director) is None and are_settled(armature):
        return
    with adopted_for_now(director):
        try_out(director, scene, thorough)


def try_out(director: Object, scene: Scene, thorough: bool) -> None:
    """Compute what a director plays as it is, and change nothing; parameters and errors are as of `check_playable`."""
    armature = director.verbs_adverbs.directs
    piece = piece_of(armature, director, thorough)
    make_plan(armature, piece.channels)
    digest = digest_of_piece(director, piece, scene)
    asked, key = gather_piece(director, piece, digest, scene)
    computed(("played", *key), asked.compute)
