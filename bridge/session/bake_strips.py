"""Baking what is played to NLA strips: one for what lies at the bottom, and one for each layer over it.

Each layer's strip holds the bones that the layer changes, from where it begins to change them to where it ends. It
overrides the strips below, or is combined with them. Blender plays the same in both cases as one action of all would.
"""

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from bpy.types import Action, NlaTrack, Object, Scene
from numpy.typing import NDArray

from ...core.bounds import check_values
from ...core.errors import GraphError, LayerError
from ...core.figure import quaternion as quat
from ...core.layers.layer_set import showing
from ..action.generated_action import keep
from ..action.tracks import Track, ancestor_tracks, keys_of, new_action, tracks_of, write_keys
from ..action.write_pose import PosePlan, make_plan
from ..blender.jobs import computed
from ..blender.naming import cut
from ..blender.versions import bag_unassigned, slot_of
from ..data.director import director_of, origin_of
from .bake import PerformanceOptions, key_frames
from .playable import playable_to_bake
from .request import Request

Array = NDArray[np.float64]

CHANGED = 1e-6
"""Difference of a property's component from which on a layer changes it."""
BOTTOM = "base"
MARK = "verbs_adverbs_strip"
"""Custom property of the actions that are baked here; tracks that hold others are the user's."""
TRANSFORMS = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")
"""Ends of the paths whose differences Blender combines; of other properties it would take their defaults away."""


@dataclass(frozen=True, eq=False)
class Strip:
    """What becomes an NLA strip.

    Parameters
    ----------
    name : of the layer, or that of the bottom.
    tracks : the properties with their keys.
    blend : how Blender lays it over what is below.
    """

    name: str
    tracks: tuple[Track, ...]
    blend: Literal["REPLACE", "COMBINE"] = "REPLACE"

    @property
    def frames(self) -> tuple[float, float]:
        """Its first and last frame."""
        return min(float(t.frames[0]) for t in self.tracks), max(float(t.frames[-1]) for t in self.tracks)


def bake_strips(armature: Object, options: PerformanceOptions, scene: Scene, combine: bool) -> list[Action]:
    """Bake what an armature's director plays to actions, and put these into NLA tracks of the armature.

    They take the place of those of an earlier bake. Tracks of the user, and those that the user has locked or put
    strips of other actions into, stay as they are.

    Parameters
    ----------
    armature : armature object with a director.
    options : what to bake; keys are not reduced.
    scene : for the frame rate.
    combine : whether the layers' strips hold differences, which Blender combines with what lies below.

    Raises
    ------
    VerbsError
        If there is nothing to bake, or it cannot be played. Nothing has changed then.
    """
    strips = _strips(armature, options, scene, combine)
    with ExitStack() as made:
        actions = [made.enter_context(new_action(f"{options.name or armature.name} {one.name}")) for one in strips]
        for strip, action in zip(strips, actions, strict=True):
            write_keys(bag_unassigned(armature, action), keys_of(strip.tracks), handles=True)
            action[MARK] = True
        former = [track for track in armature.animation_data_create().nla_tracks if _is_ours(track)]
        above = former[-1] if former else None
        for strip, action in zip(strips, actions, strict=True):
            above = _put(armature, strip, action, above, float(options.end))
        for track in former:
            armature.animation_data.nla_tracks.remove(track)
    for action in actions:
        keep(action)
    return actions


def _is_ours(track: NlaTrack) -> bool:
    """Whether a track holds nothing but what was baked here, and is not locked by the user."""
    return bool(track.strips) and not track.lock and all(one.action and MARK in one.action for one in track.strips)


def _strips(armature: Object, options: PerformanceOptions, scene: Scene, combine: bool) -> list[Strip]:
    """What becomes strips, from the bottom to the highest layer that changes anything."""
    director = director_of(armature)
    if director is None:
        raise GraphError(f"'{armature.name}' has no director. Switch a verb on, which adds one.")
    frames = key_frames(options.start, options.end, options.step)
    playable = playable_to_bake(armature, director)
    names = playable.graph.layers.names if playable.graph.layers is not None else ()
    if not names:
        raise LayerError(f"'{armature.name}' has no layers that could have strips of their own. Bake one action.")
    check_values(f"The bake of '{armature.name}'", len(frames) * (len(names) + 1), playable.channels.width)
    plan = make_plan(armature, playable.channels)
    whole = playable.gather(director, np.array(origin_of(director, armature)), frames, scene)
    stages = [_stage(armature, plan, whole, count) for count in range(len(names) + 1)]
    found = [Strip(BOTTOM, (*stages[0], *ancestor_tracks(plan, float(frames[0]))))]
    for name, below, above in zip(names, stages[:-1], stages[1:], strict=True):
        changed = _changed(below, above)
        poses = [pair for pair in changed if combine and pair[1].path.endswith(TRANSFORMS)]
        others = tuple(over for under, over in changed if not (combine and over.path.endswith(TRANSFORMS)))
        if poses:
            found.append(Strip(name, tuple(_difference(*pair) for pair in poses), "COMBINE"))
        if others:
            found.append(Strip(f"{name} values" if poses else name, others))
    return found


def _stage(armature: Object, plan: PosePlan, whole: Request, count: int) -> list[Track]:
    """Tracks of what is played with the lowest `count` layers."""
    request = replace(whole, graph=showing(whole.graph, count))
    played = computed(("stage", armature.session_uid, id(whole.graph), count, whole.digest), request.compute)
    return list(tracks_of(plan, played.values, played.frames))


def _changed(below: list[Track], above: list[Track]) -> list[tuple[Track, Track]]:
    """The tracks that a layer changes, without and with it, from the first to the last frame at which it does so."""
    pairs: list[tuple[Track, Track]] = []
    rows = np.zeros(len(below[0].frames), dtype=bool)
    for one, other in zip(below, above, strict=True):
        values = quat.align(other.values, one.values) if other.rotation == "QUATERNION" else other.values
        apart = np.abs(values - one.values).max(axis=-1) > CHANGED
        if apart.any():
            pairs.append((one, other))
            rows |= apart
    places = np.flatnonzero(rows)
    kept = np.arange(max(places[0] - 1, 0), min(places[-1] + 2, len(rows))) if pairs else places
    return [(one.rows(kept), other.rows(kept)) for one, other in pairs]


def _difference(below: Track, above: Track) -> Track:
    """The track that, combined by Blender with the one below, gives the one above."""
    if above.rotation == "QUATERNION":
        ways = quat.multiply(quat.conjugate(below.values), above.values)
        return replace(above, values=quat.continuous(quat.align(ways, quat.IDENTITY)))
    if above.path.endswith(".scale"):
        return replace(above, values=above.values / below.values)
    return replace(above, values=above.values - below.values)


def _put(armature: Object, strip: Strip, action: Action, above: NlaTrack | None, end: float) -> NlaTrack:
    """Put an action into an NLA track of its own, just above another one or on top, and return the track."""
    tracks = armature.animation_data.nla_tracks
    track = tracks.new() if above is None else tracks.new(prev=above)
    track.name = cut(f"{armature.name} {strip.name}", "")
    first, last = strip.frames
    made = track.strips.new(strip.name, round(first), action)
    slot = slot_of(action, armature)
    if slot is not None:
        made.action_slot = slot
    made.action_frame_start, made.action_frame_end = first, last
    made.frame_start, made.frame_end = first, last
    made.extrapolation = "HOLD" if strip.name == BOTTOM else "HOLD_FORWARD" if last >= end else "NOTHING"
    made.blend_type, made.use_auto_blend = strip.blend, False
    made.influence = 1.0
    return track
