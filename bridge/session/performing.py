"""Performing: chosen characters walk through their verb graphs by the wall clock, as buttons, keys and sliders ask.

They wait in their first pose until anything is asked of one of them: then the clock begins, and the take with it. The
functions here are called by a modal operator's ticks; none of them waits. What is played is written down, and becomes
the directors' scores at the end.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from bpy.types import Context, Object, Scene

from ...core.bounds import check_span
from ...core.errors import GraphError, VerbsError
from ...core.play.frames import SLOWEST, Frames
from ...core.play.settle import checked_adverbs
from ...core.play.simulator import Clock, HeldClock, Simulator, WallClock
from ..action.write_pose import make_plan
from ..blender.redraw import redraw_regions
from ..build.definitions import verb_to_play
from ..build.graph import graph_for
from ..data.adverb_values import slider_values
from ..data.annotate import scene_fps
from ..data.commands import check_editable
from ..data.current import current_armature
from ..data.director import check_adverbs, check_free, check_ours, director_of, ensure_director, holder_of
from ..data.kept import keep
from . import in_hand, journal
from .character import Character
from .live import flush, give_back_abandoned, switch_off, switch_on
from .live_directors import look_again, settle_copies
from .score import adverb_names, locks_for
from .take import Take, Written, write_take
from .taking_over import Before, take_back, take_over

TICK = 1.0 / 60.0
EARLY = 0.5 * TICK
"""A frame may be shown so much early: the next tick would come later than that too late."""
LONGEST = 1.0 / SLOWEST
TOLD = 4
"""Characters of which it is told over the views what they do."""
NO_SCORE = "no score can be written to it"
NOTED_EVERY = 1.0
"""Seconds between two lines of a journal."""
BEAT = 20
"""Priority of listening to the sliders: at one time stamp after commands and before the frame is rendered."""


class Session:
    """Characters that are performed together, on one clock.

    Parameters
    ----------
    scene : whose frames count.
    clock : the wall's when it is None.

    Attributes
    ----------
    characters : the first one is the active one.
    before : what each of them was before it was taken over.
    frames : what was shown, and how fast.
    said, problems : what is to be told of the takes when it has ended, and what went wrong then, in sentences.
    undone : whether something was undone since the last tick.
    """

    def __init__(self, scene: Scene, clock: Clock | None) -> None:
        self.characters: list[Character] = []
        self.before: list[Before] = []
        self.said: list[str] = []
        self.problems: list[str] = []
        self.scene_name, self.fps = scene.name, scene_fps(scene)
        self._clock = HeldClock(clock or WallClock())
        self.simulator = Simulator(self._clock)
        self.frames = Frames(self.simulator, self._render, self._display, 1.0 / TICK)
        self.undone = False
        self._heard, self._rested, self._noted = 0, 0.0, 0.0

    @property
    def waits(self) -> bool:
        """Whether nothing has been asked for yet."""
        return self._clock.held

    @property
    def scene(self) -> Scene:
        """Whose frames count; another one if it is gone."""
        return bpy.data.scenes.get(self.scene_name) or bpy.context.scene

    def character_of(self, armature: Object | None) -> Character:
        """The character that is an armature, the active one if none is."""
        uid = armature.session_uid if armature is not None else 0
        return next((one for one in self.characters if one.armature.uid == uid), self.characters[0])

    def set_off(self) -> None:
        """Begin the take: from now on the clock goes, and all is written down."""
        self._clock.let_go()
        for character, before in zip(self.characters, self.before, strict=True):
            keep(bpy.data.actions.get(before.action))
            character.begin_journal(self.fps)
        self.simulator.add(0.0, self._hear, "normal", BEAT)
        self.frames.start(0.0)

    def go_on(self) -> None:
        """Play up to now.

        What Blender needs to draw a frame passes between two ticks: frames are given that time.
        """
        if self.waits:
            if not any([character.is_asked(1.0 / self.fps) for character in self.characters]):
                return
            self.set_off()
        now = self.simulator.clock.now()
        self.frames.interval = max(self.frames.interval, min(now - self._rested, LONGEST))
        self.simulator.due(now + EARLY)
        self._rested = self.simulator.clock.now()
        if now >= self._noted + NOTED_EVERY:
            self._noted = now
            for character in self.characters:
                character.note()

    def _hear(self, time: float) -> None:
        for character in self.characters:
            character.hear(time, 1.0 / self.fps)
        self._heard += 1
        self.simulator.add(self._heard / self.fps, self._hear, "normal", BEAT)

    def _render(self, time: float) -> None:
        for place, character in enumerate(self.characters):
            character.render(time, place < TOLD)

    def _display(self, _time: float) -> None:
        for character in self.characters:
            character.show()
        redraw_regions("WINDOW")


def armatures_of(context: Context) -> list[Object]:
    """Armatures to perform: those of the selected objects that have verbs, the active one first."""
    selected = [one for one in context.selected_objects if one != context.object]
    found = [current_armature(context), *(one.verbs_adverbs.directs or one for one in selected)]
    local = (one for one in found if one is not None and one.type == "ARMATURE" and one.library is None)
    return [one for one in dict.fromkeys(local) if one.verbs_adverbs.verbs]


def begin(armatures: Sequence[Object], scene: Scene, clock: Clock | None = None) -> Session:
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
    if in_hand.session is not None:
        raise GraphError("A performance is going on already. End it first, with Esc over a 3D view.")
    graphs = []
    for armature in armatures:
        check_ours(armature)
        check_free(armature)
        check_adverbs(armature)
        if journal.unfinished(armature) is not None:
            raise GraphError(f"A take of '{armature.name}' was not finished. Select it, and keep or discard it first.")
        graphs.append(graph_for(armature, True).graph)
        make_plan(armature, graphs[-1].channels)
        director = director_of(armature)
        if director is not None:
            check_editable(director, NO_SCORE)
            start = float(director.verbs_adverbs.start_frame)
            check_span(director.name, start, start, scene_fps(scene), "the first frame")
            locks_for(director, graphs[-1])
            names = adverb_names(graphs[-1])
            checked_adverbs(dict(zip(names, slider_values(director, names), strict=True)))
    settle_copies()
    for armature in armatures:
        give_back_abandoned(armature)
    session, taken = Session(scene, clock), []
    try:
        for armature, graph in zip(armatures, graphs, strict=True):
            values = [scalar.path for scalar in graph.channels.scalars if scalar.kind == "value"]
            taken.append(take_over(armature, values))
            plan = make_plan(armature, graph.channels)
            session.characters.append(Character(taken[-1][0], graph, plan, session.simulator))
            session.characters[-1].show()
    except Exception:
        for director, before in taken:
            in_hand.let_go(director.session_uid, director)
            take_back(director, before)
        raise
    session.before = [before for _, before in taken]
    look_again()
    in_hand.session = session
    redraw_regions("WINDOW")
    return session


def tick() -> bool:
    """Play up to now; returns whether anything goes on."""
    session = in_hand.session
    if session is None:
        return False
    for character in [one for one in session.characters if not one.is_there()]:
        session.before.pop(session.characters.index(character))
        session.characters.remove(character)
        _let_go(character)
    if not session.characters:
        in_hand.session = None
        return False
    session.undone = False
    session.go_on()
    return True


def _let_go(character: Character) -> None:
    """Leave a character that somebody deleted or rebuilt, or whose beginning was undone, to what played it before."""
    character.performer.stop()
    character.end_journal()
    armature, director = character.armature.find(), character.director.find()
    in_hand.let_go(character.director.uid, director)
    look_again()
    abandoned = holder_of(armature) if armature is not None and director is None else None
    if abandoned is not None:
        abandoned.verbs_adverbs.performance.in_hand = False
        switch_off(abandoned)
    elif director is not None:
        flush()


def end() -> list[str]:
    """End the performance; what was played becomes the score, and plays. Returns what went wrong, in sentences.

    Nothing has changed when nothing was asked for.
    """
    session, in_hand.session = in_hand.session, None
    problems = []
    for character, before in zip(session.characters, session.before, strict=True) if session is not None else ():
        there = character.is_there()
        director = character.director.find()
        in_hand.let_go(character.director.uid, director)
        if there and session.waits:
            take_back(director, before)
        elif there:
            problems += _keep(director, character, session)
    for copy in in_hand.half_done():
        copy.verbs_adverbs.performance.in_hand = False
    look_again()
    if session is not None:
        session.problems = problems
        if session.waits:
            flush()
    return problems


def _keep(director: Object, character: Character, session: Session) -> list[str]:
    if not character.take.sliders:
        return play_take(director, None, session.scene)
    try:
        written = write_take(director, character.finished_take(), session.fps, session.scene.frame_current_final)
    except VerbsError as error:
        return [str(error)]
    character.end_journal()
    session.said += told_of(written, session.scene)
    return play_take(director, written, session.scene)


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
    found = journal.unfinished(armature)
    if found is None:
        raise GraphError(f"No take of '{armature.name}' was left unfinished.")
    check_free(armature)
    graph_for(armature, True)
    present = director_of(armature)
    if present is not None:
        check_editable(present, NO_SCORE)
    director = ensure_director(armature)
    own = director.verbs_adverbs
    own.start_frame, own.verb = found.start, own.verb or verb_to_play(armature)
    take = Take(found.verb, found.names, found.commands, found.sliders, found.handles)
    written = write_take(director, take, found.fps, scene.frame_current_final)
    problems = play_take(director, written, scene)
    journal.discard(armature)
    return problems, told_of(written, scene)
