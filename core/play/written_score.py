"""Scores as written by people and programs: JSON with commands, adverbs, layers and words of characters by name.

Only the format is checked here; whether verbs, adverbs and objects exist is checked when the score is applied to a
file. Errors give the location in the text, such as ``characters / 'Anna' / commands / 2 / verb``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, cast

from ..bounds import COMMANDS, FARTHEST_FRAME, WORDS
from ..errors import ScoreError, listed, quoted

FORMAT, NAME = 1, "verbs_adverbs_score"
SECONDS, FRAMES = "seconds", "frames"
KINDS = ("CONSTANT", "LINEAR", "BEZIER")
HANDLES = ("FREE", "ALIGNED", "VECTOR", "AUTO", "AUTO_CLAMPED")
WISHES = ("start", "instead", "after", "stop", "stop_hard")
LOOKS = ("LEFT", "RIGHT", "UP", "DOWN", "AWAY", "AHEAD")
FARTHEST = 1e9
APART = 0.011
"""Minimum distance of a curve's keys in frames: Blender treats closer ones as equal."""

Pair = tuple[float, float]


@dataclass(frozen=True)
class Key:
    """A key of an adverb.

    Parameters
    ----------
    at : frame of the scene.
    value : value of the adverb.
    kind : interpolation to the next key, one of `KINDS`.
    handles : kinds of the handles of a Bezier key, each one of `HANDLES`.
    left, right : frame and value of the left and of the right handle; None if Blender places them.
    """

    at: float
    value: float
    kind: str = "BEZIER"
    handles: tuple[str, str] = ("AUTO_CLAMPED", "AUTO_CLAMPED")
    left: Pair | None = None
    right: Pair | None = None


@dataclass(frozen=True)
class WrittenWord:
    """A word with its frames, the verb of its gesture, and its gaze target: a direction or an object.

    Its emphasis, where a stroke lands, is None for the default.
    """

    text: str
    start: float
    end: float
    emphasis: float | None = None
    gesture: str = ""
    look: str = ""
    look_at: str = ""


@dataclass(frozen=True)
class Part:
    """The score of one character; None leaves a value as it is in the file.

    Parameters
    ----------
    begins_with : first verb of the performance.
    start_frame : frame of the scene at which it begins.
    place : position of the director.
    heading : rotation of the director about the vertical, in degrees.
    seed, settle : as on the director.
    commands : frames and verbs.
    adverbs : a value, or keys, by name.
    layers : frames and commands of layers, by layer name.
    words : words that replace those in the file.
    """

    begins_with: str | None = None
    start_frame: int | None = None
    place: tuple[float, ...] | None = None
    heading: float | None = None
    seed: int | None = None
    settle: float | None = None
    commands: tuple[tuple[float, str], ...] | None = None
    adverbs: Mapping[str, float | tuple[Key, ...]] = field(default_factory=dict[str, Any])
    layers: Mapping[str, tuple[tuple[float, str], ...]] = field(default_factory=dict[str, Any])
    words: tuple[WrittenWord, ...] | None = None


@dataclass(frozen=True)
class Clock:
    """Conversion of the times of a score: `fps` is None for frames of the scene, otherwise seconds after `start`."""

    fps: float | None = None
    start: float = 0.0

    def frame(self, at: float) -> float:
        """Return the frame of the scene."""
        return at if self.fps is None else self.start + at * self.fps


