"""Finding the phases of a gesture in a user's example, and storing them as its keytimes."""

from collections.abc import Sequence

import numpy as np
from bpy.types import Action, Object, PropertyGroup

from ...core.detect.bone_roles import BoneRoles
from ...core.detect.gesture_phases import GesturePhases, find_gesture_phases
from ...core.errors import ActionError, ExampleError, RigError, quoted
from ...core.figure import quaternion as quat
from ...core.figure.skeleton import point_positions
from ...core.motion.clip import SYNC_POINTS
from ..blender.naming import told_frame
from ..data.annotate import check_editable, keep_found
from ..data.curves import gather
from ..data.markers import effective_keytimes, effective_span
from ..data.structure import Layout, Window, contacts_of, write_layout
from ..rig.roles import rest_bones, roles_of
from .clips.observing import Array, body_root, headings_of, read_whole, seen_frames, take_at

JOINTED = 3
"""Smallest number of bones of an arm, from the upper arm to the hand."""
UNSURE = 0.5
"""Highest confidence of phases from a gesture without a distinct stroke."""
BLURRED = 0.75
"""Confidence of phases below which their edges should be checked."""


def find_phases(armature: Object, action: Action, example: PropertyGroup, fps: float, replaces: bool) -> str:
    """Set the keytimes of an example to the sync points of its gesture; its ends move to `start` and `end`.

    Contacts between the ends are kept, and so are adverb values.

    Parameters
    ----------
    fps : frame rate of the action's keys, in frames per second.
    replaces : whether keytimes between its ends may be replaced.

    Raises
    ------
    VerbsError
        If the action cannot be edited or read, the example is a cycle, has keytimes that may not be replaced, or shows
        no gesture. Nothing has changed then.

    Returns
    -------
    What was found, as a sentence. Doubts are stored with the action, for the panel to show.
    """
    check_editable(action)
    if example.cyclic:
        raise ExampleError(f"'{example.name}' is cyclic, but a gesture plays once. Untick Cyclic.")
    replaced = keytimes_between(example)
    if replaced and not replaces:
        raise ExampleError(
            f"The keytimes {quoted(replaced, 7)} of '{example.name}' would be replaced. Tick Replace Keytimes to allow "
            "this."
        )
    hand, found, first = _found_in(armature, action, example, fps)
    frames = [first + float(seconds) * fps for seconds in found.sync]
    keytimes = tuple(zip(SYNC_POINTS, frames, strict=True))
    contacts = contacts_of(armature, example)
    kept = tuple((bone, end, _within(windows, frames[0], frames[-1])) for bone, end, windows in contacts)
    write_layout(action, example, example.name, Layout(example.kind, False, keytimes, kept), fps)
    told = (
        f"Found: a stroke of '{hand}' from frame {told_frame(frames[2])} to {told_frame(frames[4])}, its emphasis at"
        f" {told_frame(frames[3])}"
    )
    doubt = _doubt(found.sure)
    keep_found(action, [("INFO", f"{told}."), *([("WARNING", doubt)] if doubt else [])])
    return told


def keytimes_between(example: PropertyGroup) -> list[str]:
    """Return names of the keytimes between the ends of an example."""
    return [name for name, _ in effective_keytimes(example)[1:-1]]


def _found_in(armature: Object, action: Action, example: PropertyGroup, fps: float) -> tuple[str, GesturePhases, float]:
    """Return the hand bone that makes the stroke in an example's span, the phases, and the frame of their second 0."""
    roles = roles_of(armature)
    if not roles.hands:
        raise ExampleError(
            f"No bone of '{armature.name}' has a name that identifies a hand. Name the hands hand.L and hand.R, or "
            "similar with left and right."
        )
    times, places, first = _paths(armature, action, effective_span(example), roles, fps)
    arm = max(arm_length(armature, roles, hand) for hand in roles.hands)
    found = find_gesture_phases(example.name, times, places, arm)
    return roles.hands[found.hand], found, first


def _paths(
    armature: Object, action: Action, span: tuple[float, float], roles: BoneRoles, fps: float
) -> tuple[Array, Array, float]:
    """Return the positions of the tips of the hands in a span of frames, in the space of the character.

    Returns
    -------
    times : (T,) seconds from the first key of the action.
    places : (T, H, 3) positions relative to the root's position over the floor and its heading.
    first : frame of second 0.
    """
    keyed = gather(action, armature)
    rig, channels, take, first = read_whole(armature, action, body_root(armature, keyed, roles.root), fps, keyed)
    begins = max((span[0] - first) / fps, float(take.times[0]))
    ends = min((span[1] - first) / fps, float(take.times[-1]))
    if not begins < ends:
        raise ActionError(
            f"Action '{action.name}' has no keys in the example's frames {told_frame(span[0])} to "
            f"{told_frame(span[1])}. Move the ends of the example onto keys."
        )
    astray = [hand for hand in roles.hands if hand not in rig.joints]
    if astray:
        raise RigError(
            f"Hand {quoted(astray)} of '{armature.name}' does not follow its root '{rig.root}'. Choose another root "
            "under How It Is Built."
        )
    step = float(take.times[1] - take.times[0])
    take = take_at(take, np.linspace(begins, ends, 1 + max(round((ends - begins) / step), 1)))
    frames = seen_frames(armature, action, roles.hands, channels, take, first, fps)
    over, back = frames[0][:, 0] * np.array([1.0, 1.0, 0.0]), quat.from_yaw(-headings_of(frames))
    tips = [point_positions(*frames, *rig.point(hand, "TAIL")) for hand in roles.hands]
    return take.times, np.stack([quat.rotate(back, tip - over) for tip in tips], axis=1), first


def arm_length(armature: Object, roles: BoneRoles, hand: str) -> float:
    """Return the length of an arm at rest, from its shoulder to the tip of its hand.

    If the hand is not a child of an arm, as in rigs with controls, it is half the span of both arms.
    """
    rest = rest_bones(armature)
    sided = {name for pair in roles.pairs for name in pair}
    arm = [bone for bone in rest.chain(rest.names.index(hand)) if rest.names[bone] in sided]
    if len(arm) < JOINTED:
        apart = [rest.heads[rest.names.index(name)] for name in roles.hands]
        return 0.5 * float(np.linalg.norm(apart[0] - apart[-1]))
    jointed = arm[:-1] if len(arm) > JOINTED else arm
    ends = np.concatenate([rest.tails[jointed[:1]], rest.heads[jointed]])
    return float(np.linalg.norm(np.diff(ends, axis=0), axis=1).sum())


def _within(windows: Sequence[Window], begins: float, ends: float) -> tuple[Window, ...]:
    """Return the windows of a contact, clipped to the interval between two frames."""
    cut = ((max(down, begins), min(up, ends)) for down, up in windows)
    return tuple((down, up) for down, up in cut if down < up)


def _doubt(sure: float) -> str:
    """Return a sentence on how far phases can be trusted, empty if they can."""
    if sure <= UNSURE:
        return (
            "The stroke cannot be told from the preparation: the hand goes out and back, so the second half of the "
            "way out was marked as the stroke. Check the markers."
        )
    if sure < BLURRED:
        return (
            f"The stroke is hard to tell from the motion around it: the hand only slows down by {sure:.0%}. Check "
            "stroke_start and stroke_end."
        )
    return ""
