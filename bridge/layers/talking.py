"""Gestures and looks on the words of a director: which verbs are gestures, and the plan that a layer plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ...core.errors import LayerError, VerbsError
from ..build.verbs import built_for, signature
from ..data.annotate import scene_fps
from ..data.director import director_of
from ..data.example_list import referenced
from ..data.transition_items import verb_of
from ..rig.roles import roles_of
from .blending import curve_of, weights_of
from .colouring import colouring_adverbs, colours_of, forget_gestures, sizes_of
from .gestures import bounds_of, shows_gesture
from .looking import forget_told, gaze_signature, gazing_of_words, looked_words
from .said import Said, said_words, scene_with

if TYPE_CHECKING:
    from ...core.gesture.body_planner import Manners, Request
    from ...core.gesture.gesture import Gesture
    from ...core.gesture.plan import Plan
    from ...core.gesture.plan_layer import PlaysPlan
    from ...core.verb.verb import Verb

KEPT = 16
_plans: dict[str, PlaysPlan] = {}
"""Plans by what they are made from."""


def forget_plans() -> None:
    """Forget all plans, and the gestures in them."""
    _plans.clear()
    forget_gestures()
    forget_told()


def is_gesture(item: PropertyGroup) -> bool:
    """Whether a verb has the keytimes of a gesture, as far as its first example tells without being built."""
    shown = (referenced(reference) for reference in item.examples if reference.enabled)
    example = next((one for one in shown if one is not None), None)
    return example is not None and shows_gesture(example)


def gesture_verbs(armature: Object) -> list[PropertyGroup]:
    """Verbs of an armature that are gestures."""
    return [item for item in armature.verbs_adverbs.verbs if is_gesture(item)]


def words_with_gestures(armature: Object) -> list[Said]:
    """Words of an armature's director on which a gesture is played that the armature has, in order of emphasis."""
    director = director_of(armature)
    if director is None or not any(word.gesture for word in director.verbs_adverbs.speech.words):
        return []
    known = {item.uid for item in armature.verbs_adverbs.verbs}
    return sorted((word for word in said_words(director) if word.gesture in known), key=lambda word: word.target)


def has_plan(armature: Object) -> bool:
    """Whether the words of an armature's director ask for a gesture or a look that there is."""
    return bool(words_with_gestures(armature) or looked_words(armature))


def start_seconds(director: Object) -> float:
    """Seconds of the scene at which a director's performance begins."""
    return director.verbs_adverbs.start_frame / scene_fps(scene_with(director))


def colours_told(armature: Object) -> list[dict[str, float]]:
    """What colours the gestures that a layer of an armature plays, word by word; empty if no layer plays any.

    Raises
    ------
    VerbError
        See `colours_of`.
    """
    if not any(item.talks and item.enabled for item in armature.verbs_adverbs.layers):
        return []
    words, director = words_with_gestures(armature), director_of(armature)
    return colours_of(armature, director, words) if words and director is not None else []


def plan_signature(armature: Object, thorough: bool = False, root: str = "") -> str:
    """Digest of everything that the plan of an armature's gestures is made from.

    Raises
    ------
    VerbError
        If a slider that colours a gesture, or a key of it, holds what cannot be a value.
    """
    words, director, looks = words_with_gestures(armature), director_of(armature), gaze_signature(armature)
    if not (words or looks) or director is None:
        return ""
    digest = blake2b(looks.encode(), digest_size=16)
    for word, colours in zip(words, colours_of(armature, director, words), strict=True):
        digest.update(repr((word.text, word.target, word.gesture, colours)).encode())
    ranges = [(adverb.name, adverb.minimum, adverb.maximum) for adverb in colouring_adverbs(armature, words)]
    for item in (verb_of(armature, uid) for uid in sorted(_needed(armature, words))):
        told = item.name, signature(armature, item, thorough, root), bounds_of(item)
        digest.update(repr(told).encode())
    told = ranges, start_seconds(director), director.verbs_adverbs.speech.patience, roles_of(armature).hands
    digest.update(repr((told, weights_of(director))).encode())
    return digest.hexdigest()


def plays_of_words(armature: Object, thorough: bool = False) -> PlaysPlan:
    """Return what a layer plays of the words of an armature's director.

    Raises
    ------
    VerbsError
        If no word has a gesture or a look, or a gesture cannot be built or planned.
    """
    key = plan_signature(armature, thorough)
    if not key:
        raise LayerError("No word has a gesture. Read words under Gestures, or choose a gesture for one of them.")
    if key not in _plans:
        made = _made(armature, thorough)
        while len(_plans) >= KEPT:
            del _plans[next(iter(_plans))]
        key = plan_signature(armature, thorough)
        _plans[key] = made
    return _plans[key]


def plan_told(armature: Object) -> PlaysPlan | None:
    """Return the plan of an armature's words as it was last made, None if they or what colours them have changed."""
    try:
        return _plans.get(plan_signature(armature))
    except VerbsError:
        return None


def _needed(armature: Object, words: Sequence[Said]) -> set[str]:
    """Identifiers of the verbs that a plan needs: those on the words, or any that tells of the figure."""
    return {word.gesture for word in words} or {armature.verbs_adverbs.verbs[0].uid}


def _made(armature: Object, thorough: bool) -> PlaysPlan:
    from ...core.gesture.body_planner import usual_manners
    from ...core.gesture.plan import plan_of

    words, director = words_with_gestures(armature), director_of(armature)
    items = {uid: verb_of(armature, uid) for uid in _needed(armature, words)}
    verbs = {uid: built_for(armature, item, thorough).verb for uid, item in items.items()}
    hands = tuple(roles_of(armature).hands)
    choices = [
        sizes_of(armature, items[word.gesture], verbs[word.gesture], hands, colours)
        for word, colours in zip(words, colours_of(armature, director, words), strict=True)
    ]
    manners = usual_manners(
        [one for several in choices for one in several], director.verbs_adverbs.speech.patience, curve_of(director)
    )
    requests = [
        _request(word, several, items[word.gesture], start_seconds(director))
        for word, several in zip(words, choices, strict=True)
    ]
    colouring = {item.name: item.default for item in colouring_adverbs(armature, words)}
    return _with_gaze(armature, plan_of(requests, manners), manners, next(iter(verbs.values())), colouring)


def _with_gaze(armature: Object, plan: Plan, manners: Manners, verb: Verb, colouring: Mapping[str, float]) -> PlaysPlan:
    """Return what a layer plays of a plan, with the gaze on its words; the verb tells of the figure."""
    from dataclasses import replace

    from ...core.gesture.plan_layer import PlaysPlan

    gazing = gazing_of_words(armature, verb.channels.skeleton, start_seconds(director_of(armature)))
    if gazing is not None:
        moved = plan.schedule.channels if plan.entries else None
        rest = gazing.resting(moved, verb.channels.static, verb.reference)
        plan = replace(plan, rest=rest)
    return PlaysPlan(plan, manners, verb.reference, colouring, gazing)


def _request(word: Said, choices: tuple[Gesture, ...], item: PropertyGroup, begins: float) -> Request:
    from ...core.gesture.body_planner import Request

    told = f"'{item.name}' on '{word.text}'" if word.text else f"'{item.name}' at {word.target:.2f} s"
    return Request(word.target - begins, choices, told)
