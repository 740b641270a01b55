"""The path ahead of live characters: from a copy of the player during a performance, else from the computed motion."""

from typing import NamedTuple

import numpy as np
from bpy.types import Object, Scene
from mathutils import Matrix, Vector

from ....core.play.graph_player import GraphPlayer
from ....core.play.player import NEUTRAL, AskAdverbs
from ....core.steer.way_ahead import SECONDS, Steered, Way, WayAhead, way_of_recording
from ...blender.store import latest
from ...data.director import space_of
from .. import live_characters
from ..destination import NOTHING, Destination
from ..ongoing_take import NotedPlayer, OngoingTake
from ..performance import WRITTEN, Performance
from ..request import Played


class Goal(NamedTuple):
    """Where a character is steered to.

    Parameters
    ----------
    place : position in performance space.
    distance : ground distance from the character, in performance units.
    """

    place: Vector
    distance: float


class Ahead(NamedTuple):
    """Where a character goes next.

    Parameters
    ----------
    armature : the character's armature.
    space : matrix from performance space to the world.
    time : the time shown, seconds.
    way : the path from then on.
    goal : the steering goal, None if it is not steered to a position.
    """

    armature: Object
    space: Matrix
    time: float
    way: Way
    goal: Goal | None


def look_ahead(performance: Performance) -> None:
    """Play ahead of the performed characters, by a few steps each.

    The result is cached until there is a new request. The characters themselves are not changed.
    """
    time = _shown(performance)
    for take in performance.takes[:WRITTEN]:
        asked = take.asks, take.guide.destination
        known = take.ahead
        if known is not None and known[0] == asked:
            known[1].extend(time)
            if not known[1].is_behind(time):
                continue
        ahead = WayAhead(take.plays, _steered(take))
        take.ahead = asked, ahead
        ahead.extend(time)


def all_ahead(armature: Object | None, scene: Scene) -> list[Ahead]:
    """Return the paths of the performed characters; if there are none, the armature's path on the timeline."""
    performance = live_characters.performance
    if performance is not None:
        time, takes = _shown(performance), performance.takes[:WRITTEN]
        ways = [_of_take(one, time, one.ahead[1].way.after(time, SECONDS)) for one in takes if one.ahead is not None]
        return [one for one in ways if one is not None]
    played = live_characters.played_by(armature) if armature is not None else None
    if armature is None or played is None:
        return []
    time = played.request.seconds(np.array([scene.frame_current_final])).item()
    return [Ahead(armature, space_of(armature), time, _recorded_way(played, time).after(time, SECONDS), None)]


def _recorded_way(played: Played, time: float) -> Way:
    """Return the path on the timeline from a time on; it is computed and cached for some seconds at once."""
    begin, request = SECONDS * (time // SECONDS), played.request
    until = begin + 2.0 * SECONDS
    return latest(
        ("recorded way",),
        (played, begin),
        lambda: way_of_recording(request.graph, played.recording, request.feet.floor, begin, until),
    )


def goal_of(take: OngoingTake) -> Goal | None:
    """Return where a performed character is steered to; None if it is not steered, or has arrived."""
    guide, display, found = take.guide, take.character.display, _place(take.guide.destination)
    if found is None or guide.steering.arrived or display is None or display.shown is None:
        return None
    pointed = guide.pointed if guide.destination.kind == "MOUSE" else None
    if pointed is not None:
        place = Vector((*pointed, guide.height))
    else:
        place = Vector((*found, take.ground() if take.floor is None else float(take.floor(np.array([found]))[0])))
    return Goal(place, (place.xy - Vector(display.shown[:2].tolist())).length)


def _place(to: Destination) -> tuple[float, float] | None:
    """Return x and y of a destination; the end of a curve if it should stop there."""
    if not to.places or (to.kind == "CURVE" and not to.stops):
        return None
    x, y, *_ = to.places[-1]
    return x, y


def _shown(performance: Performance) -> float:
    shown = performance.frames.shown
    return shown[-1].time if shown else 0.0


def _of_take(take: OngoingTake, time: float, way: Way) -> Ahead | None:
    """Return the path of a performed character; None if its armature is gone."""
    armature, _ = take.character.find()
    return None if armature is None else Ahead(armature, space_of(armature), time, way, goal_of(take))


def _steered(take: OngoingTake) -> Steered | None:
    """Return how a take will be steered at the frames at which requests are read; None if it is not steered."""
    guide, names = take.guide, take.notes.names
    if guide.destination == NOTHING and take.player.handles == NEUTRAL:
        return None

    def asked(player: GraphPlayer) -> AskAdverbs:
        assert isinstance(player, NotedPlayer)
        return AskAdverbs({name: player.wanted[name] for name in names}, at_once=player.at_once)

    return Steered(guide.steering, asked, len(take.notes.sliders), take.fps)
