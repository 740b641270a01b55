"""Gestures and looks on the words of a director: which verbs are gestures, and the plan that a layer plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from bpy.types import Object, PropertyGroup

from ...core.errors import LayerError, VerbsError
from ..authoring.verbs import built_for, verb_signature
from ..blender.store import digest_of, keep, kept
from ..data.director import director_of
from ..data.example_list import used_examples
from ..data.frames.counting import counting_of
from ..data.schema import EARLIEST
from ..data.transition_items import verb_of
from ..rig.roles import roles_of
from .gestures import (
    bounds_of,
    colouring_adverbs,
    colours_of,
    curve_of,
    shows_gesture,
    sizes_of,
    weights_of,
)
from .looking import gaze_signature, gazing_of_words, glances_known, looked_words
from .said import Said, belongs, said_words, scene_with

if TYPE_CHECKING:
    from ...core.gesture.body_planner import Manners, Request
    from ...core.gesture.gesture import Gesture
    from ...core.gesture.plan_layer import PlaysPlan
    from ...core.verb.verb import Verb


def gesture_verbs(armature: Object) -> list[PropertyGroup]:
    """Return an armature's verbs that have the keytimes of a gesture, judged by their first examples."""
    firsts = ((item, next(used_examples(item), None)) for item in armature.verbs_adverbs.verbs)
    return [item for item, example in firsts if example is not None and shows_gesture(example)]


def words_with_gestures(armature: Object) -> list[Said]:
    """Return the director's words with a gesture of the armature, sorted by when they became known, then by time.

    They include words that were replaced later, since they were known until then.
    """
    director = director_of(armature)
    if director is None or not any(word.gesture for word in director.verbs_adverbs.speech.words):
        return []
    known, words = {item.uid for item in armature.verbs_adverbs.verbs}, director.verbs_adverbs.speech.words
    found = (one for one in said_words(director) if one.gesture in known and belongs(director, words[one.number]))
    return sorted(found, key=lambda word: (word.known, word.target))


def talks(armature: Object) -> bool:
    """Return whether a gesture layer has something to play, or to wait for: words may be said live."""
    return has_plan(armature) or (director_of(armature) is not None and bool(gesture_verbs(armature)))


def has_plan(armature: Object) -> bool:
    """Return whether the words of an armature's director request an existing gesture or look."""
    return bool(armature.verbs_adverbs.verbs) and bool(words_with_gestures(armature) or looked_words(armature))


def start_seconds(director: Object) -> float:
    """Return the scene time in seconds at which a director's performance begins."""
    counting = counting_of(director, scene_with(director))
    return counting.start / counting.fps


def colours_told(armature: Object) -> list[dict[str, float]]:
    """Return the adverb values of the gestures that an armature's layer plays, word by word; empty if none are played.

    Raises
    ------
    VerbError
        See `colours_of`.
    """
    if not any(item.talks and item.enabled for item in armature.verbs_adverbs.layers):
        return []
    words, director = words_with_gestures(armature), director_of(armature)
    return colours_of(armature, director, words) if words and director is not None else []


def plan_signature(armature: Object, root: str = "") -> str:
    """Return a digest of everything an armature's gesture plan is built from.

    Raises
    ------
    VerbError
        If a slider that affects a gesture, or one of its keys, has an invalid value.
    """
    words, director, looks = words_with_gestures(armature), director_of(armature), gaze_signature(armature)
    if director is None or not talks(armature):
        return ""
    said = [
        (word.text, word.target, word.gesture, colours, word.known, word.from_rest)
        for word, colours in zip(words, colours_of(armature, director, words), strict=True)
    ]
    ranges = [(adverb.name, adverb.minimum, adverb.maximum) for adverb in colouring_adverbs(armature, words)]
    verbs = [
        (item.name, verb_signature(armature, item, root), bounds_of(item))
        for item in (verb_of(armature, uid) for uid in sorted(_needed(armature, words)))
    ]
    roles, patience = roles_of(armature), director.verbs_adverbs.speech.patience
    told = ranges, start_seconds(director), patience, roles.hands, roles if looks else (), _moments(armature)
    return digest_of(looks, said, verbs, told, weights_of(director))


def _moments(armature: Object) -> list[float]:
    """Return the scene times in seconds at which an armature's director said something live, in order."""
    director = director_of(armature)
    words = director.verbs_adverbs.speech.words
    return sorted({word.known for word in words if word.known > EARLIEST and belongs(director, word)})


def _needed(armature: Object, words: list[Said]) -> set[str]:
    """Return the identifiers of the verbs that a plan needs: those of all gestures if no words are known in advance.

    Without any gesture it is a verb that provides the figure, which looks at something.
    """
    needed = {word.gesture for word in words}
    if not any(word.known == EARLIEST for word in words):
        needed |= {item.uid for item in gesture_verbs(armature)}
    return needed or {armature.verbs_adverbs.verbs[0].uid}


def ready_gestures(armature: Object) -> Choices:
    """Return the gestures of an armature, built as far as possible, if it has a layer for them."""
    choices = Choices(armature)
    if any(item.talks and item.enabled for item in armature.verbs_adverbs.layers):
        with suppress(VerbsError):
            choices.add_all()
    return choices


def plays_of_words(armature: Object) -> PlaysPlan:
    """Return the plan that a layer plays for the words of an armature's director.

    Raises
    ------
    VerbsError
        If no word has a gesture or a look, or a gesture cannot be built or planned.
    """
    if not has_plan(armature):
        raise LayerError("No word has a gesture. Read words under Gestures, or choose a gesture for one of them.")
    return plays_of_talk(armature)


