"""Interrupted plans: other words take the place of what is left, from the pose and the speed of the moment."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..motion.clip_operators import Part
from .body_planner import Before, Chosen, Manners, Request
from .gesture import END, RELAX, START, STROKE_END, STROKE_START, poses_of
from .plan import APART, Arrival, Placed, Plan, arriving, placed_of, plan_of, plan_with

BRAKES = 0.25
"""Seconds in which a preparation that is broken off comes to rest."""
SHORT, SLOWEST = 1e-5, 1e-3
"""Seconds by which the rate of a time warp is measured, and the least of which it is taken for."""


def interrupted(plan: Plan, time: float, requests: Sequence[Request], manners: Manners) -> Plan:
    """Return what is planned from a time on, if other words take the place of the rest of a plan.

    What plays then goes on from its pose and speed: a stroke that has begun is finished, a preparation is broken off.
    Before `time` the plan that is interrupted holds.

    Parameters
    ----------
    plan : that is interrupted.
    time : seconds.
    requests : the new words; none to fall silent.
    manners : as of `plan_of`.

    Raises
    ------
    GestureError
        See `choose`.
    """
    running = [one for one in plan.placed if one.begin < time < one.end]
    if not running:
        return plan_of(requests, manners, Before(time))
    last = running[-1]
    alone = _left(last, time, None)
    made = plan_of(requests, manners, _present(plan, last, time, manners))
    first = made.choice.kept[:1]
    rested = plan_of(requests, manners, Before(alone.end)) if first and first[0].spare > manners.patience else None
    if rested is not None and len(rested.placed) >= len(made.placed):
        made, first = rested, ()
    left = _left(last, time, (first[0], arriving(first[0]))) if first else alone
    return plan_with((*running[:-1], left, *made.placed), made.choice, manners)


def _present(plan: Plan, last: Placed, time: float, manners: Manners) -> Before:
    """Return the pose at a time, from which another gesture is reached, and how fast it moves."""
    gesture = replace(last.chosen.gesture, motion=plan.schedule)
    turns, places = poses_of(gesture, plan.schedule.sample([time, time + SHORT]))
    moving = manners.pace.seconds((turns[0], places[0]), (turns[1], places[1]), 1.0) / SHORT
    return Before(time, turns[0], places[0], float(moving))


def _left(one: Placed, time: float, after: tuple[Chosen, Arrival] | None) -> Placed:
    """Return how a gesture that plays at a time goes on, if other words come after it."""
    if one.relaxes and time >= one.go:
        return one
    before, now, then = one.motion.own(time + SHORT * np.array([-1.0, 0.0, 1.0])).tolist()
    rate = 2.0 * SHORT / max(then - before, SHORT * SLOWEST)
    own, since = one.chosen.gesture.sync.tolist(), (now, time)
    if now >= own[STROKE_START]:
        arrival = Arrival(one.begin, one.come, (since,), one.sync)
        return replace(placed_of(one.chosen, arrival, after, since), rate=rate)
    stop = min(max(now + 0.5 * BRAKES / rate, now + APART), own[STROKE_END])
    held = replace(
        one.chosen, gesture=replace(one.chosen.gesture, motion=Part(own[START], stop, one.chosen.gesture.motion))
    )
    go, end = time + BRAKES, time + BRAKES + own[END] - own[RELAX]
    if after is not None:
        go, end = after[1].begin, after[1].come
    keys = (since, (stop, time + BRAKES))
    return Placed(held, keys, {}, one.begin, one.come, go, end, after is None, rate)
