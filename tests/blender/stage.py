"""A biped with a walk to direct, and measures of what Blender shows."""

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
from blender.installed import MODULE, USER_FOLDER

FPS = 24.0
REST = ("location", "rotation_quaternion", "rotation_euler", "rotation_axis_angle", "scale")


def part(name: str):
    """Import a module of the installed extension."""
    return importlib.import_module(f"{MODULE}.{name}")


def go_to(frame: float) -> None:
    bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))


def pose_of(armature) -> np.ndarray:
    """Matrices (J, 4, 4) of all bones in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([seen.matrix_world @ bone.matrix for bone in seen.pose.bones])


def poses_at(armature, frames) -> np.ndarray:
    """Matrices (T, J, 4, 4) of all bones in the world at some frames."""
    found = []
    for frame in frames:
        go_to(frame)
        found.append(pose_of(armature))
    return np.array(found)


def joints_of(armature, names) -> np.ndarray:
    """Heads (J, 3) of the named bones in the world."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([seen.matrix_world @ seen.pose.bones[name].head for name in names])


def core_joints(verb, values) -> np.ndarray:
    """Heads (T, J, 3) of the joints for values of a verb, as core computes them."""
    return part("core.figure.channels").world_joints(verb.channels, values)


def planted(verb, adverbs, seconds) -> np.ndarray:
    """Values (T, width) of a verb at constant adverbs with its points held, as core has them."""
    score, graph = part("core.play.score"), part("core.graph.verb_graph").graph_of(verb)
    told = zip(verb.adverb_names, adverbs, strict=True)
    tracks = {name: score.Track(np.zeros(1), np.array([value])) for name, value in told}
    wanted = score.Score(verb.name, adverbs=tracks, settle=0.0, lead=1)
    player = part("core.feet.constrained_player").ConstrainedPlayer(
        score.player_of(graph, wanted), None, False, "hinge"
    )
    return score.record(player, wanted, np.asarray(seconds)).values


def opened_again(name: str, make: Callable[[], object]):
    """Return the armature of a file that is made once and opened again for each further test, active and selected."""
    saved = USER_FOLDER / f"{name}.blend"
    if not saved.is_file():
        make()
        bpy.ops.wm.save_as_mainfile(filepath=str(saved), copy=True)
    bpy.ops.wm.open_mainfile(filepath=str(saved), load_ui=False)
    return bpy.context.object


def walking_biped():
    """Return the biped with the verb 'walk' over mood, slope and turn; the first example is assigned."""
    return opened_again("walking biped", _add_walking_biped)


def _add_walking_biped() -> None:
    bpy.context.scene.frame_end = 60
    assert bpy.ops.verbs_adverbs.add_biped() == {"FINISHED"}


def live_biped():
    """Return the biped with its verb on the timeline, as `live_on` puts it there."""
    found = walking_biped()
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return found


def built_verb(armature):
    return part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])


def state_of(armature) -> dict:
    """Everything about an armature that must be as before when a verb is switched off."""
    data = armature.animation_data
    settings = ("use_nla", "action_blend_type", "action_extrapolation", "action_influence")
    slot = getattr(data, "action_slot", None)
    return {
        "bones": {b.name: [tuple(getattr(b, n)) for n in REST] + [b.rotation_mode] for b in armature.pose.bones},
        "object": [tuple(getattr(armature, n)) for n in REST],
        "action": data and data.action and data.action.name,
        "slot": slot and slot.identifier,
        "settings": data and [getattr(data, n) for n in settings],
        "matrices": pose_of(armature).tobytes(),
        "actions": sorted(bpy.data.actions.keys()),
    }


def expected_joints(armature, frame: float) -> np.ndarray:
    """Places of the joints (J, 3) as core computes them for the director's sliders, with feet locked."""
    verb = built_verb(armature)
    director = armature.verbs_adverbs.director
    adverbs = [director[name] for name in verb.adverb_names]
    start = director.verbs_adverbs.start_frame
    return core_joints(verb, planted(verb, adverbs, [(frame - start) / 24.0]))[0]


def miss_of(armature, frame: float) -> float:
    names = built_verb(armature).channels.skeleton.names
    return float(np.abs(joints_of(armature, names) - expected_joints(armature, frame)).max())


def saved_and_loaded(folder: Path):
    """Save the file and open it again; returns the biped of the opened file, made active."""
    path = str(folder / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    armature = bpy.data.objects["Biped"]
    bpy.context.view_layer.objects.active = armature
    return armature


def rested(folder: Path) -> None:
    """Bring everything that is live up to date by saving; in a window a pause in the user's work does that."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "rested.blend"), copy=True)
    bpy.context.view_layer.update()


def drag(director, **sliders: float) -> None:
    for name, value in sliders.items():
        director[name] = value
    director.update_tag()
    bpy.context.view_layer.update()


def job_of(again: Callable[[], object]):
    """A job as a window makes it, to be continued by hand."""
    return part("bridge.blender.jobs").Job("timeline", "Computing the motion", again)


def to_its_end(job) -> Iterator[None]:
    """Continue a job, and yield after each slice, until it has come to its end."""
    done = job.attempt(0.0)
    while not done:
        yield
        done = job.go_on()
