"""Poses of a verb, one by one and many at once, relative to plain NumPy and interpolators of its coefficients."""

from collections.abc import Callable, Iterator

import numpy as np

from ..core.graph.verb_graph import graph_of
from ..core.play.graph_player import GraphPlayer
from ..core.play.player import AskAdverbs
from ..core.play.verb_now import Pacer
from ..dev.figure import Figure
from .coefficients import PerCoefficient, Together
from .plain import PlainVerb
from .synthetic import Synthetic, make_synthetic, wandering
from .timing import interleaved

JOINTS = (22, 67)
EXAMPLES = (8, 16)
BATCH = 1000
BATCHES = 3
FRAMES = 200
FRAME = 1.0 / 60.0
ROUNDS, QUICK_ROUNDS = 100, 80


def pose_figures() -> Iterator[Figure]:
    """Yield figures for all figure sizes and numbers of examples."""
    for joints in JOINTS:
        for examples in EXAMPLES:
            yield from _figures(make_synthetic(joints, examples), f"{joints} joints, {examples} examples", joints == 67)


def quick_pose_figures() -> Iterator[Figure]:
    """Yield the figure for a captured figure's size."""
    joints, examples = JOINTS[-1], EXAMPLES[0]
    tasks = _pose_tasks(make_synthetic(joints, examples))
    yield _beside_plain(interleaved(tasks, QUICK_ROUNDS), f"{joints} joints, {examples} examples")


def _pose_tasks(data: Synthetic) -> dict[str, Callable[[], None]]:
    """Return tasks: poses of a player whose adverbs move, frame by frame, and the same in plain NumPy."""
    plain, names, path = PlainVerb(data), data.verb.adverb_names, wandering(FRAMES)

    def alive() -> None:
        player = GraphPlayer(graph_of(data.verb), {}, np.random.default_rng(0), data.verb.name, settle=0.0)
        for frame, adverbs in enumerate(path):
            player.command(player.time, AskAdverbs(dict(zip(names, adverbs, strict=True))))
            player.advance([(frame + 1) * FRAME])

    def plainly() -> None:
        for frame, adverbs in enumerate(path):
            plain.pose(frame * FRAME, adverbs)

    return {"live": alive, "plain": plainly}


def _beside_plain(best: dict[str, float], size: str) -> Figure:
    ours, theirs = best["live"] / FRAMES, best["plain"] / FRAMES
    said = f"{ours * 1e6:.1f} of {theirs * 1e6:.1f} us, adverbs and time to quaternions"
    return Figure(f"pose beside plain NumPy, {size}", ours / theirs, 1.0 / 3.0, "", said)


def _figures(data: Synthetic, size: str, batched: bool) -> Iterator[Figure]:
    pacer, apart, together = Pacer(data.verb, {}), PerCoefficient(data), Together(data)
    names = data.verb.adverb_names
    path = wandering(BATCH)
    few = path[:FRAMES]
    points, phases = np.array(path), np.random.default_rng(3).uniform(0.0, 1.0, BATCH)
    aims = phases[:FRAMES].tolist()

    def vectors() -> None:
        for adverbs in few:
            together.weigh(adverbs)

    def single() -> None:
        for phase, adverbs in zip(aims, few, strict=True):
            now = pacer.at(dict(zip(names, adverbs, strict=True)))
            data.verb.poses(np.array([phase]), now.weights)

    def batch() -> None:
        for _ in range(BATCHES):
            data.verb.poses(phases, data.verb.weights(points))

    best = interleaved({**_pose_tasks(data), "vectors": vectors}, ROUNDS)
    slow = interleaved({"apart": lambda: apart.weigh(path[7])}, 5)["apart"] / apart.measured * apart.needed
    ours = best["live"] / FRAMES
    yield _beside_plain(best, size)
    said = f"{slow * 1e3:.1f} ms for {apart.needed} coefficients, from {apart.measured} measured"
    yield Figure(f"pose faster than RBFInterpolators, {size}", slow / ours, 100.0, "times", said, at_least=True)
    slow = best["vectors"] / FRAMES
    said = f"{slow * 1e6:.0f} us for all {together.weigh(path[0]).size} coefficients, which are no pose yet"
    name = f"pose faster than one RBFInterpolator of vectors, {size}"
    yield Figure(name, slow / ours, None, "times", said, at_least=True)
    if batched:
        best = interleaved({"single": single, "batch": batch}, ROUNDS)
        one, many = best["single"] / FRAMES, best["batch"] / BATCHES / BATCH
        said = f"{many * 1e6:.2f} of {one * 1e6:.1f} us, adverbs and phase to quaternions"
        yield Figure(f"pose among {BATCH} beside one, {size}", many / one, 0.12, "", said)
