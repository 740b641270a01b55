"""What a character looks at on its words: looks requested by a text, object positions, and the gaze of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from bpy.types import Object
from mathutils import Matrix

from ...core.errors import WordsError, quoted
from ...core.figure import quaternion as quat
from ..blender.animation import drivers_of, keyed_in, nla_plays
from ..blender.naming import told_frame
from ..blender.store import latest
from ..data.adverb_values import adverb_curves
from ..data.content import action_content
from ..data.director import director_of, into_space, is_in_a_scene, own_matrix
from ..data.frames.counting import counting_of, last_frame
from ..data.schema import AT_OBJECT, EARLIEST, LOOKS, NO_LOOK
from ..rig.parts import rotation_of
from ..rig.roles import rest_bones, roles_of, upright
from .said import belongs, said_words, scene_with

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ...core.figure.skeleton import Skeleton
    from ...core.gesture.gazing import Gazing, Glance, Path, Target

    Array = NDArray[np.float64]


class Played(Protocol):
    """The interface to a motion that a character plays: rows at frames, and the request they were computed from."""

    @property
    def frames(self) -> Array:
        """Frames (T,) of the rows."""
        ...

    @property
    def values(self) -> Array:
        """Rows (T, width) in performance space."""
        ...

    @property
    def request(self) -> Any:
        """The request it was computed from: graph, start and fps."""
        ...

    def frame(self, seconds: float) -> float:
        """Return the frame at a time in seconds."""
        ...


SMALL = 6
"""Decimals to which positions are compared."""


Look = tuple[str, Object | None]
"""A direction, and the object to look at, if any."""


class Looked(NamedTuple):
    """A word with a look: its text, its emphasis in seconds of the scene, and the target.

    `known` is when it was said live, as in `Said`.
    """

    text: str
    target: float
    look: str
    thing: Object | None
    known: float

    @property
    def told(self) -> str:
        """Its name in messages."""
        name = self.thing.name if self.thing is not None else self.look.lower()
        return f"'look {name}' on '{self.text}'" if self.text else f"'look {name}' at {self.target:.2f} s"


def looked_words(armature: Object) -> list[Looked]:
    """Return the words of an armature's director with a valid look, in order of emphasis."""
    return [one for one in _asked_looks(armature) if one.thing is None or not why_not(armature, one.thing)]


def _asked_looks(armature: Object) -> list[Looked]:
    director = director_of(armature)
    words = director.verbs_adverbs.speech.words if director is not None else ()
    if director is None or not any(word.look != NO_LOOK for word in words):
        return []
    found: list[Looked] = []
    for said in said_words(director):
        word = words[said.number]
        thing = word.look_at if word.look == AT_OBJECT else None
        if word.look != NO_LOOK and (thing is not None or word.look != AT_OBJECT) and belongs(director, word):
            found.append(Looked(said.text, said.target, word.look, thing, said.known))
    return sorted(found, key=lambda one: one.target)


def why_not(armature: Object, thing: Object) -> str:
    """Return why an object cannot be looked at, worded to follow its name; empty if it can."""
    if not is_in_a_scene(thing):
        return "is not in any scene. Link it to one, or choose another object."
    if thing == armature:
        return "is the character itself. Choose another object."
    for one in _chain(thing):
        if one in (armature, director_of(armature)):
            return f"is moved by '{one.name}' itself. Choose an object that moves independently."
        if one.parent is not None and one.parent_type != "OBJECT":
            return (
                f"is parented to a part of '{one.parent.name}', which cannot be followed. Choose an object with its "
                "own keys."
            )
        if any(not constraint.mute for constraint in one.constraints) or _is_driven(one):
            return (
                "is moved by constraints, drivers or NLA strips, which cannot be followed. Bake its motion to keys "
                "(Object > Animation > Bake Action), or choose another object."
            )
    return ""


def _is_driven(thing: Object) -> bool:
    """Return whether drivers or NLA strips move an object."""
    moved = ("location", "rotation", "delta_")
    driven = any(driver.data_path.startswith(moved) and not driver.mute for driver in drivers_of(thing))
    return driven or nla_plays(thing)


def _chain(thing: Object) -> list[Object]:
    """Return an object and its parents."""
    found = [thing]
    while found[-1].parent is not None:
        found.append(found[-1].parent)
    return found


def _place(thing: Object, frame: float) -> Matrix:
    """Return an object's world matrix at a frame, from its keys and those of its parents."""
    whole = Matrix()
    for one in _chain(thing):
        own = Matrix.Translation(one.delta_location[:]) @ own_matrix(one, frame) @ Matrix.Diagonal((*one.scale, 1.0))
        whole = (one.matrix_parent_inverse @ own if one.parent is not None else own) @ whole
    return whole


def _path_of(armature: Object, thing: Object) -> Path:
    """Return an object's position over the seconds since the director's start frame, in performance space."""
    from ...core.gesture.gazing import Path

    director, into = director_of(armature), into_space(armature)
    counting = counting_of(director, scene_with(director))
    start, moves = counting.start, any(adverb_curves(one) for one in _chain(thing))
    frames = np.arange(start, last_frame(director, scene_with(director)) + 1.0) if moves else np.array([start])
    places = np.array([(into @ _place(thing, frame)).translation[:] for frame in frames.tolist()])
    return Path((frames - start) / counting.fps, places)


