"""Small BVH files of a figure that walks, with names, proportions and bones of the test's choice."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

ROWS, PERIOD = 61, 30
STANDS = 0.6
"""Share of a cycle in which a foot stands."""
THIGH_TO_ANKLE, HIPS_OVER_LEGS = 78.0, 10.0
JOINTS = {
    "Hips": ("", (0.0, 90.0, 0.0)),
    "Spine": ("Hips", (0.0, 15.0, 0.0)),
    "Head": ("Spine", (0.0, 40.0, 0.0)),
    "LeftArm": ("Spine", (18.0, 30.0, 0.0)),
    "LeftForeArm": ("LeftArm", (28.0, 0.0, 0.0)),
    "LeftHand": ("LeftForeArm", (25.0, 0.0, 0.0)),
    "LeftHandIndex1": ("LeftHand", (9.0, 0.0, 2.0)),
    "LeftHandMiddle1": ("LeftHand", (10.0, 0.0, 0.0)),
    "RightArm": ("Spine", (-18.0, 30.0, 0.0)),
    "RightForeArm": ("RightArm", (-28.0, 0.0, 0.0)),
    "RightHand": ("RightForeArm", (-25.0, 0.0, 0.0)),
    "LeftUpLeg": ("Hips", (9.0, -5.0, 0.0)),
    "LeftLeg": ("LeftUpLeg", (0.0, -40.0, 0.0)),
    "LeftFoot": ("LeftLeg", (0.0, -38.0, 0.0)),
    "LeftToeBase": ("LeftFoot", (0.0, -5.0, 12.0)),
    "RightUpLeg": ("Hips", (-9.0, -5.0, 0.0)),
    "RightLeg": ("RightUpLeg", (0.0, -40.0, 0.0)),
    "RightFoot": ("RightLeg", (0.0, -38.0, 0.0)),
    "RightToeBase": ("RightFoot", (0.0, -5.0, 12.0)),
}
"""For each joint the one that carries it, and its offset from that in centimetres: Y is up, and it faces +Z."""
PINKY = {"LeftHandPinky1": ("LeftHand", (8.0, 0.0, -3.0))}
Joints = Mapping[str, tuple[str, tuple[float, float, float]]]


def write_bvh(
    path: Path,
    prefix: str = "",
    more: Joints | None = None,
    without: Collection[str] = (),
    scale: float = 1.0,
    offsets: Mapping[str, tuple[float, float, float]] | None = None,
    swing: float = 25.0,
    bend: float = 40.0,
) -> Path:
    """Write a walk of two cycles.

    Parameters
    ----------
    prefix : what stands before all names.
    more, without : joints that are added, and that are left out with all that they carry, or else carried by the next.
    scale : size of the figure and of its steps.
    offsets : other offsets of some joints.
    swing, bend : degrees by which the legs swing, and by which the knees bend meanwhile.
    """
    joints = {**JOINTS, **(more or {})}
    kept = {name: joint for name, joint in joints.items() if name not in without}
    carried = {name: _carrier(joints, without, name) for name in kept}
    placed = {name: np.array((offsets or {}).get(name, joint[1])) * scale for name, joint in kept.items()}
    turns = _turns(swing, bend)
    lines, order = ["HIERARCHY"], []

    def told(name: str, depth: int) -> None:
        pad, order_at = "\t" * depth, " ".join(f"{value:.6f}" for value in placed[name])
        order.append(name)
        channels = "6 Xposition Yposition Zposition" if not carried[name] else "3"
        lines.extend([f"{pad}{'JOINT' if depth else 'ROOT'} {prefix}{name}", f"{pad}{{", f"{pad}\tOFFSET {order_at}"])
        lines.append(f"{pad}\tCHANNELS {channels} Zrotation Xrotation Yrotation")
        inner = [child for child in kept if carried[child] == name]
        for child in inner:
            told(child, depth + 1)
        if not inner:
            end = " ".join(f"{value:.6f}" for value in 0.3 * placed[name])
            lines.extend([f"{pad}\tEnd Site", f"{pad}\t{{", f"{pad}\t\tOFFSET {end}", f"{pad}\t}}"])
        lines.append(f"{pad}}}")

    told("Hips", 0)
    lines += ["MOTION", f"Frames: {ROWS}", "Frame Time: 0.0333333"]
    for row in range(ROWS):
        phase, reach = row / PERIOD, np.radians(swing)
        lower = max(np.cos(reach * _ahead(phase + half)) for half in (0.0, 0.5))
        way = 2.0 * THIGH_TO_ANKLE * np.sin(reach) * phase / STANDS
        place = scale * np.array([0.0, HIPS_OVER_LEGS + THIGH_TO_ANKLE * lower, way])
        values = [*place, *(angle for name in order for angle in turns(name, phase))]
        lines.append(" ".join(f"{value:.6f}" for value in values))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def under_top(path: Path, at: tuple[float, float, float]) -> Path:
    """Put a joint on top of the hips of a file, which lets the walker stand along Z, and under which they rest at `at`.

    All that does not matter to what is seen, since the hips' channels say where they are. Names of legs tell nothing.
    """
    head, motion = path.read_text(encoding="utf-8").split("MOTION\n")
    for usual, strange in {"UpLeg": "Femur", "Leg": "Tibia", "Foot": "Tarsus", "ToeBase": "Ray"}.items():
        head = head.replace(usual, strange)
    channels = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    hips = head.split("\n", 1)[1].replace("ROOT Hips", "JOINT Hips").split("\n")
    hips[2] = f"OFFSET {at[0]} {at[1]} {at[2]}"
    rows = motion.strip().split("\n")
    turned = [*rows[:2], *(f"0 0 0 0 90 0 {row}" for row in rows[2:])]
    lines = ["HIERARCHY", "ROOT Top", "{", "OFFSET 0 0 0", channels, *hips, "}", "MOTION", *turned]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _carrier(joints: Joints, without: Collection[str], name: str) -> str:
    carrier = joints[name][0]
    return _carrier(joints, without, carrier) if carrier in without else carrier


def _ahead(phase: float) -> float:
    """How far the left leg is ahead, from -1 to 1: evenly back while it stands, and forward in the rest of a cycle."""
    return float(np.interp(phase % 1.0, [0.0, STANDS, 1.0], [1.0, -1.0, 1.0]))


def _bend(phase: float) -> float:
    """How far the left knee is bent, from 0 to 1."""
    return float(np.sin(np.pi * max(phase % 1.0 - STANDS, 0.0) / (1.0 - STANDS)))


def _turns(swing: float, bend: float):
    """Angles about Z, X and Y in degrees of each joint at a phase of the walk."""

    def turns(name: str, phase: float) -> tuple[float, float, float]:
        own, around = phase if name.startswith("Left") else phase + 0.5, 2.0 * np.pi * phase
        if name.endswith("UpLeg"):
            return 0.0, -swing * _ahead(own), 0.0
        if name.endswith("Leg"):
            return 0.0, bend * _bend(own), 0.0
        if name.endswith("ForeArm"):
            return 0.0, 0.0, 20.0 if name.startswith("Right") else -20.0
        if name.endswith("Arm"):
            return (-70.0 if name.startswith("Left") else 70.0), 0.5 * swing * _ahead(own), 0.0
        return (3.0 * np.sin(around), 4.0, 5.0 * np.cos(around)) if name in ("Spine", "Head") else (0.0, 0.0, 0.0)

    return turns


def write_folder(folder: Path, clips: list[dict], verbs: list[dict]) -> Path:
    """Write `keytimes.json` of a folder with records of clips and suggested verbs."""
    folder.mkdir(parents=True, exist_ok=True)
    told = json.dumps({"clips": clips, "suggested_verbs": verbs})
    (folder / "keytimes.json").write_text(told, encoding="utf-8")
    return folder


def clip(file: str, planted: Mapping[str, list[list[float]]] | None = None) -> dict:
    """A record of a clip that `write_bvh` has written, with the keytimes of one cycle."""
    names = ["R_down", "L_down", "R_down"]
    return {
        "file": file, "cyclic": True, "frames": ROWS, "keytime_names": names, "keytimes": [15, 30, 45],
        "toe_planted": dict(planted or {}),
    }  # fmt: skip


def verb(name: str, places: Mapping[str, list[float]], adverbs: tuple[str, ...] = ("energy",)) -> dict:
    """A suggested verb with examples at places."""
    even = {"subtract": [0.0] * len(adverbs), "then_divide_by": [1.0] * len(adverbs)}
    examples = [{"file": file, "at": at} for file, at in places.items()]
    return {"name": name, "adverbs": list(adverbs), **even, "examples": examples}
