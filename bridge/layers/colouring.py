"""What colours the gestures of a sentence: the values that its director's sliders have at each of its words.

Gestures are verbs and may have adverbs, such as their size or energy. Each gesture is made at what the sliders say when
its word is emphasised. So a slider colours the whole sentence at once, and a keyed one lets it grow from word to word.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ..data.adverb_values import values_at
from ..data.frames.counting import counting_of
from ..data.transition_items import verb_of
from .gestures import bounds_of
from .said import Said, scene_with

if TYPE_CHECKING:
    from ...core.gesture.gesture import Gesture
    from ...core.verb.verb import Verb

SIZES = (1.0, 0.75, 0.5)
"""Sizes in which a gesture is tried that has an adverb for it, as shares of what its slider says at the word."""
SIZE = "size"
"""What the name of an adverb ends with that makes a gesture smaller."""
KEPT = 256
"""Number of gestures that are kept, since most of a sentence stays as it is when one slider moves."""
_gestures: dict[tuple[object, ...], Gesture] = {}
"""Gestures by what they are made from; those that were used last are at the end."""


def forget_gestures() -> None:
    """Forget all gestures."""
    _gestures.clear()


def colouring_adverbs(armature: Object, words: Sequence[Said]) -> list[PropertyGroup]:
    """Adverbs of an armature that the gestures on some words have."""
    verbs = [verb_of(armature, uid) for uid in dict.fromkeys(word.gesture for word in words)]
    return [item for item in armature.verbs_adverbs.adverbs if any(item.name in verb.adverbs for verb in verbs)]


def colours_of(armature: Object, director: Object, words: Sequence[Said]) -> list[dict[str, float]]:
    """For each word, the values at its emphasis of the adverbs that its gesture has.

    Raises
    ------
    VerbError
        If a slider or a key of it holds what cannot be a value.
    """
    names = [item.name for item in colouring_adverbs(armature, words)]
    rate = counting_of(director, scene_with(director)).rate
    rows = values_at(director, names, [word.target * rate for word in words])
    known = {word.gesture: verb_of(armature, word.gesture).adverbs for word in words}
    return [
        {name: value for name, value in zip(names, row, strict=True) if name in known[word.gesture]}
        for word, row in zip(words, rows, strict=True)
    ]


def sizes_of(
    armature: Object, item: PropertyGroup, verb: Verb, hands: tuple[str, ...], values: Mapping[str, float]
) -> tuple[Gesture, ...]:
    """Return the gesture that a verb is at some values, and smaller ones if an adverb of it tells its size.

    Parameters
    ----------
    armature : whose adverbs have ranges.
    item, verb : the verb as it is stored, and built.
    hands : bones that stroke.
    values : of its adverbs by name.
    """
    adverbs = {adverb.name: adverb for adverb in armature.verbs_adverbs.adverbs}
    asked = tuple(values.get(name, 0.0) for name in verb.adverb_names)
    lowest = [
        min(adverbs[name].minimum, adverbs[name].maximum, value) if _tells_size(name) and name in adverbs else value
        for name, value in zip(verb.adverb_names, asked, strict=True)
    ]
    sizes, bounds = SIZES if tuple(lowest) != asked else SIZES[:1], bounds_of(item)
    places = [tuple(low + size * (at - low) for low, at in zip(lowest, asked, strict=True)) for size in sizes]
    return tuple(_gesture(verb, place, size, hands, bounds) for place, size in zip(places, sizes, strict=True))


def _tells_size(name: str) -> bool:
    return name.lower().endswith(SIZE)


def _gesture(
    verb: Verb, values: tuple[float, ...], size: float, hands: tuple[str, ...], bounds: tuple[float, float]
) -> Gesture:
    """Return a verb at some values as a gesture of a size; it is made once."""
    from dataclasses import replace

    from ...core.gesture.gesture import gesture_of

    key = verb, values, size, hands, bounds
    found = _gestures.pop(key, None)
    if found is None:
        found = replace(gesture_of(verb.name, verb.motion(values), hands, bounds=bounds), size=size)
    while len(_gestures) >= KEPT:
        del _gestures[next(iter(_gestures))]
    _gestures[key] = found
    return found
