"""Where a performed character goes: to an object, along a curve, onto a mark, within reach of an object, to a point."""

import math
from dataclasses import dataclass

import bpy
import numpy as np
from bpy.types import Object, PropertyGroup
from mathutils import Vector

from ...core.errors import VerbError, VerbsError
from ...core.play.graph_player import GraphPlayer
from ...core.play.player import NEUTRAL
from ...core.steer.gait import gait_of, leftward, standing_verb, walking_verb
from ...core.steer.goals import ReachThere, StandOnMark, TowardsPoint, along_points, seen_from
from ...core.steer.steering import Goal, Steering
from ..authoring.measuring import place_measure
from ..authoring.verbs import built_for
from ..data.director import into_space
from ..data.frames.counting import stop_seconds
from ..data.targets import adverbs_at, bound_adverbs, measured_points
from ..data.transition_items import verb_of
from .floor_mesh import corners_of

Place = tuple[float, float]

STIRRED, SHIFTED = 0.01, 0.5
"""Metres to which positions are rounded, to ignore smaller moves of a target; and by which one that is
moved at once is another goal."""
NOTHING_STANDS = (
    "The graph has no standing verb, so the character cannot stop and goes straight on. Add a verb that stays in "
    "place, with a transition to it."
)


_GIVE = "Add examples that turn, and press Speed and Turn under Measures to add the adverb."
_STRAIGHT_ON = f"No adverb turns the character, so it goes straight on and stops at the nearest point. {_GIVE}"
_CANNOT_TURN = f"No adverb turns the character, so it cannot go there. {_GIVE}"
_OUTSIDE = "'{}' is {:.2f} m out of reach of the verb. Move it closer, or add examples that reach that far."


@dataclass(frozen=True)
class Destination:
    """Where a character should go; equal as long as the request is unchanged.

    Parameters
    ----------
    kind : the director's steering mode, ``'MOUSE'`` for a position that was pointed at, ``'GONE'`` for a target that is
        no longer in any scene, ``'NONE'`` if it is not steered.
    places : x and y in performance space, rounded to a centimetre: of the target, or of the points of the curve.
    stops : whether it should stop there.
    stop : name of the verb to stop with, empty for the standing verb.
    seconds : when it should arrive and stand, None for any time.
    reach : identifier of the verb used to reach for the target, empty if it should not reach.
    """

    kind: str
    places: tuple[Place, ...] | tuple[tuple[float, float, float]] = ()
    stops: bool = False
    stop: str = ""
    seconds: float | None = None
    reach: str = ""


NOTHING = Destination("NONE")


