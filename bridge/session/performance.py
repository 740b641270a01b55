"""Performing: chosen characters walk through their verb graphs in real time, as buttons, keys and sliders ask.

They wait in their first pose until anything is asked of one of them: then the clock and all takes begin. A modal
operator calls `tick` again and again. At the end, what the characters were asked for becomes their directors' scores.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence

import bpy
from bpy.types import Context, Object, Scene

from ...core.bounds import check_span
from ...core.errors import GraphError, VerbsError
from ...core.feet.motion_buffer import MotionBuffer
from ...core.play.adverb_smoothing import checked_adverbs
from ...core.play.simulator import SLOWEST, Clock, Frames, HeldClock, Simulator, WallClock
from ..action.generated_action import keep
from ..action.write_pose import make_plan
from ..authoring.definitions import verb_to_play
from ..blender.events import redraw_regions
from ..data.adverb_values import slider_values
from ..data.commands import check_editable
from ..data.current import current_armature
from ..data.director import check_adverbs, check_free, director_of, ensure_director, holder_of
from ..data.frames.counting import counting_of, put_start
from ..data.linked.whose import check_directed
from ..layers.said import only_known
from ..layers.saying import forget_words
from . import crash_journal, live_characters
from .character import Character, display_of, ensure_character
from .floor_mesh import feet_of
from .live import flush
from .live_characters import characters, look_again, settle_copies
from .ongoing_take import OngoingTake
from .playable import Playable, score_playable
from .saved_state import take_back, take_over
from .switching import give_back_abandoned, switch_off, switch_on
from .write_takes import Take, Written, write_take

TICK = 1.0 / 60.0
EARLY = 0.5 * TICK
"""Seconds by which a frame may be shown too early: waiting for the next tick would make it later than that."""
LONGEST = 1.0 / SLOWEST
WRITTEN = 4
"""Number of characters of which it is written over the 3D views what they do."""
NO_SCORE = "no score can be written to it"
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
    characters : the first one is the active one; each of them has its `take`.
    frames : what was shown, and how fast.
    said, problems : what the user is told of the takes when the performance has ended, and what went wrong then.
    undone : whether something was undone since the last tick.
    marked : whether there is an undo step from which all that was performed is taken back.
    """

    def __init__(self, scene: Scene, clock: Clock | None) -> None:
        self.characters: list[Character] = []
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
    def takes(self) -> list[OngoingTake]:
        """The takes of all characters."""
        return [character.take for character in self.characters if character.take is not None]

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


def armatures_of(context: Context) -> list[Object]:
    """Armatures to perform: those with verbs that are selected, or whose director is; the active one first."""
    selected = [one for one in context.selected_objects if one != context.object]
    found = [current_armature(context), *(one.verbs_adverbs.directs or one for one in selected)]
    local = (one for one in found if one is not None and one.type == "ARMATURE" and one.library is None)
    return [one for one in dict.fromkeys(local) if one.verbs_adverbs.verbs]


def begin(armatures: Sequence[Object], scene: Scene, clock: Clock | None = None) -> Performance:
    """Begin to perform some armatures.

    Parameters
    ----------
    armatures : the first one is the active one.
    scene : whose frames count.
    clock : the wall's when left out.

    Raises
    ------
    VerbsError
        Why one of them cannot be performed; nothing has changed then.
    """
    if live_characters.performance is not None:
        raise GraphError("A performance is going on already. End it first, with Esc over a 3D view.")
    playables = [_performable(armature, scene) for armature in armatures]
    settle_copies()
    for armature in armatures:
        give_back_abandoned(armature)
    performance, taken = Performance(scene, clock), []
    try:
        for armature, playable in zip(armatures, playables, strict=True):
            values = [scalar.path for scalar in playable.channels.scalars if scalar.kind == "value"]
            director, before = take_over(armature, values)
            taken.append((director, before))
            character = ensure_character(director)
            character.problem = ""
            character.display = display_of(armature, director, playable)
            character.take = OngoingTake(character, armature, director, character.display, before, scene)
            character.take.show()
            performance.characters.append(character)
    except Exception:
        for director, before in taken:
            _let_go(ensure_character(director), director)
            take_back(director, before)
        raise
    look_again()
    live_characters.performance = performance
    redraw_regions("WINDOW")
    return performance


def _performable(armature: Object, scene: Scene) -> Playable:
    """What an armature is performed with.

    Raises
    ------
    VerbsError
        Why it cannot be performed.
    """
    check_directed(armature)
    check_free(armature)
    check_adverbs(armature)
    if crash_journal.unfinished(armature) is not None:
        raise GraphError(f"A take of '{armature.name}' was not finished. Select it, and keep or discard it first.")
    director = director_of(armature)
    with only_known(director):
        playable = score_playable(armature, director, True)
    make_plan(armature, playable.channels)
    if director is not None:
        check_editable(director, NO_SCORE)
        counting = counting_of(director, scene)
        check_span(director.name, counting.start, counting.start, counting.fps, "the first frame")
        feet_of(director, playable.graph)
        names = playable.adverb_names
        checked_adverbs(dict(zip(names, slider_values(director, names), strict=True)))
    return playable


