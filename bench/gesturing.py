"""Gestures on words: a scheduler beside its leaves, and the body planner beside the motion that it plans."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..core.biped import talking
from ..core.biped.figure import Generated
from ..core.figure import quaternion as quat
from ..core.gesture.body_planner import Request, usual_manners
from ..core.gesture.gesture import Gesture, gesture_of
from ..core.gesture.plan import Plan, plan_of
from ..core.gesture.schedule import Schedule
from ..core.gesture.stack import Entry
from ..core.motion.clip import Motion, end_of, interpolated
from ..core.motion.clip_operators import time_warp
from ..core.verb.build import build_verb
from ..core.verb.example import Example, Take
from .figure import Figure
from .reach_figures import CHANNELS
from .timing import interleaved

CONTROLLERS, FRAMES, WORDS, RATE = 10, 100, 60, 60.0
JOINTS = len(CHANNELS.rotating)
SIZES = (1.0, 0.75, 0.5)
ROUNDS = 12
MADE: dict[str, list[Generated]] = {
    "beat": [talking.beat(*place) for place in talking.BEAT_EXAMPLES],
    "indicate": [talking.indicate(*place) for place in talking.INDICATE_EXAMPLES],
    "offer": [talking.offer(*place) for place in talking.OFFER_EXAMPLES],
    "count": [talking.count(*place) for place in talking.COUNT_EXAMPLES],
    "shrug": [talking.shrug(*place) for place in talking.SHRUG_EXAMPLES],
}


def gesture_figures() -> Iterator[Figure]:
    """The figures of schedules and of plans."""
    motions = _motions()
    yield _scheduler("clips", [_clip(seed) for seed in range(CONTROLLERS)])
    yield _scheduler("gestures", [time_warp(((0.0, 0.0), (1.0, 1.1), (9.0, 9.0)), one) for one in motions[:CONTROLLERS]])
    yield _planner(motions, SIZES[:1])
    yield _planner(motions, SIZES)


def _clip(seed: int) -> Motion:
    """A clip of ten seconds in which all joints turn to and fro."""
    rng = np.random.default_rng(seed)
    times, axes, rates = np.linspace(0.0, 10.0, 601), rng.normal(size=(JOINTS, 3)), rng.uniform(0.3, 2.0, (JOINTS, 1))
    values = np.zeros((len(times), CHANNELS.width))
    turns = quat.exp(0.4 * np.sin(rates * times[:, None, None] + seed) * axes)
    values[:, CHANNELS.rotation_columns] = turns.reshape(len(times), -1)
    return interpolated(CHANNELS, (0.0, 10.0), values)


def _scheduler(what: str, leaves: list[Motion]) -> Figure:
    """All leaves blend at once, in eases that are longer than what is looked at."""
    over = [Entry(leaf, 0.0, -1.0 - 0.1 * n, 20.0, 30.0) for n, leaf in enumerate(leaves)]
    schedule, times = Schedule(tuple(over)), np.linspace(0.01, 0.9, FRAMES)
    frames = [times[n : n + 1] for n in range(FRAMES)]

    def scheduled() -> None:
        for frame in frames:
            schedule.sample(frame)

    def sampled() -> None:
        for frame in frames:
            for leaf in leaves:
                leaf.sample(frame)

    tasks = {"ours": scheduled, "leaves": sampled, "all": lambda: schedule.sample(times)}
    best = interleaved({**tasks, "all leaves": lambda: [leaf.sample(times) for leaf in leaves]}, ROUNDS)
    ours, theirs = (best[task] / FRAMES * 1e6 for task in ("ours", "leaves"))
    at_once = best["all"] / best["all leaves"]
    said = f"{ours:.0f} of {theirs:.0f} us a frame of {JOINTS} joints; {at_once:.1f} times where {FRAMES} are asked at once"
    return Figure(f"a scheduler of {CONTROLLERS} {what} beside its leaves", ours / theirs, 2.0, "", said)


def _motions() -> list[Motion]:
    """Motions of verbs of the talking biped at as many adverbs as there are words."""
    rng, found = np.random.default_rng(3), list[Motion]()
    verbs = [build_verb(name, CHANNELS, [_example(one) for one in made], tuple(made[0].adverbs), _ranges(made)) for name, made in MADE.items()]
    for number in range(WORDS):
        verb = verbs[number % len(verbs)]
        found.append(verb.motion(rng.uniform(*verb.adverb_ranges.T)))
    return found


def _example(made: Generated) -> Example:
    take = Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0)))
    places = np.array(list(made.adverbs.values()))
    return Example(made.name, places, made.keytime_names, made.keytimes, take, (), made.kind, made.cyclic)


def _ranges(made: list[Generated]) -> np.ndarray:
    places = np.array([list(one.adverbs.values()) for one in made])
    return np.stack([places.min(axis=0), places.max(axis=0)], axis=1)


def _planner(motions: list[Motion], sizes: tuple[float, ...]) -> Figure:
    """Nothing is known of any gesture before, as when the words of a text are read."""

    def planned() -> Plan:
        choices = [_sizes(motion, sizes) for motion in motions]
        manners = usual_manners([one for several in choices for one in several])
        words = enumerate(choices)
        return plan_of([Request(1.0 + 0.6 * n, several, f"word {n}") for n, several in words], manners)

    def sampled() -> None:
        for motion in motions:
            motion.sample(np.arange(motion.start, end_of(motion), 1.0 / RATE))

    best = interleaved({"planned": planned, "sampled": sampled}, ROUNDS)
    ours, theirs = best["planned"], best["sampled"]
    kept = len(planned().placed)
    said = f"{ours * 1e3:.1f} of {theirs * 1e3:.1f} ms, {kept} kept, nothing known before"
    name = f"{WORDS} gestures in {len(sizes)} sizes planned beside sampling them once"
    return Figure(name, ours / theirs, 20.0, "", said)


def _sizes(motion: Motion, sizes: tuple[float, ...]) -> tuple[Gesture, ...]:
    return tuple(replace(gesture_of("gesture", motion, ["Hand_R"]), size=size) for size in sizes)