class Guide:
    """Steers one character to its destination, and restarts when the user chooses another or the target moves.

    Parameters
    ----------
    adverb : name of the adverb that turns the character.
    player : the player at the start of the performance.

    Attributes
    ----------
    turns : whether the adverb turns what the player plays.
    pointed : x and y in performance space of the position that the user pointed at with the mouse, None if there is
        none.
    height : height of that position, in performance space.
    destination : the last destination.
    steering : core's steering towards it.
    problem : why the character cannot go to its destination, empty if it can.
    """

    def __init__(self, adverb: str, player: GraphPlayer) -> None:
        self.turns = leftward_of(player, adverb) != 0
        self.pointed: Place | None = None
        self.height = 0.0
        self.problem = ""
        self.steering = Steering(adverb)
        self.destination = NOTHING
        self._blocked = False
        self._first: Destination | None = None
        self._goes_straight = False

    def is_led_anew(self, director: Object) -> bool:
        """Return whether the destination differs from that at the first call."""
        found = destination_of(director, self.pointed)
        if self._first is None:
            self._first = found
        return found != self._first

    def rests(self, player: GraphPlayer, director: Object) -> bool:
        """Return whether the character has no destination, and the player's handles are neutral."""
        found = destination_of(director, self.pointed)
        return player.handles == NEUTRAL and self.destination == NOTHING == found

    def before_frame(self, player: GraphPlayer, director: Object, time: float, step: float) -> None:
        """Set the player's handles and steering adverb, and request verbs, as needed for the next frame.

        Parameters
        ----------
        time : seconds of the frame since the take began.
        step : seconds of a frame.
        """
        found = destination_of(director, self.pointed)
        if found != self.destination:
            before, self.destination, self.problem, self._blocked = self.destination, found, "", False
            stop = found.stop or standing_verb(player.graph, player.verb) or ""
            if found != NOTHING and not self.turns:
                stands = stop and found.stops and not found.reach and found.kind in ("MOUSE", "TARGET")
                goes = self._goes_straight and _is_shifted(before, found)
                self._goes_straight = bool(stands) and (goes or _is_ahead(player, self.steering.adverb, stop, found))
                self.problem = _STRAIGHT_ON if self._goes_straight else _CANNOT_TURN
                if not self._goes_straight:
                    self.steering.ask(None)
                    self._blocked = True
                    return
            elif found.stops and not stop:
                self.problem = NOTHING_STANDS
            try:
                reaches = found.reach and stop
                self.steering.ask(_reach(director, stop) if reaches else _goal(found, stop))
            except VerbsError as error:
                self.steering.ask(None)
                self.problem, self._blocked = str(error), True
        try:
            self.steering.before_step(player, time, step)
        except VerbsError as error:
            self.problem, self._blocked = str(error), True
        missing = self.steering.shortfall
        if found.reach and self.steering.arrived and missing is not None and missing.distance > STIRRED:
            self.problem = _OUTSIDE.format(director.verbs_adverbs.performance.target.name, missing.distance)

    def forget_refused(self) -> None:
        """Clear the position that was pointed at if the character cannot go there."""
        if self._blocked:
            self.pointed = None


def _is_shifted(before: Destination, now: Destination) -> bool:
    """Return whether a destination is the previous one, moved slightly."""
    return before.kind == now.kind and math.dist(before.places[0][:2], now.places[0][:2]) < SHIFTED


def _is_ahead(player: GraphPlayer, adverb: str, stop: str, to: Destination) -> bool:
    """Return whether a character that cannot turn gets near a position: it is ahead rather than beside or behind."""
    walk = walking_verb(player.graph, player.verb, adverb, stop, player.adverbs)
    if walk is None:
        return False
    course = gait_of(player.graph.verb(walk), adverb, player.adverbs).course
    seen = seen_from(player.travel, course, complex(*to.places[0][:2]))
    return seen.real > abs(seen.imag)


def destination_of(director: Object, pointed: Place | None) -> Destination:
    """Return where a director's character should go.

    Parameters
    ----------
    pointed : x and y of the position that the user pointed at, None if there is none; it overrides the target.
    """
    own = director.verbs_adverbs
    performance, armature = own.performance, own.directs
    verb, stops = verb_of(armature, performance.stop_verb), performance.stops
    stop = verb.name if verb is not None else ""
    if pointed is not None:
        return Destination("MOUSE", (_rounded(pointed),), True, stop)
    target = performance.target if performance.steer != "NONE" else None
    if target is None:
        return NOTHING
    if not (target.visible_get() or target.users_scene):
        return Destination("GONE")
    if performance.steer == "CURVE":
        return Destination("CURVE", _curve(target, armature), stops, stop)
    x, y, z = into_space(armature) @ target.matrix_world.translation
    reaching = reaching_verb(director)
    if reaching is not None and stops:
        place = *_rounded((x, y)), round(z / STIRRED) * STIRRED
        return Destination("TARGET", (place,), stops, stop, None, reaching.uid)
    seconds = stop_seconds(director) if stops else None
    return Destination("TARGET", (_rounded((x, y)),), stops, stop, seconds)


def steering_adverb(director: Object) -> str:
    """Return the adverb that turns the character: the chosen one, else 'turn', else the first; empty if none."""
    adverbs = director.verbs_adverbs.directs.verbs_adverbs.adverbs
    wanted = (director.verbs_adverbs.performance.steer_by, "turn", *adverbs.keys()[:1])
    return next((name for name in wanted if name in adverbs), "")


