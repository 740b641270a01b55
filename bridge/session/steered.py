"""Where a character that is performed is to go: to an object, along a curve, onto a mark, or where the mouse points."""

from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object
from mathutils import Vector

from ...core.errors import VerbError, VerbsError
from ...core.play.graph_player import GraphPlayer
from ...core.steer.gait import standing_verb
from ...core.steer.steering import Steering, Wish
from ...core.steer.wishes import Mark, TowardsPoint, along
from ..build.transitions import verb_of
from ..data.director import into_space

Place = tuple[float, float]

STIRRED = 0.01
NOTHING_STANDS = (
    "No verb of the graph stands, so the character goes straight on where it is to stop. Add one that stays where it"
    " is, with a transition to it."
)


@dataclass(frozen=True)
class Asked:
    """What is asked of a character's steering; equal as long as nothing new is asked.

    Parameters
    ----------
    kind : of the director's steering, ``'MOUSE'`` for a place that was pointed at, ``'GONE'`` for a lost target.
    places : in performance space, metres rounded to a centimetre: of the target, or along the curve.
    stops : whether to stand there.
    stop : name of the verb to stop with, empty for the one that stands.
    seconds : when to stand there, None for whenever it is reached.
    """

    kind: str
    places: tuple[Place, ...] = ()
    stops: bool = False
    stop: str = ""
    seconds: float | None = None


NOTHING = Asked("NONE")


class Steered:
    """Steers one character, and asks anew when the user wishes something else or the target was moved.

    Parameters
    ----------
    adverb : name of the one that steers.

    Attributes
    ----------
    pointed : the place in performance space that the mouse points at, None if it does not.
    problem : why it cannot go there, empty if it can.
    """

    def __init__(self, adverb: str) -> None:
        self.pointed: Place | None = None
        self.problem = ""
        self._steering = Steering(adverb)
        self._asked = NOTHING
        self._before: Asked | None = None

    def is_led_anew(self, director: Object, step: float) -> bool:
        """Whether it is to go elsewhere than when this was asked first."""
        asked = _asked(director, self.pointed, step)
        if self._before is None:
            self._before = asked
        return asked != self._before

    def rests(self, player: GraphPlayer, director: Object, step: float) -> bool:
        """Whether nothing is asked and the player's handles are where they are when nothing is."""
        moved = player.stride != 1.0 or player.tempo != 1.0 or any(player.nudge)
        return not moved and self._asked == NOTHING == _asked(director, self.pointed, step)

    def before_frame(self, player: GraphPlayer, director: Object, time: float, step: float) -> None:
        """Move the player's handles, its steering adverb and its commands for the next frame."""
        asked = _asked(director, self.pointed, step)
        if asked != self._asked:
            self._asked, self.problem = asked, ""
            stop = asked.stop or standing_verb(player.graph, player.verb) or ""
            if asked.stops and not stop:
                self.problem = NOTHING_STANDS
            try:
                self._steering.ask(_wish(asked, stop))
            except VerbsError as error:
                self._steering.ask(None)
                self.problem = str(error)
        try:
            self._steering.before_step(player, time, step)
        except VerbsError as error:
            self.problem = str(error)


def _asked(director: Object, pointed: Place | None, step: float) -> Asked:
    own = director.verbs_adverbs
    performance, armature = own.performance, own.directs
    target = performance.target if performance.steer != "NONE" else None
    if pointed is None and target is None:
        return NOTHING
    verb, stops = verb_of(armature, performance.stop_verb), performance.stops
    stop = verb.name if verb is not None else ""
    if pointed is not None:
        return Asked("MOUSE", (_rounded(pointed),), True, stop)
    if not (target.visible_get() or target.users_scene):
        return Asked("GONE")
    if performance.steer == "CURVE":
        return Asked("CURVE", _curve(target, armature), stops, stop)
    x, y, _ = into_space(armature) @ target.matrix_world.translation
    timed = stops and performance.stop_frame > 0
    seconds = (performance.stop_frame - own.start_frame) * step if timed else None
    return Asked("TARGET", (_rounded((x, y)),), stops, stop, seconds)


def _rounded(place: Place) -> Place:
    return round(place[0] / STIRRED) * STIRRED, round(place[1] / STIRRED) * STIRRED


def _wish(asked: Asked, stop: str) -> Wish | None:
    """What core is to do.

    Parameters
    ----------
    asked : what is asked of it.
    stop : name of the verb to stand in, empty if no verb stands: where it is to stop it then goes straight on.
    """
    if asked.kind == "NONE":
        return None
    if asked.kind == "GONE":
        raise VerbError("The target is in no scene any more. Choose another, or none.")
    if asked.kind == "CURVE":
        if not asked.places:
            raise VerbError("The target is no curve, or disabled in viewports. Choose a curve, or enable it.")
        return along(np.array(asked.places).reshape(-1, 2), stop=stop if asked.stops and stop else None)
    if asked.stops and stop:
        return Mark(asked.places[0], asked.seconds, stop)
    return TowardsPoint(asked.places[0], once=asked.stops)


def _curve(target: Object, armature: Object) -> tuple[Place, ...]:
    """Points of an object's curve in the armature's performance space, as Blender draws it; empty if it has none.

    A tube is followed along the middles of its rings. A cyclic curve ends where it begins.
    """
    seen = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh() if target.type == "CURVE" else None
    if mesh is None:
        return ()
    points = np.array([vertex.co for vertex in mesh.vertices])
    sides = [sorted(side.vertices) for side in mesh.polygons if len(side.vertices) == 4]
    seen.to_mesh_clear()
    if sides:
        ring = min(side[2] - side[0] for side in sides)
        used = sorted({row for side in sides for row in side})
        points = points[used[: len(used) // ring * ring]].reshape(-1, ring, 3).mean(axis=1)
    matrix = into_space(armature) @ target.matrix_world
    places = [tuple((matrix @ Vector(point))[:2]) for point in points]
    closed = [spline.use_cyclic_u for spline in target.data.splines] == [True]
    return (*places, *(places[:1] if closed else ()))
