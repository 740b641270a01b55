"""A live character: what it plays, and how its pose is set by sliders, the timeline or Perform."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ..action.write_pose import LiveWriter, make_plan
from ..blender.undo import Reference
from ..data.director import is_in_a_scene, origin_of
from .playable import Playable
from .request import Played

if TYPE_CHECKING:
    from .timeline import Places

Array = NDArray[np.float64]


@dataclass(eq=False)
class Display:
    """Applies rows of values to the pose of an armature.

    Parameters
    ----------
    playable : what the character plays; the rows have its channels.
    writer : writes a row to the pose.
    origin : (4,) x, y, z and heading of the character's start.
    shown : (width,) the row that was shown last, None before the first one.
    colours : adverb values of the gestures that it plays, as returned by `colours_told`.
    """

    playable: Playable
    writer: LiveWriter
    origin: Array
    shown: Array | None = None
    colours: list[dict[str, float]] = field(default_factory=list)

    def fits(self, armature: Object) -> bool:
        """Return whether the armature still has as many bones as when the display was made."""
        return len(armature.pose.bones) == self.writer.plan.bone_count

    def show(self, armature: Object, row: Array) -> None:
        """Write a row (width,) to the armature's pose, and tag it for evaluation."""
        self.writer.write_row(armature, row)
        self.shown = row
        armature.update_tag(refresh={"OBJECT"})


def display_of(armature: Object, director: Object, playable: Playable) -> Display:
    """Make the display that applies rows of a playable to the armature's pose.

    Raises
    ------
    VerbsError
        If the armature lacks bones to be moved.
    """
    writer = LiveWriter(make_plan(armature, playable.channels))
    return Display(playable, writer, np.array(origin_of(director, armature)))


class Seen(NamedTuple):
    """Sliders as they were read last.

    Parameters
    ----------
    frame : the frame at which they were read.
    held : (D,) their values, numbers or not.
    expected : (D,) their values there if the user has not moved them.
    shown : whether their pose was shown at this frame, because the user had moved them.
    """

    frame: float
    held: tuple[object, ...]
    expected: tuple[float, ...]
    shown: bool


@dataclass(eq=False)
class SliderState:
    """Slider values of a live character when its generated action was made, and the latest values read since.

    Parameters
    ----------
    digest : digest of everything the generated action was made from.
    names : (D,) relevant adverbs.
    frame, made : the frame at which it was made, and their slider values (D,) then.
    seen : values read last, None before the first reading.
    """

    digest: str
    names: tuple[str, ...]
    frame: float
    made: tuple[float, ...]
    seen: Seen | None = None


class Character:
    """Cached state of a live character, not stored in the file. It may be lost at any time and is then rebuilt.

    Sliders, the timeline and Perform are three ways in which the same character is moved.

    Parameters
    ----------
    armature, director : the objects.

    Attributes
    ----------
    armature, director : references to the objects.
    problem : message on why it cannot play, or cannot do what was requested last; empty if it can.
    display : what it plays and how its rows are shown, None until the first row is needed.
    played : the motion in its generated action, None if unknown, as after a file was opened.
    sliders : its slider values when the generated action was made, None if the action may be out of date.
    places : memory addresses of the data the generated action was made from, None if something has changed since.
    part : digest of a long motion, number of its rows in the generated action when the next part was chosen, and number
        of rows in that part.
    computing, stopped : digests of the motion that was computed last, and of one whose computing the user stopped.
    """

    def __init__(self, armature: Object, director: Object) -> None:
        self.armature, self.director = Reference(armature), Reference(director)
        self.problem = self.computing = self.stopped = ""
        self.display: Display | None = None
        self.played: Played | None = None
        self.sliders: SliderState | None = None
        self.places: Places | None = None
        self.part: tuple[str, int, int] = ("", 0, 0)

    def find(self) -> tuple[Object | None, Object | None]:
        """Return armature and director as they are now, None for one that is gone from the file or from all scenes."""
        return _in_a_scene(self.armature.find()), _in_a_scene(self.director.find())

    def hold(self, sliders: SliderState | None, played: Played | None) -> None:
        """Record the current content of the generated action; pending rows are discarded.

        Parameters
        ----------
        sliders : the slider values when it was made, None if it is out of date.
        played : the motion in it, None if unknown.
        """
        self.sliders, self.played, self.display = sliders, played, None


def _in_a_scene(thing: Object | None) -> Object | None:
    """Return the object if it is visible or in any scene; visibility is fast to check."""
    return thing if thing is not None and (thing.visible_get() or is_in_a_scene(thing)) else None
