"""Characters performed together: their clock, when each is read and shown, and the frame rate."""

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
"""Number of characters whose status is drawn over the 3D views."""
NOTED_EVERY = 1.0
"""Seconds between two lines of a journal."""
BEAT = 20
"""Priority of reading sliders: at one time it comes after commands and before the frame is rendered."""
RATED = 12
"""Number of frames over which the frame rate is measured."""


class Performance:
    """Characters performed together, on one clock.

    Parameters
    ----------
    scene : the scene whose frames apply.
    clock : the wall clock if None.

    Attributes
    ----------
    takes : the characters' takes; the first is the active character's.
    frames : record of shown frames and their rate.
    said, problems : messages on the takes after the performance has ended, and on errors then.
    undone : whether something was undone since the last tick.
    marked : whether there is an undo step that undoes the whole performance.
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
        """Whether there has been no request yet."""
        return self._clock.held

    @property
    def scene(self) -> Scene:
        """The scene whose frames apply; another one if it is gone."""
        return bpy.data.scenes.get(self.scene_name) or bpy.context.scene

    @property
    def rate(self) -> float:
        """Recent frames per second; 0 before two were shown."""
        shown = self.frames.shown
        count = min(RATED, len(shown))
        passed = shown[-1].displayed - shown[-count].displayed if count > 1 else 0.0
        return (count - 1) / passed if passed > 0.0 else 0.0

    def take_of(self, armature: Object | None) -> OngoingTake:
        """Return the take of an armature, of the active character if the armature is not performed."""
        uid, takes = armature.session_uid if armature is not None else 0, self.takes
        return next((take for take in takes if take.character.armature.uid == uid), takes[0])

    def set_off(self) -> None:
        """Start the takes: from now on the clock runs, and all requests are recorded."""
        self._clock.let_go()
        gc.freeze()  # else Python's garbage collector scans all of Blender's scripts in the middle of a frame
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

        Between two ticks Blender needs time to draw: it is measured, and every frame gets at least that.
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
        """Read requests at a frame and at all later ones, for the takes with this frame rate."""

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
