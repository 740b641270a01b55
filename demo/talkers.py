"""Figures that talk: a walk and the gestures that go with it, of the example biped or of captured motion.

Of a folder the first clip of each verb is taken that is a gesture or a strike. Its phases are found in how its hands
move, or the bone on which `keytimes.json` says that it was measured, such as the head that bows. Its stroke is marked
where that goes no farther on its way. The walk is the straightest one of the folder's first style. Without a walk the
figure talks standing, as the first of the gestures begins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import bpy
import numpy as np
from bpy.types import Object
from numpy.typing import NDArray

from ..core.biped.figure import Generated
from ..core.biped.talking import beat, count, greet, indicate, offer, shrug
from ..core.detect.gesture_phases import find_gesture_phases
from ..core.errors import VerbsError
from ..core.figure.skeleton import Skeleton
from ..core.gesture.gesture import Gesture, gesture_of, poses_of
from ..core.layers.mask import mask_of
from ..core.layers.walk_model import WalkModel
from ..core.motion.clip import SYNC_POINTS, Clip, end_of, interpolated
from .captured_models import clips_of, walk_of, walks_of
from .captures import Folder, import_clips, read_folder
from .models import HANDS, LEGS, clip_of, walking
from .operate import Refused, do, installed, say
from .rows import Figure, figure_of

Array = NDArray[np.float64]

RATE = 240.0
"""Frames a second in which the hands of captured gestures are looked at."""
SIZES = {1.0: 0.8, 0.75: 0.55, 0.5: 0.3}
"""For each size in which a beat or a shrug of the biped may be made, the value of its adverb."""
SPEED = 1.24
"""Metres a second at which the biped walks."""
SWING = 0.6
"""Share of the highest speed in a stroke that its first swing has at least."""
KINDS = ("gesture", "strikes")
"""Kinds of clips of a folder that are gestures; what is no cycle counts as one where no kind is told."""


@dataclass(frozen=True, eq=False)
class Talker:
    """A figure that talks.

    Parameters
    ----------
    figure : its bones at rest, read from Blender.
    hands : names of the bones of its hands.
    gestures : by name; each in several sizes, or in one.
    stand : how it stands.
    walk : what it does below; None if it only stands.
    speed : at which it walks, in metres a second.
    mask : (J,) weight of each joint in what is laid over the walk.
    """

    figure: Figure
    hands: tuple[str, ...]
    gestures: Mapping[str, tuple[Gesture, ...]]
    stand: Clip
    walk: WalkModel | None
    speed: float
    mask: Array


def biped_talker() -> Talker:
    """Return the example biped with all gestures that it has for talking."""
    do("add_biped", walk=False, stand=True)
    armature, walk = bpy.context.view_layer.objects.active, walking()
    stand = walk.stand
    assert isinstance(stand, Clip)
    skeleton = stand.channels.skeleton
    mask = mask_of(skeleton, (trunk(skeleton, HANDS, LEGS),))
    made: dict[str, dict[float, Generated]] = {
        "greet": {1.0: greet()},
        "offer": {1.0: offer(1.0)},
        "beat": {size: beat(value, 0.5) for size, value in SIZES.items()},
        "indicate": {1.0: indicate(-0.5)},
        "count": {1.0: count(2.0)},
        "shrug": {size: shrug(value) for size, value in SIZES.items()},
    }
    gestures = {
        name: tuple(
            replace(gesture_of(name, clip_of(one, name), HANDS, mask=mask), size=size) for size, one in sizes.items()
        )
        for name, sizes in made.items()
    }
    return Talker(figure_of(armature, skeleton.names[0]), HANDS, gestures, stand, walk, SPEED, mask)


def captured_talker(path: Path) -> Talker:
    """Return the figure of a folder with its gestures.

    Parameters
    ----------
    path : of a folder of BVH files and `keytimes.json`.

    Raises
    ------
    Refused
        If the folder has no gesture whose phases can be found, or its figure has no hands.
    """
    folder = read_folder(path)
    files, walks = gestures_of(folder), walks_of(folder)
    if not files:
        raise Refused(f"{path} has no gesture. Add a clip of the kind 'gesture' to its keytimes.json.")
    wanted = [*(file for several in walks.values() for file in several), *files.values()]
    say(f"Importing {len(wanted)} BVH files")
    armature, actions = import_clips(folder, wanted)
    hands, legs = hands_and_legs(armature)
    clips = clips_of(armature, folder, actions, walks)
    known = {name: clips[file] for name, file in files.items() if file in clips}
    if not known:
        raise Refused(f"None of the gestures of {path} can be copied for the armature of the other files.")
    skeleton = next(iter(known.values())).channels.skeleton
    mask = mask_of(skeleton, (trunk(skeleton, hands, legs),))
    gestures: dict[str, tuple[Gesture, ...]] = {}
    for name, clip in known.items():
        try:
            measured = folder.clips[files[name]].get("measured_on", hands[0])
            ends = hands if measured not in {*skeleton.names} - {*hands} else (measured,)
            gestures[name] = (gesture_found(name, clip, ends, mask),)
        except VerbsError as reason:
            say(f"  '{name}' is left out: {reason}")
    if not gestures:
        raise Refused(f"No gesture of {path} has phases that can be found. Choose another folder.")
    cycles = {style: clips[file] for style, several in walks.items() for file in reversed(several) if file in clips}
    stands = next(iter(known.values()))
    walk = walk_of(cycles, stands) if cycles else None
    speed = next(iter(walk.speeds().values())) if walk else 0.0
    return Talker(figure_of(armature, skeleton.names[0]), hands, gestures, standing(stands), walk, speed, mask)


def gestures_of(folder: Folder) -> dict[str, str]:
    """Return the first file of each verb of a folder that is a gesture, by the name that a tag has for the verb."""
    found: dict[str, str] = {}
    for file, clip in folder.clips.items():
        if not clip["cyclic"] and clip.get("kind", KINDS[0]) in KINDS:
            found.setdefault(clip.get("verb", Path(file).stem).replace(" ", "-"), file)
    return found


def hands_and_legs(armature: Object) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of an armature's hands and thighs.

    Raises
    ------
    Refused
        If it has no hands.
    """
    roles = installed({"one": "bridge.rig.roles"}).one.roles_of(armature)
    if not roles.hands:
        raise Refused("The figure of the folder has no bones that are called as hands are. Rename them in the files.")
    return tuple(roles.hands), tuple(foot.thigh for foot in roles.feet)


