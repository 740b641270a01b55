"""The demo's scene of layers: a walk that waves, carries, is refused a wave, goes faster, and stops."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.feet.constrained_player import ConstrainedPlayer
from ..core.figure import quaternion as quat
from ..core.figure.channels import rotations_of, world_joints
from ..core.layers.engine import Engine, Posture
from ..core.layers.model_below_layers import ModelPlayer
from ..core.play.player import AskLayer, AskModel, Happening
from ..core.play.simulator import Simulator, VirtualClock
from .look import INK, PALE_INK, empty_picture
from .models import ARMS, HANDS, LEGS, RATE, figure
from .operate import say
from .strip import Moment, draw_moments

Array = NDArray[np.float64]

FPS, AHEAD, SECONDS = 30.0, 2, 28.0
STANDS, SETTLED = 1.0, 3.0
"""Seconds for which the figure stands at first, and after which a walk goes at its commanded speed."""
SPEEDS = (1.24, 1.6)
SCRIPT: tuple[tuple[float, str, Any], ...] = (
    (STANDS, "walks", AskModel("start", {"speed": SPEEDS[0]})),
    (4.0, "waves", AskLayer("wave", "start")),
    (8.0, "stops waving", AskLayer("wave", "stop")),
    (11.0, "carries", AskLayer("carry", "start")),
    (13.0, "is refused a wave", AskLayer("wave", "start")),
    (14.0, "waves after that", AskLayer("wave", "after")),
    (15.0, "goes faster", AskModel("change", {"speed": SPEEDS[1], "style": "happy"})),
    (18.5, "stops carrying", AskLayer("carry", "stop")),
    (22.0, "stops", AskModel("stop", {})),
    (23.0, "stops waving too", AskLayer("wave", "stop")),
)
COLOURS = {"carry": "#8a6d3b", "wave": "#2f6f8f", "speed": PALE_INK}


@dataclass(eq=False)
class Shown:
    """What the engine has shown.

    Parameters
    ----------
    times : (T,) seconds.
    rows : (T, width) postures.
    weights : (T,) weight of each layer by name.
    holders : (T,) names of the layers that hold bones, joined by commas.
    trees : seconds, what was asked for, and the motion trees then.
    happened : what happened to layers.
    """

    times: list[float] = field(default_factory=list[float])
    rows: list[Array] = field(default_factory=list[Array])
    weights: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    holders: list[str] = field(default_factory=list[str])
    trees: list[tuple[float, str, str]] = field(default_factory=list[tuple[float, str, str]])
    happened: list[Happening] = field(default_factory=list[Happening])


class Told(ConstrainedPlayer[ModelPlayer]):
    """A player with locks that notes what happens to layers, and to feet."""

    def __init__(self, shown: Shown) -> None:
        super().__init__(ModelPlayer(figure(), settle=0.0), knees="hinge")
        self.shown = shown

    def advance(self, times: Any) -> Any:
        """As a `ConstrainedPlayer`."""
        stretch = super().advance(times)
        self.shown.happened += stretch.happenings
        self.shown.holders += [",".join(self.player.layers)] * len(stretch.times)
        found = self.player.weights(stretch.times)
        self.shown.weights += [{name: float(found[name][row]) for name in found} for row in range(len(stretch.times))]
        return stretch


def main(out: Path, bvh: Path | None) -> int:
    """Run the scene.

    Parameters
    ----------
    out : folder to write `strip.png`, `layers.png`, `trees.txt`, `report.json` and `rows.npz` into.
    bvh : not used; the scene plays the biped that the extension ships.
    """
    began = time.perf_counter()
    if bvh is not None:
        say("The scene of layers plays the example biped alone. Leave --bvh out.")
        return 1
    say("Walking, waving, carrying")
    shown, player = perform()
    rows, times = np.array(shown.rows), np.array(shown.times)
    report = figures(player, shown, rows, times) | {"seconds": time.perf_counter() - began}
    say("Drawing strip.png and layers.png")
    weights = {name: np.array([one[name] for one in shown.weights[: len(times)]]) for name in ARMS}
    draw_layers(out / "layers.png", times, weights, speeds(player, times), shown)
    moments = [Moment(words, at, at + 2.0) for at, words, _ in SCRIPT]
    recording = SimpleNamespace(times=times, values=rows, channels=player.channels)
    warm = [bool(holders) for holders in shown.holders]
    draw_moments(out / "strip.png", moments, recording, warm, world_joints)
    told = (f"{at:6.2f} s, {words}:\n  {tree}" for at, words, tree in shown.trees)
    (out / "trees.txt").write_text("\n".join(told) + "\n", encoding="utf-8")
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    np.savez_compressed(
        out / "rows.npz",
        times=times,
        values=rows,
        columns=np.array(column_names(player)),
        claims=np.array(shown.holders[: len(times)]),
        **{f"weight_{name}": weight for name, weight in weights.items()},
    )
    for line in report["refused"]:
        say(line)
    told = (f"{report[f'slip_cm_s{which}']['mean']:.2f}" for which in ("_without_locks", ""))
    say("Feet that stand slip {} cm/s in the mean without locks, and {} with them".format(*told))
    say(f"Wrote strip.png, layers.png, trees.txt, report.json and rows.npz to {out}")
    return 0


def perform() -> tuple[Shown, Told]:
    """Let the engine perform the script on a virtual clock; returns what it has shown, and the player."""
    shown, players = Shown(), list[Told]()
    simulator = Simulator(VirtualClock())

    def begin() -> Told:
        players.append(Told(shown))
        return players[-1]

    def submit(posture: Posture) -> None:
        shown.times.append(posture.frame / FPS)
        shown.rows.append(posture.values)

    engine = Engine(begin, submit, simulator, FPS, AHEAD)
    for at, words, ask in SCRIPT:
        simulator.run_until(at - (AHEAD + 0.5) / FPS)
        engine.command(ask)
        shown.trees.append((at, words, _trees(players[-1])))
    simulator.run_until(SECONDS)
    return shown, players[-1]


def _trees(player: Told) -> str:
    layers = ", ".join(player.player.layers) or "nothing"
    return f"{player.player.run.tree}\n  with {layers} over it"


def alone(times: Array, locked: bool) -> Array:
    """Return rows (T, width) of the walk without layers, with locks or without."""
    walk = ModelPlayer(figure(), settle=0.0)
    player = ConstrainedPlayer(walk, knees="hinge") if locked else walk
    for at, _, ask in SCRIPT:
        if isinstance(ask, AskModel):
            player.command(at, ask)
    return np.concatenate([player.advance([time]).values for time in times.tolist()])


def slips(player: Told, shown: Shown, rows: Array, times: Array) -> dict[str, float]:
    """Return how fast the points slip over the floor that stand from frame to frame, cm/s; steps home do not count."""
    joints = world_joints(player.channels, rows)
    speeds: list[Array] = []
    for point in player.points:
        told = [h for h in shown.happened if h.name == point.name]
        stands = np.zeros(len(times), dtype=bool)
        for happening in told:
            stands[times >= happening.time] = happening.kind in ("down", "home")
        pair = stands[1:] & stands[:-1]
        for happening in told:
            pair &= (times[:-1] >= happening.time) | (times[1:] <= happening.time)
        ways = np.linalg.norm(np.diff(joints[:, point.joint, :2], axis=0), axis=-1)
        speeds.append(100.0 * FPS * ways[pair])
    found = np.concatenate(speeds)
    return {"mean": float(found.mean()), "largest": float(found.max())}


def figures(player: Told, shown: Shown, rows: Array, times: Array) -> dict[str, Any]:
    """Return the figures of what was shown."""
    channels = player.channels
    names = [channels.skeleton.names[joint] for joint in channels.rotating]
    legs = [row for row, name in enumerate(names) if name in LEGS]
    below = alone(times, locked=True)
    turned, under = rotations_of(channels, rows), rotations_of(channels, below)
    joints, carries = world_joints(channels, rows), _carries(shown, times)
    ends = [channels.skeleton.index(hand) for hand in HANDS]
    apart = np.linalg.norm(joints[carries][:, ends[0]] - joints[carries][:, ends[1]], axis=-1)
    largest = max(_step(model.channels, model, model.duration) for model in _clips(player))
    steps = quat.angle_between(turned[1:], turned[:-1])
    commanded = [(SETTLED + STANDS, 14.5, SPEEDS[0]), (17.5, 21.5, SPEEDS[1])]
    return {
        "joint_step_over_the_examples": float(steps.max() / largest),
        "legs_changed_by_layers": float(np.abs(turned[:, legs] - under[:, legs]).max()),
        "slip_cm_s": slips(player, shown, rows, times),
        "slip_cm_s_without_layers": slips(player, shown, below, times),
        "slip_cm_s_without_locks": slips(player, shown, alone(times, locked=False), times),
        "hands_apart_mm_spread": 1000.0 * float(np.ptp(apart)),
        "root_speed_over_commanded": [_speed(rows, times, b, e) / wanted for b, e, wanted in commanded],
        "refused": [told.text for told in shown.happened if told.kind == "refused"],
        "happened": [(round(h.time, 3), h.kind, h.name) for h in shown.happened if h.kind not in ("down", "up")],
    }


def _carries(shown: Shown, times: Array) -> NDArray[np.bool_]:
    begin = next(t.time for t in shown.happened if (t.kind, t.name) == ("executing", "carry"))
    return (times > begin + 0.1) & (times < next(at for at, words, _ in SCRIPT if words == "stops carrying"))


def _clips(player: Told) -> list[Any]:
    model: Any = player.player.figure.model
    return [one.clip for one in model.walk_cycles] + [
        layer.plays.model.records[0].clip for layer in player.player.figure.layers.layers
    ]


def _step(channels: Any, clip: Any, seconds: float) -> float:
    """Return the largest angle that a joint of a clip turns by in a frame."""
    times = clip.start + np.arange(0.0, seconds, 1.0 / RATE)
    turns = rotations_of(channels, clip.sample(times))
    later = rotations_of(channels, clip.sample(times + 1.0 / FPS))
    return float(quat.angle_between(later, turns).max())


def _speed(rows: Array, times: Array, begin: float, end: float) -> float:
    first, last = np.searchsorted(times, [begin, end])
    way = np.linalg.norm(np.diff(rows[first : last + 1, :2], axis=0), axis=-1).sum()
    return float(way / (times[last] - times[first]))


def speeds(player: Told, times: Array) -> Array:
    """Return the speed (T,) of the walk at `times` (T,)."""
    ends = player.player.figure.rows(player.player.run, np.concatenate([times - 0.25, times + 0.25]).clip(0.0))[:, :2]
    return np.linalg.norm(ends[len(times) :] - ends[: len(times)], axis=-1) / 0.5


def column_names(player: Told) -> list[str]:
    """Return the names of the columns of the rows."""
    names = [player.channels.skeleton.names[joint] for joint in player.channels.rotating]
    return ["x", "y", "heading", "root x", "root y", "root z", *(f"{n} {c}" for n in names for c in "wxyz")]


def draw_layers(path: Path, times: Array, weights: dict[str, Array], speed: Array, shown: Shown) -> None:
    """Draw the weights of layers and the speed of the walk over time, with what was asked for."""
    figure = empty_picture(1200, 520)
    axes = figure.add_axes((0.05, 0.26, 0.90, 0.50), xlabel="seconds", xlim=(0.0, SECONDS), ylim=(0.0, 1.05))
    for name, weight in weights.items():
        axes.plot(times, weight, color=COLOURS[name], linewidth=3.0, label=name)
    axes.plot(times, speed / max(SPEEDS), color=COLOURS["speed"], linewidth=2.0, label=f"speed, of {max(SPEEDS)} m/s")
    for number, (at, words, _) in enumerate(SCRIPT):
        axes.axvline(at, color=PALE_INK, linewidth=1.0)
        axes.text(at, 1.08 + 0.13 * (number % 3), words, fontsize=14, color=INK)
    for told in shown.happened:
        if told.kind == "refused":
            axes.plot([told.time], [0.5], marker="x", markersize=14, color="#b03030")
    axes.legend(loc="lower left", ncols=3, bbox_to_anchor=(0.0, -0.46))
    figure.savefig(path)
