"""A performance on a virtual clock: ticks, and what is asked for at which of them."""

from collections.abc import Callable

import bpy
import numpy as np
from blender.performance import begin_with, biped_with_graph
from blender.stage import FPS, go_to, part

TICK = 1.0 / 60.0


def walker():
    """For a fixture: the biped that begins to walk when it is performed; what is still performed then ends."""
    made = biped_with_graph()
    begin_with(made, "walk")
    bpy.context.view_layer.update()
    yield made
    if session() is not None:
        end()


def begin(*armatures):
    """Begin to perform, the clock going at once; returns the virtual clock."""
    clock = wait(*armatures)
    set_off = getattr(session(), "set_off", None)
    if set_off is not None:
        set_off()
    return clock


def wait(*armatures):
    """Begin to perform as the button does: nothing happens until something is asked for. Returns the virtual clock."""
    clock = part("core.play.simulator").VirtualClock()
    part("bridge.session.performing").begin(armatures, bpy.context.scene, clock)
    return clock


def session():
    return part("bridge.session.in_hand").session


def character(armature=None):
    return session().character_of(armature)


def play(clock, seconds: float, ask=None, tick: float = TICK, each: Callable[[], None] | None = None) -> bool:
    """Tick for so long, doing at their seconds what is asked; returns whether the performance still goes on.

    Parameters
    ----------
    ask : what to do, by the second at which to do it.
    each : done after every tick.
    """
    waiting = sorted((ask or {}).items(), key=lambda one: one[0])
    goes_on, until = True, clock.now() + seconds
    while clock.now() < until - 1e-9 and goes_on:
        while waiting and waiting[0][0] <= clock.now() + 1e-9:
            waiting.pop(0)[1]()
        goes_on = part("bridge.session.performing").tick()
        if each is not None and goes_on:
            each()
        clock.spend(tick)
    bpy.context.view_layer.update()
    return goes_on


def end() -> list[str]:
    return part("bridge.session.performing").end()


def command(armature, verb: str) -> None:
    character(armature).command(armature.verbs_adverbs.verbs[verb].uid)


def shown_root(armature) -> np.ndarray:
    """Place (3,) of the root bone's head in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(seen.matrix_world @ seen.pose.bones["Hips"].head)


def noting(armature, seen: dict) -> Callable[[], None]:
    """To be called at every tick: notes the root's places by whole frame."""

    def see() -> None:
        frame = session().frames.shown[-1].time * FPS
        if abs(frame - round(frame)) < 1e-6:
            seen[round(frame) + 1] = shown_root(armature)

    return see


def missed(armature, seen: dict) -> float:
    """Largest distance over the floor between what was performed, the root's places by frame, and the timeline."""
    apart = []
    for frame, place in seen.items():
        go_to(frame)
        apart.append(np.abs(shown_root(armature) - place)[:2].max())
    return max(apart)
