"""Characters that are performed together: their clock, when each is heard and shown, and how fast frames follow."""

from __future__ import annotations

import gc

import bpy
from bpy.types import Object, Scene

from ...core.feet.motion_buffer import MotionBuffer
from ...core.play.simulator import SLOWEST, Clock, Frames, HeldClock, Simulator, WallClock
from ..action.generated_action import keep
from ..blender.events import redraw_regions
from .ongoing_take import OngoingTake

TICK = 1.0 / 60.0
EARLY = 0.5 * TICK
"""Seconds by which a frame may be shown too early: waiting for the next tick would make it later than that."""
LONGEST = 1.0 / SLOWEST
WRITTEN = 4
"""Number of characters of which it is written over the 3D views what they do."""
NOTED_EVERY = 1.0
"""Seconds between two lines of a journal."""
BEAT = 20
"""Priority of asking for what the sliders say: at one time it comes after commands and before the frame is rendered."""
RATED = 12
"""Number of frames over which the frame rate is measured."""


class Performance:
    """Characters that are performed together, on one clock.

    Parameters
    ----------
    scene : whose frames count.
    clock : the wall's if it is None.

    Attributes
    ----------
    takes : of the characters; the first one is the active one.
    frames : what was shown, and how fast.
    said, problems : what the user is told of the takes when the performance has ended, and what went wrong then.
    undone : whether something was undone since the last tick.
    marked : whether there is an undo step from which all that was performed is taken back.
    """

    def __init__(self, scene: Scene, clock: Clock | None) -> None:
        self.takes: list[OngoingTake] = []
        self.said: list[str] = []
        self.problems: list[str] = []
        self.scene_name = scene.name
        self._clock = HeldClock(clock or WallClock())
        self.simulator = Simulator(self._clock)
        self._buffer = MotionBuffer()
        shows = self._render, self._display, self._note_status
        self.frames = Frames(self.simulator, *shows, 1.0 / TICK, near=self._buffer.near)
        self.undone = self.marked = False
        self._rested = self._noted = 0.0

    @property
    def waits(self) -> bool:
        """Whether nothing has been asked for yet."""
        return self._clock.held

    @property
    def scene(self) -> Scene:
        """The scene whose frames count; another one if it is gone."""
        return bpy.data.scenes.get(self.scene_name) or bpy.context.scene

    @property
    def rate(self) -> float:
        """Frames that were shown a second lately; 0 before there are two."""
        shown = self.frames.shown
        count = min(RATED, len(shown))
        passed = shown[-1].displayed - shown[-count].displayed if count > 1 else 0.0
        return (count - 1) / passed if passed > 0.0 else 0.0

    def take_of(self, armature: Object | None) -> OngoingTake:
        """The take of an armature, of the active character if the armature is not performed."""
        uid, takes = armature.session_uid if armature is not None else 0, self.takes
        return next((take for take in takes if take.character.armature.uid == uid), takes[0])

    def set_off(self) -> None:
        """Begin the takes: from now on the clock goes, and all that is asked for is written down."""
        self._clock.let_go()
        gc.freeze()  # else Python's collector goes through all of Blender's scripts in the middle of a frame
        self._buffer.size = max(take.frames_ahead for take in self.takes)
        for take in self.takes:
            keep(take.before.played_action)
            take.begin_journal()
        for fps in dict.fromkeys(take.fps for take in self.takes):
            self._listen(fps, 0)
        self.frames.start(0.0)
        redraw_regions("UI")

    def go_on(self) -> None:
        """Play up to now.

        Between two ticks Blender needs time to draw: it is measured, and no frame is given less.
        """
        if self.waits:
            if not any([take.is_asked() for take in self.takes]):
                return
            self.set_off()
        now = self.simulator.clock.now()
        self.frames.interval = max(self.frames.interval, min(now - self._rested, LONGEST))
        self.simulator.due(now + EARLY)
        self._rested = self.simulator.clock.now()
        if now >= self._noted + NOTED_EVERY:
            self._noted = now
            for take in self.takes:
                take.write_journal()

    def _listen(self, fps: float, frame: int) -> None:
        """Hear, at a frame and at all later ones, what is asked of the takes that count so many frames a second."""

        def hear(time: float) -> None:
            for take in [take for take in self.takes if take.fps == fps]:
                take.hear(time)
            self._listen(fps, frame + 1)

        self.simulator.add(frame / fps, hear, "normal", BEAT)

    def _render(self, time: float) -> None:
        takes = self.takes
        rows = self._buffer.advance([take.buffered for take in takes], time, self.frames.interval)
        for take, stretch in zip(takes, rows, strict=True):
            take.render(stretch)

    def _note_status(self, _time: float) -> None:
        for take in self.takes[:WRITTEN]:
            take.note_status()

    def _display(self, _time: float) -> None:
        for take in self.takes:
            take.show()
        redraw_regions("WINDOW")