def leftward_of(player: GraphPlayer, adverb: str) -> int:
    """Return the sign with which an adverb turns left, see core's `leftward`; what is playing now takes precedence."""
    return leftward([player.graph.verb(player.verb), *player.graph.verbs], adverb, player.adverbs)


def reaching_verb(director: Object) -> PropertyGroup | None:
    """Return the verb with which a director's character reaches for its target, None if it should not reach."""
    performance = director.verbs_adverbs.performance
    return verb_of(director.verbs_adverbs.directs, performance.reach_verb) if performance.steer == "TARGET" else None


def _reach(director: Object, stop: str) -> ReachThere:
    """Return the goal of reaching for a director's target, as input for core's steering.

    Parameters
    ----------
    stop : name of the verb to stand in before reaching.

    Raises
    ------
    VerbsError
        If the verb measures no position, or something else controls its adverbs.
    """
    armature, item = director.verbs_adverbs.directs, reaching_verb(director)
    points = measured_points(item) if item is not None else []
    if item is None or not points:
        raise VerbError(
            "The verb under Reaches With cannot aim, because none of its adverbs measures a position. Choose Place "
            "under its Measures, or choose another verb."
        )
    measures = adverbs_at(item, points[0])
    names = {used.measure: used.name for used in measures}
    for other in (target for verb in armature.verbs_adverbs.verbs for target in verb.targets):
        taken = sorted(set(names.values()) & set(bound_adverbs(item, other).values())) if other.object else ()
        if taken:
            raise VerbError(
                f"Adverb '{taken[0]}' already follows target '{other.object.name}', relative to where the character "
                "starts. Remove it under Targets, so that the character can reach for the target under Perform."
            )
    built = built_for(armature, item)
    usual = place_measure(measures[0], built.verb, built.rig).of_examples(built.verb).mean(axis=0).tolist()
    place = into_space(armature) @ director.verbs_adverbs.performance.target.matrix_world.translation
    asked = (names.get("X", ""), names.get("Y", ""), names.get("Z", ""))
    return ReachThere((place.x, place.y, place.z), item.name, asked, (usual[0], usual[1], usual[2]), stop)


def _rounded(place: Place) -> Place:
    return round(place[0] / STIRRED) * STIRRED, round(place[1] / STIRRED) * STIRRED


def _goal(to: Destination, stop: str) -> Goal | None:
    """Return the destination as input for core's steering.

    Parameters
    ----------
    to : the destination.
    stop : name of the verb to stop with, empty if there is no standing verb: the character then keeps going straight.
    """
    if to.kind == "NONE":
        return None
    if to.kind == "GONE":
        raise VerbError("The target is no longer in any scene. Choose another one, or none.")
    if to.kind == "CURVE":
        if not to.places:
            raise VerbError("The target is not a curve, or is disabled in viewports. Choose a curve, or enable it.")
        return along_points(np.array(to.places).reshape(-1, 2), stop=stop if to.stops and stop else None)
    if to.stops and stop:
        return StandOnMark(to.places[0][:2], to.seconds, stop)
    return TowardsPoint(to.places[0][:2], once=to.stops)


def _curve(target: Object, armature: Object) -> tuple[Place, ...]:
    """Return points of an object's curve in the armature's performance space, as evaluated by Blender; empty if none.

    For a tube, the centres of its rings are used. A cyclic curve ends where it begins.
    """
    seen = target.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = seen.to_mesh() if target.type == "CURVE" else None
    if mesh is None:
        return ()
    points = np.array([vertex.co for vertex in mesh.vertices])
    sides = [sorted(corners) for corners in map(corners_of, mesh.polygons) if len(corners) == 4]
    seen.to_mesh_clear()
    if sides:
        ring = min(side[2] - side[0] for side in sides)
        used = sorted({row for side in sides for row in side})
        points = points[used[: len(used) // ring * ring]].reshape(-1, ring, 3).mean(axis=1)
    matrix = into_space(armature) @ target.matrix_world
    places = [(place.x, place.y) for place in (matrix @ Vector(point) for point in points)]
    closed = [spline.use_cyclic_u for spline in target.data.splines] == [True]
    return (*places, *(places[:1] if closed else ()))
