"""A character that is being performed: its player, what it is asked for, and how its rows become poses."""

from collections.abc import Mapping
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Vector

from ...core.errors import VerbsError
from ...core.graph.transition import Transition
from ...core.graph.verb_graph import VerbGraph
from ...core.play.graph_player import GraphPlayer
from ...core.play.performer import Performer
from ...core.play.score import handles_of
from ...core.play.simulator import Simulator
from ...core.steer.gait import leftward
from ..action.write_pose import PosePlan
from ..blender.redraw import redraw_regions
from ..build.graph import members, start_of
from ..data.adverb_values import slider_values
from ..data.director import into_space, origin_of
from .journal import Journal
from .live_writer import LiveWriter
from .score import adverb_names, locks_for
from .steered import Steered
from .take import Take

PARTS = 10
"""Into which the range of an adverb is cut, for keys that move it from one to the next."""
LEVEL = 1e-3
"""How steeply a ray must go down, for its length, to meet the floor anywhere near."""


class FoundAgain:
    """An object by its name and, should that change, by its session's identifier.

    Parameters
    ----------
    found : the object now.
    """

    def __init__(self, found: Object) -> None:
        self.name, self.uid = found.name, found.session_uid

    def find(self) -> Object | None:
        """The object as it is now, None when it is gone from the file or from all scenes."""
        found = bpy.data.objects.get((self.name, None))
        if found is None or found.session_uid != self.uid:
            found = next((one for one in bpy.data.objects if one.session_uid == self.uid), None)
            self.name = found.name if found is not None else self.name
        if found is None or not (found.visible_get() or found.users_scene):
            return None
        return found


class NotedPlayer(GraphPlayer):
    """A player that notes what it is asked for, by whomever.

    Attributes
    ----------
    heard : seconds and name of the verb of every command.
    wanted : adverbs by name as they were last set.
    """

    heard: list[tuple[float, str]]
    wanted: dict[str, float]

    @property
    def ground(self) -> float:
        """Height in performance space of the ground under it."""
        if self.locks is None or self.locks.floor is None:
            return self._root.height
        return float(self.locks.floor(np.array([self.travel[:2]]))[0])

    def command(self, verb: str) -> None:
        """As a `GraphPlayer`."""
        super().command(verb)
        self.heard.append((self.time, verb))

    def set_adverbs(self, adverbs: Mapping[str, float]) -> None:
        """As a `GraphPlayer`."""
        super().set_adverbs(adverbs)
        self.wanted |= adverbs


@dataclass(frozen=True)
class Moment:
    """What a player did at one time: names and values as its attributes of these names say them."""

    verb: str
    phase: float
    transition: tuple[Transition, float] | None
    plan: tuple[Transition, ...]
    standing: tuple[str, ...]


def moment_of(player: GraphPlayer) -> Moment:
    """What a player does now."""
    return Moment(player.verb, player.phase, player.transition, player.plan, player.standing)


