"""The one interface of everything that moves, and the marks that it carries."""

from dataclasses import dataclass, replace
from typing import Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..figure.channels import Channels

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mark:
    """A named instant or span of a motion.

    Parameters
    ----------
    kind : ``'keytime'`` or ``'contact'``.
    name : the keytime's name, or the contact's point.
    start, end : seconds; equal for an instant.
    """

    kind: Literal["keytime", "contact"]
    name: str
    start: float
    end: float

    def shifted(self, seconds: float) -> "Mark":
        """The same mark, later by `seconds`."""
        return replace(self, start=self.start + seconds, end=self.end + seconds)


class Motion(Protocol):
    """Clips, verbs at an adverb point, held poses, and what is made of them."""

    @property
    def channels(self) -> Channels:
        """What the columns of the values mean."""
        ...

    @property
    def start(self) -> float:
        """Seconds; may be negative or minus infinity."""
        ...

    @property
    def duration(self) -> float:
        """Seconds; may be infinite."""
        ...

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Keytimes and contacts, in order of time."""
        ...

    def sample(self, times: ArrayLike) -> Array:
        """Values (T, width) at `times` (T,) in seconds, the root as displacement; no side effects."""
        ...
