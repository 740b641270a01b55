"""Baking a director's score: the whole performance as plain keyframes in a new action."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from bpy.types import Action, Object, PropertyGroup, Scene

from ...core.bounds import check_values
from ...core.errors import GraphError
from ...core.progress import Progress
from ..action.tracks import Keys, baked_tracks, keys_of, new_action, write_keys
from ..action.write_pose import make_plan
from ..blender.jobs import computed
from ..blender.versions import bag_unassigned
from ..build.graph import graph_for
from ..data.annotate import add_example, add_keytime, rename_keytime, scene_fps
from ..data.contacts import add_contact, add_window
from ..data.director import director_of, origin_of
from ..data.schema import ROOT_IS_OBJECT
from .annotate_bake import end_of
from .bake import key_frames
from .score import Performed, gather_score

STILL = 1e-6
NEARLY = 1e-3


@dataclass(frozen=True)
class PerformanceOptions:
    """What to bake.

    Parameters
    ----------
    name : of the action; the armature's when empty.
    start, end, step : whole frames; before the director's start frame the first pose is held.
    degrees, distance : leave out keys that are missed by no more than this, 0 for none; performance units.
    annotate : mark the whole as an example.
    """

    name: str = ""
    start: int = 1
    end: int = 250
    step: int = 1
    degrees: float = 0.0
    distance: float = 0.0
    annotate: bool = True


def bake_performance(armature: Object, options: PerformanceOptions, scene: Scene) -> Action:
    """Bake what an armature's director performs to a new action, with a slot that fits the armature, not assigned.

    Parameters
    ----------
    armature : armature object with a director.
    options : what to bake.
    scene : for the frame rate.

    Raises
    ------
    VerbsError
        If there is nothing to bake or it cannot be performed. No action is left behind.
    """
    director = director_of(armature)
    if director is None:
        raise GraphError(f"'{armature.name}' has no director. Add a command, which adds one.")
    frames = key_frames(options.start, options.end, options.step)
    graph = graph_for(armature, thorough=True).graph
    check_values(f"The bake of '{armature.name}'", len(frames), graph.channels.width)
    plan = make_plan(armature, graph.channels)
    asked = gather_score(director, graph, np.array(origin_of(director, armature)), frames, scene)
    key = armature.session_uid, id(graph), repr(options), blake2b(np.ascontiguousarray(asked.adverbs)).digest()
    performed = computed(("performed", *key), asked.perform)

    def thinned(tell: Progress) -> list[Keys]:
        values = performed.played.values
        return keys_of(baked_tracks(plan, values, frames, options.degrees, options.distance, tell))

    keys = computed(("performed keys", *key), thinned)
    with new_action(options.name or f"{armature.name} performed") as action:
        write_keys(bag_unassigned(armature, action), keys, handles=True)
        if options.annotate:
            annotate_performance(action, performed, scene_fps(scene))
    return action


def annotate_performance(action: Action, performed: Performed, fps: float) -> PropertyGroup:
    """Mark a baked performance as one example: a keytime where each verb begins to be entered, and its contacts."""
    frames, recording = performed.played.frames, performed.recording
    first, last = float(frames[0]), float(frames[-1])
    item = add_example(action, action.name, first, last, fps)
    travel = performed.played.values[:, :3]
    item.kind = "TRAVELLING" if np.abs(travel - travel[0]).max() > STILL else "STATIONARY"
    entered = [(performed.frame(h.time), h.name) for h in recording.happenings if h.kind == "transition"]
    rename_keytime(action, item.keytimes[0], recording.verbs[max(round(first - performed.start), 0)])
    for frame, name in entered:
        if first + NEARLY < frame < last - NEARLY and frame > item.keytimes[-2].frame + NEARLY:
            add_keytime(action, item, name, frame)
    _add_contacts(action, item, performed, first, last)
    item.active_contact = item.active_keytime = 0
    return item


def _add_contacts(action: Action, item: PropertyGroup, performed: Performed, first: float, last: float) -> None:
    for point in performed.graph.points:
        bone = performed.graph.channels.skeleton.names[point.joint]
        end = end_of(point.offset)
        for down, up in () if bone == ROOT_IS_OBJECT else _stands(performed, point.name):
            begin, finish = max(down, first), min(up, last)
            if finish - begin > NEARLY:
                add_window(action, item, add_contact(action, item, bone, end), begin, finish, snap=False)


def _stands(performed: Performed, point: str) -> list[tuple[float, float]]:
    """Frames in which a point stands; where it is put down as soon as it is lifted, it goes on standing."""
    marks = [mark for mark in performed.recording.marks if mark.kind == "contact" and mark.name == point]
    found: list[tuple[float, float]] = []
    for mark in marks:
        down, up = performed.frame(mark.start), performed.frame(mark.end)
        if found and down - found[-1][1] < NEARLY:
            down = found.pop()[0]
        found.append((down, up))
    return found
