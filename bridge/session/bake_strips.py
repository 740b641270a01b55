"""Baking what is played to NLA strips: one for what lies at the bottom, and one for each layer over it.

Each layer's strip holds the bones that the layer changes, from where it begins to change them to where it ends. It
overrides the strips below, or is combined with them. Blender plays the same in both cases as one action of all would.
"""

from dataclasses import dataclass, replace

import numpy as np
from bpy.types import Action, NlaTrack, Object, Scene
from numpy.typing import NDArray

from ...core.bounds import check_values
from ...core.errors import GraphError, LayerError
from ...core.figure import quaternion as quat
from ...core.layers.layer_stack import showing
from ..action.tracks import Track, ancestor_tracks, keys_of, new_action, tracks_of, write_keys
from ..action.write_pose import PosePlan, make_plan
from ..blender.jobs import computed
from ..blender.versions import bag_unassigned, slot_of
from ..data.director import director_of, origin_of
from ..data.generated_action import keep
from .bake import PerformanceOptions, key_frames
from .playable import playable_of
from .request import Request

Array = NDArray[np.float64]

CHANGED = 1e-6
"""Difference of a property's component from which on a layer changes it."""
BOTTOM = "base"


@dataclass(frozen=True, eq=False)
class Strip:
    """What becomes an NLA strip.

    Parameters
    ----------
    name : of the layer, or that of the bottom.
    tracks : the properties with their keys.
    """

    name: str
    tracks: tuple[Track, ...]

    @property
    def frames(self) -> tuple[float, float]:
        """Its first and last frame."""
        return min(float(t.frames[0]) for t in self.tracks), max(float(t.frames[-1]) for t in self.tracks)


def bake_strips(armature: Object, options: PerformanceOptions, scene: Scene, combine: bool) -> list[Action]:
    """Bake what an armature's director plays to actions, and put these into NLA tracks of the armature.

    Tracks of an earlier bake under the same name are taken again, and stay where they are; those of the user stay as
    they are.

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
    actions: list[Action] = []
    for strip in strips:
        with new_action(f"{options.name or armature.name} {strip.name}") as action:
            write_keys(bag_unassigned(armature, action), keys_of(strip.tracks), handles=True)
        keep(action)
        actions.append(action)
    for strip, action in zip(strips, actions, strict=True):
        _put(armature, strip, action, "COMBINE" if combine and strip is not strips[0] else "REPLACE")
    return actions


def _strips(armature: Object, options: PerformanceOptions, scene: Scene, combine: bool) -> list[Strip]:
    """What becomes strips, from the bottom to the highest layer that changes anything."""
    director = director_of(armature)
    if director is None:
        raise GraphError(f"'{armature.name}' has no director. Switch a verb on, which adds one.")
    frames = key_frames(options.start, options.end, options.step)
    playable = playable_of(armature, director, thorough=True)
    names = playable.graph.layers.names if playable.graph.layers is not None else ()
    if not names:
        raise LayerError(f"'{armature.name}' has no layers that could have strips of their own. Bake one action.")
    check_values(f"The bake of '{armature.name}'", len(frames) * (len(names) + 1), playable.channels.width)
    plan = make_plan(armature, playable.channels)
    whole = playable.gather(director, np.array(origin_of(director, armature)), frames, scene)
    stages = [_stage(armature, plan, whole, count) for count in range(len(names) + 1)]
    found = [Strip(BOTTOM, (*stages[0], *ancestor_tracks(plan, float(frames[0]))))]
    for name, below, above in zip(names, stages[:-1], stages[1:], strict=True):
        changed = _changed(below, above, combine)
        if changed:
            found.append(Strip(name, changed))
    return found


def _stage(armature: Object, plan: PosePlan, whole: Request, count: int) -> list[Track]:
    """Tracks of what is played with the lowest `count` layers."""
    request = replace(whole, graph=showing(whole.graph, count))
    played = computed(("stage", armature.session_uid, id(whole.graph), count, whole.digest), request.compute)
    return list(tracks_of(plan, played.values, played.frames))


def _changed(below: list[Track], above: list[Track], combine: bool) -> tuple[Track, ...]:
    """The tracks that a layer changes, at the frames from the first to the last at which it changes any of them."""
    pairs: list[tuple[Track, Track]] = []
    rows = np.zeros(len(below[0].frames), dtype=bool)
    for one, other in zip(below, above, strict=True):
        values = quat.align(other.values, one.values) if other.rotation == "QUATERNION" else other.values
        apart = np.abs(values - one.values).max(axis=-1) > CHANGED
        if apart.any():
            pairs.append((one, other))
            rows |= apart
    if not pairs:
        return ()
    places = np.flatnonzero(rows)
    kept = np.arange(max(places[0] - 1, 0), min(places[-1] + 2, len(rows)))
    return tuple((_difference(one, other) if combine else other).rows(kept) for one, other in pairs)


def _difference(below: Track, above: Track) -> Track:
    """The track that, combined by Blender with the one below, gives the one above."""
    if above.held:
        return above
    if above.rotation == "QUATERNION":
        ways = quat.multiply(quat.conjugate(below.values), above.values)
        return replace(above, values=quat.continuous(quat.align(ways, quat.IDENTITY)))
    if above.path.endswith(".scale"):
        return replace(above, values=above.values / below.values)
    return replace(above, values=above.values - below.values)


def _put(armature: Object, strip: Strip, action: Action, blend: str) -> None:
    """Put an action into the NLA track of its name, which is made on top if there is none."""
    data = armature.animation_data_create()
    label = f"{armature.name} {strip.name}"
    track: NlaTrack | None = data.nla_tracks.get(label)
    if track is None:
        track = data.nla_tracks.new()
        track.name = label
    while track.strips:
        track.strips.remove(track.strips[0])
    first, last = strip.frames
    made = track.strips.new(strip.name, round(first), action)
    slot = slot_of(action, armature)
    if slot is not None:
        made.action_slot = slot
    made.action_frame_start, made.action_frame_end = first, last
    made.frame_start, made.frame_end = first, last
    made.extrapolation = "HOLD" if strip.name == BOTTOM else "NOTHING"
    made.blend_type, made.use_auto_blend = blend, False
    made.influence = 1.0
