"""Comparable times on a machine that also runs other programs."""

import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

ONE_PROCESSOR = hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) == 1
CLOCK = time.process_time if ONE_PROCESSOR else time.perf_counter
"""A process pinned to one processor is timed by its own processor time, without that of other processes."""


def interleaved(
    tasks: dict[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = CLOCK,
    before: Callable[[str], object] | None = None,
) -> dict[str, float]:
    """Return the shortest time in seconds of each task; every round runs all of them in turn.

    Other activity on the machine only ever adds time, so of many repeats, spread over the same span for all tasks, the
    shortest is the best estimate for the task itself.

    Parameters
    ----------
    tasks : tasks by name.
    rounds : number of rounds.
    clock : returns seconds; if tasks differ much in length and use one thread, that thread's own time compares best.
    before : called with a task's name before each run of it; its time is not included.
    """
    prepare = before or (lambda _name: None)
    for name, task in tasks.items():
        prepare(name)
        task()
    best = dict.fromkeys(tasks, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, task in tasks.items():
                prepare(name)
                begin = clock()
                task()
                best[name] = min(best[name], clock() - begin)
    finally:
        gc.enable()
    return best


@contextmanager
def garbage_collected() -> Iterator[list[float]]:
    """Collect the seconds of each of Python's garbage collections in the `with` block."""
    seconds, begun = list[float](), [0.0]

    def note(phase: str, _info: dict[str, int]) -> None:
        if phase == "start":
            begun[0] = time.perf_counter()
        else:
            seconds.append(time.perf_counter() - begun[0])

    gc.callbacks.append(note)
    try:
        yield seconds
    finally:
        gc.callbacks.remove(note)


@contextmanager
def clocked(owner: Any, name: str) -> Iterator[list[float]]:
    """Collect the seconds of this thread in each call of a method in the `with` block.

    Parameters
    ----------
    owner, name : the class, and the method's name.
    """
    seconds, method = list[float](), getattr(owner, name)

    def timed(*given: object, **named: object) -> object:
        begin = time.thread_time()
        try:
            return method(*given, **named)
        finally:
            seconds.append(time.thread_time() - begin)

    setattr(owner, name, timed)
    try:
        yield seconds
    finally:
        setattr(owner, name, method)