def trunk(skeleton: Skeleton, hands: Sequence[str], legs: Sequence[str]) -> str:
    """Return the bone from which all hands hang, and no leg; of several the nearest to the root."""
    carrying = {joint for leg in legs for joint in skeleton.chain(skeleton.index(leg))} | {0}
    chains = [skeleton.chain(skeleton.index(hand)) for hand in hands]
    common = [joint for joint in chains[0] if joint not in carrying and all(joint in chain for chain in chains)]
    if not common:
        raise Refused("The hands of the figure hang from no common bone that carries no leg. Choose another folder.")
    return skeleton.names[common[-1]]


def standing(clip: Clip) -> Clip:
    """Return a clip of the first pose of another one, at the origin."""
    pose = clip.sample([clip.start, clip.start])
    pose[:, :3] = 0.0
    return interpolated(clip.channels, (0.0, 1.0), pose, (), "Stand")


def gesture_found(name: str, clip: Clip, ends: Sequence[str], mask: Array) -> Gesture:
    """Return a clip as a gesture whose phases are found as some bones move, seen from the root.

    Raises
    ------
    VerbsError
        If none of them moves.
    """
    skeleton = clip.channels.skeleton
    rows = [skeleton.index(end) for end in ends]
    times = np.linspace(clip.start, end_of(clip), 1 + round(RATE * clip.duration))
    places = poses_of(clip.channels, clip.sample(times), mask)[1]
    seen = places[:, rows] - places[:, :1]
    arm = float(sum(np.linalg.norm(skeleton.offsets[joint]) for joint in skeleton.chain(rows[0])[:2]))
    found = find_gesture_phases(name, times, seen, arm).sync
    sync = dict(zip(SYNC_POINTS, found.tolist(), strict=True))
    sync["stroke"] = turn_of(times, seen, sync["stroke_start"], sync["stroke"])
    sync["stroke_end"] = max(sync["stroke_end"], sync["stroke"])
    sync["relax"] = max(sync["relax"], sync["stroke_end"])
    return gesture_of(name, clip, ends, sync, mask=mask)


def turn_of(times: Array, places: Array, begin: float, end: float) -> float:
    """Return when the bone that is fastest in a stroke first goes no farther on its way.

    Of a stroke that swings to and fro it is the first swing that is about as fast as the fastest one.

    Parameters
    ----------
    times : (T,) seconds.
    places : (T, H, 3) of bones.
    begin, end : seconds of the stroke.
    """
    velocities = np.gradient(places, times, axis=0)
    speeds = np.linalg.norm(velocities, axis=-1) * ((times >= begin) & (times <= end))[:, None]
    bone = int(np.argmax(speeds.max(axis=0)))
    first = int(np.argmax(speeds[:, bone] >= SWING * speeds[:, bone].max()))
    last = round(_stops(velocities[:, bone], first))
    fastest = first + int(np.argmax(speeds[first : last + 1, bone]))
    return float(np.interp(_stops(velocities[:, bone], fastest), np.arange(len(times)), times))


def _stops(velocities: Array, row: int) -> float:
    """Return the row, with its fraction, at which something with velocities (T, 3) stops to go as it does in a row."""
    forward = velocities[row:] @ velocities[row]
    back = np.flatnonzero(forward <= 0.0)
    if not len(back):
        return float(len(velocities) - 1)
    before, after = forward[back[0] - 1], forward[back[0]]
    return float(row + back[0] - 1 + before / (before - after))
