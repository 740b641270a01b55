"""Walks of the generated graph under steering."""

from collections.abc import Mapping

import numpy as np
from verbs_adverbs.core.steer.steering import Steering

from .graphs import generated_graph
from .stepping import Stepped, stepped

STEP = 1.0 / 30.0
FRONT = -0.5 * np.pi
"""Direction in which the biped walks at heading 0, but for a degree."""


def walker(
    adverbs: Mapping[str, float] | None = None,
    origin: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0),
    settle: float = 0.3,
    kind: str = "blended",
) -> Stepped:
    """A biped that walks, without locks."""
    return stepped(generated_graph(kind), "walk", adverbs, origin=origin, settle=settle)


def steer(player: Stepped, steering: Steering, steps: int, first: int = 0) -> np.ndarray:
    """Travel, turn, stride, tempo and nudge (steps, 8) after each step; the clock begins at the `first`."""
    rows: list[tuple[float, ...]] = []
    for index in range(first, first + steps):
        steering.before_step(player.player, index * STEP, STEP)
        player.step(STEP)
        rows.append((*player.travel, player.adverbs[steering.adverb], *player.handles))
    return np.array(rows)