def plays_of_talk(armature: Object) -> PlaysPlan:
    """Return the plan that a layer plays for what an armature's director says, which may be nothing yet.

    Raises
    ------
    VerbsError
        If no verb is a gesture, or a gesture on a word cannot be built or planned.
    """
    plan = kept(("plan", plan_signature(armature)))
    if plan is None:
        plan = _made(armature)
        keep(("plan", plan_signature(armature)), plan)  # building a verb may have changed its facing direction
    return plan


def plan_told(armature: Object) -> PlaysPlan | None:
    """Return the cached plan of an armature's words, None if they or their gestures' adverbs have changed."""
    try:
        return kept(("plan", plan_signature(armature)))
    except VerbsError:
        return None


def _made(armature: Object) -> PlaysPlan:
    """Plan the words known from the beginning, and those said live that replaced the rest."""
    from ...core.gesture.plan import plan_of, waiting
    from ...core.gesture.plan_layer import PlaysPlan

    words, choices = words_with_gestures(armature), Choices(armature)
    first = [word for word in words if word.known == EARLIEST]
    if not first and gesture_verbs(armature):
        choices.add_all()
    requests, manners = choices.asked(first)
    plan, figure = plan_of(requests, manners), choices.figure()
    gazing = gazing_of_words(armature, figure.channels.skeleton, start_seconds(director_of(armature)))
    if gazing is not None:
        moved = plan.schedule.channels if plan.entries else None
        plan = replace(plan, rest=gazing.resting(moved, figure.channels.static, figure.reference))
    if _moments(armature) or (not first and choices.gestures()):
        choices.asked(words)
        plan = waiting(plan, choices.gestures())
    colouring = {item.name: item.default for item in colouring_adverbs(armature, words)}
    plays = PlaysPlan(plan, manners, figure.reference, colouring, gazing)
    for moment in _moments(armature):
        plays = said_at(armature, plays, moment)
    return plays


def said_at(armature: Object, plays: PlaysPlan, moment: float, ready: Choices | None = None) -> PlaysPlan:
    """Return the plan in which the words said live at a given moment replace the rest.

    Parameters
    ----------
    plays : the plan for the earlier words.
    moment : seconds of the scene.
    ready : gestures already built, while nothing about them can change.

    Raises
    ------
    VerbsError
        If a gesture cannot be built, or moves bones that none of the earlier ones did.
    """
    words, choices = words_with_gestures(armature), Choices(armature, ready)
    if not any(word.known == EARLIEST for word in words):
        choices.add_all()
    choices.asked([word for word in words if word.known < moment])
    now, begins = [word for word in words if word.known == moment], start_seconds(director_of(armature))
    requests, manners = choices.asked(now)
    from_rest = any(word.from_rest for word in now)
    return plays.said(moment - begins, requests, manners, from_rest, glances_known(armature, moment, begins))


class Choices:
    """The gestures of an armature in their sizes, built as words request them.

    Parameters
    ----------
    armature : the armature that has their verbs.
    ready : gestures whose verbs are already built, while nothing about them can change.
    """

    def __init__(self, armature: Object, ready: Choices | None = None) -> None:
        self._armature = armature
        self._director, self._hands = director_of(armature), tuple(roles_of(armature).hands)
        self._made: dict[Gesture, None] = {}
        self._verbs: dict[str, Verb] = dict(ready._verbs) if ready is not None else {}

    def gestures(self) -> list[Gesture]:
        """All that were requested, in all sizes."""
        return list(self._made)

    def figure(self) -> Verb:
        """Return a verb that provides the figure: that of the first gesture built, else the armature's first verb."""
        return next(iter(self._verbs.values()), None) or self._verb(self._armature.verbs_adverbs.verbs[0])

    def add_all(self) -> None:
        """Build all gestures that can be built, at the adverbs' defaults.

        Raises
        ------
        LayerError
            If none can be built.
        """
        from ...core.gesture.gesture import learn

        defaults = {adverb.name: adverb.default for adverb in self._armature.verbs_adverbs.adverbs}
        for item in gesture_verbs(self._armature):
            with suppress(VerbsError):
                self._sizes(item, defaults)
        if not self._made:
            raise LayerError(
                f"None of the gestures of '{self._armature.name}' can be built. See their reports under Verbs."
            )
        learn(self.gestures())

    def _verb(self, item: PropertyGroup) -> Verb:
        if item.uid not in self._verbs:
            self._verbs[item.uid] = built_for(self._armature, item).verb
        return self._verbs[item.uid]

    def _sizes(self, item: PropertyGroup, colours: Mapping[str, float]) -> tuple[Gesture, ...]:
        found = sizes_of(self._armature, item, self._verb(item), self._hands, colours)
        self._made.update(dict.fromkeys(found))
        return found

    def asked(self, words: Sequence[Said]) -> tuple[list[Request], Manners]:
        """Return the requests of words, and manners that suit all gestures requested so far.

        Raises
        ------
        VerbsError
            If a gesture cannot be built.
        """
        from ...core.gesture.body_planner import usual_manners

        begins, found = start_seconds(self._director), list["Request"]()
        for word, colours in zip(words, colours_of(self._armature, self._director, words), strict=True):
            item = verb_of(self._armature, word.gesture)
            found.append(_request(word, self._sizes(item, colours), item, begins))
        patience = self._director.verbs_adverbs.speech.patience
        return found, usual_manners(self.gestures(), patience, curve_of(self._director))


def _request(word: Said, choices: tuple[Gesture, ...], item: PropertyGroup, begins: float) -> Request:
    from ...core.gesture.body_planner import Request

    told = f"'{item.name}' on '{word.text}'" if word.text else f"'{item.name}' at {word.target:.2f} s"
    return Request(word.target - begins, choices, told)
