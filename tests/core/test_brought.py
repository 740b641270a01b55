"""Walks as people's files hold them, drawn at random: each is read and its steps are found, or it says why not."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from brought_files import DAMAGE, UNITS, Switches, Written, drawn, frame, write_folder
from brought_names import FINGERS
from records import assert_held
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.detect.agreement import agree
from verbs_adverbs.core.detect.bone_roles import BonePoint, FigureBones
from verbs_adverbs.core.detect.cycles import Cycle
from verbs_adverbs.core.detect.detection import Detection, detect, windows_of_cycle
from verbs_adverbs.core.detect.find_roles import find_roles, standing_figure
from verbs_adverbs.core.detect.observed import Foot, Observed, guessed_heel, observe
from verbs_adverbs.core.detect.stature import stature_of
from verbs_adverbs.core.errors import VerbsError
from verbs_adverbs.core.figure.channels import Channels
from verbs_adverbs.core.figure.lock_point import LockPoint
from verbs_adverbs.core.figure.skeleton import Skeleton
from verbs_adverbs.core.motion.bvh_text import read_bvh_text
from verbs_adverbs.core.verb.example import Contact, Example, Take, around, round_of
from verbs_adverbs.core.verb.root_travel import with_travel
from verbs_adverbs.dev.figure import Figure

from .detected import headings

MANY, PARTS = 3000, 20
"""Folders that the long tests draw, and the tests that draw them, since none may take a quarter of an hour."""
UP = {0: ("y", -90.0), 1: ("x", 90.0), 2: ("x", 0.0)}


class Seen:
    """A file as it was read: bones at rest and in each frame, in the file's own axes."""

    def __init__(self, text: str) -> None:
        head, motion = text.split("MOTION\n")
        self.names, self.parents, self.offsets, ends, channels = [], [], [], {}, []
        open_: list[int] = []
        site = False
        for words in map(str.split, head.splitlines()):
            if words[:1] in (["ROOT"], ["JOINT"]):
                self.parents.append(open_[-1] if open_ else -1)
                self.names.append(words[1])
            elif words[:1] == ["End"]:
                site = True
            elif words[:1] == ["{"]:
                open_.append(-1 if site else len(self.names) - 1)
            elif words[:1] == ["}"]:
                site = False
                open_.pop()
            elif words[:1] == ["OFFSET"]:
                offset = np.array(words[1:], dtype=float)
                if site:
                    ends[open_[-2]] = offset
                else:
                    self.offsets.append(offset)
            elif words[:1] == ["CHANNELS"]:
                channels.append(words[2:])
        _, time, *rows = motion.strip().splitlines()
        self.step = float(time.split(":")[1])
        values = np.array([row.split() for row in rows], dtype=float)
        self._pose(values, channels)
        self._tails(ends)

    def _pose(self, values: np.ndarray, channels: list[list[str]]) -> None:
        self.turns: list[Rotation] = []
        heads, column = [], 0
        for joint, (above, own) in enumerate(zip(self.parents, channels, strict=True)):
            moving = [c for c in own if c.endswith("position")]
            order = "".join(c[0] for c in own if c.endswith("rotation"))
            place = values[:, column : column + 3] if moving else np.tile(self.offsets[joint], (len(values), 1))
            column += len(own)
            turn = Rotation.from_euler(order, values[:, column - 3 : column], degrees=True)
            heads.append(place if above < 0 else heads[above] + self.turns[above].apply(place))
            self.turns.append(turn if above < 0 else self.turns[above] * turn)
        self.heads = np.stack(heads, axis=1)

    def _tails(self, ends: dict[int, np.ndarray]) -> None:
        """As Blender's importer gives bones their tails."""
        self.along = []
        for joint in range(len(self.names)):
            below = [self.offsets[child] for child, above in enumerate(self.parents) if above == joint]
            along = np.mean(below, axis=0) if below else ends.get(joint, np.zeros(3))
            if np.linalg.norm(along) < 1e-3 * np.linalg.norm(self.offsets, axis=1).max():
                along = self.offsets[joint]
            self.along.append(along)

    def rest(self) -> FigureBones:
        heads: list[np.ndarray] = []
        for above, offset in zip(self.parents, self.offsets, strict=True):
            heads.append(offset if above < 0 else heads[above] + offset)
        return FigureBones(tuple(self.names), tuple(self.parents), np.array(heads), np.array(heads) + self.along)

    def tails(self) -> np.ndarray:
        return self.heads + np.stack(
            [turn.apply(way) for turn, way in zip(self.turns, self.along, strict=True)], axis=1
        )


