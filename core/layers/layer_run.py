"""One layer while it plays: its weight, and what plays in it."""

from dataclasses import dataclass, replace

from ..motion.fade import Fade
from ..play.piece import SETTLES_EVERY
from .layer import Layer
from .layer_players import LayerPlayer
from .mixing import Mixer


@dataclass(eq=False)
class Run:
    """A layer from when it was started until it is over.

    Parameters
    ----------
    layer, mixer : the layer, and how it is mixed.
    player : what plays in it.
    fades : of its weight, in order of time.
    ending : seconds in which it fades out at its own end: fewer than the layer says if it is shorter than its fades.
    ends : whether it was stopped and plays to the end of its pass.
    told : whether it was told that the last fade is over.
    """

    layer: Layer
    mixer: Mixer
    player: LayerPlayer
    fades: list[Fade]
    ending: float
    ends: bool = False
    told: bool = False

    @property
    def goes(self) -> bool:
        """Whether it fades out or has done so."""
        return self.fades[-1].goal == 0.0

    def fade(self, time: float, goal: float, seconds: float) -> None:
        """Let its weight go to `goal` from a time on, in so many seconds."""
        self.fades.append(self.fades[-1].turned(time, goal, seconds))
        self.told = False

    def fade_at_end(self, time: float) -> None:
        """Begin to fade out at a tick if it would be too late at the next one, so that it is gone when it is over."""
        left = self.player.left()
        if not self.goes and left < self.ending + SETTLES_EVERY:
            self.fade(time, 0.0, max(left, self.ending))

    def over(self, time: float) -> bool:
        """Whether it has been over at a time."""
        return self.goes and self.fades[-1].end <= time

    def until(self, time: float) -> float:
        """Return when it will be over by itself, as far as is known at a time; infinite if it never is."""
        return time + self.player.left()

    def fork(self) -> "Run":
        """Return one that goes on by itself."""
        return replace(self, player=self.player.fork(), fades=list(self.fades))


def run_of(layer: Layer, mixer: Mixer, player: LayerPlayer, time: float, seconds: float) -> Run:
    """Return a layer that is started at a time and comes in within so many seconds."""
    whole, fades = player.left(), seconds + layer.fade_out
    share = min(max(whole - SETTLES_EVERY, 0.0) / fades, 1.0) if fades else 1.0
    fade = Fade(time, 0.0, 0.0, 0.0, 0.0).turned(time, 1.0, share * seconds)
    return Run(layer, mixer, player, [fade], share * layer.fade_out)
