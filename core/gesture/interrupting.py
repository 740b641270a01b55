"""Interrupted plans: other words take the place of what is left, from the pose and the speed of the moment."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..figure import quaternion as quat
from ..motion.clip_operators import Part
from .body_planner import Before, Chosen, Manners, Request
from .gesture import END, RELAX, START, STROKE_END, STROKE_START, poses_of
from .plan import APART, Arrival, Placed, Plan, arriving, placed_of, plan_of, plan_with
from .schedule import Rest, moved
from .ways_between import farthest, hands_of

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
    rest = Rest(plan.schedule.channels, plan.schedule.resting) if plan.entries else plan.rest
    begun = [one for one in plan.placed if one.begin < time]
    if not begun or begun[-1].end <= time:
        return replace(plan_of(requests, manners, Before(time)), rest=rest)
    first_running = next(n for n, one in enumerate(begun) if one.end > time)
    *running, last = begun[first_running:]
    alone = _left(last, time, None)
    ready = max(time, alone.sync.get("stroke_end", time))
    rests = ready
    if alone is last:  # It relaxes already.
        rests = alone.end
    elif not alone.sync:  # Its preparation is broken off.
        rests = time + BRAKES
    goes_on = plan_with((*running, alone), plan.choice, manners, rest)
    made = plan_of(requests, manners, _present(goes_on, ready, rests, manners))
    first = made.choice.kept[:1]
    rested = plan_of(requests, manners, Before(alone.end)) if first and first[0].spare > manners.patience else None
    if rested is not None and len(rested.placed) >= len(made.placed):
        made, first = rested, ()
    left = last if last.relaxes and last.go <= alone.go else alone
    if first:
        left = _left(last, time, (first[0], arriving(first[0])))
    return plan_with((*running, left, *made.placed), made.choice, manners, rest)


def _present(plan: Plan, time: float, rests: float, manners: Manners) -> Before:
    """Return the pose of a plan at a time, how fast it moves, and the pose when it has come to rest."""
    moves = np.max([moved(entry) for entry in plan.entries], axis=0)
    turns, places = poses_of(plan.schedule.channels, plan.schedule.sample([time, time + SHORT, rests]), moves)
    hands = hands_of([one.chosen.gesture for one in plan.placed])
    angle, way = quat.angle_between(turns[0], turns[1]).max(), farthest(places[0, hands], places[1, hands])
    moving = manners.pace.seconds(angle, way, 1.0) / SHORT
    return Before(time, turns[[0, 2]], places[[0, 2]], float(moving))


def _left(one: Placed, time: float, after: tuple[Chosen, Arrival] | None) -> Placed:
    """Return how a gesture that plays at a time goes on, if other words come after it."""
    if one.relaxes and time >= one.go:
        return one
    before, now, then = one.motion.own(time + SHORT * np.array([-1.0, 0.0, 1.0])).tolist()
    rate = 2.0 * SHORT / max(then - before, SHORT * SLOWEST)
    own, since = one.chosen.gesture.sync.tolist(), (now, time)
    if now >= own[STROKE_START] and one.sync:
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