def observed(seen: Seen, up: Rotation, name: str) -> tuple[Observed, list[LockPoint]]:
    """Let a file's figure stand along Z, and see its feet as the extension does."""
    rest = seen.rest()
    rest = FigureBones(rest.names, rest.parents, up.apply(rest.heads), up.apply(rest.tails))
    heads, tails = (up.apply(ends.reshape(-1, 3)).reshape(ends.shape) for ends in (seen.heads, seen.tails()))
    turns = np.stack([np.roll((up * turn).as_quat(), 1, axis=1) for turn in seen.turns], axis=1)
    heading = headings(turns)
    roles = find_roles(rest, [standing_figure(seen.names, seen.parents, heads, tails, heading)])
    frames = heads, turns
    feet = [_foot(seen, foot, frames) for foot in roles.feet]
    row = {bone: place for place, bone in enumerate(seen.names)}
    chain = rest.chain(row[roles.feet[0].ankle]) if feet else []
    leg = (
        sum(float(np.linalg.norm(seen.offsets[b])) for b in chain[: chain.index(row[roles.feet[0].thigh])])
        if feet
        else 1.0
    )
    points = [point for foot in feet for point in foot.points]
    return observe(name, seen.step * np.arange(len(heads)), frames, heading, feet, leg), points


def _foot(seen: Seen, roles, frames) -> Foot:
    def point(name: str, at: BonePoint) -> LockPoint:
        joint = seen.names.index(at.bone)
        return LockPoint(name, joint, np.array(seen.along[joint]) if at.end == "TAIL" else np.zeros(3))

    ankle, hip, ball = seen.names.index(roles.ankle), seen.names.index(roles.thigh), point("ball", roles.ball)
    if roles.heel is not None:
        return Foot(roles.side, (point("heel", roles.heel), ball), hip)
    if roles.ball == BonePoint(roles.ankle):
        return Foot(roles.side, (ball,), hip)
    heads, turns = frames
    balls = heads[:, ball.joint] + Rotation.from_quat(np.roll(turns[:, ball.joint], -1, axis=1)).apply(ball.offset)
    shown = np.concatenate([heads, balls[:, None]], axis=1), np.concatenate([turns, turns[:, [ball.joint]]], axis=1)
    return Foot(roles.side, (guessed_heel("heel", shown, ankle, heads.shape[1]), ball), hip)