@dataclass(frozen=True)
class Found:
    """A value of the score, and its location."""

    value: Any
    place: tuple[str, ...]

    def wrong(self, text: str) -> ScoreError:
        """Return an error about this value."""
        return ScoreError(f"Score, {' / '.join(self.place) or 'as a whole'}: {text}")

    def members(self, known: Iterable[str] = ()) -> dict[str, Found]:
        """Return the members of an object by name; if names are `known`, any other is an error."""
        names = tuple(known)
        if not isinstance(self.value, dict):
            raise self.wrong(f"expected a JSON object in braces, not {_told(self.value)}.")
        held = cast("dict[str, Any]", self.value)
        for name in held:
            if names and name not in names:
                raise self.wrong(f"'{name}' is unknown. Use one of {quoted(names, len(names))}.")
        places = {name: name if names else f"'{name}'" for name in held}
        return {name: Found(value, (*self.place, places[name])) for name, value in held.items()}

    def items(self, most: int) -> list[Found]:
        """Return the items of a list, numbered from 1."""
        if not isinstance(self.value, list):
            raise self.wrong(f"expected a list in square brackets, not {_told(self.value)}.")
        held = cast("list[Any]", self.value)
        if len(held) > most:
            raise self.wrong(f"{len(held)} are too many: the maximum is {most}.")
        return [Found(value, (*self.place, str(number))) for number, value in enumerate(held, 1)]

    def number(self, low: float = -FARTHEST, high: float = FARTHEST) -> float:
        """Return a finite number within bounds."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(f"expected a number, not {_told(value)}.")
        if not (low <= value <= high and isfinite(value)):
            raise self.wrong(f"{_told(value)} is outside the range {low:g} to {high:g}.")
        return float(value)

    def whole(self, low: float, high: float) -> int:
        """Return a whole number within bounds."""
        if self.number(low, high) % 1.0:
            raise self.wrong(f"expected a whole number, not {_told(self.value)}.")
        return int(self.value)

    def text(self, choices: Iterable[str] = ()) -> str:
        """Return a text; one of the choices, if there are any."""
        if not isinstance(self.value, str):
            raise self.wrong(f"expected a text in quotation marks, not {_told(self.value)}.")
        names = tuple(choices)
        if names and self.value not in names:
            raise self.wrong(f"'{self.value}' is not one of {quoted(names, len(names))}.")
        return self.value

    def frame(self, clock: Clock) -> float:
        """Return a time as a frame of the scene."""
        return Found(clock.frame(self.number()), self.place).number(-FARTHEST_FRAME, FARTHEST_FRAME)


def _told(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else f"{text[:40]}…"


def read_score(text: str, fps: float, starts: Mapping[str, int]) -> dict[str, Part]:
    """Parse a score.

    Parameters
    ----------
    text : JSON.
    fps : frames per second of the scene.
    starts : start frames by character, to which seconds are relative if the score gives no start frame.

    Returns
    -------
    The score of each character by name; all times are frames of the scene.

    Raises
    ------
    ScoreError
        If it cannot be parsed; the message says where.
    """
    whole = Found(_json(text), ()).members((NAME, "time", "characters"))
    lacking = [name for name in (NAME, "time", "characters") if name not in whole]
    if lacking:
        raise ScoreError(f"Score: {quoted(lacking)} is missing. A score needs {quoted((NAME, 'time', 'characters'))}.")
    if whole[NAME].whole(1, FARTHEST) > FORMAT:
        raise whole[NAME].wrong(
            f"its format is newer than {FORMAT}, the newest that can be read here. Update Verbs & Adverbs."
        )
    seconds = whole["time"].text((SECONDS, FRAMES)) == SECONDS
    characters = whole["characters"].members()
    return {name: _part(found, fps if seconds else None, starts.get(name, 1)) for name, found in characters.items()}


def _json(text: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        """Return the members of a JSON object, whose names must be distinct."""
        names = [name for name, _ in pairs]
        twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
        if twice is not None:
            raise ScoreError(f"Score: '{twice}' occurs twice in the same object. Leave one of them out.")
        return dict(pairs)

    def no_number(name: str) -> Any:
        """Raise for a constant, such as NaN, that JSON does not have."""
        raise ScoreError(f"Score: {name} is not a number in JSON. Write a finite one.")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=no_number)
    except json.JSONDecodeError as error:
        raise ScoreError(f"Score, line {error.lineno}, column {error.colno}: this is not JSON: {error.msg}.") from error
    except (ValueError, RecursionError) as error:
        raise ScoreError(f"Score: it cannot be read as JSON: {error}.") from error


PART = ("begins_with", "start_frame", "place", "heading", "seed", "settle", "commands", "adverbs", "layers", "words")


def _part(found: Found, fps: float | None, start: int) -> Part:
    told = found.members(PART)
    values: dict[str, Any] = {}
    if "start_frame" in told:
        values["start_frame"] = start = told["start_frame"].whole(-FARTHEST_FRAME, FARTHEST_FRAME)
    clock = Clock(fps, start)
    if "begins_with" in told:
        values["begins_with"] = told["begins_with"].text()
    if "place" in told:
        values["place"] = tuple(one.number() for one in told["place"].items(3))
        if len(values["place"]) != 3:
            raise told["place"].wrong("expected three numbers: x, y and z.")
    if "heading" in told:
        values["heading"] = told["heading"].number()
    if "seed" in told:
        values["seed"] = told["seed"].whole(0, 2**31 - 1)
    if "settle" in told:
        values["settle"] = told["settle"].number(0.0, 1000.0)
    if "commands" in told:
        values["commands"] = _asked(told["commands"], "verb", (), clock)
    if "adverbs" in told:
        values["adverbs"] = {name: _adverb(one, clock) for name, one in told["adverbs"].members().items()}
    if "layers" in told:
        layers = told["layers"].members()
        values["layers"] = {name: _asked(one, "wish", WISHES, clock) for name, one in layers.items()}
    if "words" in told:
        values["words"] = tuple(_word(one, clock) for one in told["words"].items(WORDS))
    return Part(**values)


def _fields(found: Found, needed: tuple[str, ...], more: tuple[str, ...] = ()) -> dict[str, Found]:
    told = found.members((*needed, *more))
    lacking = [name for name in needed if name not in told]
    if lacking:
        raise found.wrong(f"{quoted(lacking)} is missing. Required are {quoted(needed)}.")
    return told


def _asked(found: Found, name: str, choices: tuple[str, ...], clock: Clock) -> tuple[tuple[float, str], ...]:
    """Return times, each with the command given then, in order of time."""
    told = [(one, _fields(one, ("at", name))) for one in found.items(COMMANDS)]
    asked = [(fields["at"].frame(clock), fields[name].text(choices)) for _, fields in told]
    _check_apart([(at, one) for (at, _), (one, _) in zip(asked, told, strict=True)])
    return tuple(sorted(asked))


def _check_apart(times: Iterable[tuple[float, Found]]) -> None:
    before: tuple[float, Found] | None = None
    for at, one in sorted(times, key=lambda pair: pair[0]):
        if before is not None and at - before[0] < APART:
            raise one.wrong(f"it has the same frame as {' / '.join(before[1].place)}: {listed((round(at, 3),))}.")
        before = at, one


def _adverb(found: Found, clock: Clock) -> float | tuple[Key, ...]:
    if not isinstance(found.value, list):
        return found.number()
    rows = found.items(COMMANDS)
    if not rows:
        raise found.wrong("it has no keys. Give it a value, or leave it out.")
    keys = [_key(one, clock) for one in rows]
    _check_apart([(key.at, one) for key, one in zip(keys, rows, strict=True)])
    return tuple(sorted(keys, key=lambda key: key.at))


def _key(found: Found, clock: Clock) -> Key:
    told = _fields(found, ("at", "value"), ("interpolation", "handles", "left", "right"))
    values: dict[str, Any] = {}
    if "interpolation" in told:
        values["kind"] = told["interpolation"].text(KINDS)
    if "handles" in told:
        values["handles"] = tuple(one.text(HANDLES) for one in _two(told["handles"]))
    for name in ("left", "right"):
        if name in told:
            at, value = _two(told[name])
            values[name] = at.frame(clock), value.number()
    return Key(told["at"].frame(clock), told["value"].number(), **values)


def _two(found: Found) -> list[Found]:
    items = found.items(2)
    if len(items) != 2:
        raise found.wrong("expected two.")
    return items


def _word(found: Found, clock: Clock) -> WrittenWord:
    told = _fields(found, ("text", "start", "end"), ("emphasis", "gesture", "look"))
    start, end = told["start"].frame(clock), told["end"].frame(clock)
    if end < start:
        raise found.wrong("it ends before it begins.")
    emphasis = told["emphasis"].frame(clock) if "emphasis" in told else None
    gesture = told["gesture"].text() if "gesture" in told else ""
    look = told.get("look")
    if look is None:
        return WrittenWord(told["text"].text(), start, end, emphasis, gesture)
    if isinstance(look.value, dict):
        thing = _fields(look, ("object",))["object"].text()
        return WrittenWord(told["text"].text(), start, end, emphasis, gesture, "OBJECT", thing)
    return WrittenWord(told["text"].text(), start, end, emphasis, gesture, look.text(LOOKS))
