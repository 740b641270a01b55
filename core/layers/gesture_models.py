"""Motion models of gestures: a motion is prepared, repeated or held as commanded, and retracted.

All three phases come from one clip ([Gruenvogel2003] section 4 requires that a motion recognisably starts, is executed
and finishes). Two of its keytimes bound the middle. The middle is repeated, as in a wave, or, if both keytimes are the
same, is one held pose, as in carrying something; without keytimes the whole clip is the middle. The tree of a gesture
with ``n`` passes is, with P as the middle closed to a cycle,

``TimeWarp(W, Blend(Blend(Prepare, Loop(P)), Retract))``

in which the blends of a repeated middle are cuts: the last pass continues into the clip itself without a jump.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, inf

import numpy as np
from numpy.typing import NDArray

from ..errors import ClipError, quoted
from ..figure import quaternion as quat
from ..figure.channels import rotations_of
from ..motion.base_motion import ROUNDING, BaseMotion, check_alike, of_style, still, styles_of
from ..motion.clip import Motion, end_of
from ..motion.clip_mixing import blend
from ..motion.clip_operators import Part, WarpKey, loop, time_shift, time_warp
from .claims import Claims
from .motion_model import MotionModel, Parameter, Run, Stage, Succession, Values, past_of

Array = NDArray[np.float64]

SEAM = 0.3
"""Maximum seconds for blending a pass that does not close into the next one, and a held pose into motion."""
CLOSED = 0.01
"""Largest joint rotation in radians between the ends of the middle for repeating it unchanged."""
SLOWEST, FASTEST = 0.25, 4.0
"""Bounds of the speed, as multiples of the recorded one."""
MOST = 1000.0
"""Maximum number of repeats."""
FAR = 1e6
"""Seconds after which a time warp of an endless gesture may end."""


@dataclass(frozen=True)
class Phases:
    """A clip cut into phases. Times are in seconds from its beginning, at the recorded speed.

    Parameters
    ----------
    prepare, middle, retract : the phases; the middle is one pass, or a pose that is held.
    into : time when the middle begins.
    first : duration of the middle if it is played once.
    period : duration of each additional pass. A pose has passes of one second, and may be left at any time.
    held : whether the middle is a pose.
    ease : duration of the blends into and out of a pose, and from preparing to retracting if the middle is omitted; 0
        if there is no preparation.
    """

    prepare: Motion
    middle: Motion
    retract: Motion
    into: float
    first: float
    period: float
    held: bool
    ease: float

    def left_after(self, passes: float) -> float:
        """Return when the middle is left after the given number of passes; infinite if this is 0."""
        return self.into + self.first + (passes - 1.0) * self.period if passes >= 1.0 else inf

    def left_from(self, time: float) -> float:
        """Return when the middle can be left at or after `time`: at the end of a pass, or of preparing."""
        if self.held:
            return max(time, self.into)
        if self.ease > 0.0 and time <= self.into - self.ease:
            return self.into - self.ease
        return self.left_after(max(1.0, 1.0 + ceil((time - self.into - self.first) / self.period - ROUNDING)))

    def tree(self, leaves: float) -> Motion:
        """Return the gesture whose middle is left at a time from `left_after` or `left_from`."""
        if leaves < self.into:
            return blend(self.prepare, self.retract, leaves, self.into, 0.0, leaves)
        ease, passes = (self.ease, 0) if self.held else (0.0, 0)
        if not self.held and leaves < inf:
            passes = round(1.0 + (leaves - self.into - self.first) / self.period)
        begins = self.into - ease
        tree = blend(self.prepare, loop(passes, self.middle), begins, self.into, 0.0, begins)
        return blend(tree, self.retract, leaves, leaves + ease, 0.0, leaves) if leaves < inf else tree


@dataclass(frozen=True)
class GestureRun(Run):
    """A run of a gesture.

    Parameters
    ----------
    phases : phases of the clip that it plays.
    leaves : time when its middle is left, in seconds of the clip.
    keys : times of the clip, and of playback, at which its speed changed.
    stopped : whether it was commanded to stop.
    before : the motion trees of earlier runs that it continues.
    """

    phases: Phases
    leaves: float
    keys: tuple[WarpKey, ...]
    stopped: bool = False
    before: tuple[Stage, ...] = ()

    @property
    def speed(self) -> float:
        """Its speed, as a multiple of the recorded one."""
        return float(self.parameters["speed"])

    def own(self, time: float) -> float:
        """Return the time of the clip that plays at `time`, which is not before the last change of speed."""
        own, played = self.keys[-1]
        return own + (time - played) * self.speed

    def played(self, own: float) -> float:
        """Return when a time of the clip is played, at the present speed."""
        last, played = self.keys[-1]
        return played + (own - last) / self.speed

    def built(self) -> "GestureRun":
        """Return the run with its motion tree and the times derived from its other values."""
        phases, gesture = self.phases, self.phases.tree(self.leaves)
        end = min(end_of(gesture), self.keys[-1][0] + FAR)
        keys = (*self.keys, (end, self.played(end))) if end > self.keys[-1][0] else self.keys
        if len(self.keys) == 1 and self.speed == 1.0:
            gesture = time_shift(self.started, gesture)
        else:
            gesture = time_warp(keys, gesture)
        begun = self.keys[-1][0] < phases.into
        return replace(
            self,
            tree=Succession(self.before).then(self.started, gesture, climbs=False),
            ends=self.played(self.leaves + phases.retract.duration),
            executes=self.played(phases.into) if begun else self.executes,
        )


@dataclass(frozen=True, eq=False)
class GestureModel(MotionModel):
    """A gesture that is prepared, repeated or held, and retracted.

    Parameters
    ----------
    records : the motion in each style, one or several; the first is the default.
    name : its name in messages.
    joints : names of joints that it claims.
    distances : pairs of names of joints whose distance it claims.
    middle : keytimes between which the motion is repeated; the same one twice to hold its pose; None to repeat the
        whole motion.
    repeats : default number of repeats, or seconds of holding; 0 until it is stopped.

    Raises
    ------
    ClipError
        If there is no motion, one lacks a keytime, or the motions do not move the same bones.
    """

    records: tuple[BaseMotion, ...]
    name: str
    joints: frozenset[str] = frozenset()
    distances: tuple[tuple[str, str], ...] = ()
    middle: tuple[str, str] | None = None
    repeats: float = 0.0

    def __post_init__(self) -> None:
        if not self.records:
            raise ClipError(f"'{self.name}' has no motion. Give it at least one.")
        check_alike([record.clip for record in self.records], f"'{self.name}'")
        for record in self.records:
            self._bounds(record.clip)

    def parameters(self) -> tuple[Parameter, ...]:
        """Return its parameters: ``'repeats'``, ``'speed'`` as a multiple of the recorded one, and ``'style'``."""
        styles = styles_of(self.records)
        return (
            Parameter("repeats", self.repeats, 0.0, MOST, whole=True),
            Parameter("speed", 1.0, SLOWEST, FASTEST),
            Parameter("style", styles[0], choices=styles),
        )

    def claims(self, parameters: Values) -> Claims:
        """Return its claims, which do not depend on the parameters."""
        return Claims(self.joints, self.distances)

    def begin(self, time: float, parameters: Values, after: Run | None = None) -> GestureRun:
        """Return a gesture that starts at `time`; see `MotionModel`."""
        values, started = self.settings(parameters, {}), self.checked_start(time, after)
        phases = self._phases[str(values["style"])]
        before = past_of(after).stages if after is not None else ()
        leaves = phases.left_after(float(values["repeats"]))
        empty = Succession(())
        run = GestureRun(
            self, values, started, empty, inf, started, started, phases, leaves, ((0.0, started),), before=before
        )
        return run.built()

    def change(self, run: Run, time: float, parameters: Values) -> GestureRun:
        """Return the gesture with another speed from `time` on, or other repeats; see `MotionModel`.

        Passes that have been played are not undone: if more passes have begun than requested, it retracts after the
        present one. While it retracts, or after it was stopped, repeats have no effect.
        """
        run, time = _gesture(run), self.checked_time(run, time)
        values, time = self.settings(parameters, run.parameters), max(time, run.started)
        if values["style"] != run.parameters["style"]:
            raise ClipError(
                f"'{self.name}' is already playing in its style. Stop it, and start it again in the other style."
            )
        own, leaves = run.own(time), run.leaves
        if values["repeats"] != run.parameters["repeats"] and not run.stopped and own < leaves:
            wanted = run.phases.left_after(float(values["repeats"]))
            leaves = wanted if wanted >= own else run.phases.left_from(max(own, run.phases.into))
        keys = run.keys
        if values["speed"] != run.speed:
            keys = (*(key for key in keys if key[1] < time), (own, time))
        return replace(run, parameters=values, keys=keys, leaves=leaves, calm=time).built()

    def stop(self, run: Run, time: float) -> GestureRun:
        """Return the gesture that finishes its pass and retracts; during preparation, without any pass."""
        run, time = _gesture(run), self.checked_time(run, time)
        own = run.own(max(time, run.started))
        leaves = min(run.leaves, run.phases.left_from(own)) if own < run.leaves else run.leaves
        return replace(run, leaves=leaves, stopped=True, calm=max(time, run.started)).built()

    def _bounds(self, clip: Motion) -> tuple[float, float]:
        """Return when the middle of a clip begins and ends, in seconds of the clip.

        Raises
        ------
        ClipError
            If it lacks a keytime, or the keytimes are in the wrong order.
        """
        if self.middle is None:
            return clip.start, end_of(clip)
        marks = [mark for mark in clip.marks_within(clip.start, end_of(clip)) if mark.kind == "keytime"]
        names = {mark.name for mark in marks}
        lacking = [name for name in dict.fromkeys(self.middle) if name not in names]
        if lacking:
            told = f"only {quoted(sorted(names), 12)}" if names else "and there are no others"
            raise ClipError(f"'{clip}' of '{self.name}' has no keytime {quoted(lacking)}, {told}. Add it there.")
        begin = next(mark.start for mark in marks if mark.name == self.middle[0])
        same = self.middle[0] == self.middle[1]
        end = begin if same else next(mark.start for mark in reversed(marks) if mark.name == self.middle[1])
        if end < begin or (end == begin and not same):
            raise ClipError(
                f"In '{clip}' of '{self.name}' the keytime '{self.middle[1]}' is not after '{self.middle[0]}'. "
                "Move one of them."
            )
        return begin, end

    @cached_property
    def _phases(self) -> dict[str, Phases]:
        """Phases of the first motion in each style."""
        clips = {style: of_style(self.records, style, f"'{self.name}'").clip for style in styles_of(self.records)}
        return {style: phases_of(clip, *self._bounds(clip)) for style, clip in clips.items()}


def phases_of(clip: Motion, begin: float, end: float) -> Phases:
    """Cut a motion into phases.

    Parameters
    ----------
    clip : the motion.
    begin, end : seconds between which its middle lies; equal if that is a pose.
    """
    prepared, left, length = begin - clip.start, end_of(clip) - end, end - begin
    ease = min(SEAM, 0.5 * prepared, 0.5 * left)
    if length == 0.0:
        prepare, retract = (_from_zero(Part(*ends, clip)) for ends in ((clip.start, begin), (end, end_of(clip))))
        return Phases(prepare, still(clip, begin), retract, prepared, 1.0, 1.0, True, ease)
    middle = _from_zero(Part(begin, end, clip))
    seam = 0.0 if _closes(clip, begin, end) else min(SEAM, length / 3.0)
    if seam > 0.0:
        over = length - seam
        middle = _from_zero(Part(seam, length, blend(middle, middle, over, length, 0.0, over)))
    prepare, retract = Part(clip.start, begin + seam, clip), Part(end - seam, end_of(clip), clip)
    period = length - seam
    return Phases(_from_zero(prepare), middle, _from_zero(retract), prepared + seam, period - seam, period, False, ease)


def _from_zero(clip: Motion) -> Motion:
    """Return a motion that starts at second 0."""
    return clip if clip.start == 0.0 else time_shift(-clip.start, clip)


def _closes(clip: Motion, begin: float, end: float) -> bool:
    """Return whether a motion has the same pose at `begin` and `end`."""
    first, last = rotations_of(clip.channels, clip.sample([begin, end]))
    return bool(quat.angle_between(first, last).max() < CLOSED)


def wave(records: tuple[BaseMotion, ...], middle: tuple[str, str], joints: frozenset[str]) -> GestureModel:
    """Return the motion model wave: the hand is raised, waves until it is stopped, and is lowered.

    Parameters
    ----------
    records : a wave in each style.
    middle : keytimes of the repeated part, while the hand is up.
    joints : joints that it claims, those of the arm.
    """
    return GestureModel(records, "wave", joints, (), middle)


def carry(
    records: tuple[BaseMotion, ...],
    joints: frozenset[str],
    hands: tuple[str, str],
    middle: tuple[str, str] | None = None,
) -> GestureModel:
    """Return the motion model carry: both hands keep their distance until it is stopped.

    Parameters
    ----------
    records : carrying motion in each style.
    joints : joints that it claims, those of both arms.
    hands : joints whose distance it claims.
    middle : as for `GestureModel`: one keytime twice to hold still, two to sway between them.
    """
    return GestureModel(records, "carry", joints, (hands,), middle)


def _gesture(run: Run) -> GestureRun:
    """Return a run as a gesture run.

    Raises
    ------
    ClipError
        If it is a run of another model.
    """
    if not isinstance(run, GestureRun):
        raise ClipError(f"'{run.model.name}' is not a gesture. Send its command to its own model.")
    return run
