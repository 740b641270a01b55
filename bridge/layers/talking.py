"""Gestures on the words of a director: which verbs are gestures, and the plan that a layer plays."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ...core.errors import LayerError
from ..build.verbs import built_for, signature
from ..data.annotate import scene_fps
from ..data.director import director_of
from ..data.example_list import referenced
from ..data.transition_items import verb_of
from ..rig.roles import roles_of
from .blending import curve_of, weights_of
from .gestures import bounds_of, shows_gesture
from .said import Said, said_words, scene_with

if TYPE_CHECKING:
    from ...core.gesture.body_planner import Request
    from ...core.gesture.gesture import Gesture
    from ...core.gesture.plan import Plan
    from ...core.gesture.plan_layer import PlaysPlan
    from ...core.verb.verb import Verb

SIZES = (1.0, 0.75, 0.5)
"""Sizes in which a gesture is tried that has an adverb for it, as shares of the value of its slider at first."""
SIZE = "size"
"""What the name of an adverb ends with that makes a gesture smaller."""
KEPT = 16
_plans: dict[str, PlaysPlan] = {}
"""Plans by what they are made from."""


def forget_plans() -> None:
    """Forget all plans."""
    _plans.clear()


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


def start_seconds(director: Object) -> float:
    """Seconds of the scene at which a director's performance begins."""
    return director.verbs_adverbs.start_frame / scene_fps(scene_with(director))


def plan_signature(armature: Object, thorough: bool = False, root: str = "") -> str:
    """Digest of everything that the plan of an armature's gestures is made from."""
    words, director = words_with_gestures(armature), director_of(armature)
    if not words or director is None:
        return ""
    digest = blake2b(digest_size=16)
    for word in words:
        digest.update(repr((word.text, word.target, word.gesture)).encode())
    defaults = [(adverb.name, adverb.default) for adverb in armature.verbs_adverbs.adverbs]
    for item in (verb_of(armature, uid) for uid in sorted({word.gesture for word in words})):
        told = item.name, signature(armature, item, thorough, root), defaults, bounds_of(item)
        digest.update(repr(told).encode())
    told = start_seconds(director), director.verbs_adverbs.speech.patience, roles_of(armature).hands
    digest.update(repr((told, weights_of(director))).encode())
    return digest.hexdigest()


def plays_of_words(armature: Object, thorough: bool = False) -> PlaysPlan:
    """Return what a layer plays of the words of an armature's director.

    Raises
    ------
    VerbsError
        If no word has a gesture, or a gesture cannot be built or planned.
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


def plan_told(armature: Object) -> Plan | None:
    """Return the plan of an armature's words as it was last made, None if they have changed since."""
    found = _plans.get(plan_signature(armature))
    return found.plan if found is not None else None


def _made(armature: Object, thorough: bool) -> PlaysPlan:
    from ...core.gesture.body_planner import usual_manners
    from ...core.gesture.plan import plan_of
    from ...core.gesture.plan_layer import PlaysPlan

    words, director = words_with_gestures(armature), director_of(armature)
    items = {word.gesture: verb_of(armature, word.gesture) for word in words}
    verbs = {uid: built_for(armature, item, thorough).verb for uid, item in items.items()}
    choices = {uid: _sizes(armature, items[uid], verb) for uid, verb in verbs.items()}
    gestures = [one for several in choices.values() for one in several]
    manners = usual_manners(gestures, director.verbs_adverbs.speech.patience, curve_of(director))
    requests = [_request(word, choices[word.gesture], items[word.gesture], start_seconds(director)) for word in words]
    return PlaysPlan(plan_of(requests, manners), manners, next(iter(verbs.values())).reference)


def _request(word: Said, choices: tuple[Gesture, ...], item: PropertyGroup, begins: float) -> Request:
    from ...core.gesture.body_planner import Request

    told = f"'{item.name}' on '{word.text}'" if word.text else f"'{item.name}' at {word.target:.2f} s"
    return Request(word.target - begins, choices, told)


def _sizes(armature: Object, item: PropertyGroup, verb: Verb) -> tuple[Gesture, ...]:
    """Return a gesture in several sizes if an adverb of it tells its size, else as it is."""
    from dataclasses import replace

    from ...core.gesture.gesture import gesture_of

    known = {adverb.name: adverb for adverb in armature.verbs_adverbs.adverbs}
    middle = [known[name].default if name in known else 0.0 for name in verb.adverb_names]
    sized = [row for row, name in enumerate(verb.adverb_names) if name.lower().endswith(SIZE)]
    hands = list(roles_of(armature).hands)
    found: list[Gesture] = []
    for size in SIZES if sized else SIZES[:1]:
        adverbs = list(middle)
        for row in sized:
            adverb = known[verb.adverb_names[row]]
            adverbs[row] = adverb.minimum + size * (adverb.default - adverb.minimum)
        gesture = gesture_of(verb.name, verb.motion(adverbs), hands, bounds=bounds_of(item))
        found.append(replace(gesture, size=size))
    return tuple(found)