def tick() -> bool:
    """Play up to now; returns whether anything goes on.

    If a player raises an error, the performance is ended before the error goes on: nothing may be asked any more of a
    player that has raised.
    """
    performance = live_characters.performance
    if performance is None:
        return False
    for take in [take for take in performance.takes if not take.is_there()]:
        performance.characters.remove(take.character)
        _leave(take)
    if not performance.characters:
        live_characters.forget_performance()
        return False
    performance.undone = False
    try:
        performance.go_on()
    except Exception:
        end()
        raise
    return True


def _leave(take: OngoingTake) -> None:
    """Leave a character to what moved it before: its objects are gone or rebuilt, or its beginning was undone."""
    take.end_journal()
    armature, director = take.character.find()
    _let_go(take.character, director)
    look_again()
    abandoned = holder_of(armature) if armature is not None and director is None else None
    if abandoned is not None:
        abandoned.verbs_adverbs.performance.in_hand = False
        switch_off(abandoned)
    elif director is not None:
        forget_words(director, take.before.words)
        flush()


def _let_go(character: Character, director: Object | None) -> None:
    """A character is not performed any more; its director is None if it is gone."""
    character.take = character.display = None
    character.problem = ""
    if director is not None:
        director.verbs_adverbs.performance.in_hand = False
    else:
        characters.pop(character.director.uid, None)


def end() -> list[str]:
    """End the performance; what was played becomes the score, and plays. Returns what went wrong, in sentences.

    Nothing has changed if nothing was asked for.
    """
    performance, live_characters.performance = live_characters.performance, None
    gc.unfreeze()  # see `set_off`
    problems = []
    for take in performance.takes if performance is not None else ():
        there = take.is_there()
        _, director = take.character.find()
        _let_go(take.character, director)
        if performance is not None and director is not None and there:
            if performance.waits:
                forget_words(director, take.before.words)
                take_back(director, take.before)
            else:
                problems += _keep(director, take, performance)
    for copy in live_characters.left_half_done():
        copy.verbs_adverbs.performance.in_hand = False
    look_again()
    if performance is not None:
        performance.problems = problems
        if performance.waits:
            flush()
    return problems


def _keep(director: Object, take: OngoingTake, performance: Performance) -> list[str]:
    """Make a take the score of its director, which then plays; returns what went wrong, in sentences."""
    scene = performance.scene
    if not take.notes.sliders:
        forget_words(director, take.before.words)
        return play_take(director, None, scene)
    try:
        written = write_take(director, take.finished(), take.fps, scene)
    except VerbsError as error:
        forget_words(director, take.before.words)
        return [str(error)]
    take.end_journal()
    performance.said += told_of(written, scene)
    return play_take(director, written, scene)


def play_take(director: Object, written: Written | None, scene: Scene) -> list[str]:
    """Let the timeline play a director's score; returns what went wrong, in sentences.

    Parameters
    ----------
    director : who plays it.
    written : what became of the take, None if there was none.
    scene : whose frames count.
    """
    own = director.verbs_adverbs
    try:
        switch_off(director)
        switch_on(own.directs, own.verb, scene)
    except VerbsError as error:
        return [str(error)]
    lost = written.lost if written is not None else ()
    return [f"'{name}' is driven, or in NLA strips: played back it follows these, not your hand." for name in lost]


def told_of(written: Written, scene: Scene) -> list[str]:
    """What is to be said of a take that was written, in sentences."""
    said = [f"The take is action '{written.action}'."]
    if written.former:
        said.append(f"The one from before is kept as '{written.former}': choose it under Score.")
    if written.last > scene.frame_end:
        said.append(
            f"It lasts until frame {written.last}, the scene until {scene.frame_end}: Fit Scene under Score makes room."
        )
    return said


def keep_unfinished(armature: Object, scene: Scene) -> tuple[list[str], list[str]]:
    """Make an armature's unfinished take its director's score; returns what went wrong and what is to be told.

    Raises
    ------
    VerbsError
        If there is none, or it cannot be written or played; the journal is kept then.
    """
    found = crash_journal.unfinished(armature)
    if found is None:
        raise GraphError(f"No take of '{armature.name}' was left unfinished.")
    check_free(armature)
    score_playable(armature, director_of(armature), True)
    present = director_of(armature)
    if present is not None:
        check_editable(present, NO_SCORE)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    own.verb = own.verb or verb_to_play(armature)
    put_start(director, found.start * (counting_of(director, scene).fps / found.fps), scene)
    take = Take(found.verb, found.names, found.commands, found.sliders, found.handles)
    written = write_take(director, take, found.fps, scene)
    problems = play_take(director, written, scene)
    crash_journal.discard(armature)
    return problems, told_of(written, scene)
