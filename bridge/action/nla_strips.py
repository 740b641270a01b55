"""NLA strips of baked actions: where an action is used, strips that follow its length, and layers above it.

With an action assigned above the NLA with the blend type Combine, Blender itself converts what is keyed into the
difference from the strips below, quaternions included.
"""

from typing import NamedTuple

import bpy
from bpy.types import Action, AnimData, NlaStrip, NlaTrack, Object

from ..blender.naming import cut
from ..blender.versions import slot_of
from ..data.current import is_linked

SAME_FRAME = 1e-2
HEARD_ALONE = "REPLACE"

Span = tuple[float, float]


class Use(NamedTuple):
    """Where an action is used.

    Parameters
    ----------
    owner : the object that it moves.
    track, strip : the NLA strip with its track; None where the action is assigned.
    """

    owner: Object
    track: NlaTrack | None = None
    strip: NlaStrip | None = None


def uses_of(action: Action) -> list[Use]:
    """Return where objects use an action: assigned, in NLA strips, or stored while a verb plays."""
    found: list[Use] = []
    for owner in bpy.data.objects:
        data = owner.animation_data
        if data is None:
            continue
        if data.action == action or _set_aside(owner) == action:
            found.append(Use(owner))
        found += [
            Use(owner, track, strip) for track in data.nla_tracks for strip in track.strips if strip.action == action
        ]
    return found


def _set_aside(owner: Object) -> Action | None:
    """Return the action that is restored to an armature when the verb that moves it is switched off."""
    own = owner.verbs_adverbs
    holder = own.director if own.director is not None and own.director.verbs_adverbs.directs == owner else owner
    return holder.verbs_adverbs.saved_action if holder.verbs_adverbs.live or own.saved_pose else None


def follow(track: NlaTrack, strip: NlaStrip, before: Span, after: Span) -> None:
    """Move the ends of a strip along with those of its action; frames in between keep their timing.

    An end that the user has set to another frame of the action stays, and so do neighbouring strips.

    Parameters
    ----------
    before, after : first and last frame of the action.
    """
    scale, start = strip.scale, strip.frame_start
    first, last = strip.action_frame_start, strip.action_frame_end
    begin = after[0] if abs(first - before[0]) < SAME_FRAME else first
    finish = after[1] if abs(last - before[1]) < SAME_FRAME else last
    if (begin, finish) == (first, last) or not finish > begin:
        return
    others = [(one, one.frame_start, one.frame_end) for one in track.strips if one != strip]
    place = start + (begin - first) * scale
    place = max([place, *(end for _, _, end in others if end <= start + SAME_FRAME)])
    end = place + (finish - begin) * scale * strip.repeat
    end = min([end, *(begins for _, begins, _ in others if begins > start)])
    strip.action_frame_start, strip.action_frame_end = begin, finish
    strip.frame_start = place
    strip.frame_end = end
    for one, begins, ends in others:
        one.frame_start, one.frame_end = begins, ends


def push_down(owner: Object, span: Span) -> Use:
    """Push the assigned action down to a strip of a new track at the top of the NLA, and unassign it.

    Parameters
    ----------
    span : first and last frame that the strip plays.
    """
    data = _data_of(owner)
    assert data.action is not None
    action, slot, alone = data.action, getattr(data, "action_slot", None), not data.use_nla
    track = data.nla_tracks.new()
    track.name = cut(action.name, "")
    strip = new_strip(track, action, slot, span)
    strip.blend_type = HEARD_ALONE if alone else data.action_blend_type
    strip.extrapolation = "HOLD" if alone else data.action_extrapolation
    strip.influence = 1.0 if alone else data.action_influence
    data.action = None
    return Use(owner, track, strip)


def _data_of(owner: Object) -> AnimData:
    data = owner.animation_data
    assert data is not None
    return data


def new_strip(track: NlaTrack, action: Action, slot: object | None, span: Span, name: str = "") -> NlaStrip:
    """Put an action into a new strip of a track, which plays it from the first frame of a span to the last.

    Parameters
    ----------
    slot : the slot the strip plays; None where actions have none.
    name : name of the strip; the action's by default.
    """
    strip = track.strips.new(name or cut(action.name, ""), round(span[0]), action)
    if slot is not None:
        strip.action_slot = slot
    strip.action_frame_start, strip.action_frame_end = span
    strip.frame_start, strip.frame_end = span
    strip.use_auto_blend = False
    return strip


def fill_strip(track: NlaTrack, strip: NlaStrip, action: Action, slot: object | None, span: Span) -> None:
    """Put an action into a strip whose action was deleted; its ends are adjusted, the rest of the strip stays."""
    before = strip.action_frame_start, strip.action_frame_end
    strip.action = action
    if slot is not None:
        strip.action_slot = slot
    strip.action_frame_start, strip.action_frame_end = before
    follow(track, strip, before, span)


def layer_above(use: Use, action: Action, combines: bool) -> NlaStrip:
    """Put an action into a new track just above a strip, with the same time and influence, and return its strip.

    Parameters
    ----------
    combines : whether it is combined with what is below, or replaces it.
    """
    below = use.strip
    assert below is not None
    track = _data_of(use.owner).nla_tracks.new(prev=use.track)
    track.name, track.mute = cut(action.name, ""), use.track is not None and use.track.mute
    span = below.action_frame_start, below.action_frame_end
    strip = new_strip(track, action, slot_of(action, use.owner), span)
    strip.scale, strip.repeat, strip.use_reverse = below.scale, below.repeat, below.use_reverse
    strip.frame_start, strip.frame_end = below.frame_start, below.frame_end
    for name in ("extrapolation", "influence", "blend_in", "blend_out", "mute"):
        setattr(strip, name, getattr(below, name))
    strip.blend_type = "COMBINE" if combines else "REPLACE"
    return strip


def quieten(owner: Object, action: Action) -> list[str]:
    """Let the NLA play, and mute tracks that had no effect beside an action so far; returns their names.

    Tracks have no effect where the NLA was switched off, or another track is solo.
    """
    data = _data_of(owner)
    solo = [track for track in data.nla_tracks if track.is_solo]
    quiet = not data.use_nla or bool(solo)
    for track in solo:
        track.is_solo = False
    data.use_nla = True
    told: list[str] = []
    for track in data.nla_tracks if quiet else ():
        if track.strips and not track.mute and all(strip.action != action for strip in track.strips):
            track.mute = True
            told.append(track.name)
    return told


def foreign_action(action: Action) -> str:
    """Return a message on why the curves of an action cannot be written here, empty if they can."""
    if not is_linked(action):
        return ""
    if action.override_library is not None:
        return (
            f"Action '{action.name}' is a library override, and its curves belong to the library file. Edit it there, "
            "or make it local."
        )
    where = action.library.filepath if action.library is not None else ""
    return (
        f"Action '{action.name}' is linked from '{where}', and its curves belong to that file. Edit it there, or make "
        "it local."
    )