def wrong_with(files: list[Written], switches: Switches) -> tuple[list[str], list[str]]:
    """Read the files of a folder; what is wrong with it, and what was refused or told."""
    wrong: list[str] = []
    told: list[str] = []
    found, scale = [], UNITS[switches.unit]
    for written in files:
        damage = switches.damage if written.path.stem == "damaged" else ""
        try:
            text = read_bvh_text(written.path.read_bytes(), written.path.name)
        except VerbsError as error:
            (told if damage in DAMAGE and written.path.name in str(error) else wrong).append(f"{damage}: {error}")
            continue
        if damage in DAMAGE:
            wrong.append(f"{damage} was not noticed")
            continue
        seen = Seen(text.text)
        looks = np.round(np.linspace(0.2, 0.8, 4) * (len(seen.heads) - 1)).astype(int)
        tails = seen.tails()
        rest = seen.rest()
        stature = stature_of([FigureBones(rest.names, rest.parents, seen.heads[r], tails[r]) for r in looks])
        axis = switches.up[-1]
        if "XYZ"[stature.axis] != axis or stature.upward == switches.up.startswith("-"):
            wrong.append(f"up is {'' if stature.upward else '-'}{'XYZ'[stature.axis]}")
            continue
        tall = stature.tall / height(seen, written, switches, looks)
        if abs(tall - 1.0) > 0.02:
            wrong.append(f"it is {tall:.3f} of its height")
        letter, degrees = UP[stature.axis]
        up = Rotation.from_euler(letter, degrees if stature.upward else degrees + 180.0, degrees=True)
        try:
            one, points = observed(seen, up, written.path.stem)
            found.append((seen, up, points, detect(one), written))
        except VerbsError as error:
            wrong.append(f"refused: {error}")
    walks = [detection for *_, detection, _ in found]
    shared = agree([one for one in walks if one.cycles]) if any(one.cycles for one in walks) else None
    chosen = dict(zip([one.name for one in walks if one.cycles], shared.chosen, strict=True)) if shared else {}
    for seen, up, points, detection, written in found:
        cycle = chosen.get(detection.name)
        if cycle is None:
            broken = written.path.stem == "damaged" and switches.damage == "broken off" and switches.loop != "long"
            (told if broken else wrong).append(f"refused: {detection.kind} {'; '.join(detection.remarks)}")
            continue
        wrong += wrong_steps(detection, cycle, written, switches)
        speed = speed_of(seen, up, points, detection, cycle) * scale / written.speed
        if abs(speed - 1.0) > 0.03:
            wrong.append(f"speed {speed:.3f}")
    return wrong, told


def height(seen: Seen, written: Written, switches: Switches, rows: np.ndarray) -> float:
    """Greatest height in some frames, from the lowest part of the feet to the highest of the head, as far as told."""
    aside = (*FINGERS, "Cape", "Prop", "Arm", "ForeArm", "Hand", "Shoulder")
    known = {name: seen.names.index(told) for name, told in written.names.items() if told in seen.names}
    body = [
        joint for name, joint in known.items() if not name.removeprefix("Left").removeprefix("Right").startswith(aside)
    ]
    last = [joint for joint in body if joint not in seen.parents] if switches.ends == "told" else []
    places = np.concatenate([seen.heads[rows][:, body], seen.tails()[rows][:, last]], axis=1)
    return float(np.ptp(places[..., "XYZ".index(switches.up[-1])], axis=1).max())


def speed_of(seen: Seen, up: Rotation, points: list[LockPoint], detection: Detection, cycle: Cycle) -> float:
    """Speed of an example made of a cycle, in the file's units a second; in place its standing feet tell it."""
    count = len(seen.names)
    turns = [
        (up if above < 0 else seen.turns[above].inv()) * turn
        for above, turn in zip(seen.parents, seen.turns, strict=True)
    ]
    rotations = np.stack([np.roll(turn.as_quat(), 1, axis=1) for turn in turns], axis=1)
    offsets, rests = np.array(seen.offsets), np.tile([1.0, 0.0, 0.0, 0.0], (count, 1))
    offsets[0] = 0.0
    skeleton = Skeleton(tuple(seen.names), np.array(seen.parents), offsets, rests, np.array(seen.along))
    channels = Channels(skeleton, np.arange(count), (), rests)
    times = seen.step * np.arange(len(rotations))
    take = Take(times, rotations, up.apply(seen.heads[:, 0]), np.zeros((len(times), 0)))
    if detection.period > 0.0:
        lasts = round_of(take, cycle.duration)
        take, _ = around(take, channels, lasts, cycle.start, cycle.end, 2.0 * seen.step)
    else:
        take = replace(take, times=times - cycle.start)
    windows = [windows_of_cycle(point.still, cycle, detection) for foot in detection.contacts for point in foot.points]
    contacts = tuple(
        Contact(point.name, point.joint, point.offset, tuple((a - cycle.start, b - cycle.start) for a, b in own))
        for point, own in zip(points, windows, strict=True)
    )
    keytimes = np.array(cycle.keytimes) - cycle.start
    example = Example("", np.zeros(0), cycle.names, keytimes, take, contacts, detection.kind, True)
    if detection.kind == "in_place":
        example = with_travel(example, channels)
    ends = [np.interp(keytimes[[0, -1]], example.take.times, example.take.root[:, axis]) for axis in (0, 1)]
    return float(np.hypot(*np.diff(ends, axis=1)[:, 0])) / cycle.duration


