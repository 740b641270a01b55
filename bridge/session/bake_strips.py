"""Baking what is played to NLA strips: one for the base motion, and one for each layer over it.

Each layer's strip contains the bones that the layer changes, from the first to the last frame where it does. It
replaces the strips below, or is combined with them. Either way Blender plays the same motion as from a single action.
"""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from bpy.types import Action, NlaTrack, NlaTracks, Object, Scene
from numpy.typing import NDArray

from ...core.bounds import check_values
from ...core.errors import LayerError
from ...core.figure import quaternion as quat
from ...core.layers.layer_set import showing
from ..action.bake_record import OF_STRIP, record_of
from ..action.baked_curves import packed
from ..action.generated_action import NUMBERED, keep
from ..action.nla_strips import fill_strip, follow, new_strip, uses_of
from ..action.tracks import COMBINED, Track, ancestor_tracks, difference, keys_of, new_action, tracks_of, write_keys
from ..action.write_pose import PosePlan
from ..blender.naming import cut
from ..blender.store import made
from ..blender.versions import bag_unassigned, slot_of
from ..data.schema import new_uid
from .bake import PerformanceOptions, resolved, score_of_bake
from .bakes.baked import Baked, empty, first_verb, note_bake, write_again
from .request import Request

Array = NDArray[np.float64]

CHANGED = 1e-6
"""Smallest difference in a property's component that counts as a change by a layer."""
BOTTOM = "base"
MARK = "verbs_adverbs_strip"
"""Custom property of the actions that are baked here; tracks that hold others are the user's."""


@dataclass(frozen=True, eq=False)
class Strip:
    """The content of one NLA strip.

    Parameters
    ----------
    name : name of the strip, made from the layer's.
    layer : name of the layer, or that of the base.
    tracks : the properties with their keys.
    blend : Blender's blend type for it.
    """

    name: str
    layer: str
    tracks: tuple[Track, ...]
    blend: Literal["REPLACE", "COMBINE"] = "REPLACE"


@dataclass(frozen=True)
class StripOptions(PerformanceOptions):
    """What to bake, as for a performance; keys are not reduced.

    Parameters
    ----------
    combine : whether the layers' strips hold differences, which Blender combines with the strips below.
    """

    combine: bool = False


@dataclass(frozen=True, eq=False)
class BakedStrip(Baked):
    """The bake of one strip.

    Parameters
    ----------
    title : its name in the NLA.
    layer : identifies the strip, even after a layer is renamed.
    blend : Blender's blend type for it.
    begins, ends : first and last frame at which it is active; where nothing moves there is only one key.
    """

    title: str = ""
    layer: str = ""
    blend: Literal["REPLACE", "COMBINE"] = "REPLACE"
    begins: float = 0.0
    ends: float = 0.0

    @property
    def span(self) -> tuple[float, float]:
        """First and last frame at which the strip is active."""
        return self.begins, self.ends


def write_strips(armature: Object, strips: Sequence[BakedStrip]) -> list[str]:
    """Write bakes to actions, and put them into NLA tracks of the armature.

    They replace those of an earlier bake. Tracks of the user, and those that the user has locked or put strips of other
    actions into, stay as they are. Those with animated strips, such as keys on their influence, stay too, but are
    muted: their names are returned. On failure nothing is changed.
    """
    together = new_uid()
    with ExitStack() as made:
        actions = [made.enter_context(_new_action(armature, strip, together)) for strip in strips]
        former = [track for track in _tracks(armature) if _is_ours(track)]
        above = former[-1] if former else None
        for strip, action in zip(strips, actions, strict=True):
            above = _put(armature, strip, action, above)
        muted = [track for track in former if any(len(one.fcurves) for one in track.strips)]
        for track in former:
            if track in muted:
                track.mute = True
            else:
                _tracks(armature).remove(track)
    for action in actions:
        keep(action)
    return [track.name for track in muted]


@contextmanager
def _new_action(armature: Object, strip: BakedStrip, together: str) -> Iterator[Action]:
    with new_action(strip.name) as action:
        write_keys(bag_unassigned(armature, action), strip.keys, handles=True)
        note_bake(armature, action, strip)
        record_of(action).together, record_of(action).layer = together, strip.layer
        action[MARK] = True
        yield action


def strips_again(
    armature: Object, actions: Sequence[Action], strips: Sequence[BakedStrip]
) -> tuple[list[Action], list[str]]:
    """Write strips to the actions of an earlier bake; return all actions, and messages for the user.

    The strips' ends are adjusted. A layer that had no effect before gets a strip, one that has none now an empty one.
    """
    known, told, above = {record_of(one).layer: one for one in actions}, list[str](), None
    together, written = record_of(actions[0]).together, list[Action]()
    for strip in strips:
        action = known.pop(strip.layer, None)
        if action is None:
            with _new_action(armature, strip, together) as action:
                keep(action)
                above, said = _put_again(armature, strip, action, above, actions)
            told.append(said)
        else:
            before = record_of(action).first, record_of(action).last
            write_again(armature, action, strip)
            for use in uses_of(action):
                if use.track is not None and use.strip is not None:
                    follow(use.track, use.strip, before, strip.span)
                    above = use.track if use.owner == armature else above
        written.append(action)
    for action in known.values():
        empty(armature, action)
        told.append(f"'{action.name}' is no longer part of the bake, because its layer does nothing.")
    return written, told


