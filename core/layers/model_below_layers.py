"""A player of a motion model that moves the figure, with layers over it.

In [Gruenvogel2003] the motion controller builds the motion tree of the whole figure from those of all models whenever
one is commanded. Here only the tree of the commanded model is rebuilt, and the rows of the layers are mixed from the
lowest to the highest.
"""

from bisect import insort
from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import LayerError
from ..figure.channels import Channels
from ..figure.knee_hinges import ExamplePoses
from ..play.adverb_smoothing import checked_adverbs
from ..play.graph_player import SETTLE
from ..play.motion_pieces import MotionAhead, MotionPiece, Played, motion_piece, rows_of_motions
from ..play.piece import pieces_at
from ..play.piece_rows import stretch_of
from ..play.player import AskAdverbs, Asked, AskLayer, AskModel, Happening, Stretch, checked
from .model_players import LayeredModel
from .motion_model import Run

Array = NDArray[np.float64]


class ModelPlayer:
    """Plays a motion model, such as a walk, with layers over it: a `Player`, whose points can be held.

    Until the model is first started, the figure has the model's rest pose. Climbing is part of the root's height, and
    the ground counts as level.

    Parameters
    ----------
    figure : the layered model that it plays.
    adverbs : initial values of the layers' sliders by name.
    settle : settling time of sliders in seconds; 0 to let them jump.

    Attributes
    ----------
    time : present time in seconds.
    points : points that can be planted, in the order of their bits.
    """

    def __init__(
        self, figure: LayeredModel, adverbs: Mapping[str, float] | None = None, settle: float = SETTLE
    ) -> None:
        self.figure, self.time, self.points, self.rows = figure, 0.0, figure.points, rows_of_motions
        self._run = figure.model.rest(0.0)
        self._over = figure.layers.overlay(checked_adverbs(adverbs or {}), settle)
        self._waiting: list[tuple[float, Asked]] = []
        self._piece = self._planned(0.0)

    @property
    def channels(self) -> Channels:
        """Meaning of the columns of the rows."""
        return self.figure.channels

    @property
    def poses(self) -> ExamplePoses:
        """Poses of the model, from which the bending of knees is learnt."""
        return self.figure.poses

    @property
    def piece(self) -> MotionPiece:
        """The piece that plays."""
        return self._piece

    @property
    def run(self) -> Run:
        """The run of the model, with the motion tree of all commands."""
        return self._run

    @property
    def layers(self) -> tuple[str, ...]:
        """Names of the layers that play, from the lowest to the highest."""
        return self._over.playing

    def weights(self, times: Array) -> Mapping[str, Array]:
        """Return the weights (T,) of all layers by name, at `times` (T,) of the last stretch or a second more."""
        return self._over.weights(times)

    def command(self, time: float, what: Asked) -> None:
        """Give a command; one that fails changes nothing.

        Parameters
        ----------
        time : time at which it takes effect, not before the present; at the present it does so at once.
        what : a command for the model, a layer, or sliders of layers.

        Raises
        ------
        ClipError If the model cannot do it, or is not in the right state; if a command for a later time then finds it
        in the wrong state, `play` raises this. LayerError If there is no such layer, or the command is only for figures
        with verbs. VerbError If a slider is not a finite number.
        """
        what = checked(what, time, self.figure.layers.names)
        if isinstance(what, AskModel):
            self.figure.model.settings(what.parameters, {})
        elif not isinstance(what, AskAdverbs | AskLayer):
            raise LayerError(f"'{self.figure.model.name}' is not a verb. Command the model, a layer, or its sliders.")
        if time <= self.time and not (self._waiting and self._waiting[0][0] <= time):
            self._hear(self.time, what)
        else:
            insort(self._waiting, (max(time, self.time), what), key=lambda asked: asked[0])

    def play(self, until: float) -> Sequence[MotionPiece]:
        """Advance to a time without computing rows; return the pieces played since the present, in order."""
        pieces = [self._piece]
        while min(self._waiting[0][0] if self._waiting else inf, self._piece.until) <= until:
            end = self._piece.until
            if self._waiting and self._waiting[0][0] < end:
                end, what = self._waiting.pop(0)
                self._hear(end, what)
            else:
                self._piece = self._planned(end)
            if self._piece.begin.time == pieces[-1].begin.time:
                pieces[-1] = self._piece
            elif self._piece is not pieces[-1]:
                pieces[-1] = pieces[-1].cut(self._piece.begin.time)
                pieces.append(self._piece)
        self._over.play(until)
        self.time = max(self.time, until)
        return pieces

    def advance(self, times: ArrayLike) -> Stretch:
        """Play, and return the rows at `times` (T,), which must not decrease and not be before the present."""
        clock = np.asarray(times, dtype=np.float64)
        pieces = self.play(float(clock[-1]))
        return stretch_of(pieces, clock, self.rows(pieces, pieces_at(pieces, clock), clock), self.happened())

    def happened(self) -> tuple[Happening, ...]:
        """Return the events of layers since the last call, in order of time."""
        return tuple(Happening(*one) for one in self._over.happened())

    def ahead(self, piece: MotionPiece, time: float) -> MotionAhead:
        """Return what will be played, from a time within `piece`, without further commands."""
        return MotionAhead(piece, time)

    def fork(self) -> "ModelPlayer":
        """Return an independent copy that continues from the present, without pending commands."""
        made = copy(self)
        made._over, made._waiting = self._over.fork(), []
        made._piece = self._piece.under(made._over)
        return made

    def _planned(self, time: float) -> MotionPiece:
        """Return the piece that begins at a time, with the present run."""
        figure, run = self.figure, self._run
        names = tuple(point.name for point in figure.points)
        played = Played(figure.model.name, run.tree, names, figure.channels, run.calm, partial(figure.rows, run))
        return motion_piece(played, time, self._over)

    def _hear(self, time: float, what: Asked) -> None:
        """Execute a command. Only what it changes is rebuilt."""
        model, run = self.figure.model, self._run
        if not isinstance(what, AskModel):
            self._over.command(time, what)
            return
        if what.what == "start":
            self._run = model.begin(time, what.parameters, run)
        elif what.what == "change":
            self._run = model.change(run, time, what.parameters)
        else:
            self._run = model.stop(run, time) if what.what == "stop" else model.stop_hard(run, time)
        self._piece = self._planned(time)
