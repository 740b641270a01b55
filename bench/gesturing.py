"""Gestures on words: a scheduler relative to its leaves, and the body planner relative to the motion that it plans."""

from collections.abc import Iterator
from dataclasses import replace
from time import thread_time

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
from ..core.verb.verb import Verb
from ..dev.figure import Figure
from .reach_figures import CHANNELS
from .timing import interleaved

CONTROLLERS, FRAMES, WORDS, RATE = 10, 100, 60, 60.0
JOINTS = len(CHANNELS.rotating)
SIZES = (1.0, 0.75, 0.5)
ROUNDS = 12
SLOWER = ((0.0, 0.0), (1.0, 1.1), (9.0, 9.0))
"""Number of keys of a time warp."""


def gesture_figures() -> Iterator[Figure]:
    """Yield the figures of schedules and of plans."""
    motions = _motions()
    yield _scheduler("gestures", [time_warp(SLOWER, one) for one in motions[:CONTROLLERS]])
    yield _scheduler("clips", [_clip(seed) for seed in range(CONTROLLERS)])
    clips = [_recorded(one) for one in motions]
    yield _planner(clips, SIZES[:1])
    yield _planner(clips, SIZES)


def _clip(seed: int) -> Motion:
    """Return a clip of ten seconds in which all joints rotate to and fro."""
    rng = np.random.default_rng(seed)
    times, axes, rates = np.linspace(0.0, 10.0, 601), rng.normal(size=(JOINTS, 3)), rng.uniform(0.3, 2.0, (JOINTS, 1))
    values = np.zeros((len(times), CHANNELS.width))
    turns = quat.exp(0.4 * np.sin(rates * times[:, None, None] + seed) * axes)
    values[:, CHANNELS.rotation_columns] = turns.reshape(len(times), -1)
    return interpolated(CHANNELS, (0.0, 10.0), values)


def _scheduler(what: str, leaves: list[Motion]) -> Figure:
    """Return the figure of a schedule whose leaves all blend at once, in eases longer than the sampled time."""
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
    best = interleaved({**tasks, "all leaves": lambda: [leaf.sample(times) for leaf in leaves]}, ROUNDS, thread_time)
    ours, theirs = (best[task] / FRAMES * 1e6 for task in ("ours", "leaves"))
    at_once = best["all"] / best["all leaves"]
    said = f"{ours:.0f} of {theirs:.0f} us a frame of {JOINTS} joints; {at_once:.1f} where {FRAMES} are asked at once"
    return Figure(f"a scheduler of {CONTROLLERS} {what} beside its leaves", ours / theirs, 2.0, "", said)


def _motions() -> list[Motion]:
    """Return motions of verbs of the talking biped, one setting of adverbs per word."""
    made = (
        [talking.beat(*place) for place in talking.BEAT_EXAMPLES],
        [talking.indicate(*place) for place in talking.INDICATE_EXAMPLES],
        [talking.offer(*place) for place in talking.OFFER_EXAMPLES],
        [talking.count(*place) for place in talking.COUNT_EXAMPLES],
        [talking.shrug(*place) for place in talking.SHRUG_EXAMPLES],
    )
    rng, verbs = np.random.default_rng(3), [_verb(several) for several in made]
    chosen = (verbs[number % len(verbs)] for number in range(WORDS))
    return [verb.motion(rng.uniform(*verb.adverb_ranges.T)) for verb in chosen]


def _verb(several: list[Generated]) -> Verb:
    examples = [
        Example(
            *(made.name, np.array(list(made.adverbs.values())), made.keytime_names, made.keytimes),
            *(Take(made.times, made.rotations, made.root, np.zeros((len(made.times), 0))), (), made.kind, made.cyclic),
        )
        for made in several
    ]
    places = np.array([example.adverbs for example in examples])
    ranges = np.stack([places.min(axis=0), places.max(axis=0)], axis=1)
    return build_verb(several[0].name, CHANNELS, examples, tuple(several[0].adverbs), ranges)


def _recorded(motion: Motion) -> Motion:
    """Return a clip of a motion, which is faster to sample."""
    span = motion.start, end_of(motion)
    times = np.linspace(*span, int(motion.duration * RATE) + 2)
    return interpolated(motion.channels, span, motion.sample(times), motion.marks_within(*span))


def _planner(motions: list[Motion], sizes: tuple[float, ...]) -> Figure:
    """Return the figure of planning gestures with no data cached, as when the words of a text are read."""

    def planned() -> Plan:
        choices = [_sizes(motion, sizes) for motion in motions]
        manners = usual_manners([one for several in choices for one in several])
        words = enumerate(choices)
        return plan_of([Request(1.0 + 0.6 * n, several, f"word {n}") for n, several in words], manners)

    def sampled() -> None:
        for motion in motions:
            motion.sample(np.arange(motion.start, end_of(motion), 1.0 / RATE))

    best = interleaved({"planned": planned, "sampled": sampled}, ROUNDS, thread_time)
    ours, theirs = best["planned"], best["sampled"]
    kept = len(planned().placed)
    said = f"{ours * 1e3:.1f} of {theirs * 1e3:.1f} ms, {kept} kept, nothing known before"
    sized = "1 size" if len(sizes) == 1 else f"{len(sizes)} sizes"
    name = f"{WORDS} gestures in {sized} planned beside sampling each once"
    return Figure(name, ours / theirs, 20.0, "", said)


def _sizes(motion: Motion, sizes: tuple[float, ...]) -> tuple[Gesture, ...]:
    return tuple(replace(gesture_of("gesture", motion, ["Hand_R"]), size=size) for size in sizes)
