"""Scores of directors, exported as JSON that people and programs can write too, and imported from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import degrees, radians
from typing import Any

import bpy
from bpy.types import FCurve, Object, Scene

from ...core.errors import MOST_CHOICES, ScoreError, VerbError, quoted
from ...core.play.written_score import FORMAT, FRAMES, KINDS, LOOKS, NAME, Key, Part, WrittenWord
from ..data.adverb_values import adverb_curves, check_said, path_of, slider_values, stepped_adverbs
from ..data.annotate import scene_fps
from ..data.commands import (
    add_command,
    ask_layer,
    clear_commands,
    command_keys,
    forget_keys,
    forget_layer_keys,
    layer_keys,
    set_key,
    verb_of_number,
)
from ..data.director import director_of, ensure_director
from ..data.layer_properties import sliders_of, switch_of
from ..data.schema import AT_OBJECT, EARLIEST, NO_LOOK
from ..data.transition_items import verb_of
from .layers import add_talk
from .said import said_words
from .talking import gesture_verbs, has_plan

Told = dict[str, Any]
OTHERWISE = "its adverbs cannot be keyed"


def told_score(armatures: Iterable[Object], scene: Scene) -> tuple[Told, list[str]]:
    """Return the scores of characters with a director as JSON data, in frames, and messages on what is left out.

    Parameters
    ----------
    scene : for the frame rate of words.
    """
    remarks: list[str] = []
    told = {one.name: _part(one, scene, remarks) for one in armatures if director_of(one) is not None}
    return {NAME: FORMAT, "time": FRAMES, "characters": told}, remarks


def _part(armature: Object, scene: Scene, remarks: list[str]) -> Told:
    director = director_of(armature)
    own, performance = director.verbs_adverbs, director.verbs_adverbs.performance
    begins = verb_of(armature, performance.start_verb)
    told: Told = {"begins_with": begins.name} if begins is not None else {}
    told |= {
        "start_frame": own.start_frame,
        "place": director.location[:],
        "heading": degrees(director.rotation_euler.z),
        "seed": performance.seed,
        "settle": performance.settle,
        "commands": [],
        "adverbs": _adverbs(armature, director, remarks),
    }
    for key in command_keys(director):
        verb = verb_of_number(armature, key.number)
        if verb is not None:
            told["commands"].append({"at": key.frame, "verb": verb.name})
        else:
            remarks.append(
                f"'{armature.name}': the command at frame {key.frame:g} is for a verb that no longer exists."
            )
    layers = {item.name: layer_keys(director, item) for item in armature.verbs_adverbs.layers}
    told["layers"] = {name: [{"at": at, "wish": wish} for at, wish in keys] for name, keys in layers.items() if keys}
    if own.speech.words:
        told["words"] = [_told_word(armature, director, one, scene_fps(scene)) for one in said_words(director)]
        if any(word.known > EARLIEST for word in own.speech.words):
            remarks.append(
                f"'{armature.name}': words that were said live are written as if they had been known in advance."
            )
    if any(name.startswith(("location", "rotation")) for name in adverb_curves(director)):
        remarks.append(f"'{armature.name}': its director is animated; only its position at this frame is written.")
    return told


def _adverbs(armature: Object, director: Object, remarks: list[str]) -> Told:
    names, curves, told = _sliders(armature), adverb_curves(director), dict[str, Any]()
    moved = stepped_adverbs(director, names)
    for name, value in zip(names, slider_values(director, names), strict=True):
        curve = curves.get(path_of(name))
        if name in moved:
            remarks.append(
                f"'{armature.name}': adverb '{name}' is controlled by a driver or strip; only its current value is "
                "written."
            )
        told[name] = value if curve is None or name in moved else _told_keys(armature, name, curve, remarks)
    return told


def _told_keys(armature: Object, name: str, curve: FCurve, remarks: list[str]) -> list[Told]:
    found: list[Told] = []
    if curve.modifiers:
        remarks.append(f"'{armature.name}': F-curve modifiers of adverb '{name}' are not written.")
    for point in curve.keyframe_points:
        kind = point.interpolation
        if kind not in KINDS:
            remarks.append(
                f"'{armature.name}': adverb '{name}' has {kind} interpolation at frame {point.co[0]:g}: written as "
                "BEZIER."
            )
        told: Told = {"at": point.co[0], "value": point.co[1], "interpolation": kind if kind in KINDS else "BEZIER"}
        told["handles"] = [point.handle_left_type, point.handle_right_type]
        told["left"], told["right"] = point.handle_left[:], point.handle_right[:]
        found.append(told)
    return found


def _told_word(armature: Object, director: Object, said: Any, fps: float) -> Told:
    item, verb = director.verbs_adverbs.speech.words[said.number], verb_of(armature, said.gesture)
    times = {"start": said.start * fps, "end": said.end * fps, "emphasis": said.target * fps}
    told: Told = {"text": said.text, **times}
    if verb is not None:
        told["gesture"] = verb.name
    if item.look in LOOKS:
        told["look"] = item.look
    elif item.look == AT_OBJECT and item.look_at is not None:
        told["look"] = {"object": item.look_at.name}
    return told


def _sliders(armature: Object) -> list[str]:
    """Return the names of the sliders stored in a score: all but the layers' switches, which are requests."""
    switches = {switch_of(item) for item in armature.verbs_adverbs.layers}
    return [item.name for item in sliders_of(armature) if item.name not in switches]


