"""Times that can be compared on a machine which also does other things."""

import gc
import time
from collections.abc import Callable


def interleaved(tasks: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Shortest time in seconds of each task; every round runs all of them, one after the other.

    What else the machine does only ever adds time, so of many repeats, spread over the same span for all tasks, the
    shortest says most about the task itself.
    """
    for task in tasks.values():
        task()
    best = dict.fromkeys(tasks, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, task in tasks.items():
                begin = time.perf_counter()
                task()
                best[name] = min(best[name], time.perf_counter() - begin)
    finally:
        gc.enable()
    return best
