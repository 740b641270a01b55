"""Layers: motions on a part of the body, over whatever a verb graph plays ([Gruenvogel2003] section 7).

A layer does not move the figure over the floor: travel, and with it the support of the feet, is that of what lies
below.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError, quoted
from ..figure.channels import Channels
from ..figure.skeleton import Skeleton
from ..graph.verb_graph import graph_of
from ..play.adverb_smoothing import middle_adverbs
from ..verb.verb import Verb
from .claims import Claims, Held
from .layer_players import LayerPlayer, VerbPlayer
from .mixing import Mode, Space
from .switches import sliders_named

Array = NDArray[np.float64]

FADE = 0.4
"""Seconds in which a layer comes and goes by default."""
POSES = 48
"""Poses of a motion from which it is learnt how it usually turns joints."""


class Plays(Protocol):
    """What a layer plays, each time that it is started."""

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        ...

    @property
    def reference(self) -> Array:
        """Rotation (4,) of the root at heading 0."""
        ...

    @property
    def adverbs(self) -> Mapping[str, float]:
        """Adverbs, or parameters, that can be asked for, by name, at their defaults."""
        ...

    @property
    def heeds_places(self) -> bool:
        """Whether it depends on where the figure is, and not only on how it moves."""
        ...

    @property
    def usual(self) -> Array:
        """Rows (K, width) that it usually has; the first one is its beginning."""
        ...

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> LayerPlayer:
        """Return what plays it from `time` on; `settle` is the seconds in which adverbs, by name, settle."""
        ...


@dataclass(frozen=True, eq=False)
class PlaysVerb:
    """A verb that a layer plays.

    Parameters
    ----------
    verb : the verb.
    passes : how often it is played, or how many cycles of it; 0 for until it is stopped.
    follows : whether it keeps step with what lies below, by having its generic time. A verb that is no cycle is at its
        beginning again with each cycle below.
    """

    verb: Verb
    passes: int = 0
    follows: bool = False

    @property
    def channels(self) -> Channels:
        """What the columns of its rows mean."""
        return self.verb.channels

    @property
    def reference(self) -> Array:
        """Rotation (4,) of the root at heading 0."""
        return self.verb.reference

    @property
    def heeds_places(self) -> bool:
        """A verb is the same everywhere."""
        return False

    @property
    def adverbs(self) -> Mapping[str, float]:
        """The verb's adverbs by name, in the middle of their ranges."""
        return middle_adverbs([self.verb])

    @property
    def usual(self) -> Array:
        """Rows (K, width) that it has with its adverbs in the middle of their ranges."""
        weights = self.verb.weights(self.verb.adverb_ranges.mean(axis=-1))
        return self.verb.sample_phases(np.linspace(0.0, 1.0, POSES, endpoint=False), weights)

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> LayerPlayer:
        """Return what plays it from `time` on."""
        return VerbPlayer(graph_of(self.verb), time, adverbs, settle, self.passes, self.follows)


@dataclass(frozen=True, eq=False)
class Layer:
    """A motion on a part of the body.

    Parameters
    ----------
    name : what the user calls it.
    plays : what it plays.
    mask : (J,) weight of each joint, see `mask_of`.
    space, mode : in which rotations are mixed, and how, see `Mixer`.
    fade_in, fade_out : seconds in which it comes and goes; 0 for at once.
    claims : what it cannot share.
    priority : of two layers that need the same, the one of higher priority takes the place of the other.
    when_held : what becomes of it if another one has what it needs.
    finishes : whether it plays to the end of its pass when it is stopped, or fades out from where it is.
    """

    name: str
    plays: Plays
    mask: Array
    space: Space = "parent"
    mode: Mode = "override"
    fade_in: float = FADE
    fade_out: float = FADE
    claims: Claims = Claims()
    priority: int = 0
    when_held: Held = "refuse"
    finishes: bool = True

    @property
    def switch(self) -> str:
        """Name of the slider that starts and stops it; see `SWITCH_NUMBERS`."""
        return sliders_named(self.name)[0]

    @property
    def weight(self) -> str:
        """Name of the slider of its weight, from 0 to 1."""
        return sliders_named(self.name)[1]


def check_layer(layer: Layer) -> None:
    """Check a layer by itself.

    Raises
    ------
    LayerError
        If it has no name, moves nothing, claims what there is not, or its times are no numbers from 0 on.
    """
    told = f"Layer '{layer.name}'"
    if not layer.name:
        raise LayerError("A layer has no name. Give it one.")
    if not all(isfinite(seconds) and seconds >= 0.0 for seconds in (layer.fade_in, layer.fade_out)):
        raise LayerError(f"{told} comes in {layer.fade_in:g} s and goes in {layer.fade_out:g} s. Give times from 0 on.")
    names, channels = layer.plays.channels.skeleton.names, layer.plays.channels
    if len(layer.mask) != len(names):
        raise LayerError(
            f"The mask of layer '{layer.name}' is of another figure: it has {len(layer.mask)} joints, not"
            f" {len(names)}. Choose its bones again."
        )
    strange = sorted({*layer.claims.joints, *(name for pair in layer.claims.distances for name in pair)} - {*names})
    if strange:
        raise LayerError(f"{told} claims {quoted(strange)}, which its figure does not have. Claim bones that it has.")
    skeleton = channels.skeleton
    pairs = [(skeleton.index(one), skeleton.index(other)) for one, other in layer.claims.distances]
    if any(not can_keep_apart(skeleton, layer.mask, pair) for pair in pairs):
        raise LayerError(
            f"{told} is to keep bones as far apart as in its own motion, but has none of the bones above them. Choose"
            " some of these for its mask, or do not let it keep the distance."
        )
    moved = [*channels.rotating.tolist(), *(scalar.joint for scalar in channels.scalars)]
    if not any(layer.mask[joint] > 0.0 for joint in moved if joint >= 0):
        raise LayerError(
            f"{told} moves nothing: what it plays turns none of the bones of its mask. Choose bones that it moves."
        )


def can_keep_apart(skeleton: Skeleton, mask: Array, joints: Sequence[int]) -> bool:
    """Whether a mask (J,) has anything wholly that changes how far two joints are from each other."""
    one, other = (set(skeleton.chain(joint)) for joint in joints)
    return any(mask[joint] >= 1.0 for joint in one ^ other)
