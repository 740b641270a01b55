"""Characters of one graph that are performed live, each with its own commands, and doubles that play their bakes."""

import time
from collections.abc import Iterable
from itertools import pairwise

import bpy
import numpy as np
from bpy.types import Action, Object

from ..core.play.simulator import VirtualClock
from ..demo.operate import do, make_active
from .biped import copied, wandering_sliders
from .installed import module

FPS = 60
PERIOD = 300
"""Frames after which a character gets the same commands again."""
ASKED = (("walk", "wave"), ("wave", "walk"), ("walk", "stand"))
"""Verbs commanded in turn, each character beginning with the second one."""
WALKING = (("walk", "walk"),)
FIRST = 200
"""Frames of a period from the first verb to the second one."""
APART = 3.0
SEED = 7


class Part:
    """The repeated commands of one of many characters.

    Parameters
    ----------
    place : index of the character among the others.
    verbs : verbs that are commanded in turn; it begins with the second one.

    Attributes
    ----------
    commands : verbs by the frame of the period in which they are commanded.
    """

    def __init__(self, place: int, verbs: tuple[str, str]) -> None:
        self.place, self.first_verb = place, verbs[1]
        begin = int(np.random.default_rng(SEED + place).integers(PERIOD))
        self.commands = {begin: verbs[0], (begin + FIRST) % PERIOD: verbs[1]}


class Troupe:
    """Characters that are performed by a virtual clock on request.

    Parameters
    ----------
    armatures : armatures with directors, whose sliders, seeds and first verbs are set.
    frames : length of their adverbs' paths.
    asked : pairs of verbs that are commanded.
    every : frames from one move of a character's sliders to the next, each character at its own phase; None
        if all rest.
    locked : whether their feet are locked.
    """

    def __init__(
        self,
        armatures: list[Object],
        frames: int,
        asked: tuple[tuple[str, str], ...] = ASKED,
        every: int | None = 1,
        locked: bool = True,
    ) -> None:
        self.armatures, count = armatures, len(armatures)
        self._moving = [[one for one in range(count) if one * every // count == turn] for turn in range(every or 0)]
        self._clock, self._frame = VirtualClock(), 0
        self._parts = [Part(place, asked[place % len(asked)]) for place in range(len(armatures))]
        self._directors = [armature.verbs_adverbs.director for armature in armatures]
        self._paths = [wandering_sliders(one, frames, SEED + place) for place, one in enumerate(self._directors)]
        for armature, part in zip(armatures, self._parts, strict=True):
            _tell(armature, part, locked)
        self._move_sliders(range(count))
        module("bridge.session.live_characters").performance = None
        self._performance = module("bridge.session.performing").begin(armatures, bpy.context.scene, self._clock)

    def set_off(self) -> None:
        """Start the takes now; otherwise they wait for a command."""
        self._performance.set_off()

    def perform(self, frames: int, evaluated: bool = True) -> list[float]:
        """Show some more frames, each as one tick of a performance, optionally evaluated by Blender.

        Returns
        -------
        seconds : time of each tick, with the evaluation.
        """
        layer, tick = bpy.context.view_layer, module("bridge.session.performing").tick
        module("bridge.session.live_characters").performance, seconds = self._performance, list[float]()
        for _ in range(frames):
            if self._moving:
                self._move_sliders(self._moving[self._frame % len(self._moving)])
            self._ask()
            begin = time.perf_counter()
            assert tick()
            if evaluated:
                layer.update()
            seconds.append(time.perf_counter() - begin)
            self._clock.spend(1.0 / FPS)
            self._frame += 1
        return seconds

    def evaluate(self, frames: int) -> None:
        """Write the shown poses again and let Blender evaluate them, `frames` times."""
        layer = bpy.context.view_layer
        for _ in range(frames):
            for take in self._performance.takes:
                take.show()
            layer.update()

    def end(self) -> None:
        """End the performance: the commands become the characters' scores, which play."""
        module("bridge.session.live_characters").performance = self._performance
        problems = module("bridge.session.performing").end()
        assert not problems, problems

    def _move_sliders(self, places: Iterable[int]) -> None:
        for place in places:
            director = self._directors[place]
            for name, value in self._paths[place][self._frame].items():
                director[name] = value

    def _ask(self) -> None:
        for armature, part in zip(self.armatures, self._parts, strict=True):
            verb = part.commands.get(self._frame % PERIOD)
            if verb is not None:
                self._performance.take_of(armature).command(armature.verbs_adverbs.verbs[verb].uid)


def _tell(armature: Object, part: Part, locked: bool) -> None:
    performance = armature.verbs_adverbs.director.verbs_adverbs.performance
    performance.seed, performance.lock_feet = part.place, locked
    make_active(armature)
    do("start_verb", verb=armature.verbs_adverbs.verbs[part.first_verb].uid)


def many(armature: Object, count: int) -> list[Object]:
    """Return an armature and copies of it beside it, each with a director."""
    if armature.verbs_adverbs.director is None:
        make_active(armature)
        do("director_add")
    armatures = [armature, *(copied(armature) for _ in range(count - 1))]
    for place, one in enumerate(armatures):
        one.location.x = one.verbs_adverbs.director.location.x = APART * place
    bpy.context.view_layer.update()
    return armatures


def play_bakes(
    armatures: list[Object],
    frames: tuple[int, int],
    baked: int,
    asked: tuple[tuple[str, str], ...] = ASKED,
    every: int = 1,
) -> int:
    """Perform characters from frame 1 on and let doubles of all play bakes; return the number of verb changes in these.

    Parameters
    ----------
    armatures : armatures with directors, which are unchanged afterwards.
    frames : the first and the last one that are baked.
    baked : number of characters with bakes; doubles of the others play copies of them.
    asked, every : those of `Troupe`.
    """
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, frames[1]
    troupe = Troupe(armatures[:baked], frames[1], asked, every)
    troupe.perform(frames[1])
    troupe.end()
    changes, actions = 0, list[Action]()
    for armature in troupe.armatures:
        make_active(armature)
        name = f"{armature.name} baked"
        do("bake_performance", name=name, frame_start=frames[0], frame_end=frames[1], assign=False)
        do("live_off")
        armature.verbs_adverbs.director.animation_data_clear()
        actions.append(bpy.data.actions[name])
        keytimes = actions[-1].verbs_adverbs.examples[0].keytimes
        changes += sum(a.name != b.name for a, b in pairwise(list(keytimes)[:-1]))
    for place, armature in enumerate(armatures):
        add_double(armature, actions[place] if place < len(actions) else actions[place % len(actions)].copy())
    return changes


def add_double(armature: Object, action: Action) -> None:
    """Make a copy without a director play an action."""
    double = armature.copy()
    double.data = armature.data.copy()
    double.verbs_adverbs.director = None
    bpy.context.collection.objects.link(double)
    module("bridge.blender.versions").assign_action(double, action)
