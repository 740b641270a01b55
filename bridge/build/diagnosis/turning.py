"""An example of a cycle that begins at another of its events: on the other foot."""

import bpy
from bpy.types import Action, Object, PropertyGroup

from ....core.errors import ExampleError, VerbsError
from ...blender.naming import told_frame
from ...data.annotate import fps_of
from ...data.bones.names import contacts_on_bones, names_in_contacts
from ...data.content import action_content
from ...data.current import action_of
from ...data.markers import effective_keytimes, effective_windows, goes_around
from ...data.structure import NEARLY, Layout, write_layout
from ..clips.finding import Choice, cut, cycles_of

QUARTER = 0.25
"""Share of a cycle within which one that was found counts as the one that is looked for."""


def begins_elsewhere(armature: Object, example: PropertyGroup, keytime: int) -> Layout | None:
    """Return an example as the cycle that begins at one of its keytimes, or one cycle before, if its keys reach there.

    One that is as long as its action goes around its end.

    Its keytimes keep their names, so that the first name is now at the event which had the given one.

    Parameters
    ----------
    keytime : row of a keytime between the first and the last.
    """
    action = action_of(example)
    named, ends = effective_keytimes(action, example), action_content(action, armature).ends
    frames = [frame for _, frame in named]
    if ends is None or not example.cyclic or not 0 < keytime < len(frames) - 1:
        return None
    cycle = frames[-1] - frames[0]
    for moved in (-cycle, 0.0):
        turned = [frame + moved for frame in (*frames[keytime:], *(frame + cycle for frame in frames[1 : keytime + 1]))]
        within = ends[0] - NEARLY <= turned[0] and turned[-1] <= ends[1] + NEARLY
        around = ends[0] <= turned[0] and goes_around(example, (turned[0], turned[-1]), ends)
        if cycle > 0.0 and (within or around):
            keytimes = tuple((name, frame) for (name, _), frame in zip(named, turned, strict=True))
            contacts = tuple(
                (bone, contact.end, _within(effective_windows(action, example, contact), turned[0], cycle))
                for contact, bone in contacts_on_bones(example, names_in_contacts(armature, example))
            )
            return Layout(example.kind, True, keytimes, contacts, (example.shortest, example.longest))
    return None


def _within(windows: tuple[tuple[float, float], ...], start: float, cycle: float) -> tuple[tuple[float, float], ...]:
    """Return windows moved by whole cycles so that each begins in the one from `start` on, in the order of time."""
    turns = (-((down - start) // cycle) * cycle for down, _ in windows)
    return tuple(sorted((down + turn, up + turn) for (down, up), turn in zip(windows, turns, strict=True)))


def begin_elsewhere(armature: Object, action: Action, example: PropertyGroup, keytime: int) -> str:
    """Let an example begin at one of its keytimes: as a cycle that is found in the action, else as itself, turned.

    Raises
    ------
    VerbsError
        If the action's keys do not reach so far, or it cannot be edited.
    """
    layout = begins_elsewhere(armature, example, keytime)
    if layout is None:
        raise ExampleError(
            f"Action '{action.name}' holds no whole cycle that begins there. Mirror it, or untick the example."
        )
    fps = fps_of(example, bpy.context.scene)
    found = _found_near(armature, action, layout, fps)
    if found is not None:
        cut(armature, action, example, found, fps)
    else:
        write_layout(action, example, example.name, layout, fps)
    return f"'{example.name}' begins at frame {told_frame(example.start)} now"


def _found_near(armature: Object, action: Action, layout: Layout, fps: float) -> Choice | None:
    """Return the cycle with a layout's names and points that is found about where the layout begins, if there is one.

    Where the animator has marked other points than are found, the marks are kept.
    """
    try:
        choices = cycles_of(armature, action, fps)
    except VerbsError:
        return None
    names, start = tuple(name for name, _ in layout.keytimes), layout.keytimes[0][1]
    near = QUARTER * (layout.keytimes[-1][1] - start)
    alike = [
        one
        for one in choices
        if one.names == names
        and _points(one.layout) == _points(layout)
        and abs(one.layout.keytimes[0][1] - start) <= near
    ]
    return min(alike, key=lambda one: abs(one.layout.keytimes[0][1] - start), default=None)


def _points(layout: Layout) -> set[tuple[str, str]]:
    """Bone and end of the contact points that a layout has windows of."""
    return {(bone, end) for bone, end, windows in layout.contacts if windows}
