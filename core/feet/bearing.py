"""How far the root heeds a leg that falls short: wholly while it stands, not while it swings.

A leg that swings and does not reach has its foot lifted instead. What the root sank for it when it left fades,
beginning with the speed that it had.
"""

from dataclasses import dataclass, replace
from typing import Any

from ..figure.components import larger, smaller
from .ease import decay, smooth

TAKE_OVER = 0.15
"""Seconds before it lands in which a leg is heeded more and more."""
LET_GO = 0.25
"""Seconds in which what the root sank for a leg fades."""
LONG = 1e6
"""More seconds than anything is looked at."""


@dataclass(frozen=True)
class Bearing:
    """What is heeded of a point, and kept of what its leg asked for when one of its points left.

    Parameters
    ----------
    lands : seconds when it comes to stand, or came.
    since, otherwise : seconds when that was foreseen, and how much more was heeded then, which fades.
    left, kept, falling : seconds when its leg left, how much the root sank for it then, and how that changed.
    """

    lands: float = -LONG
    since: float = 0.0
    otherwise: float = 0.0
    left: float = -LONG
    kept: float = 0.0
    falling: float = 0.0

    def share(self, times: Any) -> Any:
        """The share that is heeded at `times`, a number or an array (T,)."""
        fading = 1.0 - smooth((times - self.since) / TAKE_OVER)
        heeded = 1.0 - smooth((self.lands - times) / TAKE_OVER) + self.otherwise * fading
        return smaller(larger(heeded, 0.0), 1.0)

    def rest(self, times: Any) -> Any:
        """What is kept at `times`."""
        return larger(decay((times - self.left) / LET_GO, self.kept, self.falling * LET_GO), 0.0)

    def landing(self, time: float, lands: float) -> "Bearing":
        """The same, but it is said at `time` that the point `lands` then; nothing jumps."""
        now = replace(self, lands=lands, since=time, otherwise=0.0)
        return replace(now, otherwise=self.share(time) - now.share(time))

    def leaving(self, time: float) -> "Bearing":
        """The same, but the point leaves."""
        return replace(self, lands=LONG, since=time, otherwise=0.0)

    def keeping(self, time: float, kept: float, falling: float) -> "Bearing":
        """The same, but from `time` on so much of what the root sank is kept."""
        return replace(self, left=time, kept=kept, falling=falling)