def _is_ours(track: NlaTrack) -> bool:
    """Return whether a track contains only strips baked here, and is not locked by the user."""
    return bool(track.strips) and not track.lock and all(one.action and MARK in one.action for one in track.strips)


def bakes_of_strips(armature: Object, options: StripOptions, scene: Scene) -> list[BakedStrip]:
    """Return the bakes of what an armature's director plays as strips, from the bottom up, ready to be written.

    Parameters and errors are those of `bake_of_performance`.
    """
    director, plan, request = resolved(armature, options, scene)
    options = options.settled(director)
    found, layers = _strips(armature, options, plan, request), armature.verbs_adverbs.layers
    uids, score = {item.name: item.uid for item in layers}, score_of_bake(director, armature, options)
    made: list[BakedStrip] = []
    for strip in found:
        keys = keys_of(strip.tracks)
        layer = f"{uids.get(strip.layer, strip.layer)} {strip.blend}"
        name = f"{options.name or armature.name} {strip.name}"
        verb = first_verb(armature)
        begins, ends = strip.tracks[0].frames[[0, -1]].tolist()
        one = BakedStrip(
            *(OF_STRIP, options, name, keys, packed(keys), verb),
            title=strip.name,
            layer=layer,
            blend=strip.blend,
            begins=begins,
            ends=ends,
            score=score,
        )
        made.append(one)
    return made


def _strips(armature: Object, options: StripOptions, plan: PosePlan, whole: Request) -> list[Strip]:
    """Return the strips' contents, from the bottom to the highest layer that changes anything."""
    combine, frames, layers = options.combine, whole.frames, whole.graph.layers
    names = layers.names if layers is not None else ()
    if not names:
        raise LayerError(f"'{armature.name}' has no layers to bake to separate strips. Bake to one action.")
    check_values(f"The bake of '{armature.name}'", len(frames) * (len(names) + 1), whole.graph.channels.width)
    stages = [_stage(plan, whole, count) for count in range(len(names) + 1)]
    found = [Strip(BOTTOM, BOTTOM, (*stages[0], *ancestor_tracks(plan, float(frames[0]))))]
    for name, below, above in zip(names, stages[:-1], stages[1:], strict=True):
        changed = _changed(below, above)
        poses = [pair for pair in changed if combine and pair[1].path.endswith(COMBINED)]
        others = tuple(over for under, over in changed if not (combine and over.path.endswith(COMBINED)))
        if poses:
            found.append(Strip(name, name, tuple(difference(*pair) for pair in poses), "COMBINE"))
        if others:
            found.append(Strip(f"{name} values" if poses else name, name, others))
    return found


def _stage(plan: PosePlan, whole: Request, count: int) -> list[Track]:
    """Return the tracks of what is played with the lowest `count` layers."""
    shown = made(("showing", whole.graph, count), lambda: showing(whole.graph, count))
    played = replace(whole, graph=shown).play()
    return list(tracks_of(plan, played.values, played.frames))


def _changed(below: list[Track], above: list[Track]) -> list[tuple[Track, Track]]:
    """Return the tracks that a layer changes, without and with it, from the first to the last changed frame."""
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


def _put(armature: Object, strip: BakedStrip, action: Action, above: NlaTrack | None) -> NlaTrack:
    """Put an action into an NLA track of its own, just above another one or on top, and return the track."""
    tracks = _tracks(armature)
    track = tracks.new() if above is None else tracks.new(prev=above)
    track.name = cut(f"{armature.name} {strip.title}", "")
    made = new_strip(track, action, slot_of(action, armature), strip.span, strip.title)
    ends = strip.ends >= float(strip.options.end)
    made.extrapolation = "HOLD" if strip.title == BOTTOM else "HOLD_FORWARD" if ends else "NOTHING"
    made.blend_type, made.influence = strip.blend, 1.0
    return track


def _put_again(
    armature: Object, strip: BakedStrip, action: Action, above: NlaTrack | None, actions: Sequence[Action]
) -> tuple[NlaTrack | None, str]:
    """Put an action into the strip whose action was deleted, else into a track of its own, and report that.

    Returns the track, None if it had to go on top of tracks that it belongs below. Inactive strips do not count as
    strips of this bake, nor do those with another blend type.

    Parameters
    ----------
    above : the track of the strip below, None for the lowest one.
    actions : the remaining actions of the earlier bake.
    """
    tracks = _tracks(armature)
    for track in tracks:
        for one in track.strips if not (track.lock or track.mute) else ():
            named = cut(strip.title, "") in (one.name, NUMBERED.sub("", one.name))
            like = named and not one.mute and one.blend_type == strip.blend
            if one.action is None and one.type == "CLIP" and like:
                fill_strip(track, one, action, slot_of(action, armature), strip.span)
                return track, f"The strip '{strip.title}' has an action again; its old one had been deleted."
    ours = [row for row, track in enumerate(tracks) if any(one.action in actions for one in track.strips)]
    beneath = above is None and bool(ours)
    if beneath and ours[0] > 0:
        above = tracks[ours[0] - 1]
    track = _put(armature, strip, action, above)
    if beneath and ours[0] == 0:
        track.mute = True
        return None, (
            f"'{strip.title}' has a new strip, muted and at the top of the NLA. Move its track below the others (Track "
            "> Track Ordering > To Bottom), and unmute it."
        )
    return track, f"'{strip.title}' has a new strip."


def _tracks(armature: Object) -> NlaTracks:
    return armature.animation_data_create().nla_tracks
