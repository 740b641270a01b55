"""The motion model walk ([Gruenvogel2003] section 6): it starts, walks at a speed in a style, and stops.

Its motion trees are the paper's expressions, where W are the warp keys of a speed:

(1) Start: ``Blend(TimeShift(t0, WalkStart), Loop(TimeWarp(W1, WalkCycle)))``
(2) Another speed: ``Blend(TimeShift(t1, Loop(TimeWarp(W1, WalkCycle))), Loop(TimeWarp(W2, WalkCycle)))``
(3) Another style: ``Blend(TimeShift(t1, TimeWarp(W1, WalkCycle)), Loop(TimeWarp(W2, WalkCycle_happy)))``

What the paper leaves open, and deviations from it, are listed in docs/deviations.md.

A cycle that climbs keeps climbing in each loop. A motion that is blended in is raised so that both are on the same
floor half-way through the blend; a recorded WalkStart is assumed to be level.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from ..errors import ClipError, quoted
from ..motion.base_motion import (
    ROUNDING,
    BaseMotion,
    Meeting,
    Pace,
    Stance,
    check_alike,
    meetings,
    of_style,
    paced,
    speed_of,
    stances,
    stances_of_clip,
    stances_of_cycle,
    still,
    styles_of,
)
from ..motion.clip import Motion, end_of
from ..motion.clip_mixing import blend
from ..motion.clip_operators import loop, time_shift
from ..motion.quiet_blends import blends_within, largest_step, quiet_stop
from .claims import Claims
from .motion_model import MotionModel, Parameter, Run, Stage, Succession, Value, Values, past_of

SLOWEST, FASTEST = 0.25, 3.0
"""Share of the slowest cycle's own speed, and multiple of the fastest one's, between which a speed can be commanded."""
QUICKEST = 0.5
"""Minimum duration of the blend from walking to standing, as a share of a step."""
EASE = 0.25
"""Seconds of the blend from standing to a recorded WalkStart after a stop, and from a WalkStop to standing."""


@dataclass(frozen=True)
class Walking:
    """The motion that is played from a command on.

    Parameters
    ----------
    begin : time in seconds from which the tree that leads to it is played.
    blends : time in seconds at which the blend into it begins.
    settled : time in seconds from which it is played alone.
    origin : time in seconds at which its loop started.
    pace : the loop's cycle; None for standing.
    source : the recorded WalkStart with which it began, if any.
    pose : motion in which it stands after a hard stop, else None.
    rise : height of the floor at `origin` in the tree.
    """

    begin: float
    blends: float
    settled: float
    origin: float
    pace: Pace | None
    source: Motion | None = None
    pose: Motion | None = None
    rise: float = 0.0

    def floor(self, time: float) -> float:
        """Return the height of the floor under the figure at `time` in the tree."""
        return self.rise + (self.pace.climb * (time - self.origin) if self.pace is not None else 0.0)


@dataclass(frozen=True)
class WalkRun(Run):
    """A run of the walk.

    Parameters
    ----------
    stages : motions played in turn, one for each stage of the tree.
    starter : index of the stage that was the start.
    """

    stages: tuple[Walking, ...] = ()
    starter: int = 0

    @property
    def trees(self) -> tuple[Stage, ...]:
        """The motion trees that replace each other."""
        return self.tree.stages if isinstance(self.tree, Succession) else ()

    def begun(self, time: float) -> int:
        """Return how many stages have begun before `time`, including the start."""
        return max(sum(stage.begin < time for stage in self.stages), self.starter + 1)

    def then(self, count: int, tree: Motion, stage: Walking) -> "WalkRun":
        """Return the run with its first `count` stages followed by a new one."""
        trees = Succession(self.trees[:count]).then(stage.begin, tree)
        stages = (*self.stages[: len(trees.stages) - 1], stage)
        return replace(self, tree=trees, stages=stages, calm=stage.settled)


@dataclass(frozen=True, eq=False)
class WalkModel(MotionModel):
    """A walk whose speed and style can be commanded.

    Parameters
    ----------
    walk_starts : recorded starts for some styles or none; they begin standing and end walking.
    walk_cycles : one cycle in each style, with contacts as from `within_cycle`. The first is the default.
    walk_stops : recorded stops for some styles or none; they begin walking and end standing.
    stand : standing on both feet, which is looped.
    joints : names of the joints that it claims.
    name : its name in messages.

    Raises
    ------
    ClipError
        If there is no cycle, one has no contacts or does not travel, or clips do not move the same bones.
    """

    walk_starts: tuple[BaseMotion, ...]
    walk_cycles: tuple[BaseMotion, ...]
    walk_stops: tuple[BaseMotion, ...]
    stand: Motion
    joints: frozenset[str] = frozenset()
    name: str = "walk"

    def __post_init__(self) -> None:
        if not self.walk_cycles:
            raise ClipError(f"'{self.name}' has no cycle. Give it at least one walk cycle.")
        every = [*self.walk_starts, *self.walk_cycles, *self.walk_stops]
        check_alike([*(record.clip for record in every), self.stand], f"'{self.name}'")
        points: set[str] = set()
        for record in every:
            marks = record.clip.marks_within(record.clip.start, end_of(record.clip))
            own = {mark.name for mark in marks if mark.kind == "contact" and mark.end - mark.start > ROUNDING}
            if not own or (points and not own & points):
                told = f"none of its points is in contact like {quoted(sorted(points))}" if own else "has no contacts"
                raise ClipError(
                    f"'{record}' of '{self.name}' cannot be blended: it {told}. Mark when its feet are planted."
                )
            points = points & own or own
        self.speeds()

    @cached_property
    def _speeds(self) -> dict[str, float]:
        return {one.style: speed_of(one.clip, f"'{one}' of '{self.name}'") for one in reversed(self.walk_cycles)}

    @cached_property
    def _stances(self) -> dict[str, tuple[Stance, ...]]:
        return {one.style: stances_of_cycle(one.clip, self.stand) for one in reversed(self.walk_cycles)}

    def speeds(self) -> dict[str, float]:
        """Return the recorded speed of each style's cycle, in performance units a second."""
        return dict(self._speeds)

    def parameters(self) -> tuple[Parameter, ...]:
        """Return its parameters: ``'speed'`` in performance units a second, and ``'style'``."""
        styles, speeds = styles_of(self.walk_cycles), self._speeds
        bounds = SLOWEST * min(speeds.values()), FASTEST * max(speeds.values())
        lowest, highest = (float(f"{bound:.3g}") for bound in bounds)
        return (
            Parameter("speed", speeds[styles[0]], lowest, highest),
            Parameter("style", styles[0], choices=styles),
        )

    def claims(self, parameters: Values) -> Claims:
        """Return its claims: the given joints, whatever the parameters."""
        return Claims(self.joints)

    def begin(self, time: float, parameters: Values, after: Run | None = None) -> WalkRun:
        """Return a walk that starts at `time`, at its style's own speed if none is given; see `MotionModel`."""
        values = self.settings(parameters, {})
        if "speed" not in parameters:
            values["speed"] = self._speeds[str(values["style"])]
        start = self.checked_start(time, after)
        fresh = WalkRun(self, values, start, Succession(()), inf, start, start)
        before = fresh if after is None or after.tree.start >= start else _after(_walk(after))
        run = self._start(before, len(before.stages), start, values)
        if run is None:
            raise ClipError(
                f"The recorded start of '{self.name}' has no foot contact that its cycle has too. Mark one."
            )
        return run

    def rest(self, time: float) -> WalkRun:
        """Return a run that has ended and stands from `time` on; see `MotionModel`."""
        stage, tree = Walking(time, time, time, time, None), Succession((Stage(time, loop(0, self.stand)),))
        return WalkRun(self, self.settings({}, {}), time, tree, time, time, time, (stage,))

    def change(self, run: Run, time: float, parameters: Values) -> WalkRun:
        """Return the walk at another speed or in another style; see `MotionModel`.

        Commands that have not taken effect yet are cancelled. A walk that was commanded to stop still stops; the
        parameters are kept, and have no effect.
        """
        run, time = _walk(run), self.checked_time(run, time)
        values = self.settings(parameters, run.parameters)
        if run.ends < inf or values == dict(run.parameters):
            return replace(run, parameters=values)
        if time <= run.stages[run.starter].blends:
            again = self._start(run, run.starter, run.started, values, time)
            if again is not None:
                return again
        count, pace = run.begun(time), self._pace(values)
        last = run.stages[count - 1]
        if last.pace == pace:
            trees = run.tree.stages[:count] if isinstance(run.tree, Succession) else ()
            return replace(run, parameters=values, tree=Succession(trees), stages=run.stages[:count], calm=last.settled)
        return self._changed(replace(run, parameters=values), count, max(time, last.settled), pace)

    def stop(self, run: Run, time: float) -> WalkRun:
        """Return the walk that finishes its step and stands after one step at the latest; see `MotionModel`.

        With a recorded WalkStop it takes as long as that, and begins when the next foot strike matches the recording's.
        """
        run, time = _walk(run), self.checked_time(run, time)
        if run.ends < inf:
            return run
        time = max(time, run.started)
        stopped = self._recorded_stop(run, time) if self.walk_stops else self._derived_stop(run, time)
        return replace(stopped, ends=stopped.calm, executes=min(run.executes, stopped.calm))

    def _pace(self, values: Values) -> Pace:
        """Return the cycle of the commanded style, time-warped to the commanded speed."""
        style, speed = str(values["style"]), float(values["speed"])
        clip = of_style(self.walk_cycles, style, f"'{self.name}'").clip
        return paced(clip, self._stances[style], style, self._speeds[style] / speed)

    def _start(
        self, run: WalkRun, count: int, start: float, values: dict[str, Value], earliest: float = -inf
    ) -> WalkRun | None:
        """Return the run with expression (1) from `start` on after `count` stages, the last of which stands.

        The blend does not begin before `earliest`; None if that is impossible.
        """
        pace = self._pace(values)
        walking, before = loop(0, pace.cycle), run.stages[:count]
        stood = before[-1].origin if before else start
        pose, source = (before[-1].pose if before else None) or loop(0, self.stand), None
        standing = time_shift(stood - pose.start, pose)
        if self.walk_starts:
            begun = run.stages[count].source if start < earliest else None
            source = begun or self._own(self.walk_starts, values)
            met = self._last_meeting(source, start, pace, earliest)
            if met is None:
                return None
            rise = -pace.climb * (met.middle - met.second_start)
            first, walking = time_shift(start - source.start, source), _raised(walking, rise)
            tree: Motion = blend(first, walking, met.begin, met.end, start, met.second_start)
            if before:
                tree = blend(standing, tree, start, start + EASE, stood, start)
        else:
            longest = max(pace.stances, key=lambda stance: stance.end - stance.begin)
            begin, end = blends_within((longest.span,), longest.begin, longest.end, QUICKEST * pace.step)[0]
            met = Meeting(start, start + end - begin, start - begin)
            rise = -pace.climb * (met.middle - met.second_start)
            tree = blend(standing, _raised(walking, rise), met.begin, met.end, stood, met.second_start)
        run = replace(run, parameters=values, started=start, ends=inf, executes=met.end, starter=count)
        stage = Walking(start, met.begin, met.end, met.second_start, pace, source, rise=rise)
        return run.then(count, tree, stage)

    def _own(self, records: tuple[BaseMotion, ...], values: Values) -> Motion:
        """Return the clip of the commanded style, or of the first style if it has none."""
        return next((one.clip for one in records if one.style == values["style"]), records[0].clip)

    def _last_meeting(self, source: Motion, start: float, pace: Pace, earliest: float) -> Meeting | None:
        """Return the last stance that a recorded start, played from `start` on, has in common with a cycle."""
        over = start + source.duration
        own = [
            one.moved(start) for one in stances_of_clip(source, self.stand) if start + one.begin >= earliest - ROUNDING
        ]
        return next(reversed(meetings(own, pace.stances, over)), None)

    def _changed(self, run: WalkRun, count: int, earliest: float, pace: Pace) -> WalkRun:
        """Return the run with expression (2) or (3), which leads to `pace`, after `count` stages."""
        last = run.stages[count - 1]
        old = last.pace
        assert old is not None
        coming = [one for one in old.near(last.origin, earliest) if one.begin >= earliest - ROUNDING]
        met = meetings(coming, pace.stances)[0]
        begins, first = old.pass_at(last.origin, met.begin), loop(0, old.cycle)
        now = old.pass_at(last.origin, earliest)
        for start in (now, now + old.cycle.duration) if old.style != pace.style else ():
            over = start + old.cycle.duration
            inside = [one for one in coming if start - ROUNDING <= one.begin < over - ROUNDING]
            every = meetings(inside, pace.stances, over)
            if every:
                met, begins, first = every[-1], start, old.cycle
                break
        rise = old.climb * (met.middle - begins) - pace.climb * (met.middle - met.second_start)
        walking = _raised(loop(0, pace.cycle), rise)
        tree = blend(time_shift(begins, first), walking, met.begin, met.end, begins, met.second_start)
        return run.then(count, tree, Walking(met.begin, met.begin, met.end, met.second_start, pace, rise=rise))

    def _derived_stop(self, run: WalkRun, time: float) -> WalkRun:
        """Return the run that stands within one step after `time`, blended in while one foot is planted."""
        count = run.begun(time)
        last, pace = run.stages[count - 1], run.stages[count - 1].pace
        assert pace is not None
        until = time + pace.step
        if time >= last.settled:
            near = pace.near(last.origin, time)
        else:
            wide = 2.0 * pace.cycle.duration
            near = stances(run.trees[count - 1].motion.marks_within(time - wide, until + wide))
        spans = blends_within([stance.span for stance in near], time, until, QUICKEST * pace.step)
        walking = Succession(run.trees[:count])
        begin, end = quiet_stop(walking, self.stand, spans, largest_step(pace.cycle))
        first, first_start, rise = self._playing(run, count, begin, 0.5 * (begin + end))
        tree = blend(first, _raised(loop(0, self.stand), rise), begin, end, first_start, begin)
        return run.then(count, tree, Walking(begin, begin, end, begin, None, rise=rise))

    def _recorded_stop(self, run: WalkRun, time: float) -> WalkRun:
        """Return the run that ends with a recorded WalkStop, and then stands."""
        count = run.begun(time)
        last = run.stages[count - 1]
        pace, source = last.pace, self._own(self.walk_stops, run.parameters)
        assert pace is not None
        time = max(time, last.settled)
        coming = [one for one in pace.near(last.origin, time) if one.begin >= time - ROUNDING]
        own = stances_of_clip(source, self.stand)
        walked = [one for one in own if one.begin > ROUNDING and one.end < source.duration - EASE]
        met = meetings(coming, walked or own)[0]
        first, first_start, rise = self._playing(run, count, met.begin, met.middle)
        tree = blend(first, _raised(source, rise), met.begin, met.end, first_start, met.second_start)
        over = met.second_start + source.duration
        stands = min(max(over - EASE, met.end), over)
        tree = blend(tree, _raised(loop(0, self.stand), rise), stands, over, first_start, stands)
        return run.then(count, tree, Walking(met.begin, met.begin, over, stands, None, rise=rise))

    def _playing(self, run: WalkRun, count: int, time: float, middle: float) -> tuple[Motion, float, float]:
        """Return what plays at `time`, its start time, and the height of its floor at `middle`.

        What plays is the loop alone once it is no longer in a blend.
        """
        last = run.stages[count - 1]
        if time < last.settled or last.pace is None:
            tree = run.trees[count - 1].motion
            return tree, tree.start, last.floor(middle)
        begins = last.pace.pass_at(last.origin, time)
        return time_shift(begins, loop(0, last.pace.cycle)), begins, last.pace.climb * (middle - begins)


def _raised(motion: Motion, rise: float) -> Motion:
    """Return a motion with its floor raised by `rise`."""
    return motion if abs(rise) < ROUNDING else Succession((Stage(motion.start, motion, rise=rise),))


def _after(run: WalkRun) -> WalkRun:
    """Return an ended run as one that stands; after a hard stop, in the pose at the stop."""
    if isinstance(run.tree, Succession):
        return run
    begin = run.tree.start
    stage = Walking(begin, begin, begin, run.ends, None, pose=still(run.tree, run.ends))
    return replace(run, tree=past_of(run), stages=(stage,), starter=0)


def _walk(run: Run) -> WalkRun:
    """Return a run as a walk run.

    Raises
    ------
    ClipError
        If it is a run of another model.
    """
    if not isinstance(run, WalkRun):
        raise ClipError(f"'{run.model.name}' is not a walk. Send its command to its own model.")
    return run
