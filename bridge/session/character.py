"""A live character: what it plays, and how that becomes its pose, whether sliders, the timeline or Perform move it."""

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
    """What brings rows of values to the pose of an armature.

    Parameters
    ----------
    playable : what the character plays; the rows are of its channels.
    writer : writes a row to the pose.
    origin : (4,) x, y, z and heading where the character starts.
    shown : (width,) the row that was shown last, None before the first one.
    colours : what colours the gestures that it plays, as `colours_told` says.
    """

    playable: Playable
    writer: LiveWriter
    origin: Array
    shown: Array | None = None
    colours: list[dict[str, float]] = field(default_factory=list)

    def fits(self, armature: Object) -> bool:
        """Whether the armature still has as many bones as when the display was made."""
        return len(armature.pose.bones) == self.writer.plan.bone_count

    def show(self, armature: Object, row: Array) -> None:
        """Write a row (width,) to the armature's pose, and let Blender evaluate it."""
        self.writer.write_row(armature, row)
        self.shown = row
        armature.update_tag(refresh={"OBJECT"})


def display_of(armature: Object, director: Object, playable: Playable) -> Display:
    """Make what brings rows of something that a director plays to the armature's pose.

    Raises
    ------
    VerbsError
        If the armature lacks bones that are to be moved.
    """
    writer = LiveWriter(make_plan(armature, playable.channels))
    return Display(playable, writer, np.array(origin_of(director, armature)))


class Seen(NamedTuple):
    """Sliders as they were looked at last.

    Parameters
    ----------
    frame : at which that was.
    held : (D,) what they held, a number or not.
    expected : (D,) values that they have there if nobody has moved them.
    shown : whether their pose was shown at this frame, since somebody had.
    """

    frame: float
    held: tuple[object, ...]
    expected: tuple[float, ...]
    shown: bool


@dataclass(eq=False)
class SliderState:
    """What the sliders of a live character said when its generated action was made, and what was seen of them since.

    Parameters
    ----------
    digest : of all that the generated action was made from.
    names : (D,) adverbs that count.
    frame, made : the frame at which it was made, and values (D,) of their sliders then.
    seen : what was seen of them last, None before the first look.
    """

    digest: str
    names: tuple[str, ...]
    frame: float
    made: tuple[float, ...]
    seen: Seen | None = None


class Character:
    """What is known of a live character and not stored in the file. It may be lost at any time and is found out anew.

    Sliders, the timeline and Perform are three ways in which the same character is moved.

    Parameters
    ----------
    armature, director : the objects.

    Attributes
    ----------
    armature, director : references to the objects.
    problem : sentence that says why it cannot play, or cannot do what it was asked for last; empty if it can.
    display : what it plays and how its rows are shown, None until a row is to be shown.
    played : the motion that its generated action holds, None if that is not known, as after a file was opened.
    sliders : what its sliders said when the generated action was made, None if the action may be out of date.
    places : where in memory the data lie that the generated action was made from, None if something has changed since.
    part : digest of a long motion, how many of its rows the generated action held when the next part was chosen, and
        how many rows that part has.
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
        """Record what the generated action holds now; what was to be shown before is shown no more.

        Parameters
        ----------
        sliders : what the sliders said when it was made, None if it is out of date.
        played : the motion in it, None if that is not known.
        """
        self.sliders, self.played, self.display = sliders, played, None


def _in_a_scene(thing: Object | None) -> Object | None:
    """The object if it can be seen or is in any scene: the first is quickly told."""
    return thing if thing is not None and (thing.visible_get() or is_in_a_scene(thing)) else None
