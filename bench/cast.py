"""Characters in Blender, made twice: the ones are performed, the others play what was performed from baked actions."""

from typing import Any

import bpy
import numpy as np
from bpy.types import Object

from ..core.figure import quaternion as quat
from ..core.figure.skeleton import Skeleton, forward_kinematics
from ..core.graph.verb_graph import VerbGraph
from ..core.play.simulator import VirtualClock
from .installed import module
from .synthetic import wandering

FRAME = 1.0 / 60.0


class Cast:
    """Characters that perform a graph of one verb, and their doubles.

    Parameters
    ----------
    graph : of them all.
    count : how many there are.
    frames : that are shown each time.
    """

    def __init__(self, graph: VerbGraph, count: int, frames: int) -> None:
        self._graph, self._frames = graph, frames
        self._path = wandering(frames)
        first = _make_armature(graph.channels.skeleton)
        _define(first, graph)
        self._armatures = [first, *(_copied(first) for _ in range(count - 1))]
        directors = module("bridge.data.director")
        self._directors = [directors.ensure_director(armature) for armature in self._armatures]
        self._move_sliders(0)
        self._performances = {(m, k): self._performance(k) for m in (False, True) for k in (False, True)}
        self._bake([_copied(first) for _ in range(count)])

    def perform(self, moving: bool, locked: bool) -> None:
        """Show the frames, each as one tick of a performance, with sliders that move or rest, with or without locks."""
        performance, clock = self._performances[moving, locked]
        layer, tick = bpy.context.view_layer, module("bridge.session.performance").tick
        module("bridge.session.live_characters").performance = performance
        self._move_sliders(0)
        for frame in range(self._frames):
            if moving:
                self._move_sliders(frame)
            clock.spend(FRAME)
            tick()
            layer.update()

    def play_bakes(self) -> None:
        """Let Blender play the same frames from the doubles' actions."""
        for frame in range(self._frames):
            bpy.context.scene.frame_set(frame)

    def _performance(self, locked: bool) -> tuple[Any, VirtualClock]:
        clock = VirtualClock()
        performance = module("bridge.session.performance").Performance(bpy.context.scene, clock)
        unknown = module("bridge.session.saved_state").Before(True, {}, "", {}, None, "", None, ("", "", None, None))
        character, take = module("bridge.session.character"), module("bridge.session.ongoing_take").OngoingTake
        playable = module("bridge.session.playable").Playable(self._graph, "")
        known = module("bridge.session.live_characters").characters
        for armature, director in zip(self._armatures, self._directors, strict=True):
            director.verbs_adverbs.performance.lock_feet = locked
            one, display = character.Character(armature, director), character.display_of(armature, director, playable)
            one.display, one.take = display, take(one, armature, director, display, unknown)
            known[director.session_uid] = one
            director.verbs_adverbs.live = director.verbs_adverbs.performance.in_hand = True
            performance.characters.append(one)
        performance.set_off()
        return performance, clock

    def _move_sliders(self, frame: int) -> None:
        names = self._graph.verbs[0].adverb_names
        for director in self._directors:
            for name, value in zip(names, self._path[frame], strict=True):
                director[name] = value

    def _bake(self, doubles: list[Object]) -> None:
        """Write a row of the first character for each frame to an action of each double."""
        (performance, clock), rows = self._performance(False), []
        for frame in range(self._frames):
            self._move_sliders(frame)
            clock.spend(FRAME)
            performance.simulator.due()
            rows.append(performance.characters[0].display.shown)
        plan = module("bridge.action.write_pose").make_plan(doubles[0], self._graph.channels)
        tracks = list(module("bridge.action.tracks").tracks_of(plan, np.array(rows), np.arange(0.0, self._frames)))
        for double in doubles:
            bag = module("bridge.blender.versions").bag_for_write(double, bpy.data.actions.new("Baked"))
            module("bridge.action.tracks").write_tracks(bag, tracks)


def _make_armature(skeleton: Skeleton) -> Object:
    armature = bpy.data.objects.new("Walker", bpy.data.armatures.new("Walker"))
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    rests = np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton.names), 1))
    places, turns = forward_kinematics(skeleton, rests, np.zeros((1, len(skeleton.names), 3)))
    bpy.ops.object.mode_set(mode="EDIT")
    for joint, name in enumerate(skeleton.names):
        bone = armature.data.edit_bones.new(name)
        bone.tail = skeleton.tails[joint]
        frame = np.eye(4)
        frame[:3, :3], frame[:3, 3] = quat.to_matrix(turns[0, joint]), places[0, joint]
        bone.matrix = frame.T.tolist()
        if skeleton.parents[joint] >= 0:
            bone.parent = armature.data.edit_bones[skeleton.names[skeleton.parents[joint]]]
    bpy.ops.object.mode_set(mode="OBJECT")
    return armature


def _copied(armature: Object) -> Object:
    double = armature.copy()
    double.data = armature.data.copy()
    double.verbs_adverbs.director = None
    bpy.context.collection.objects.link(double)
    return double


def _define(armature: Object, graph: VerbGraph) -> None:
    """Write the verb and its adverbs to the armature, without the examples: it is built already."""
    definitions, verb = module("bridge.build.definitions"), graph.verbs[0]
    definitions.add_verb(armature, verb.name)
    for name in verb.adverb_names:
        definitions.add_adverb(armature, name)