def check_names(armature: Object, part: Part) -> None:
    """Check that a character has everything that a score refers to.

    Raises
    ------
    ScoreError
        If it does not; the message says where in the score.
    """
    rig = armature.verbs_adverbs
    layers = [item.name for item in rig.layers]
    asked = [("begins_with", [part.begins_with] if part.begins_with is not None else [], "verb", rig.verbs.keys())]
    asked.append(("commands", [verb for _, verb in part.commands or ()], "verb", rig.verbs.keys()))
    asked.append(("adverbs", list(part.adverbs), "adverb", _sliders(armature)))
    asked.append(("layers", list(part.layers), "layer", layers))
    gestures = [word.gesture for word in part.words or () if word.gesture]
    asked.append(("words", gestures, "gesture", [item.name for item in gesture_verbs(armature)]))
    things = [word.look_at for word in part.words or () if word.look == AT_OBJECT]
    asked.append(("words", things, "object to look at", bpy.data.objects.keys()))
    for where, names, what, known in asked:
        _check_known(armature, where, names, what, known)


def _check_known(armature: Object, where: str, names: Sequence[str], what: str, known: Sequence[str]) -> None:
    unknown = next((name for name in names if name not in known), None)
    if unknown is not None:
        there = quoted(known, MOST_CHOICES) or "none"
        raise ScoreError(
            f"Score, characters / '{armature.name}' / {where}: there is no {what} '{unknown}'. Available: {there}."
        )


def put_score(armature: Object, part: Part, scene: Scene) -> None:
    """Apply a score to a character's director; settings that the score does not mention stay.

    Parameters
    ----------
    part : the character's part, whose names have been checked.
    scene : for the frame rate of words.

    Raises
    ------
    VerbsError
        If something cannot be keyed. What was applied before stays.
    """
    director = ensure_director(armature)
    own, performance = director.verbs_adverbs, director.verbs_adverbs.performance
    verbs = armature.verbs_adverbs.verbs
    performance.active = True
    if part.begins_with is not None:
        performance.start_verb = verbs[part.begins_with].uid
    if part.start_frame is not None:
        own.start_frame = part.start_frame
    if part.place is not None:
        director.location = part.place
    if part.heading is not None:
        director.rotation_mode, director.rotation_euler = "XYZ", (0.0, 0.0, radians(part.heading))
    performance.seed = performance.seed if part.seed is None else part.seed
    performance.settle = performance.settle if part.settle is None else part.settle
    if part.commands is not None:
        clear_commands(director)
        for frame, name in part.commands:
            add_command(director, verbs[name], frame)
    for name, wanted in part.adverbs.items():
        _put_adverb(director, name, wanted)
    if part.words is not None:
        _put_words(armature, director, part.words, scene_fps(scene))
    layers = {item.name: item for item in armature.verbs_adverbs.layers}
    for name, keys in part.layers.items():
        forget_layer_keys(director, layers[name])
        for frame, wish in keys:
            ask_layer(armature, layers[name], wish, frame)  # pyright: ignore[reportArgumentType]
    director.update_tag()


def _put_adverb(director: Object, name: str, wanted: float | tuple[Key, ...]) -> None:
    forget_keys(director, name, OTHERWISE)
    if not isinstance(wanted, tuple):
        check_said(director, name, wanted)
        director[name] = wanted
        return
    for key in wanted:
        check_said(director, name, key.value, key.at)
        director[name] = key.value
        if not set_key(director, name, key.at, "Adverbs"):
            raise VerbError(
                f"Blender could not key adverb '{name}' of '{director.name}' at frame {key.at:g}. Check whether its "
                "F-curve is locked."
            )
    director[name] = wanted[0].value
    _shape(adverb_curves(director)[path_of(name)], wanted)


def _shape(curve: FCurve, keys: Sequence[Key]) -> None:
    """Set the interpolation, handles and exact values of a curve's keys."""
    for point, key in zip(curve.keyframe_points, keys, strict=True):
        point.co, point.interpolation = (key.at, key.value), key.kind  # pyright: ignore[reportAttributeAccessIssue]
        point.handle_left_type, point.handle_right_type = key.handles  # pyright: ignore[reportAttributeAccessIssue]
    curve.update()
    for point, key in zip(curve.keyframe_points, keys, strict=True):
        if key.left is not None:
            point.handle_left = key.left
        if key.right is not None:
            point.handle_right = key.right


def _put_words(armature: Object, director: Object, words: Sequence[WrittenWord], fps: float) -> None:
    from ...core.words.stress import target_of
    from ...core.words.word import Word

    said, verbs = director.verbs_adverbs.speech.words, armature.verbs_adverbs.verbs
    said.clear()
    for word in words:
        item = said.add()
        item.text, item.start, item.end = word.text, word.start / fps, word.end / fps
        usual = target_of(Word(word.text, word.start / fps, word.end / fps))
        item.target = usual if word.emphasis is None else word.emphasis / fps
        item.gesture = verbs[word.gesture].uid if word.gesture else ""
        item.look = word.look or NO_LOOK
        item.look_at = bpy.data.objects[word.look_at] if word.look_at else None
    if not has_plan(armature):
        return
    talk = add_talk(armature)
    ensure_director(armature)
    if not layer_keys(director, talk):
        ask_layer(armature, talk, "start", director.verbs_adverbs.start_frame)


def starts_of(armatures: Mapping[str, Object]) -> dict[str, int]:
    """Return the start frames of characters; without a director, the scene's."""
    known = {name: director_of(one) for name, one in armatures.items()}
    scene = bpy.context.scene.frame_start
    return {name: one.verbs_adverbs.start_frame if one is not None else scene for name, one in known.items()}
