"""Layers: motions on a part of the body, over whatever a verb graph plays ([Gruenvogel2003] section 7).

A layer does not move the figure over the floor: travel, and with it the support of the feet, comes from the motion
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
"""Default fade-in and fade-out time of a layer in seconds."""
POSES = 48
"""Number of poses of a motion from which the usual rotations of joints are learnt."""


class Plays(Protocol):
    """The motion that a layer plays each time it is started."""

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        ...

    @property
    def reference(self) -> Array:
        """Rotation (4,) of the root at heading 0."""
        ...

    @property
    def adverbs(self) -> Mapping[str, float]:
        """Default values of its adverbs or parameters by name."""
        ...

    @property
    def heeds_places(self) -> bool:
        """Whether it depends on the figure's position, and not only on its pose."""
        ...

    @property
    def usual(self) -> Array:
        """Typical rows (K, width); the first one is its beginning."""
        ...

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> LayerPlayer:
        """Return a player that starts at `time`; `settle` is the settling time in seconds of the adverbs by name."""
        ...


@dataclass(frozen=True, eq=False)
class PlaysVerb:
    """A verb that a layer plays.

    Parameters
    ----------
    verb : the verb.
    passes : number of times, or of cycles, that it is played; 0 to play until it is stopped.
    follows : whether it stays in step with the motion below by using its generic time. A verb that is not a cycle
        starts again with each cycle below.
    """

    verb: Verb
    passes: int = 0
    follows: bool = False

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of its rows."""
        return self.verb.channels

    @property
    def reference(self) -> Array:
        """Rotation (4,) of the root at heading 0."""
        return self.verb.reference

    @property
    def heeds_places(self) -> bool:
        """Always False: a verb does not depend on the position."""
        return False

    @property
    def adverbs(self) -> Mapping[str, float]:
        """The verb's adverbs by name, at the middle of their ranges."""
        return middle_adverbs([self.verb])

    @property
    def usual(self) -> Array:
        """Rows (K, width) with its adverbs at the middle of their ranges."""
        weights = self.verb.weights(self.verb.adverb_ranges.mean(axis=-1))
        return self.verb.sample_phases(np.linspace(0.0, 1.0, POSES, endpoint=False), weights)

    def begin(self, time: float, adverbs: Mapping[str, float], settle: float) -> LayerPlayer:
        """Return a player that starts at `time`."""
        return VerbPlayer(graph_of(self.verb), time, adverbs, settle, self.passes, self.follows)


@dataclass(frozen=True, eq=False)
class Layer:
    """A motion on a part of the body.

    Parameters
    ----------
    name : the user's name for it.
    plays : the motion that it plays.
    mask : (J,) weight of each joint, see `mask_of`.
    space, mode : space and mode in which rotations are mixed, see `Mixer`.
    fade_in, fade_out : fade times in seconds; 0 for at once.
    claims : what it cannot share.
    priority : of two layers in conflict, the one of higher priority replaces the other.
    when_held : what to do if another layer holds what this one needs.
    finishes : whether it plays to the end of its pass when it is stopped, or fades out at once.
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
    """Check one layer.

    Raises
    ------
    LayerError
        If it has no name, moves nothing, claims unknown joints, or its times are not finite numbers of 0 or more.
    """
    told = f"Layer '{layer.name}'"
    if not layer.name:
        raise LayerError("A layer has no name. Give it one.")
    if not all(isfinite(seconds) and seconds >= 0.0 for seconds in (layer.fade_in, layer.fade_out)):
        raise LayerError(
            f"{told} fades in over {layer.fade_in:g} s and out over {layer.fade_out:g} s. Neither time may be negative."
        )
    names, channels = layer.plays.channels.skeleton.names, layer.plays.channels
    if len(layer.mask) != len(names):
        raise LayerError(
            f"The mask of layer '{layer.name}' belongs to another figure: it has {len(layer.mask)} joints, not "
            f"{len(names)}. Choose its bones again."
        )
    strange = sorted({*layer.claims.joints, *(name for pair in layer.claims.distances for name in pair)} - {*names})
    if strange:
        raise LayerError(f"{told} claims {quoted(strange)}, which its figure does not have. Choose its bones again.")
    skeleton = channels.skeleton
    pairs = [(skeleton.index(one), skeleton.index(other)) for one, other in layer.claims.distances]
    if any(not can_keep_apart(skeleton, layer.mask, pair) for pair in pairs):
        raise LayerError(
            f"{told} should keep the hands apart, but has none of the bones above them. Add some of these bones to the "
            "layer, or turn off Keep Hands Apart."
        )
    moved = [*channels.rotating.tolist(), *(scalar.joint for scalar in channels.scalars)]
    if not any(layer.mask[joint] > 0.0 for joint in moved if joint >= 0):
        raise LayerError(
            f"{told} has no effect: its motion does not move any of the layer's bones. Choose bones that it moves."
        )


def can_keep_apart(skeleton: Skeleton, mask: Array, joints: Sequence[int]) -> bool:
    """Return whether any joint of full weight in a mask (J,) changes the distance between two joints."""
    one, other = (set(skeleton.chain(joint)) for joint in joints)
    return any(mask[joint] >= 1.0 for joint in one ^ other)
