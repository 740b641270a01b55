"""The state of a live character during a performance: its player, its sources of requests, and the requests so far."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from bpy.types import Object, Scene
from mathutils import Vector

from ...core.errors import VerbsError
from ...core.feet.constrained_player import AnyPlayer, below
from ...core.feet.motion_buffer import BufferedPlayer
from ...core.figure.lock_point import names_of
from ...core.graph.verb_graph import VerbGraph
from ...core.play.graph_player import GraphPlayer
from ...core.play.player import AskAdverbs, Asked, AskPlays, AskVerb, Happening, Stretch
from ...core.play.score import Score
from ...core.steer.way_ahead import WayAhead
from ..authoring.graph import members, start_of
from ..blender.events import redraw_regions
from ..data.adverb_values import slider_values
from ..data.director import into_space
from ..data.frames.counting import counting_of
from ..data.layer_properties import LAYER_STATES
from ..layers.saying import say_live
from ..layers.talking import ready_gestures
from .character import Character, Display
from .crash_journal import Journal
from .destination import Guide, leftward_of, steering_adverb
from .floor_mesh import MeshFloor, feet_of
from .request import adverb_names, beginning_of
from .saved_state import Before
from .view.status import status_of
from .write_takes import Take

PARTS = 10
"""Number of presses of a key that take the slider of an adverb from one end of its range to the other."""
DRAWN_LEFT = -1
"""Direction in which the left arrow moves an adverb that turns nothing, as a slider is drawn."""
NOTHING = 1e-5
"""Values of a steered slider closer to 0 than this are set to 0."""
LEVEL = 1e-3
"""Smallest downward slope of a ray, relative to its length, to count as hitting the floor."""


class NotedPlayer(GraphPlayer):
    """A player of the verb graph that records all requests, whatever their source.

    Parameters
    ----------
    graph : the verb graph.
    score : the score it starts from.
    adverbs : initial values by name.

    Attributes
    ----------
    heard : time in seconds and verb name of every command.
    wanted : adverb values requested last, by name.
    at_once : names of adverbs that change without settling.
    plays : what layers play now whose content was changed, by their names.
    """

    def __init__(self, graph: VerbGraph, score: Score, adverbs: Mapping[str, float]) -> None:
        rng = np.random.default_rng(score.seed)
        super().__init__(graph, adverbs, rng, score.verb, score.origin, score.settle)
        self.heard: list[tuple[float, str]] = []
        self.wanted, self.at_once = dict(adverbs), score.at_once
        self.plays: dict[str, Any] = {}

    def command(self, time: float, what: Asked) -> None:
        """Handle a command as a `GraphPlayer` does; refused ones are not recorded."""
        super().command(time, what)
        if isinstance(what, AskVerb):
            self.heard.append((time, what.name))
        elif isinstance(what, AskAdverbs):
            self.wanted |= what.values
        elif isinstance(what, AskPlays):
            self.plays[what.name] = what.plays

    def fork(self) -> GraphPlayer:
        """Fork as a `GraphPlayer` does; requests to the fork are recorded only by the fork."""
        made = super().fork()
        if isinstance(made, NotedPlayer):
            made.heard, made.wanted, made.plays = list(self.heard), dict(self.wanted), dict(self.plays)
        return made


class OngoingTake:
    """The take of a character that is being performed.

    Parameters
    ----------
    character : cached state of the character.
    armature, director : the objects.
    display : shows rows of the armature's verb graph.
    before : state of armature and director before the performance.
    scene : the scene whose frames apply.

    Attributes
    ----------
    character, before : see above.
    fps : how many times a second the sliders are read: at every frame of the director's keys.
    journal : records the take on disk; None before it has begun.
    notes : all requests so far.
    buffered : the buffered player, partly ahead of what is shown.
    status : the player's status at the time that is shown.
    guide : steers the character to its destination.
    layers_heard : events of layers.
    ahead : the requests at the time of the last look ahead, to show the path, and its result.
    asks : number of new requests by the user; steering towards a goal does not count.
    """

    def __init__(
        self,
        character: Character,
        armature: Object,
        director: Object,
        display: Display,
        before: Before,
        scene: Scene,
    ) -> None:
        graph = display.playable.graph
        self.character, self.before = character, before
        self._display = display
        self._at_hand = armature, director
        counting = counting_of(director, scene)
        self.fps, self._counting = counting.rate, counting
        self.journal: Journal | None = None
        self._verbs = {item.uid: item.name for item in members(armature)}
        self.notes = Take(start_of(armature).uid, adverb_names(graph))
        self._said = slider_values(director, self.notes.names)
        sliders = dict(zip(self.notes.names, self._said, strict=True))
        player = NotedPlayer(graph, beginning_of(director, display.origin), sliders)
        self._feet = feet_of(director, graph)
        plays = self._feet.held(player)
        self._rendered = plays.advance([0.0])
        self.buffered = BufferedPlayer(plays)
        self.note_status()
        self.status = self._status
        self.guide = Guide(steering_adverb(director), player)
        self._led: dict[str, tuple[float, float]] = {}
        self._gestures = ready_gestures(armature)
        self.layers_heard: list[Happening] = []
        self.ahead: tuple[Hashable, WayAhead] | None = None
        self.asks = 0

    @property
    def frames_ahead(self) -> int:
        """Number of frames to buffer while there are no new requests, from its director."""
        _, director = self._at_hand
        return director.verbs_adverbs.performance.frames_ahead

    @property
    def plays(self) -> AnyPlayer:
        """The current player, at the time that is shown, with its points locked if required."""
        return self.buffered.caught_up()

    @property
    def player(self) -> NotedPlayer:
        """The player of the verb graph, at the time that is shown."""
        self.buffered.caught_up()
        return self._behind

    @property
    def _behind(self) -> NotedPlayer:
        """The same player at the start of the buffered rows; it has all requests."""
        player = below(self.buffered.behind)
        assert isinstance(player, NotedPlayer)
        return player

    def is_there(self) -> bool:
        """Return whether armature and director are the same as when the performance began, apart from their names."""
        armature, director = self.character.find()
        if armature is None or director is None or not self._display.fits(armature):
            return False
        self._at_hand = armature, director
        own = director.verbs_adverbs
        return own.directs == armature and own.live and own.performance.in_hand

    def verbs(self) -> list[tuple[str, str]]:
        """Return identifier and name of the verbs that can be requested, in order and with the names of the list."""
        armature, _ = self.character.find()
        items = armature.verbs_adverbs.verbs if armature is not None else ()
        return [(item.uid, item.name) for item in items if item.uid in self._verbs]

    def command(self, uid: str) -> None:
        """Request a verb by its identifier, and clear a destination that the character cannot go to.

        If it is refused, the reason is stored as the character's problem.
        """
        self.character.problem = ""
        self.guide.forget_refused()
        if uid not in self._verbs:
            name = self.character.armature.name
            self.character.problem = f"'{name}' does not have that verb. Choose one of its verbs."
            return
        try:
            player = self.player
            player.command(player.time, AskVerb(self._verbs[uid]))
            self.asks += 1
        except VerbsError as error:
            self.character.problem = str(error)

    def say(self) -> None:
        """Say the director's next text in place of the words not said yet.

        Raises
        ------
        VerbsError
            See `say_live`.
        """
        armature, _ = self._at_hand
        player = self.player
        name, seconds, plays = say_live(armature, player, player.plays, self._gestures)
        player.command(seconds, AskPlays(name, plays))
        self.asks += 1

    def turn(self, left: bool) -> None:
        """Move the slider of the steering adverb by a fraction of its range, to turn the character to one side."""
        _, director = self.character.find()
        name = steering_adverb(director) if director is not None else ""
        if director is not None and name:
            up = leftward_of(self.player, name) or DRAWN_LEFT
            self._nudge(director, name, up if left else -up)

    def nudge_next(self, direction: int) -> None:
        """Raise (1) or lower (-1) the slider of the adverb after the steering one by a fraction of its range."""
        _, director = self.character.find()
        names = (
            [item.name for item in director.verbs_adverbs.directs.verbs_adverbs.adverbs] if director is not None else []
        )
        if director is not None and names:
            self._nudge(director, names[(names.index(steering_adverb(director)) + 1) % len(names)], direction)

    def _nudge(self, director: Object, name: str, direction: int) -> None:
        self.guide.pointed = None
        item = director.verbs_adverbs.adverbs[name]
        low, high = sorted((item.minimum, item.maximum))
        try:
            (said,) = slider_values(director, (name,))
        except VerbsError as error:
            self.character.problem = str(error)
            return
        director[name] = min(max(said + direction * (high - low) / PARTS, low), high)
        director.update_tag()
        redraw_regions("UI")

    def point(self, origin: Vector, ray: Vector) -> None:
        """Go to where a ray in world space hits the floor, or else the ground level under the character.

        A ray that misses both changes nothing.
        """
        armature, _ = self.character.find()
        if armature is None:
            return
        into = into_space(armature)
        start, along = into @ origin, into.to_3x3() @ ray
        floor, height = self.floor, self.ground()
        place = floor.met(start, along) if floor is not None else None
        if place is None and along.z < -LEVEL:
            place = start + along * ((height - start.z) / along.z)
        if place is not None:
            self.guide.pointed, self.guide.height = (place.x, place.y), place.z

    @property
    def floor(self) -> MeshFloor | None:
        """The floor under its feet; None for the examples' own ground."""
        return self._feet.floor if self._feet.locked else None

    def ground(self) -> float:
        """Return the height in performance space of the ground under the character."""
        player, floor = self.player, self.floor
        return player.moment.root.height if floor is None else float(floor(np.array([player.travel[:2]]))[0])

    def is_asked(self) -> bool:
        """Return whether anything was requested since the performance began: a verb, a slider, a destination."""
        _, director = self._at_hand
        try:
            moved = slider_values(director, self.notes.names) != self._said
        except VerbsError:
            moved = True
        return moved or bool(self.player.heard or self.player.plays) or self.guide.is_led_anew(director)

    def hear(self, time: float) -> None:
        """Pass slider values and steering to the player at the time of a whole frame of the keys.

        At the first frame the sliders' values from the start of the performance are used: a score has nothing before
        its first frame, so adverbs could not settle from there.

        Parameters
        ----------
        time : seconds since the take began.
        """
        notes, (_, director) = self.notes, self._at_hand
        try:
            said = slider_values(director, notes.names) if notes.sliders else self._said
        except VerbsError as error:
            said, self.character.problem = self._said, str(error)
        player = self._behind
        rests = self.guide.rests(player, director)
        if said != self._said or not rests:
            player = self.player
            if not rests:
                self.plays.play(time)
            try:
                asked = {name: self._meant(name, value) for name, value in zip(notes.names, said, strict=True)}
                self.asks += any(value != player.wanted[name] for name, value in asked.items())
                player.command(time, AskAdverbs(asked, at_once=player.at_once))
                self._said = said
            except VerbsError as error:
                self.character.problem = str(error)
            if notes.sliders and not rests:
                self._steer(director, time, 1.0 / self.fps)
        notes.sliders.append(tuple(player.wanted[name] for name in notes.names))
        notes.handles.append(tuple(player.handles))

    def _steer(self, director: Object, time: float, step: float) -> None:
        """Let the guide set the player's handles and steering adverb, and the slider of that adverb too."""
        player, problem = self.player, self.guide.problem
        before = dict(player.wanted)
        self.guide.before_frame(player, director, time, step)
        moved = {name: value for name, value in player.wanted.items() if value != before[name]}
        for name, value in moved.items():
            director[name] = value if abs(value) > NOTHING else 0.0
            self._led[name] = director[name], value
        if moved:
            redraw_regions("UI")
        if self.guide.problem or self.character.problem == problem:
            self.character.problem = self.guide.problem

    def _meant(self, name: str, said: float) -> float:
        """Return the value meant by a slider at `said`: if the guide set it, the exact value the guide requested."""
        left, asked = self._led.get(name, (said, said))
        return asked if said == left else said

    def render(self, stretch: Stretch) -> None:
        """Store a played row, to be shown later by `show`, and the layers' events."""
        self._rendered = stretch
        fresh = [told for told in stretch.happenings if told.kind in LAYER_STATES]
        names = {told.name for told in fresh}
        if self.character.problem and self.character.problem in {h.text for h in self.layers_heard if h.name in names}:
            self.character.problem = ""
        self.layers_heard.extend(fresh)
        for told in fresh:
            self.character.problem = told.text or self.character.problem

    def note_status(self) -> None:
        """Store the player's current status; it becomes `status` when the row is shown."""
        time, bits = float(self._rendered.times[-1]), int(self._rendered.support[-1])
        standing = names_of(self._display.playable.graph.points, bits) if self._feet.locked else ()
        self._status = status_of(self.buffered.piece, time, standing, self.buffered.layers, self._counting)

    def show(self) -> None:
        """Show the row stored by `render`."""
        armature, _ = self._at_hand
        self.status = self._status
        self._display.show(armature, self._rendered.values[-1])

    def begin_journal(self) -> None:
        """Start recording requests on disk."""
        armature, director = self._at_hand
        self.journal = Journal(armature, self.notes, self.fps, counting_of(director).begin)

    def write_journal(self) -> None:
        """Record the requests since the last call on disk."""
        armature, director = self._at_hand
        # The scene's frame rate may be changed meanwhile; once a second is often enough.
        self._counting = counting_of(director)
        if self.journal is not None:
            self.journal.write(armature, self._commands())
            self.character.problem = self.character.problem or self.journal.problem

    def end_journal(self) -> None:
        """Remove the journal: the take has become a score, or was discarded."""
        if self.journal is not None:
            self.journal.remove()

    def finished(self) -> Take:
        """Return all requests, with verbs by their identifiers."""
        self.notes.commands = self._commands()
        return self.notes

    def _commands(self) -> list[tuple[float, str]]:
        """Return seconds and identifiers of the requested verbs; a verb missing from the graph could not be played."""
        uids = {name: uid for uid, name in self._verbs.items()}
        return [(seconds, uids[name]) for seconds, name in self._behind.heard if name in uids]
