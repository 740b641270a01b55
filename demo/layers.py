"""The demo's scene of layers: a walk that waves, carries, is refused a wave, goes faster, and stops."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.feet.constrained_player import ConstrainedPlayer
from ..core.figure import quaternion as quat
from ..core.figure.channels import rotations_of, world_frames, world_joints
from ..core.layers.gesture_models import GestureModel
from ..core.layers.model_below_layers import ModelPlayer
from ..core.layers.walk_model import WalkModel
from ..core.play.player import AskLayer, AskModel, Happening
from .captured_models import captured
from .look import INK, PALE_INK, empty_picture
from .models import HANDS, RATE, Cast, biped
from .operate import Refused, say
from .strip import Moment, draw_moments

Array = NDArray[np.float64]

FPS, SECONDS = 30.0, 28.0
STANDS, SETTLED = 1.0, 3.0
"""Seconds for which the figure stands at first, and after which a walk goes at its commanded speed."""
COLOURS = {"carry": "#8a6d3b", "wave": "#2f6f8f", "look": "#5f7f3f", "speed": PALE_INK}
Script = tuple[tuple[float, str, Any], ...]


def script_of(cast: Cast) -> Script:
    """Return what a figure is told, and when: seconds, words, and the command; only of layers that it has."""
    slow, fast = cast.speeds
    every = (
        (STANDS, "walks", AskModel("start", {"speed": slow})),
        (4.0, "waves", AskLayer("wave", "start")),
        (6.0, "looks to its left", AskLayer("look", "start")),
        (8.0, "stops waving", AskLayer("wave", "stop")),
        (9.5, "looks ahead", AskLayer("look", "stop")),
        (11.0, "carries", AskLayer("carry", "start")),
        (13.0, "is refused a wave", AskLayer("wave", "start")),
        (14.0, "waves after that", AskLayer("wave", "after")),
        (15.0, "goes faster", AskModel("change", {"speed": fast, "style": cast.style})),
        (18.5, "stops carrying", AskLayer("carry", "stop")),
        (22.0, "stops", AskModel("stop", {})),
        (23.0, "stops waving too", AskLayer("wave", "stop")),
    )
    names = cast.figure.layers.names
    return tuple(one for one in every if not isinstance(one[2], AskLayer) or one[2].name in names)


@dataclass(eq=False)
class Shown:
    """What was shown.

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

    def __init__(self, shown: Shown, cast: Cast) -> None:
        super().__init__(ModelPlayer(cast.figure, settle=0.0), knees="hinge")
        self.seen, self.cast = shown, cast

    def advance(self, times: Any) -> Any:
        """As a `ConstrainedPlayer`."""
        stretch = super().advance(times)
        self.seen.happened += stretch.happenings
        self.seen.holders += [",".join(self.player.layers)] * len(stretch.times)
        found = self.player.weights(stretch.times)
        self.seen.weights += [{name: float(found[name][row]) for name in found} for row in range(len(stretch.times))]
        return stretch


def main(out: Path, bvh: Path | None) -> int:
    """Run the scene.

    Parameters
    ----------
    out : folder to write `strip.png`, `layers.png`, `trees.txt`, `report.json` and `rows.npz` into.
    bvh : folder of BVH files and `keytimes.json`, see `captured`; None for the biped that the extension ships.
    """
    began = time.perf_counter()
    try:
        cast = captured(bvh) if bvh else biped()
    except Refused as reason:
        say(str(reason))
        return 1
    say(f"Walking, with the layers {', '.join(cast.figure.layers.names)}")
    shown, player = perform(cast)
    rows, times = np.array(shown.rows), np.array(shown.times)
    report = figures(player, shown, rows, times) | {"seconds": time.perf_counter() - began}
    say("Drawing strip.png and layers.png")
    weights = {name: np.array([one[name] for one in shown.weights[: len(times)]]) for name in cast.figure.layers.names}
    draw_layers(out / "layers.png", times, weights, speeds(player, times), shown)
    moments = [Moment(words, at, at + 2.0) for at, words, _ in script_of(cast)]
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


def perform(cast: Cast) -> tuple[Shown, Told]:
    """Let a player perform the script, frame by frame; returns what was shown, and the player."""
    shown, waiting = Shown(), list(script_of(cast))
    player = Told(shown, cast)
    for frame in range(round(SECONDS * FPS) + 1):
        now = frame / FPS
        while waiting and waiting[0][0] <= now:
            at, words, ask = waiting.pop(0)
            player.play(now)
            player.command(now, ask)
            shown.trees.append((at, words, _trees(player)))
        shown.times.append(now)
        shown.rows.append(player.advance([now]).values[0])
    return shown, player


def _trees(player: Told) -> str:
    layers = ", ".join(player.player.layers) or "nothing"
    return f"{player.player.run.tree}\n  with {layers} over it"


