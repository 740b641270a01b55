"""From the body planner's choice to motion: each gesture under its time warp, in a schedule.

A gesture is played under one smooth time warp with a key at each sync point, so that its emphasis is on the word to the
last digit, and no phase plays faster than its bounds allow, however the warp is smoothed. A hold is not a frozen pose:
the recorded hold is stretched or, if there is none, a short part of the motion after the stroke, so that the hand
drifts slowly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..errors import GestureError
from ..motion.clip import end_of
from ..motion.clip_operators import TimeWarp, WarpKey
from .body_planner import Before, Choice, Chosen, Manners, Request, choose
from .gesture import END, READY, RELAX, START, STROKE, STROKE_END, STROKE_START, Gesture
from .schedule import Rest, Schedule, handed_over
from .stack import Entry
from .ways_between import WAYS

CREEPS = 0.12
"""Maximum seconds of the motion that are stretched into a hold that was not recorded."""
SHARE = 0.3
"""Maximum share of a preparation or relaxation that is stretched into a hold."""
HELD_SHARE, HELD_MOST = 0.25, 0.4
"""Share of the spare time for which a stroke is held before the hand relaxes, and its maximum in seconds."""
CALMER = 1.6
"""Maximum factor by which the way to the next stroke is slowed if there is time."""
MOMENT = 1.0
"""Half of a rest, as a multiple of the adjacent phase, from which that phase has at least its recorded length."""
APART = 1e-4
"""Minimum distance in seconds of keys of a time warp."""


@dataclass(frozen=True, eq=False)
class Placed:
    """A gesture in time.

    Parameters
    ----------
    chosen : the chosen gesture.
    keys : keys of its time warp: seconds of the motion, and of the plan.
    sync : times of the plan in seconds by sync point, without omitted ones.
    begin : time in seconds when it begins to fade in.
    come : time in seconds when it has its full weight.
    go : time in seconds when it begins to fade out, or to be covered by the next one.
    end : time in seconds when it is over.
    relaxes : whether it fades out by itself.
    rate : rate of the time warp at its first key, if it does not follow from the keys.
    """

    chosen: Chosen
    keys: tuple[WarpKey, ...]
    sync: Mapping[str, float]
    begin: float
    come: float
    go: float
    end: float
    relaxes: bool
    rate: float = 0.0

    @cached_property
    def motion(self) -> TimeWarp:
        """The gesture's motion at the times of the plan.

        At a key it is as fast as the average to the neighbouring key on its faster side, and nowhere is it faster.
        """
        own, played = np.array(self.keys).T
        rates = np.diff(played) / np.diff(own)
        lesser = np.minimum(np.append(rates[:1], rates), np.append(rates, rates[-1:]))
        lesser[0] = self.rate or lesser[0]
        return TimeWarp(self.keys, self.chosen.gesture.motion, True, tuple(lesser.tolist()))


@dataclass(frozen=True, eq=False)
class Plan:
    """Gestures in time.

    Parameters
    ----------
    placed : played gestures, in order of time.
    entries : entries of the schedule.
    choice : result of the body planner.
    rest : rest pose of the figure, if given by an earlier plan.
    """

    placed: tuple[Placed, ...]
    entries: tuple[Entry, ...]
    choice: Choice
    rest: Rest | None = None

    @cached_property
    def schedule(self) -> Schedule:
        """The motion of the plan.

        Raises
        ------
        GestureError
            If no gesture is kept, and none was in an earlier plan.
        """
        if not self.entries and self.rest is None:
            raise GestureError(
                "None of the gestures fits. Give the words more time, or allow gestures to be shorter with Shortest."
            )
        return Schedule(self.entries, "Gestures", self.rest)


def plan_of(requests: Sequence[Request], manners: Manners, before: Before | None = None) -> Plan:
    """Plan gestures on words.

    Raises
    ------
    GestureError
        See `choose`.
    """
    choice = choose(requests, manners, before)
    arrivals = [arriving(one) for one in choice.kept]
    following = dict(enumerate(zip(choice.kept[1:], arrivals[1:], strict=True)))
    placed = tuple(
        placed_of(one, arrival, following.get(n))
        for n, (one, arrival) in enumerate(zip(choice.kept, arrivals, strict=True))
    )
    return plan_with(placed, choice, manners)


def waiting(plan: Plan, gestures: Sequence[Gesture] = ()) -> Plan:
    """Return `plan` with a rest pose that also covers what `gestures` move, so that plans of these can replace it.

    Parameters
    ----------
    plan : the plan, whose rest pose is kept for everything that it moves.
    gestures : gestures of the plans that may replace it; one or more if the plan has none.
    """
    more = [Entry(one.motion, 0.0, one.motion.start, end_of(one.motion), 0.0, 0.0) for one in gestures]
    whole = Schedule((*plan.entries, *more), rest=plan.rest)
    return replace(plan, rest=Rest(whole.channels, whole.resting))


def plan_with(placed: tuple[Placed, ...], choice: Choice, manners: Manners, rest: Rest | None = None) -> Plan:
    """Return the plan of gestures that are placed in time, in order; for the parameters see `Plan`."""
    return Plan(placed, tuple(_entries(placed, manners)), choice, rest)


@dataclass(frozen=True, eq=False)
class Arrival:
    """The start of a gesture: when it begins to fade in, when its stroke begins, and the keys before its emphasis."""

    begin: float
    come: float
    keys: tuple[WarpKey, ...]
    sync: Mapping[str, float]


def arriving(one: Chosen) -> Arrival:
    """Return the start of a gesture."""
    own, factor = one.gesture.sync.tolist(), one.gesture.lasting(one.squeezed)
    come = one.time - factor * (own[STROKE] - own[STROKE_START])
    stroke = (own[STROKE_START], come)
    if "prepare" in one.way:
        factor *= _slower(one, one.gesture.bounds[1], factor * (own[STROKE_START] - own[START]))
        ready = (own[READY], come - factor * (own[STROKE_START] - own[READY]))
        start = (own[START], come - factor * (own[STROKE_START] - own[START]))
        begin = min(start[1], come - one.lead) if one.way == "prepare" else start[1]
        whole = ready[1] if "relax" in one.way and ready[1] - begin > APART else come
        sync = {"start": start[1], "ready": ready[1], "stroke_start": come}
        return Arrival(begin, whole, (start, ready, stroke), sync)
    lasts = one.lead + min((1.0 - HELD_SHARE) * one.spare, (CALMER - 1.0) * one.lead)
    creep = min(CREEPS, SHARE * (own[STROKE_START] - own[START]), 0.5 * lasts)
    return Arrival(come - lasts, come, ((own[STROKE_START] - creep, come - lasts), stroke), {"stroke_start": come})


def _slower(following: Chosen, longest: float, seconds: float) -> float:
    """Return the factor by which a phase beside a rest is slowed: the relaxation before it or the preparation after it.

    A hand with only a short rest does not hurry to it: it relaxes and prepares more slowly, so that each phase fills
    half of that rest, as far as bounds allow. The longer the rest is beyond that, the less of it is filled.

    Parameters
    ----------
    following : the gesture after the rest.
    longest : maximum factor of the phase's length.
    seconds : its planned duration.
    """
    if following.way != WAYS[0] or seconds <= 0.0:
        return 1.0
    share, most = 0.5 * (1.0 - HELD_SHARE) * following.spare / seconds, longest - 1.0
    return 1.0 + max(0.0, min(share, most, max(MOMENT, 2.0 * most) - share))


def placed_of(
    one: Chosen, arrival: Arrival, after: tuple[Chosen, Arrival] | None, since: WarpKey | None = None
) -> Placed:
    """Return a gesture placed in time, given what follows it, and the time since which it deviates from its plan."""
    own = one.gesture.sync.tolist()
    factor = one.gesture.lasting(0.0 if after is None else after[0].squeezed)
    now = since if since is not None and since[0] > own[STROKE] else (own[STROKE], one.time)
    stroke = now[1] + factor * max(own[STROKE_END] - now[0], 0.0)
    keys = [*arrival.keys, (own[STROKE], one.time), (own[STROKE_END], stroke)]
    sync = {**arrival.sync, "stroke": one.time, "stroke_end": stroke}
    creep = max(own[RELAX] - own[STROKE_END], min(CREEPS, SHARE * (own[END] - own[RELAX])))
    if after is None or "relax" in after[0].way:
        spare = HELD_MOST if after is None else min(HELD_SHARE * after[0].spare, HELD_MOST)
        held = max(own[STROKE_END] + creep, now[0])
        go = stroke + factor * creep + spare
        relaxing = factor * (own[END] - held)
        end = go + relaxing * (1.0 if after is None else _slower(after[0], one.gesture.bounds[1], relaxing))
        keys += [(held, go), (own[END], end)]
        return Placed(one, _apart(keys), {**sync, "relax": go, "end": end}, arrival.begin, arrival.come, go, end, True)
    go, end = after[1].begin, after[1].come
    begins = max(own[STROKE_END], now[0])
    creep = max(min(own[STROKE_END] + creep - begins, 0.5 * (end - stroke)), 2.0 * APART)
    keys.append((begins + creep, max(end, stroke + 2.0 * APART)))
    return Placed(one, _apart(keys), sync, arrival.begin, arrival.come, go, end, False)


def _apart(keys: Sequence[WarpKey]) -> tuple[WarpKey, ...]:
    """Return keys without those that are too close to the previous one."""
    found = [keys[0]]
    for own, played in keys[1:]:
        if own - found[-1][0] > APART and played - found[-1][1] > APART:
            found.append((own, played))
    return tuple(found)


def _entries(placed: Sequence[Placed], manners: Manners) -> list[Entry]:
    """Return the entries of gestures: one for each, or two if the next gesture does not cover all of its joints."""
    whole = [
        Entry(
            *(one.motion, 0.0, one.begin, one.end, one.come - one.begin, one.end - one.go),
            *(manners.curve, one.chosen.gesture.mask),
        )
        for one in placed
    ]
    found: list[Entry] = []
    for n, (one, entry) in enumerate(zip(placed, whole, strict=True)):
        if one.relaxes or n + 1 == len(placed):
            found.append(entry)
            continue
        *left, covered = handed_over(entry, whole[n + 1])
        after, end = placed[n + 1], min(one.end, placed[n + 1].end)
        bare = n + 2 == len(placed) or len(handed_over(whole[n + 1], whole[n + 2])) > 1
        if after.go < after.come and (after.relaxes or bare):  # It fades out before its full weight, with this one.
            covered = replace(covered, ease_out=end - after.go)
        found += [*left, replace(covered, end=end)]
    return found
