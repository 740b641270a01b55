"""The one interface of what depends on history, the counterpart of `Motion`."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels

Array = NDArray[np.float64]


class Player(Protocol):
    """Something that plays: time only goes forward ([Kallmann2005] "monotone time")."""

    @property
    def channels(self) -> Channels:
        """What the columns of the values mean."""
        ...

    def step(self, seconds: float) -> None:
        """Go on by `seconds`, 0 or more."""
        ...

    def values(self) -> Array:
        """Values (width,) at the present moment, the caller's to keep."""
        ...