def alone(cast: Cast, times: Array, locked: bool) -> Array:
    """Return rows (T, width) of the walk without layers, with locks or without."""
    walk = ModelPlayer(cast.figure, settle=0.0)
    player = ConstrainedPlayer(walk, knees="hinge") if locked else walk
    for at, _, ask in script_of(cast):
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
    cast, channels = player.cast, player.channels
    names = [channels.skeleton.names[joint] for joint in channels.rotating]
    legs = [row for row, name in enumerate(names) if name in cast.legs]
    below = alone(cast, times, locked=True)
    turned, under = rotations_of(channels, rows), rotations_of(channels, below)
    steps = quat.angle_between(turned[1:], turned[:-1])
    (slow, fast), style = cast.speeds, cast.style
    commanded = [(SETTLED + STANDS, 14.5, slow), (17.5, 21.5, fast)]
    apart = {"hands_apart_mm_spread": _apart(player, shown, rows, times)} if "carry" in cast.figure.layers.names else {}
    return {
        "joint_step_over_the_examples": float(steps.max() / max(_steps(player, style))),
        "legs_changed_by_layers": float(np.abs(turned[:, legs] - under[:, legs]).max()),
        "slip_cm_s": slips(player, shown, rows, times),
        "slip_cm_s_without_layers": slips(player, shown, below, times),
        "slip_cm_s_without_locks": slips(player, shown, alone(cast, times, locked=False), times),
        "look_missed_degrees": _missed(player, rows, times),
        **apart,
        "root_speed_over_commanded": [_speed(rows, times, b, e) / wanted for b, e, wanted in commanded],
        "refused": [told.text for told in shown.happened if told.kind == "refused"],
        "happened": [(round(h.time, 3), h.kind, h.name) for h in shown.happened if h.kind not in ("down", "up")],
    }


def _apart(player: Told, shown: Shown, rows: Array, times: Array) -> float:
    """Return by how many millimetres the distance changes of the hands that carry, once these are where they hold."""
    started = next(told.time for told in shown.happened if (told.kind, told.name) == ("started", "carry"))
    plays: Any = next(layer.plays for layer in player.cast.figure.layers.layers if layer.name == "carry")
    begin = plays.model.begin(started, {}).executes
    end = next(at for at, words, _ in script_of(player.cast) if words == "stops carrying")
    joints = world_joints(player.channels, rows[(times > begin + 0.1) & (times < end)])
    one, other = (player.channels.skeleton.index(hand) for hand in HANDS)
    return 1000.0 * float(np.ptp(np.linalg.norm(joints[:, one] - joints[:, other], axis=-1)))


def _missed(player: Told, rows: Array, times: Array) -> float:
    """Return by how many degrees the eyes look past the place at most, from a second after the figure was told to."""
    cast, channels = player.cast, player.channels
    begin, end = (at for at, _, ask in script_of(cast) if isinstance(ask, AskLayer) and ask.name == "look")
    head = channels.skeleton.index("Head")
    tail = channels.skeleton.tails[head]
    places, turns = world_frames(channels, rows[(times > begin + 1.0) & (times < end)])
    straight = world_frames(channels, alone(cast, np.zeros(1), locked=False))[1][0, head]
    gaze = quat.rotate(quat.multiply(turns[:, head], quat.conjugate(straight)), cast.ahead)
    eyes = places[:, head] + quat.rotate(turns[:, head], 0.5 * tail) + 0.4 * np.linalg.norm(tail) * gaze
    wanted = cast.place - eyes
    cosines = np.sum(gaze * wanted, axis=-1) / np.linalg.norm(wanted, axis=-1)
    return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).max())


def _steps(player: Told, style: str) -> Iterator[float]:
    """Yield the largest angle that a joint turns by in a frame, of each clip as fast as it is played."""
    cast, model = player.cast, cast_walk(player.cast)
    own = model.speeds()
    for kind, speed in zip((model.walk_cycles[0].style, style), cast.speeds, strict=True):
        clip = next(one.clip for one in model.walk_cycles if one.style == kind)
        yield _step(clip, speed / own[kind])
    for layer in cast.figure.layers.layers:
        playing: Any = layer.plays
        if isinstance(playing.model, GestureModel):
            yield _step(playing.model.records[0].clip, 1.0)


def cast_walk(cast: Cast) -> WalkModel:
    """Return the walk of a figure."""
    model = cast.figure.model
    assert isinstance(model, WalkModel)
    return model


def _step(clip: Any, rate: float) -> float:
    """Return the largest angle that a joint of a clip turns by in a frame, if it is played so many times faster."""
    times = clip.start + np.arange(0.0, clip.duration, 1.0 / RATE)
    turns = rotations_of(clip.channels, clip.sample(times))
    later = rotations_of(clip.channels, clip.sample(times + rate / FPS))
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
    axes.plot(
        times, speed / speed.max(), color=COLOURS["speed"], linewidth=2.0, label=f"speed, of {speed.max():.2f} m/s"
    )
    for number, (at, words, _) in enumerate(shown.trees):
        axes.axvline(at, color=PALE_INK, linewidth=1.0)
        axes.text(at, 1.08 + 0.13 * (number % 3), words, fontsize=14, color=INK)
    for told in shown.happened:
        if told.kind == "refused":
            axes.plot([told.time], [0.5], marker="x", markersize=14, color="#b03030")
    axes.legend(loc="lower left", ncols=4, bbox_to_anchor=(0.0, -0.46))
    figure.savefig(path)