def wrong_steps(detection: Detection, cycle: Cycle, written: Written, switches: Switches) -> list[str]:
    wrong = []
    feet = {foot.foot for foot in detection.contacts if foot.windows}
    if feet != {"L", "R"}:
        wrong.append(f"contacts of {feet}")
    if detection.kind != ("in_place" if switches.in_place else "travelling"):
        wrong.append(f"kind {detection.kind}")
    if switches.loop != "long" and len(cycle.names) != 5:
        wrong.append(f"names {cycle.names}")
    if abs(cycle.duration - written.period) > 2.0 * frame(switches):
        wrong.append(f"a cycle of {cycle.duration:.2f} s")
    for name, time in zip(cycle.names, cycle.keytimes, strict=True):
        misses = [time - true for true in written.events[name]]
        if switches.loop != "long":
            misses = [miss + turn * written.period for miss in misses for turn in (-2, -1, 0, 1, 2)]
        miss = min(misses, key=abs, default=np.inf)
        if abs(miss) > frame(switches):
            wrong.append(f"{name} misses by {1000.0 * miss:.0f} ms")
    return wrong


def _judged(seeds: range, folder: Path) -> tuple[Counter[str], list[str]]:
    """Draw folders and read them: how many are right, told, refused or wrong, and what happened to the last two."""
    counts: Counter[str] = Counter(right=0, told=0, refused=0, wrong=0)
    odd: list[str] = []
    for seed in seeds:
        rng = np.random.default_rng(seed)
        switches = drawn(rng, damaged=seed % 4 == 3)
        wrong, told = wrong_with(write_folder(folder / str(seed), switches, rng), switches)
        kind = "told" if told else "right"
        if wrong:
            kind = "refused" if all(text.startswith("refused") for text in wrong) else "wrong"
            odd.append(f"folder {seed} is {kind}: {'; '.join(wrong)} of {switches}")
        counts[kind] += 1
    return counts, odd


def test_a_few_folders_of_walks_are_read_and_their_steps_found(tmp_path: Path):
    counts, odd = _judged(range(12), tmp_path)
    assert not odd
    assert counts["told"] and counts["right"]


@pytest.fixture(scope="module")
def judged() -> Counter[str]:
    """How the folders went that were drawn so far."""
    return Counter()


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_of_many_folders_of_walks_hardly_any_is_refused_or_wrong(part: int, judged: Counter[str], tmp_path: Path, tell):
    counts, odd = _judged(range(part * MANY // PARTS, (part + 1) * MANY // PARTS), tmp_path)
    judged += counts
    for text in odd:
        tell(f"  {text}")
    assert counts["right"] + counts["told"] >= 0.97 * counts.total()


@pytest.mark.long
def test_of_three_thousand_folders_of_walks_no_more_are_wrong_than_before(judged: Counter[str], tell):
    tell(f"3,000 folders of walks: {dict(judged)}")
    assert judged.total() == MANY, "Run the tests of the parts before this one, in one process."
    assert_held("3,000 folders of walks", [Figure("read wrongly without a word", judged["wrong"], 0.0, "", "")])
