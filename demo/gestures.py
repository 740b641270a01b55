"""The demo's scene of gestures: a figure walks and talks, and its gestures land on the words."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import VerbsError, quoted
from ..core.feet.constrained_player import ConstrainedPlayer
from ..core.figure.channels import columns_in
from ..core.gesture.body_planner import Manners, Request, usual_manners
from ..core.gesture.plan import Placed, Plan, plan_of
from ..core.gesture.plan_layer import PlaysPlan
from ..core.layers.layer import Layer
from ..core.layers.model_below_layers import ModelPlayer
from ..core.layers.model_players import layered_model
from ..core.motion.clip import SYNC_POINTS
from ..core.play.player import AskLayer, AskModel
from ..core.words.read_words import read_words
from ..core.words.stress import target_of, unasked
from ..core.words.word import Utterance, Word
from .emphases import draw_emphases
from .gesture_strips import draw_strips
from .landing import judge, read_talk
from .operate import Refused, say
from .rows import Figure, column_names
from .talkers import Talker, biped_talker, captured_talker

Array = NDArray[np.float64]

FPS, IN_A_FRAME = 30.0, 8
"""Frames a second, and rows that are written for each of them."""
STARTS, ENDS = 0.3, 0.8
"""Seconds after which the figure starts to walk, and for which it goes on after its last word and gesture."""
LONGEST = 60.0
"""Seconds of a file after which words are left out."""
SEED = 3
"""Number by which gestures are drawn in phrases without a tag."""
LAYER = "talk"
Said = tuple[str, float, float, tuple[str, ...]]
SENTENCE: tuple[Said, ...] = (
    ("Hello,", 1.20, 1.62, ("greet", "bye")),
    ("and", 2.05, 2.20, ()),
    ("welcome", 2.20, 2.66, ("offer", "guide")),
    ("to", 2.66, 2.76, ()),
    ("the", 2.76, 2.86, ()),
    ("garden.", 2.86, 3.34, ()),
    ("It", 3.86, 3.98, ()),
    ("is", 3.98, 4.10, ()),
    ("old,", 4.10, 4.46, ("count", "raise-left-hand")),
    ("it", 4.86, 4.96, ()),
    ("is", 4.96, 5.08, ()),
    ("quiet,", 5.08, 5.52, ("count",)),
    ("and", 5.66, 5.80, ()),
    ("very,", 5.80, 6.04, ("beat", "punch-left")),
    ("very", 6.08, 6.30, ("beat",)),
    ("large.", 6.30, 6.80, ("beat",)),
    ("The", 7.30, 7.42, ()),
    ("gate", 7.42, 7.70, ()),
    ("is", 7.70, 7.82, ()),
    ("there;", 7.82, 8.30, ("indicate", "raise-right-hand")),
    ("but", 8.90, 9.06, ()),
    ("who", 9.06, 9.24, ()),
    ("knows", 9.24, 9.60, ("shrug", "raise-both-hands")),
    ("the", 9.60, 9.70, ()),
    ("way?", 9.70, 10.20, ()),
)
"""Words with their seconds, and gestures of which the first is asked for that the figure has."""


@dataclass(frozen=True)
class Asked:
    """A word with a gesture.

    Parameters
    ----------
    word : number of the word.
    name : of the gesture.
    seconds : of the emphasis.
    told : what the plan calls it in its sentences.
    """

    word: int
    name: str
    seconds: float
    told: str


def main(out: Path, bvh: Path | None, words: Path | None = None) -> int:
    """Run the scene.

    Parameters
    ----------
    out : folder to write `strips.png`, `poses.png`, `plan.json`, `report.json` and `rows.npz` into.
    bvh : folder of BVH files and `keytimes.json`, see `captured_talker`; None for the biped that the extension ships.
    words : file of words with their times, see `read_words`; None for a sentence of the scene's own.
    """
    began = time.perf_counter()
    try:
        talker = captured_talker(bvh) if bvh else biped_talker()
        said = spoken(words, tuple(talker.gestures))
        asked = asked_for(said.words, tuple(talker.gestures))
        plan, manners = planned(asked, talker)
        if not plan.placed:
            raise Refused("No gesture of the plan is kept: " + " ".join(plan.choice.given_up))
    except (Refused, VerbsError) as reason:
        say(str(reason))
        return 1
    for remark in said.remarks:
        say(remark)
    until = max(said.words[-1].end, plan.placed[-1].end) + ENDS
    times = np.arange(0.0, until, 1.0 / (FPS * IN_A_FRAME))
    say(f"Talking for {until:.1f} s; words: {len(said.words)}, gestures that are asked for or drawn: {len(asked)}")
    shown, alone, channels = performed(talker, plan, manners, times)
    write_rows(out / "rows.npz", talker, plan, times, (shown, alone), channels)
    told = plan_told(talker, said.words, asked, plan)
    (out / "plan.json").write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    talk = read_talk(out)
    found = judge(talk)
    say("Drawing strips.png and poses.png")
    draw_strips(out / "strips.png", talk, found)
    draw_emphases(out / "poses.png", talk, found)
    report = asdict(found) | {"seconds": time.perf_counter() - began}
    (out / "report.json").write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    for line in found.lines(talk):
        say(line)
    say(f"Wrote strips.png, poses.png, plan.json, report.json and rows.npz to {out}")
    return 0


def spoken(path: Path | None, names: Sequence[str]) -> Utterance:
    """Return the words of a file, or the scene's own with tags for gestures that the figure has.

    Raises
    ------
    Refused
        If several speak, or the text asks for a gesture that the figure lacks.
    """
    if path is None:
        tags = [next((name for name in wanted if name in names), "") for *_, wanted in SENTENCE]
        own = (Word(text, begin, end, tag=tag) for (text, begin, end, _), tag in zip(SENTENCE, tags, strict=True))
        return Utterance(tuple(own))
    said = read_words(path)
    if len(said.speakers) > 1:
        say(f"{quoted(said.speakers)} speak; the figure says the words of '{said.speakers[0]}'.")
        said = said.of(said.speakers[0])
    within = tuple(word for word in said.words if word.end <= LONGEST)
    if not within:
        raise Refused(f"The words of {path} begin after the first minute, which is all that the scene shows.")
    if len(within) < len(said.words):
        say(f"The first {len(within)} of {len(said.words)} words are said, those of the first minute.")
    lacking = sorted({word.gesture for word in within if word.gesture} - set(names))
    if lacking:
        raise Refused(f"The text asks for {quoted(lacking)}, but the figure has {quoted(names, len(names))} alone.")
    return Utterance(within, said.remarks)


def asked_for(words: Sequence[Word], names: Sequence[str]) -> list[Asked]:
    """Return which words have a gesture: those whose tags ask for one, and one of each phrase without a tag."""
    drawn = unasked(words, names, SEED)
    found: list[Asked] = []
    for number, word in enumerate(words):
        name = word.gesture or drawn.get(number, "")
        if name:
            seconds = target_of(word)
            told = f"'{name}' on '{word.text.strip('.,;:!?')}' at {seconds:.2f} s"
            found.append(Asked(number, name, seconds, told))
    return sorted(found, key=lambda one: one.seconds)


def planned(asked: Sequence[Asked], talker: Talker) -> tuple[Plan, Manners]:
    """Plan the gestures that are asked for.

    Raises
    ------
    VerbsError
        If the words have no times, or no word has a gesture.
    """
    used = {one.name for one in asked}
    if not used:
        raise Refused("No word has a gesture. Write a tag before one, such as <beat>.")
    manners = usual_manners([one for name, sizes in talker.gestures.items() if name in used for one in sizes])
    requests = [Request(one.seconds, talker.gestures[one.name], one.told) for one in asked]
    return plan_of(requests, manners), manners


def performed(talker: Talker, plan: Plan, manners: Manners, times: Array) -> tuple[Array, Array, Any]:
    """Return rows (T, width) of what is shown, of the same without gestures, and what their columns mean."""
    if talker.walk is None:
        channels = plan.schedule.channels
        alone = np.tile(plan.schedule.resting, (len(times), 1))
        alone[:, columns_in(talker.stand.channels, channels)] = talker.stand.sample([0.0])
        return plan.schedule.laid(times, alone), alone, channels
    layer = Layer(LAYER, PlaysPlan(plan, manners), talker.mask, fade_in=0.0, fade_out=0.2)
    figure = layered_model(talker.walk, [layer])
    found: list[Array] = []
    for talks in (True, False):
        player = ConstrainedPlayer(ModelPlayer(figure, settle=0.0), knees="hinge")
        if talks:
            player.command(0.0, AskLayer(LAYER, "start"))
        player.command(STARTS, AskModel("start", {"speed": talker.speed}))
        found.append(player.advance(times).values)
    return found[0], found[1], figure.channels


def write_rows(path: Path, talker: Talker, plan: Plan, times: Array, rows: tuple[Array, Array], channels: Any) -> None:
    """Write the motion with gestures and without, the gestures as recorded, and the bones at rest."""
    recorded: dict[str, Array] = {}
    for one in plan.placed:
        gesture = one.chosen.gesture
        own = np.arange(gesture.sync[0], gesture.sync[-1], 1.0 / (FPS * IN_A_FRAME))
        recorded[f"recorded_{gesture.name}_{gesture.size:g}"] = gesture.motion.sample(own)
        recorded[f"recorded_columns_{gesture.name}_{gesture.size:g}"] = np.array(column_names(gesture.motion.channels))
    rest = {f"figure_{name}": np.array(getattr(talker.figure, name)) for name in Figure.__dataclass_fields__}
    names = np.array(column_names(channels))
    np.savez_compressed(path, times=times, values=rows[0], alone=rows[1], columns=names, **recorded, **rest)


def plan_told(talker: Talker, words: Sequence[Word], asked: Sequence[Asked], plan: Plan) -> dict[str, Any]:
    """Return the plan as it is written: all times in seconds."""
    names = talker.stand.channels.skeleton.names
    return {
        "frames_a_second": FPS,
        "rows_a_frame": IN_A_FRAME,
        "walks_at": talker.speed,
        "hands": list(talker.hands),
        "moved": [names[joint] for joint in np.flatnonzero(talker.mask > 0.0)],
        "words": [{"text": word.text, "start": word.start, "end": word.end} for word in words],
        "gestures": [gesture_told(asked[one.chosen.request], words, one, plan) for one in plan.placed],
        "left_out": [
            {"word": asked[number].word, "name": asked[number].name, "emphasis": asked[number].seconds}
            | {"drawn": not words[asked[number].word].gesture, "told": sentence(asked[number], plan)}
            for number in plan.choice.dropped
        ],
    }


def gesture_told(asked: Asked, words: Sequence[Word], one: Placed, plan: Plan) -> dict[str, Any]:
    """Return what is written about a gesture that is kept."""
    chosen, gesture = one.chosen, one.chosen.gesture
    skeleton = gesture.motion.channels.skeleton
    return {
        "word": asked.word,
        "name": gesture.name,
        "drawn": not words[asked.word].gesture,
        "emphasis": asked.seconds,
        "way": chosen.way,
        "strokes_with": [skeleton.names[joint] for joint in gesture.hands],
        "size": gesture.size,
        "squeezed": chosen.squeezed,
        "recorded": dict(zip(SYNC_POINTS, gesture.sync.tolist(), strict=True)),
        "played": dict(one.sync),
        "keys": [list(key) for key in one.keys],
        "comes": [one.begin, one.come],
        "goes": [one.go, one.end],
        "relaxes": one.relaxes,
        "given_up": sentence(asked, plan),
    }


def sentence(asked: Asked, plan: Plan) -> str:
    """Return what the plan says about a gesture that it gives up or changes, without its name; empty for nothing."""
    found = next((told for told in plan.choice.given_up if told.startswith(f"{asked.told} ")), "")
    return found.removeprefix(f"{asked.told} ")
