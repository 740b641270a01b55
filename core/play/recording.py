"""What was played, written down row by row; it is then a clip again."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..figure.channels import Channels
from ..motion.clip import Clip, fit_clip
from ..motion.motion import Mark
from .graph_player import GraphPlayer

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Happening:
    """Something that happened between frames.

    Parameters
    ----------
    time : seconds.
    kind : ``'transition'`` or ``'verb'`` as one begins, ``'keytime'`` as one is passed, ``'down'`` or ``'up'`` as a
        point comes to stand or leaves, ``'lift'`` or ``'home'`` on a step home.
    name : of the verb (of a transition, the one that it leads to), keytime or point.
    """

    time: float
    kind: str
    name: str


@dataclass(frozen=True, eq=False)
class Recording:
    """A performance.

    Parameters
    ----------
    channels : of the rows.
    times : (T,) seconds.
    values : (T, width)
    verbs : (T,) name of the verb that plays, in a transition of the one that is entered.
    phases : (T,) generic time of that verb, going on over its cycles.
    happenings : what happened, in order of time.
    """

    channels: Channels
    times: Array
    values: Array
    verbs: tuple[str, ...]
    phases: Array
    happenings: tuple[Happening, ...]

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Keytimes that were passed and spans in which points stood, in order of time."""
        found = [Mark("keytime", h.name, h.time, h.time) for h in self.happenings if h.kind == "keytime"]
        return tuple(sorted([*found, *self._contacts()], key=lambda mark: (mark.start, mark.end)))

    def _contacts(self) -> Iterator[Mark]:
        down: dict[str, float] = {}
        for happening in self.happenings:
            if happening.kind in ("down", "home"):
                down[happening.name] = happening.time
            elif happening.kind in ("up", "lift") and happening.name in down:
                yield Mark("contact", happening.name, down.pop(happening.name), happening.time)
        for name, begin in down.items():
            yield Mark("contact", name, begin, float(self.times[-1]))

    def clip(self, control_points: int = 0) -> Clip:
        """The performance as a motion, with its marks.

        Parameters
        ----------
        control_points : of its curves, 0 for one a row and two beyond the ends.

        Raises
        ------
        ClipError
            If there are fewer than two rows.
        """
        return fit_clip(self.channels, self.times, self.values, control_points, self.marks)


class Recorder:
    """Writes a performance down.

    Parameters
    ----------
    channels : of its rows.
    count : how many there will be.
    """

    def __init__(self, channels: Channels, count: int) -> None:
        self._channels = channels
        self._times, self._phases = np.empty(count), np.empty(count)
        self._values = np.empty((count, channels.width))
        self._verbs: list[str] = []
        self._happenings: list[Happening] = []

    def hear(self, time: float, kind: str, name: str) -> None:
        """For a `GraphPlayer` to tell what happens."""
        self._happenings.append(Happening(time, kind, name))

    def write(self, time: float, values: Array, player: GraphPlayer) -> None:
        """Write down the row `values` (width,) that `player` shows at `time`."""
        row = len(self._verbs)
        self._times[row], self._values[row], self._phases[row] = time, values, player.phase
        self._verbs.append(player.verb)

    def recording(self) -> Recording:
        """All that was written down."""
        return Recording(
            channels=self._channels,
            times=self._times,
            values=self._values,
            verbs=tuple(self._verbs),
            phases=self._phases,
            happenings=tuple(self._happenings),
        )
