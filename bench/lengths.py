"""Cost of computing and writing over the length of a timeline, and over the number of characters, with a picture.

Cost that is proportional to the amount of work lies on a straight line. The deviation from it is compared with a
target.
"""

from dataclasses import dataclass
from pathlib import Path
from time import thread_time

import bpy
import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from ..demo.look import INK, PALE_INK, empty_picture
from ..demo.operate import do, make_active
from ..dev.figure import Figure, table
from .biped import BONES, key_sliders, make_biped
from .installed import module
from .troupe import many

Array = NDArray[np.float64]

FPS, KEYED_EVERY, SEED = 24, 50, 11
MINUTES, CHARACTERS = (1, 10, 60), (1, 10, 100)
"""Cases with one character, and cases with one minute each."""
ROUNDS = 2
MOST_RESIDUAL = 5.0
"""Largest deviation of a cost from the line, in percent of the largest cost."""
WIDTH, HEIGHT = 1000, 430
LINE = "#e78b59"


@dataclass(frozen=True, eq=False)
class Costs:
    """Seconds over a size, and the straight line through them.

    Parameters
    ----------
    what, unit : what varies in size, and its unit.
    sizes, seconds : (N,) sizes, and the times they took.
    """

    what: str
    unit: str
    sizes: Array
    seconds: Array

    @property
    def line(self) -> tuple[float, float]:
        """Slope in seconds per unit, and intercept, by least squares."""
        slope, start = np.polyfit(self.sizes, self.seconds, 1)
        return float(slope), float(start)

    @property
    def residual(self) -> float:
        """Largest deviation from the line, in percent of the largest cost."""
        return 100.0 * float(np.abs(self.seconds - np.polyval(self.line, self.sizes)).max() / self.seconds.max())

    @property
    def told(self) -> str:
        """Return the seconds in words, with those per unit for the smallest and the largest size."""
        each = self.seconds / self.sizes
        seconds = ", ".join(f"{seconds:.3g}" for seconds in self.seconds)
        return f"{seconds} s, {each[0]:.2f} to {each[-1]:.2f} s each"

    @property
    def figure(self) -> Figure:
        """Return the residual with its target."""
        sizes = ", ".join(f"{size:g}" for size in self.sizes)
        said = f"{self.told} of one thread for {sizes} {self.unit}; {BONES} bones, feet held"
        name = f"computing and writing {self.what}: off a straight line, of the largest cost"
        return Figure(name, self.residual, MOST_RESIDUAL, "%", said)


def main(picture: Path) -> int:
    """Measure, draw a picture, print the table, and return 1 when a target is missed."""
    lengths = _costs("minutes of one character", "minutes", [(1, minutes) for minutes in MINUTES])
    crowds = _costs("a minute of characters", "characters", [(count, 1) for count in CHARACTERS])
    _draw(picture, (lengths, crowds))
    figures = [lengths.figure, crowds.figure]
    print(f"\nBlender {bpy.app.version_string}, NumPy {np.__version__}; shortest of {ROUNDS}\n")
    print(f"{table(figures, {})}\n\n{picture}")
    return 0 if all(figure.met for figure in figures) else 1


def _costs(what: str, unit: str, cases: list[tuple[int, int]]) -> Costs:
    """Return costs over the varying number: characters, or minutes of each."""
    seconds = np.full(len(cases), np.inf)
    for _ in range(ROUNDS):
        for place, (count, minutes) in enumerate(cases):
            print(f"Measuring {count} x {minutes} minutes ...", flush=True)
            seconds[place] = min(seconds[place], _cost(count, minutes))
    return Costs(what, unit, np.prod(np.array(cases, dtype=np.float64), axis=-1), seconds)


def _cost(count: int, minutes: int) -> float:
    """Return the seconds of this thread until all characters are written, each with differently keyed sliders."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    armatures, scene, frames = many(make_biped(FPS), count), bpy.context.scene, minutes * 60 * FPS
    scene.frame_end = 2 * FPS
    for place, armature in enumerate(armatures):
        key_sliders(armature.verbs_adverbs.director, frames, KEYED_EVERY, SEED + place)
    make_active(armatures[0])
    for armature in armatures:
        armature.select_set(True)
    do("live_on", every=True)
    scene.frame_end = frames
    begin = thread_time()
    written = module("bridge.session.live").flush()
    seconds = thread_time() - begin
    assert written == count
    return seconds


def _draw(path: Path, both: tuple[Costs, Costs]) -> None:
    """Draw the costs, the lines through them, and the deviations, as PNG."""
    figure = empty_picture(WIDTH, HEIGHT)
    for column, costs in enumerate(both):
        _plot(figure.add_axes((0.07 + 0.5 * column, 0.16, 0.4, 0.6)), costs)
    figure.savefig(path, pil_kwargs={"optimize": True})


def _plot(axes: Axes, costs: Costs) -> None:
    sizes, (each, start) = costs.sizes, costs.line
    ends = np.array([0.0, 1.05 * sizes.max()])
    axes.plot(ends, start + each * ends, color=LINE, linewidth=3)
    axes.plot(sizes, costs.seconds, "o", markersize=9, color=INK, clip_on=False)
    axes.set(xlim=(0.0, ends[1]), ylim=(0.0, 1.1 * costs.seconds.max()), xlabel=costs.unit, ylabel="seconds")
    axes.set_xticks(sizes)
    axes.set_title(f"Computing and writing {costs.what}", fontsize=17, pad=44)
    off = f"off the line by at most {costs.residual:.1f} % of the largest (target: {MOST_RESIDUAL:g} %)"
    axes.text(0.0, 1.04, f"{costs.told}\n{off}", transform=axes.transAxes, fontsize=14, color=PALE_INK)
