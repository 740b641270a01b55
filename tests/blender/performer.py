"""Performing on a virtual clock, which ticks as fast as the machine computes."""

from collections.abc import Callable

import bpy
import numpy as np
from blender.performance import begin_with, biped_with_graph
from blender.stage import FPS, go_to, part

TICK = 1.0 / 60.0


def walker(begins: str = "walk", directed: bool = False, make: Callable[[], object] = biped_with_graph):
    """Body of a fixture: yields a figure, whose performance begins with a verb, and ends the performance at last."""
    made = make()
    begin_with(made, begins)
    if directed:
        part("bridge.data.director").ensure_director(made)
    bpy.context.view_layer.update()
    yield made
    if session() is not None:
        end()


def begin(*armatures):
    """Begin to perform, with the take beginning at once; returns the virtual clock."""
    clock = wait(*armatures)
    set_off = getattr(session(), "set_off", None)
    if set_off is not None:
        set_off()
    return clock


def wait(*armatures):
    """Begin to perform as the button does, with the take waiting for the first command; returns the virtual clock."""
    clock = part("core.play.simulator").VirtualClock()
    part("bridge.session.performing").begin(armatures, bpy.context.scene, clock)
    return clock


def session():
    return part("bridge.session.live_characters").performance


def take(armature=None):
    """What an armature, or the active one, needs while it is performed."""
    return session().take_of(armature)


def character(armature=None):
    return take(armature).character


def play(clock, seconds: float, ask=None, tick: float = TICK, each: Callable[[], None] | None = None) -> bool:
    """Tick for some seconds and call functions at given times; returns whether the performance still goes on.

    Parameters
    ----------
    ask : functions to call, by the second at which each is called.
    each : function that is called after every tick.
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
    take(armature).command(armature.verbs_adverbs.verbs[verb].uid)


def shown_root(armature) -> np.ndarray:
    """Place (3,) of the root bone's head in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array(seen.matrix_world @ seen.pose.bones["Hips"].head)


def noting(armature, seen: dict) -> Callable[[], None]:
    """Return a function to be called after every tick, which records the root's place at whole frames in `seen`."""

    def see() -> None:
        frame = session().frames.shown[-1].time * FPS
        if abs(frame - round(frame)) < 1e-6:
            seen[round(frame) + 1] = shown_root(armature)

    return see


def missed(armature, seen: dict) -> float:
    """Largest distance over the floor between the root's places `seen` while performing and those on the timeline."""
    apart = []
    for frame, place in seen.items():
        go_to(frame)
        apart.append(np.abs(shown_root(armature) - place)[:2].max())
    return max(apart)