def gaze_signature(armature: Object) -> str:
    """Return a signature of what an armature's gaze is computed from; empty if it looks at nothing."""
    words, director = looked_words(armature), director_of(armature)
    if not words or director is None:
        return ""
    speech, start = director.verbs_adverbs.speech, counting_of(director, scene_with(director)).start
    told: list[object] = [round(speech.looks_for, SMALL), round(speech.head_speed, SMALL)]
    told.append(np.round(np.array(into_space(armature)), SMALL).tolist())
    for word in words:
        told.append((word.text, word.target, word.look, word.known))
        for one in _chain(word.thing) if word.thing is not None else ():
            action = keyed_in(one)
            keys = action_content(action, one, thorough=True).digest if action is not None else ""
            told.append((one.name, np.round(np.array(_place(one, start)), SMALL).tolist(), keys))
    if any(word.thing is not None for word in words):
        told.append(last_frame(director, scene_with(director)))
    return repr(told)


def gazing_of_words(armature: Object, skeleton: Skeleton, begins: float) -> Gazing | None:
    """Return the gaze for the words of an armature's director, None if they request none.

    Parameters
    ----------
    skeleton : skeleton of the armature's verbs.
    begins : seconds of the scene at which the performance begins.

    Raises
    ------
    RigError
        If the armature has no head to look with.
    """
    from ...core.gesture.gaze_bones import find_gaze_bones, gaze_with
    from ...core.gesture.gazing import gazing_of

    words = looked_words(armature)
    if not words:
        return None
    speech = director_of(armature).verbs_adverbs.speech
    bones = find_gaze_bones(rest_bones(armature), roles_of(armature))
    gaze, front = gaze_with(skeleton, bones, _root_at_rest(armature, skeleton.names[0]))
    glances = glances_known(armature, EARLIEST, begins)
    return gazing_of(gaze, glances, front, speech.looks_for, float(np.radians(speech.head_speed)))


def glances_known(armature: Object, known: float, begins: float) -> list[Glance]:
    """Return the looks on the words that became known at a given time, see `gazing_of_words`."""
    from ...core.gesture.gazing import Glance

    words = [word for word in looked_words(armature) if word.known == known]
    return [Glance(word.target - begins, _target(armature, word), word.told) for word in words]


def _target(armature: Object, word: Looked) -> Target:
    from ...core.gesture.gazing import WAYS

    return _path_of(armature, word.thing) if word.thing is not None else WAYS[word.look.lower()]


def _root_at_rest(armature: Object, root: str) -> Array:
    """Return the rotation (4,) of a root at rest, including the object's, except for its heading."""
    turn, bones = np.eye(4), armature.data.bones
    turn[:3, :3] = upright(armature)
    rest = np.array(bones[root].matrix_local) if root in bones else np.eye(4)
    return quat.multiply(rotation_of(turn), rotation_of(rest))


def looks_refused(armature: Object) -> list[str]:
    """Return messages on looks at objects that cannot be looked at, or are not set."""
    director = director_of(armature)
    words = director.verbs_adverbs.speech.words if director is not None else ()
    without = [
        (f"'{word.text}' should look at an object, but none is chosen. Choose one beside Look, or choose No look.")
        for word in words
        if word.look == AT_OBJECT and word.look_at is None
    ]
    return without + [
        f"{one.told}: '{one.thing.name}' {why_not(armature, one.thing)}"
        for one in _asked_looks(armature)
        if one.thing is not None and why_not(armature, one.thing)
    ]


def looks_told(armature: Object, gazing: Gazing | None, played: Played | None) -> list[str]:
    """Return messages on requested looks that are not carried out, as far as known.

    Parameters
    ----------
    gazing : the gaze of the armature's plan.
    played : the motion that it plays.
    """
    refused = looks_refused(armature)
    if gazing is None or played is None or not _plays(played, gazing):
        return refused
    return [*refused, *latest(("unreached looks",), (gazing, played), lambda: _unreached(gazing, played))]


def _plays(played: Played, gazing: Gazing) -> bool:
    """Return whether a motion was computed with a gaze, after the last change to words or objects."""
    layers = played.request.graph.layers
    return any(getattr(layer.plays, "gazing", None) is gazing for layer in (layers.layers if layers else ()))


def _unreached(gazing: Gazing, played: Played) -> tuple[str, ...]:
    """Return messages on what a gaze does not reach in a motion."""
    from ...core.gesture.gaze_bones import gaze_remarks

    request = played.request
    times = (played.frames - request.start) / request.fps

    def frame_of(seconds: float) -> str:
        return f"frame {told_frame(round(played.frame(seconds)))}"

    return gaze_remarks(gazing, request.graph.channels, played.values, times, frame_of)


def look_named(armature: Object, name: str) -> Look:
    """Return the look that a tag's name stands for, with the object if it is one.

    Raises
    ------
    WordsError
        If no direction or object has that name, or the object cannot be looked at.
    """
    ways = [look for look, *_ in LOOKS if look not in (AT_OBJECT, NO_LOOK)]
    if name.upper() in ways:
        return name.upper(), None
    things = scene_with(director_of(armature) or armature).objects
    thing = things.get(name) or next((one for one in things if one.name.lower() == name.lower()), None)
    if thing is None:
        raise WordsError(
            f"The text asks to look at '{name}', but the scene has no object of that name. Use the name of an object, "
            f"or one of {quoted((way.lower() for way in ways), len(ways))}."
        )
    reason = why_not(armature, thing)
    if reason:
        raise WordsError(f"The text asks to look at '{name}', but '{thing.name}' {reason}")
    return AT_OBJECT, thing
