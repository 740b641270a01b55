"""Writing BVH files of generated walks on skeletons with published names: Y up, as most programs do, in metres."""

from pathlib import Path

import numpy as np
from verbs_adverbs.core.biped.figure import rest_orientations
from verbs_adverbs.core.figure import quaternion as quat

from .carried import Body, Carried, body_of, carry, tree_of
from .published_skeletons import PUBLISHED

RATE = 24.0
TURNS = "Zrotation Xrotation Yrotation"


def write_carried_bvh(path: Path, skeleton: str, mood: float) -> Carried:
    """Write the generated walk of a mood as the bones of a published skeleton move in it, and return that."""
    body = body_of(PUBLISHED[skeleton], "T")
    walk = carry(body, RATE, mood)
    floor = {bone for bone, (place, _) in enumerate(tree_of(PUBLISHED[skeleton])[2]) if place == "floor"}
    parents = body.bones.parents
    travelling = {bone for bone, parent in enumerate(parents) if bone in floor or parent < 0 or parent in floor}
    order: list[int] = []
    lines = ["HIERARCHY", *_hierarchy(body, travelling, 0, 0, order)]
    lines += ["MOTION", f"Frames: {len(walk.times)}", f"Frame Time: {1.0 / RATE:.7f}"]
    places, angles = _poses(body, walk, floor)
    for row in range(len(walk.times)):
        both = ([*places[row, bone], *angles[row, bone]] if bone in travelling else angles[row, bone] for bone in order)
        lines.append(" ".join(f"{value:.6f}" for values in both for value in values))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return walk


def _hierarchy(body: Body, travelling: set[int], bone: int, depth: int, order: list[int]) -> list[str]:
    """Lines of a bone and of all below it; `order` gets the bones as the lines name them."""
    bones, pad = body.bones, "\t" * depth
    parent, children = bones.parents[bone], bones.children(bone)
    channels = f"6 Xposition Yposition Zposition {TURNS}" if bone in travelling else f"3 {TURNS}"
    order.append(bone)
    lines = [f"{pad}{'JOINT' if depth else 'ROOT'} {bones.names[bone]}", f"{pad}{{"]
    lines.append(f"{pad}\tOFFSET {_offset(bones.heads[bone] - (bones.heads[parent] if parent >= 0 else 0.0))}")
    lines.append(f"{pad}\tCHANNELS {channels}")
    for child in children:
        lines += _hierarchy(body, travelling, child, depth + 1, order)
    if not children:
        end = _offset(bones.tails[bone] - bones.heads[bone])
        lines += [f"{pad}\tEnd Site", f"{pad}\t{{", f"{pad}\t\tOFFSET {end}", f"{pad}\t}}"]
    return [*lines, f"{pad}}}"]


def _poses(body: Body, walk: Carried, floor: set[int]) -> tuple[np.ndarray, np.ndarray]:
    """Values (T, J, 3) of all channels: places in the parents' frames, and angles about Z, X and Y in degrees."""
    rests = quat.multiply(rest_orientations()[body.carriers], body.turns)
    heads, turns = walk.positions.copy(), quat.multiply(walk.orientations, quat.conjugate(rests))
    for bone in floor:
        heads[:, bone], turns[:, bone] = body.bones.heads[bone], quat.IDENTITY
    places, angles = np.empty_like(heads), np.empty_like(heads)
    for bone, parent in enumerate(body.bones.parents):
        back = quat.conjugate(turns[:, parent]) if parent >= 0 else quat.IDENTITY
        places[:, bone] = _y_up(quat.rotate(back, heads[:, bone] - (heads[:, parent] if parent >= 0 else 0.0)))
        own = quat.multiply(back, turns[:, bone])
        own = np.concatenate([own[:, :1], _y_up(own[:, 1:])], axis=1)
        angles[:, bone] = np.degrees(quat.to_euler(own, "YXZ"))[:, [2, 0, 1]]
    return places, angles


def _y_up(vectors: np.ndarray) -> np.ndarray:
    """Return vectors (..., 3) of a figure that stands along Z and faces -Y as if it stood along Y and faced Z."""
    return vectors[..., [0, 2, 1]] * np.array([1.0, 1.0, -1.0])


def _offset(metres: np.ndarray) -> str:
    return " ".join(f"{value:.6f}" for value in _y_up(metres))
