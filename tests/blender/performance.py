"""A biped that stands, walks and waves, with a verb graph and commands."""

import bpy
import numpy as np
from blender.stage import FPS, opened_again, part

OPS = bpy.ops.verbs_adverbs
END = 200


def biped_with_verbs():
    """Return the biped with the verbs stand, wave and walk, without transitions."""
    return opened_again("biped with verbs", _add_verbs)


def biped_with_graph():
    """Return the biped with these verbs and with the suggested transition between every two of them."""
    return opened_again("biped with a graph", add_graph)


def _add_verbs() -> None:
    bpy.context.scene.frame_end = END
    assert OPS.add_biped(stand=True, wave=True) == {"FINISHED"}


def add_graph() -> None:
    """Add another biped with the graph to the scene."""
    _add_verbs()
    assert OPS.transitions_suggest() == {"FINISHED"}


def begin_with(armature, verb: str) -> None:
    assert OPS.start_verb(verb=armature.verbs_adverbs.verbs[verb].uid) == {"FINISHED"}


def performing_biped(**commands: float):
    """Return the biped performing on the timeline, beginning with standing; commands are given as verb=frame."""
    armature = biped_with_graph()
    begin_with(armature, "stand")
    for verb, frame in commands.items():
        assert OPS.command_add(verb=verb, frame=frame) == {"FINISHED"}
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.performance.active = True
    assert OPS.live_on() == {"FINISHED"}
    return armature


def graph_of(armature):
    return part("bridge.authoring.graph").graph_for(armature).graph


def recorded(armature, commands: dict[str, float], end: int = END, **options):
    """Return what core performs for commands at frames, with feet locked, at each frame from 1 to `end`."""
    score, graph = part("core.play.score"), graph_of(armature)
    asked = tuple(score.Command((frame - 1.0) / FPS, verb) for verb, frame in commands.items())
    given = {"adverbs": {}, **options}
    wanted = score.Score("stand", asked, **given)
    player = part("core.feet.constrained_player").ConstrainedPlayer(score.player_of(graph, wanted), knees="hinge")
    return score.record(player, wanted, np.arange(end) / FPS)
