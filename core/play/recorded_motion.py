"""Recordings of playback, row by row, which can be made into clips."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.clip import Clip, Mark, fit_clip
from .player import Happening, Stretch

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Recording:
    """A recording of a player, row by row.

    Parameters
    ----------
    channels : meaning of the columns.
    times : (T,) seconds.
    values : (T, width) rows of values.
    verbs : (T,) name of the playing verb; in a transition, of the one entered.
    phases : (T,) generic time of that verb, increasing by 1 in each cycle.
    heights : (T,) height of the ground under the root, which is included in the root's height in `values`.
    happenings : events in order of time.
    """

    channels: Channels
    times: Array
    values: Array
    verbs: tuple[str, ...]
    phases: Array
    heights: Array
    happenings: tuple[Happening, ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Keytimes that were passed, and spans in which points were planted, in order of time."""
        found = [Mark("keytime", h.name, h.time, h.time) for h in self.happenings if h.kind == "keytime"]
        return tuple(sorted([*found, *self._contacts()], key=lambda mark: (mark.start, mark.end)))

    def _contacts(self) -> Iterator[Mark]:
        """Yield the spans in which points were planted; steps home interrupt them."""
        down: dict[str, float] = {}
        for happening in self.happenings:
            if happening.kind in ("down", "home"):
                down[happening.name] = happening.time
            elif happening.kind in ("up", "lift") and happening.name in down:
                yield Mark("contact", happening.name, down.pop(happening.name), happening.time)
        for name, begin in down.items():
            yield Mark("contact", name, begin, float(self.times[-1]))

    def clip(self, control_points: int = 0) -> Clip:
        """Return the recording as a motion, with its marks.

        Parameters
        ----------
        control_points : number of control points of its curves; 0 for one per row and two beyond the ends.

        Raises
        ------
        ClipError
            If there are fewer than two rows.
        """
        return fit_clip(self.channels, self.times, self.values, control_points, self.marks)


def recording_of(channels: Channels, stretches: Sequence[Stretch]) -> Recording:
    """Return the recording of consecutive `stretches`."""
    return Recording(
        channels=channels,
        times=np.concatenate([stretch.times for stretch in stretches]),
        values=np.concatenate([stretch.values for stretch in stretches]),
        verbs=tuple(verb for stretch in stretches for verb in stretch.verbs),
        phases=np.concatenate([stretch.phases for stretch in stretches]),
        heights=np.concatenate([stretch.heights for stretch in stretches]),
        happenings=tuple(happening for stretch in stretches for happening in stretch.happenings),
    )
