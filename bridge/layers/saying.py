"""What a character says next, as typed by the user: during a performance it replaces what is not said yet.

Replaced words stay in the list, so that the performance can be replayed. The moment at which words were said live is
stored with each of them, and the plan of all words is built from that, moment by moment.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np
from bpy.types import Object

from ...core.errors import LayerError, VerbsError, WordsError
from ..data.commands import ask_layer, layer_keys
from ..data.director import director_of, ensure_director
from ..data.frames.counting import counting_of
from ..data.schema import EARLIEST
from .hearing import add_words, gestures_on, looks_on
from .layers import add_talk
from .looking import Look
from .plan_strips import lay_again
from .said import own_strips, said_words, settle
from .talking import Choices, gesture_verbs, plays_of_words, said_at, start_seconds

if TYPE_CHECKING:
    from ...core.gesture.plan_layer import PlaysPlan
    from ...core.play.graph_player import GraphPlayer
    from ...core.words.word import Utterance


def spoken_by(armature: Object) -> tuple[Utterance, dict[int, str], dict[str, Look]]:
    """Parse the text that an armature's director says next; return its words, with verbs and looks on them.

    Raises
    ------
    WordsError
        If there are no words, a tag names neither a gesture nor a look, or the armature has no gestures at all.
    """
    from ...core.words.word import spoken

    director = director_of(armature)
    speech = director.verbs_adverbs.speech if director is not None else None
    utterance = spoken(speech.next_text if speech is not None else "", speech.rate if speech is not None else 1.0)
    if not gesture_verbs(armature):
        raise WordsError(
            f"'{armature.name}' has no gestures. Mark an action as an example that is not cyclic, press Find Gesture "
            "Phases, and add the example to a verb."
        )
    return utterance, gestures_on(armature, utterance, 0), looks_on(armature, utterance)


def say_there(armature: Object, begin: float) -> Utterance:
    """Insert the next text of an armature's director among its words, from a given time on.

    The gesture layer is added and started if necessary.

    Parameters
    ----------
    begin : start time, seconds of the scene.

    Raises
    ------
    VerbsError
        If there are no words or a tag names no gesture, if other words overlap, or if the gestures cannot be built.
        Nothing is changed then.
    """
    utterance, gestures, looks = spoken_by(armature)
    director = director_of(armature) or ensure_director(armature)
    words, end = director.verbs_adverbs.speech.words, begin + utterance.words[-1].end
    settle(director)
    beside = [one for one in said_words(director) if one.plays]
    there = next((one for one in beside if one.start < end and one.end > begin), None)
    if there is not None:
        raise WordsError(
            f"'{there.text}' is already being said from {begin:.2f} to {end:.2f} s. Go to a frame with room for the "
            "new words. Or press Perform: new words then replace those not said yet."
        )
    place = next((one.number for one in beside if one.start >= end), len(words))
    count, more = len(words), len(utterance.words)
    add_words(director, utterance, begin, gestures, looks)
    former = max((one for one in beside if EARLIEST < one.known <= begin), key=lambda one: one.known, default=None)
    if former is not None:
        for item in words[count:]:
            item.known, item.from_rest, item.take = former.known, former.from_rest, words[former.number].take
    try:
        layer = add_talk(armature)
        plays_of_words(armature)
    except Exception:
        forget_words(director, count)
        raise
    for number in range(more):
        words.move(count + number, place + number)
    for _, record in own_strips(director):
        record["word"] += more if record["word"] >= place else 0
    if not layer_keys(director, layer):
        ask_layer(armature, layer, "start", counting_of(director).start)
    director.update_tag()
    with suppress(VerbsError):
        lay_again(director)
    return utterance


def say_live(
    armature: Object, player: GraphPlayer, plays: Mapping[str, PlaysPlan], ready: Choices
) -> tuple[str, float, PlaysPlan]:
    """Make an armature say its director's next text from the player's current time on, replacing what is left to say.

    Parameters
    ----------
    player : plays the armature's verb graph during the performance.
    plays : what its layers play now, by their names, where that differs from what they started with.
    ready : the gestures as built when the performance began.

    Returns
    -------
    layer : name of the gesture layer.
    seconds : time in the performance at which the words become known: now, as precisely as Blender can store it.
    plays : what the layer plays from then on.

    Raises
    ------
    VerbsError
        If there are no words or a tag names no gesture, if the character has no gesture layer, or if the gestures
        cannot be built or move bones that the layer does not. Nothing is changed then.
    """
    utterance, gestures, looks = spoken_by(armature)
    layer = next((item for item in armature.verbs_adverbs.layers if item.talks and item.enabled), None)
    began = {} if player.graph.layers is None else dict(player.graph.layers.plays)
    if layer is None or layer.name not in began:
        raise LayerError(
            f"'{armature.name}' is being performed without a gesture layer. End the performance, press Talk or Say It "
            "once, and perform again."
        )
    director = director_of(armature)
    begins, count = start_seconds(director), len(director.verbs_adverbs.speech.words)
    moment = earlier_number(begins + player.time)
    add_words(director, utterance, moment, gestures, looks)
    for item in director.verbs_adverbs.speech.words[count:]:
        item.known, item.from_rest = moment, layer.name not in player.layers
    try:
        made = said_at(armature, {**began, **plays}[layer.name], moment, ready=ready)
        if layer.name not in player.layers:
            ask_layer(armature, layer, "start", None)
    except Exception:
        forget_words(director, count)
        raise
    director.update_tag()
    return layer.name, moment - begins, made


def earlier_number(seconds: float) -> float:
    """Return the latest time not after `seconds` that Blender can store in single precision."""
    stored = np.float32(seconds)
    return float(stored if float(stored) <= seconds else np.nextafter(stored, np.float32(-np.inf)))


def forget_words(director: Object, count: int) -> None:
    """Keep the first `count` words of a director, and remove those added later."""
    speech = director.verbs_adverbs.speech
    while len(speech.words) > count:
        speech.words.remove(len(speech.words) - 1)
    speech.active_word = min(speech.active_word, max(count - 1, 0))
    director.update_tag()


def forget_said_live(armature: Object) -> None:
    """Remove the words that an armature said live in a discarded take."""
    director = director_of(armature)
    if director is not None:
        words = director.verbs_adverbs.speech.words
        for number in [n for n, word in enumerate(words) if word.known > EARLIEST and not word.take][::-1]:
            words.remove(number)
        director.update_tag()


def keep_with_take(director: Object) -> None:
    """Assign the words that were said live to the take that a director plays, and to no other."""
    own = director.verbs_adverbs
    for word in own.speech.words:
        if word.known > EARLIEST and not word.take:
            word.take = own.performance.take


def says_live(director: Object) -> bool:
    """Return whether words were said live in the take that a director plays."""
    own = director.verbs_adverbs
    return any(word.take and word.take == own.performance.take for word in own.speech.words)