class Character:
    """One character of a performance; what it needs of Blender's is looked up anew at each tick, by `is_there`.

    Parameters
    ----------
    director : whose armature is played.
    graph : the armature's.
    plan : how rows become poses of the armature.
    simulator : whose clock it plays on.

    Attributes
    ----------
    armature, director : where to find them.
    shown : (width,) the row that was written last.
    moment : what the player did then; by now it may have come to the next frame.
    steered : where it is to go.
    journal : in which it is written down what it is asked for, None before anything is.
    problem : what went wrong last, a sentence; empty when nothing did.
    """

    def __init__(self, director: Object, graph: VerbGraph, plan: PosePlan, simulator: Simulator) -> None:
        own = director.verbs_adverbs
        armature, performance = own.directs, own.performance
        self.armature, self.director = FoundAgain(armature), FoundAgain(director)
        self._at_hand = armature, director
        self.graph, self.problem = graph, ""
        self.journal: Journal | None = None
        self._verbs = {item.uid: item.name for item in members(armature)}
        start = start_of(armature)
        self.take = Take(start.uid, adverb_names(graph))
        sliders = dict(zip(self.take.names, slider_values(director, self.take.names), strict=True))
        self.player = NotedPlayer(
            graph,
            sliders,
            np.random.default_rng(performance.seed),
            start.name,
            origin_of(director, armature),
            locks_for(director, graph),
            performance.settle,
        )
        self.player.heard, self.player.wanted, self._said = [], sliders, tuple(sliders.values())
        self.performer = Performer(simulator, self.player)
        self.shown, self.moment = self.performer.values, moment_of(self.player)
        self._rendered = self.moment
        self._writer = LiveWriter(plan)
        self.steered = Steered(steering_adverb(director))

    def is_there(self) -> bool:
        """Whether armature and director are as they were when the performance began, apart from their names."""
        self._at_hand = armature, director = self.armature.find(), self.director.find()
        if armature is None or director is None or len(armature.pose.bones) != self._writer.plan.bone_count:
            return False
        own = director.verbs_adverbs
        return own.directs == armature and own.live and own.performance.in_hand

    def verbs(self) -> list[tuple[str, str]]:
        """Identifier and name of the verbs that can be asked for, in the order and with the names of the list."""
        armature = self.armature.find()
        items = armature.verbs_adverbs.verbs if armature is not None else ()
        return [(item.uid, item.name) for item in items if item.uid in self._verbs]

    def command(self, uid: str) -> None:
        """Ask for a verb by its identifier; what stands in the way is kept as the problem."""
        self.problem = ""
        if uid not in self._verbs:
            self.problem = f"'{self.armature.name}' does not perform that verb. Choose one of its own."
            return
        try:
            self.performer.command(self._verbs[uid])
        except VerbsError as error:
            self.problem = str(error)

    def turn(self, left: bool) -> None:
        """Move the slider of the steering adverb by a part of its range, so that the character turns to a side."""
        director = self.director.find()
        name = steering_adverb(director) if director is not None else ""
        if name:
            player = self.player
            up = leftward([player.graph.verb(player.verb), *player.graph.verbs], name, player.adverbs)
            self._nudge(director, name, up if left else -up)

    def nudge_next(self, direction: int) -> None:
        """Raise (1) or lower (-1) the slider of the adverb after the steering one by a part of its range."""
        director = self.director.find()
        names = [item.name for item in director.verbs_adverbs.adverbs] if director is not None else []
        if names:
            self._nudge(director, names[(names.index(steering_adverb(director)) + 1) % len(names)], direction)

    def _nudge(self, director: Object, name: str, direction: int) -> None:
        self.steered.pointed = None
        item = director.verbs_adverbs.adverbs[name]
        low, high = sorted((item.minimum, item.maximum))
        try:
            (said,) = slider_values(director, (name,))
        except VerbsError as error:
            self.problem = str(error)
            return
        director[name] = min(max(said + direction * (high - low) / PARTS, low), high)
        director.update_tag()
        redraw_regions("UI")

    def point(self, origin: Vector, ray: Vector) -> None:
        """Go to where a ray in the world meets the floor under the character; a ray that misses it says nothing."""
        armature = self.armature.find()
        if armature is None:
            return
        into = into_space(armature)
        start, along = into @ origin, into.to_3x3() @ ray
        height = self.player.ground
        if along.z < -LEVEL:
            place = start + along * ((height - start.z) / along.z)
            self.steered.pointed = (place.x, place.y)

    def is_asked(self, step: float) -> bool:
        """Whether anything is asked for since it was taken in hand: a verb, another slider, another place to go to.

        Parameters
        ----------
        step : seconds of a frame.
        """
        _, director = self._at_hand
        try:
            moved = slider_values(director, self.take.names) != self._said
        except VerbsError:
            moved = True
        return moved or bool(self.player.heard) or self.steered.is_led_anew(director, step)

    def hear(self, time: float, step: float) -> None:
        """Take what the sliders and what steers it say for the next frame, at its time stamp.

        The first frame is as the sliders stood before anything was asked for: a score knows of nothing before it that
        could settle.

        Parameters
        ----------
        time : seconds, a whole frame.
        step : seconds of a frame.
        """
        names, player, (_, director) = self.take.names, self.player, self._at_hand
        try:
            said = slider_values(director, names) if self.take.sliders else self._said
        except VerbsError as error:
            said, self.problem = self._said, str(error)
        if said != self._said or player.settling or not self.steered.rests(player, director, step):
            self.performer.play_to(time)
            try:
                self.performer.set_adverbs(dict(zip(names, said, strict=True)))
                self._said = said
            except VerbsError as error:
                self.problem = str(error)
            if self.take.sliders:
                self._steer(director, time, step)
        self.take.sliders.append(tuple(player.wanted[name] for name in names))
        self.take.handles.append(handles_of(player))

    def _steer(self, director: Object, time: float, step: float) -> None:
        """Let the steering move the handles, and the slider of its adverb with them."""
        before = dict(self.player.wanted)
        self.steered.before_frame(self.player, director, time, step)
        moved = {name: value for name, value in self.player.wanted.items() if value != before[name]}
        for name, value in moved.items():
            director[name] = value
        if moved:
            redraw_regions("UI")
        self.problem = self.steered.problem or self.problem

    def render(self, time: float, told: bool) -> None:
        """Play up to a time stamp; `show` shows it later. `moment` follows only if it is to be `told`."""
        self.performer.render(time)
        if told:
            self._rendered = moment_of(self.player)

    def show(self) -> None:
        """Write the row that was rendered to the armature's pose."""
        armature, _ = self._at_hand
        self.shown, self.moment = self.performer.values, self._rendered
        self._writer.write_row(armature, self.shown)
        armature.update_tag(refresh={"OBJECT"})

    def note(self) -> None:
        """Write down in the journal what was asked for since the last time."""
        armature, _ = self._at_hand
        if self.journal is not None:
            self.journal.write(armature, self._commands())
            self.problem = self.problem or self.journal.problem

    def begin_journal(self, fps: float) -> None:
        """Write down from now on what is asked for."""
        armature, director = self._at_hand
        self.journal = Journal(armature, self.take, fps, director.verbs_adverbs.start_frame)

    def end_journal(self) -> None:
        """The take is safe, or was given up."""
        if self.journal is not None:
            self.journal.remove()

    def finished_take(self) -> Take:
        """All that was asked for, the verbs by their identifiers."""
        self.take.commands = self._commands()
        return self.take

    def _commands(self) -> list[tuple[float, str]]:
        uids = {name: uid for uid, name in self._verbs.items()}
        return [(seconds, uids[name]) for seconds, name in self.player.heard]


def steering_adverb(director: Object) -> str:
    """Name of the adverb that turns the character: the chosen one, else 'turn', else the first; empty without any."""
    adverbs = director.verbs_adverbs.adverbs
    wanted = (director.verbs_adverbs.performance.steer_by, "turn", *adverbs.keys()[:1])
    return next((name for name in wanted if name in adverbs), "")
