"""Walks written as BVH files in the many ways of people's programs: a folder of them for each draw of switches."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from brought_names import FINGERS, NAMED, names_in
from brought_walks import BODY, Array, Gait, walk
from scipy.spatial.transform import Rotation

MORE = {
    "fingers": {
        f"{side}{finger}{joint}": (
            f"{side}Hand" if joint == 1 else f"{side}{finger}{joint - 1}",
            (way * (0.08 if joint == 1 else 0.03), 0.0, 0.02 * place - 0.04 if joint == 1 else 0.0),
        )
        for side, way in (("Left", 1.0), ("Right", -1.0))
        for place, finger in enumerate(FINGERS)
        for joint in (1, 2, 3)
    },
    "face": {
        "Jaw": ("Head", (0.0, -0.01, 0.04)),
        "LeftEye": ("Head", (0.03, 0.05, 0.08)),
        "RightEye": ("Head", (-0.03, 0.05, 0.08)),
    },
    "cape": {
        "Cape1": ("Chest", (0.0, 0.12, -0.12)),
        "Cape2": ("Cape1", (0.0, -0.45, -0.1)),
        "Cape3": ("Cape2", (0.0, -0.45, -0.05)),
    },
    "hair": {"Hair1": ("Head", (0.0, 0.1, -0.1)), "Hair2": ("Hair1", (0.0, -0.15, -0.05))},
    "prop": {"Prop": ("RightHand", (-0.08, 0.0, 0.0))},
}
LEG = tuple(f"{side}{part}" for side in ("Left", "Right") for part in ("Up", "Leg", "Foot", "Toe", "Hip"))
BETWEEN = {
    "spine": (("Waist", "Chest", 0.5),),
    "hip joints": (("LeftHipJoint", "LeftUpLeg", 0.8), ("RightHipJoint", "RightUpLeg", 0.8)),
    "thigh twists": (("LeftUpTwist", "LeftLeg", 0.5), ("RightUpTwist", "RightLeg", 0.5)),
    "top": (("Top", "Hips", 0.0),),
}
"""Joints put between one and what carries it, at a share of the way."""
ENDS = {"Head": (0.0, 0.16, 0.0), "Toe": (0.0, -0.015, 0.07), "Prop": (0.0, 0.0, 0.9), "Cape3": (0.0, -0.1, 0.0)}
"""Where joints end that carry none, if not a little further on the way that led to them."""
ROOT_UP = {
    "Y": "y0", "Z": "x90", "X": "z-90", "-Y": "x180", "-Z": "x-90", "-X": "z90",
}  # fmt: skip
UNITS = {"metres": 1.0, "centimetres": 0.01, "inches": 0.0254, "feet": 0.3048, "millimetres": 0.001}
MENDABLE = (
    "broken off", "decimal commas", "Latin-1", "wrapped rows", "byte order mark", "windows lines", "frames told",
)  # fmt: skip
"""Damage that can be mended safely."""
DAMAGE = (
    "no frame time", "a joint's line missing", "word among numbers", "brackets", "a value missing", "no frames",
    "nothing", "not a number",
)  # fmt: skip
"""Damage that must be told."""


@dataclass(frozen=True)
class Switches:
    """What the files of a folder are like; each draw is one combination."""

    named: str = "MotionBuilder"
    more: tuple[str, ...] = ()
    up: str = "Y"
    lying: bool = False
    unit: str = "centimetres"
    rate: float = 30.0
    order: str = "ZXY"
    places: bool = False
    toe: bool = True
    ends: str = "told"
    loop: str = "long"
    begins: tuple[float, ...] = (0.3, 0.8)
    in_place: bool = False
    rests: bool = False
    t_pose: bool = False
    noise: bool = False
    drift: str = ""
    width: float = 0.08
    heading: float = 0.0
    landing: float = 0.3
    duty: float = 0.62
    strike: float = 15.0
    leave: float = 52.0
    tall: float = 1.0
    damage: str = ""
    rest: str = ""
    trunk: float = 1.0
    between: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Written:
    """A file with the truth about it; seconds are those of the file.

    Parameters
    ----------
    events : seconds at which each foot comes down and leaves, such as ``'L_down'``; in a loop those of one round.
    period : seconds of a cycle.
    speed : metres a second over the floor.
    names : what the joints are called.
    turns : (T, 4) how each joint is turned in the world from a T-pose, xyzw; Y is up, and it faces +Z then.
    """

    path: Path
    events: dict[str, Array]
    period: float
    speed: float
    names: dict[str, str]
    turns: dict[str, Array]


def _damage(rng: np.random.Generator, named: str) -> str:
    kind = (*MENDABLE, *DAMAGE, *DAMAGE)[rng.integers(len(MENDABLE) + 2 * len(DAMAGE))]
    return "byte order mark" if kind == "Latin-1" and named == "Japanese" else kind


def drawn(rng: np.random.Generator, damaged: bool) -> Switches:
    """Draw a combination of switches."""

    def one(*of):
        return of[rng.integers(len(of))]

    kind = one("long", "long", "closed", "open")
    ends = one("told", "told", "zero", "none")
    switches = Switches(
        named=one(*NAMED),
        more=tuple(name for name in MORE if rng.random() < 0.4),
        up=one("Y", "Y", "Z", "Z", "X", "-Y", "-Z", "-X"),
        lying=rng.random() < 0.2,
        unit=one(*UNITS),
        rate=one(24.0, 25.0, 30.0, 50.0, 60.0, 100.0, 120.0),
        order=one("ZXY", "ZYX", "XYZ", "YXZ", "XZY", "YZX"),
        places=rng.random() < 0.3,
        toe=rng.random() < 0.7,
        ends=ends,
        loop=kind,
        begins=tuple(rng.random(2)),
        in_place=rng.random() < 0.4,
        t_pose=rng.random() < 0.2,
        noise=rng.random() < 0.4,
        drift=one("", "", "height", "aside"),
        width=one(0.08, 0.08, 0.12, -0.02),
        heading=float(rng.uniform(-180.0, 180.0)) if rng.random() < 0.5 else 0.0,
        landing=float(rng.uniform(0.1, 0.5)),
        duty=float(rng.uniform(0.58, 0.66)),
        strike=float(rng.uniform(5.0, 22.0)),
        leave=float(rng.uniform(40.0, 60.0)),
        tall=float(rng.uniform(0.85, 1.15)),
    )
    if damaged:
        switches = replace(switches, damage=_damage(rng, switches.named))
    if kind != "long":
        return replace(switches, t_pose=False)
    return replace(switches, rests=rng.random() < 0.3 and not switches.in_place)


def frame(switches: Switches) -> float:
    """Seconds by which a keytime may miss: a frame of the clip, or of 60 a second where it has more.

    Where a file tells nothing of a foot below its ankle, it is a frame of 30 a second: how fast the ankle is as the
    toes leave differs that much from one walk to another.
    """
    return 1.0 / min(switches.rate, 60.0 if switches.toe or switches.ends == "told" else 30.0)


def write_folder(folder: Path, switches: Switches, rng: np.random.Generator) -> list[Written]:
    """Write a slow and a fast walk, and a third, damaged one where switches say so."""
    folder.mkdir(parents=True)
    speeds = {"slow": 0.85, "fast": 1.35} | ({"damaged": 1.1} if switches.damage else {})
    found = []
    for place, (name, speed) in enumerate(speeds.items()):
        begin = switches.begins[place % len(switches.begins)]
        written = write_walk(folder / f"{name}.bvh", switches, speed, begin, rng)
        if name == "damaged":
            written.path.write_bytes(damaged(written.path.read_text(encoding="utf-8"), switches.damage))
        found.append(written)
    return found


def write_walk(path: Path, switches: Switches, speed: float, begin: float, rng: np.random.Generator) -> Written:
    """Write one walk that begins at a share of its cycle."""
    period, rate = 1.25 - 0.2 * (speed - 0.85), switches.rate
    if switches.loop != "long":
        period = round(period * rate) / rate
    gait = Gait(
        speed, period, switches.duty, switches.landing, switches.strike, switches.leave, switches.width,
        switches.heading,
    )  # fmt: skip
    cycles = {"long": 3.4, "closed": 1.0, "open": 1.0}[switches.loop] + switches.rests
    rest = (0.8, 0.8 + 4.5 * period) if switches.rests else None
    seconds = cycles * period + (3.0 if rest else 0.0)
    times = np.arange(int(round(seconds * rate)) + (switches.loop != "open")) / rate
    walked = walk(gait, times, begin, rest)
    places = walked.root.copy()
    drift = {"": (0.0, 0.0), "height": (0.0, 0.004), "aside": (0.02, 0.0)}[switches.drift]
    velocity = np.array([*drift, -speed if switches.in_place else 0.0])
    places += times[:, None] * Rotation.from_euler("y", switches.heading, degrees=True).apply(velocity)
    turns = {name: Rotation.from_quat(turn) for name, turn in walked.turns.items()}
    if switches.noise:
        places = places + 0.0005 * rng.normal(size=places.shape)
        turns = {
            name: turn * Rotation.from_rotvec(0.002 * rng.normal(size=(len(times), 3))) for name, turn in turns.items()
        }
    names = names_of(switches)
    path.write_text(_text(switches, places, turns, names), encoding="utf-8")
    shift = 1.0 / rate if switches.t_pose else 0.0
    events = {f"{foot}_{end[:-1]}": getattr(walked, end)[foot] + shift for foot in "LR" for end in ("downs", "ups")}
    seen = _in_world(joints_of(switches), turns, len(times))
    return Written(path, events, period, speed * switches.tall, names, seen)


def _in_world(joints, turns: dict[str, Rotation], count: int) -> dict[str, Array]:
    """How joints are turned in the world, by how they are turned from one to the next."""
    found: dict[str, Rotation] = {}

    def turned(name: str) -> Rotation:
        if name not in found:
            own, above = turns.get(name, Rotation.identity(count)), joints[name][0]
            found[name] = turned(above) * own if above else own
        return found[name]

    return {name: turned(name).as_quat() for name in joints}


def names_of(switches: Switches) -> dict[str, str]:
    """What the joints are called in a file, by their own names."""
    return names_in(switches.named, list(joints_of(switches)))


def joints_of(switches: Switches) -> dict[str, tuple[str, tuple[float, float, float]]]:
    """The joints of a figure with those that carry them, and their offsets in metres."""
    joints = dict(BODY)
    for group in switches.more:
        joints |= MORE[group]
    joints = {name: joint for name, joint in joints.items() if switches.toe or not name.endswith("Toe")}
    for group in switches.between:
        for name, below, share in BETWEEN[group]:
            above, offset = joints[below]
            joints[name] = above, tuple(np.multiply(share, offset))
            joints[below] = name, tuple(np.multiply(1.0 - share, offset))
    legs = {"Hips", "Top", *(name for name in joints if name.startswith(LEG))}
    return {
        name: (above, offset if name in legs else tuple(np.multiply(switches.trunk, offset)))
        for name, (above, offset) in joints.items()
    }


def rests_of(switches: Switches) -> dict[str, Rotation]:
    """How each joint is turned from a T-pose to the pose at rest of a file, whose joints are then all turned alike."""
    joints = joints_of(switches)
    world = Rotation.from_euler(ROOT_UP[switches.up][0], float(ROOT_UP[switches.up][1:]), degrees=True)
    if switches.lying:
        return dict.fromkeys(joints, Rotation.from_euler("zx", [90.0, 40.0], degrees=True))
    turned = dict.fromkeys(joints, Rotation.identity())
    for name in joints:
        if switches.rest == "A" and any(part in name for part in ("Arm", "Hand", *FINGERS)):
            turned[name] = Rotation.from_euler("z", -45.0 if name.startswith("Left") else 45.0, degrees=True)
        below = [offset for above, offset in joints.values() if above == name] or [joints[name][1]]
        if switches.rest == "heap" and name != "Top" and np.linalg.norm(below[0]):
            along = np.array([-1.0 if name.startswith("Right") else 1.0, 0.0, 0.0])
            turned[name] = Rotation.align_vectors([along], [below[0]])[0]
    return {name: world * turn for name, turn in turned.items()}


def _text(switches: Switches, places: Array, turns: dict[str, Rotation], names: dict[str, str]) -> str:
    joints, size = joints_of(switches), switches.tall / UNITS[switches.unit]
    world = Rotation.from_euler(ROOT_UP[switches.up][0], float(ROOT_UP[switches.up][1:]), degrees=True)
    rests = rests_of(switches)
    bases = {name: rests[above] if above else world for name, (above, _) in joints.items()}
    offsets = {name: bases[name].apply(np.multiply(offset, size)) for name, (_, offset) in joints.items()}
    offsets["Hips"] = offsets["Hips"] if not switches.places else np.zeros(3)
    lines, columns = ["HIERARCHY"], []
    count = len(places)
    still = Rotation.identity(count)

    def told(name: str, depth: int) -> None:
        top, pad = not joints[name][0], "\t" * depth
        inner = [child for child, (above, _) in joints.items() if above == name]
        with_place = top or name == "Hips" or switches.places
        channels = (["Xposition", "Yposition", "Zposition"] if with_place else []) + [
            f"{a}rotation" for a in switches.order
        ]
        lines.extend([f"{pad}{'ROOT' if top else 'JOINT'} {names[name]}", f"{pad}{{"])
        lines.append(f"{pad}\tOFFSET {_numbers(offsets[name])}")
        lines.append(f"{pad}\tCHANNELS {len(channels)} {' '.join(channels)}")
        if with_place:
            place = world.apply(places * size) if name == "Hips" else np.tile(offsets[name], (count, 1))
            columns.append(place)
        columns.append(_angles(bases[name] * turns.get(name, still) * rests[name].inv(), switches.order))
        for child in inner:
            told(child, depth + 1)
        if not inner and switches.ends != "none":
            lines.extend([f"{pad}\tEnd Site", f"{pad}\t{{"])
            lines.extend([f"{pad}\t\tOFFSET {_numbers(_end(switches, rests[name], name, size))}", f"{pad}\t}}"])
        lines.append(f"{pad}}}")

    told(next(iter(name for name, (above, _) in joints.items() if not above)), 0)
    rows = np.concatenate(columns, axis=1)
    if switches.t_pose:
        rows = np.concatenate([_t_pose(switches, rows, world, rests["Hips"]), rows])
    told_rows = [" ".join(f"{value:.5f}" for value in row) for row in rows]
    return "\n".join(
        [*lines, "MOTION", f"Frames: {len(rows)}", f"Frame Time: {1.0 / switches.rate:.7f}", *told_rows, ""]
    )


def _t_pose(switches: Switches, rows: Array, world: Rotation, basis: Rotation) -> Array:
    """A row (1, C) in which nothing is turned but what lets the figure stand."""
    row = rows[:1].copy()
    width = 6 if switches.places else 3
    row[0, 3:6] = _angles(world * basis.inv(), switches.order)
    for start in range(6, row.shape[1], width):
        row[0, start + width - 3 : start + width] = 0.0
    return row


def _end(switches: Switches, basis: Rotation, name: str, size: float) -> Array:
    if switches.ends == "zero":
        return np.zeros(3)
    plain = name.removeprefix("Left").removeprefix("Right")
    offset = ENDS.get(plain) or np.multiply(joints_of(switches)[name][1], 0.3)
    if plain == "Foot":
        offset = BODY[f"{name.removesuffix('Foot')}Toe"][1]
    return basis.apply(np.multiply(offset, size))


def _angles(turn: Rotation, order: str) -> Array:
    return np.atleast_1d(turn.as_euler(order, degrees=True))


def _numbers(values: Array) -> str:
    return " ".join(f"{value:.6f}" for value in values)


def damaged(text: str, kind: str) -> bytes:
    """A file's text with some damage."""
    head, motion = text.split("MOTION\n")
    frames, time, *rows = motion.strip().split("\n")
    middle = len(rows) // 2
    if kind == "broken off":
        rows[-1] = rows[-1][: len(rows[-1]) // 2]
    elif kind == "decimal commas":
        return re.sub(r"(\d)\.(\d)", r"\1,\2", text).encode()
    elif kind == "Latin-1":
        return text.replace("Chest", "Rücken").replace("Spine1", "Rücken").encode("latin-1")
    elif kind == "wrapped rows":
        rows = [half for row in rows for half in _halves(row)]
    elif kind == "byte order mark":
        return b"\xef\xbb\xbf" + text.encode()
    elif kind == "windows lines":
        return text.replace("\n", "\r\n").encode()
    elif kind == "frames told":
        frames = f"Frames: {len(rows) + 7}"
    elif kind == "no frame time":
        time = ""
    elif kind == "word among numbers":
        rows[middle] = rows[middle].replace(rows[middle].split()[4], "#REF!", 1)
    elif kind == "a joint's line missing":
        lines = head.split("\n")
        lines.remove(next(line for line in lines if "JOINT" in line))
        head = "\n".join(lines)
    elif kind == "brackets":
        head = head.rstrip()[:-1]
    elif kind == "a value missing":
        rows[middle] = rows[middle].rsplit(" ", 1)[0]
    elif kind == "no frames":
        rows = []
    elif kind == "not a number":
        rows[middle] = "nan " + rows[middle].split(" ", 1)[1]
    else:
        return b""
    return "\n".join([head + "MOTION", frames, *([time] if time else []), *rows, ""]).encode()


def _halves(row: str) -> tuple[str, str]:
    words = row.split()
    return " ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])
