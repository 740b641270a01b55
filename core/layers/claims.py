"""What layers need for themselves, and what becomes of one that needs what another has ([Gruenvogel2003] section 7).

The paper rejects a command whose joints are blocked by another active motion model. Here it may also wait, or be
started instead of the other one, and a refusal says which of these would help.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Literal

from ..errors import quoted
from ..figure.skeleton import Skeleton

Held = Literal["refuse", "wait", "replace", "share"]
"""What becomes of a layer that is started while another one has what it needs: it is refused, it waits until the other
one is over, the other one is faded out for it, or both are mixed."""


ORDER: tuple[Held, ...] = ("refuse", "wait", "replace", "share")
"""The same, the gravest first."""


@dataclass(frozen=True)
class Claims:
    """What a motion, of a layer or of a motion model, cannot share while it plays.

    Parameters
    ----------
    joints : names of joints that nobody else may move.
    distances : pairs of names of joints that it keeps as far apart as they are in its own motion; those that lead to
        them are among `joints`.
    """

    joints: frozenset[str] = frozenset()
    distances: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Refusal:
    """Why a layer was not started.

    Parameters
    ----------
    time : seconds at which it was asked for.
    layer, holder : names of the layer, and of the one that has what it needs.
    joints : names of the joints that both need.
    until : seconds at which the holder will be over, infinite if it goes on until it is stopped.
    """

    time: float
    layer: str
    holder: str
    joints: tuple[str, ...]
    until: float

    def __str__(self) -> str:
        end = "until it is stopped" if self.until == inf else f"for another {self.until - self.time:.1f} s"
        return (
            f"'{self.layer}' was not started: '{self.holder}' has {quoted(self.joints)} {end}. "
            f"Stop '{self.holder}' first, or let '{self.layer}' wait for it."
        )


def common_joints(one: Claims, other: Claims) -> frozenset[str]:
    """Return the names of the joints that both claim."""
    return one.joints & other.joints


def told(skeleton: Skeleton, joints: Iterable[str]) -> tuple[str, ...]:
    """Return names of joints in order, those nearest to the root first."""
    return tuple(sorted(joints, key=skeleton.index))


def way_out(
    asking: str, holder: str, priorities: tuple[int, int], usual: Held, table: Mapping[tuple[str, str], Held]
) -> Held:
    """Return what becomes of a layer that needs what another one has.

    Parameters
    ----------
    asking, holder : names of both.
    priorities : of both; a layer of higher priority than the holder takes its place.
    usual : what the asking layer says of itself.
    table : what is said of pairs of layers, by the names of the asking one and of the holder. It comes first.
    """
    if (asking, holder) in table:
        return table[asking, holder]
    return "replace" if priorities[0] > priorities[1] else usual
