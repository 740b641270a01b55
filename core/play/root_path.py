"""Where the root has come to: displacements added up one after the other, never positions."""

from ..verb.live_path import arc, compose

Drift = tuple[complex, float, float]
"""Displacement in the heading's frame as x + i y, turn in radians, and climb."""


class RootPath:
    """Place, heading and height of a figure, moved by drifts.

    Loops, transitions and jumps in a verb's phase cannot move it: only what is passed in `move` does.

    Parameters
    ----------
    origin : x, y, z and heading to begin with.
    """

    def __init__(self, origin: tuple[float, float, float, float]) -> None:
        self.place = complex(origin[0], origin[1])
        self.height = origin[2]
        self.heading = origin[3]

    def move(self, drift: Drift, stride: float = 1.0) -> None:
        """Go on along the arc of a circle that an even `drift` makes, `stride` times as long and as high."""
        velocity, turn, climb = drift
        self.place, self.heading = compose((self.place, self.heading), arc(velocity * stride, turn, 1.0))
        self.height += climb * stride
