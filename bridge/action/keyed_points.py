"""Points that keys move by themselves, without constraints: what can be locked."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...core.detect.bone_roles import BonePoint
from ...core.figure.channels import Channels
from ...core.figure.skeleton import point_positions
from ...core.verb.example import Contact, Take, frames_of

Array = NDArray[np.float64]
Points = tuple[BonePoint | None, ...]

NEAR = 0.06
"""Share of a leg's length within which the end of a control goes where a point of the foot is seen."""
ALIKE = 0.01
"""Share of a leg's length by which ends that go the same way differ."""


def still_contacts(channels: Channels, contacts: Sequence[Contact]) -> Iterator[str]:
    """Sentences about points that hang on nothing that is keyed, but the root.

    Parameters
    ----------
    channels : of the examples.
    contacts : of an example.
    """
    below, names = _below_keys(channels), channels.skeleton.names
    for joint in np.unique([contact.joint for contact in contacts]).astype(int).tolist():
        if joint and joint not in below:
            yield (
                f"No key moves the contact point '{names[joint]}' against the root '{names[0]}'. If constraints move "
                "it, put the contact on the control that it follows, such as the target of its IK."
            )


def on_controls(
    channels: Channels, take: Take, feet: Sequence[Points], paths: Sequence[Array], leg: float
) -> tuple[Points, ...]:
    """Ends of bones that keys move and that go where points of feet are seen: those of IK's controls, or of FK's.

    Of ends that go the same way it is the point's own, else the one that fewest bones part from what is keyed. A ball
    that none goes along with stays on its own bone; a heel is left out.

    Parameters
    ----------
    channels, take : what is keyed.
    feet : (F,) heel and ball of each, None where no bone marks one.
    paths : (F,) places (2, T, 3) where Blender shows them.
    leg : its length.
    """
    below, names, frames = _below_keys(channels), channels.skeleton.names, frames_of(take, channels)
    ends = [(joint, BonePoint(names[joint], end)) for joint in below for end in ("HEAD", "TAIL")]
    tails = channels.skeleton.tails
    places = np.array([point_positions(*frames, joint, tails[joint] * (point.end == "TAIL")) for joint, point in ends])

    def carried(point: BonePoint | None, path: Array) -> BonePoint | None:
        if point is None or not ends:
            return None
        apart = np.linalg.norm(places - path, axis=-1).mean(axis=1)
        least = apart.min()
        alike = [end for end, far in zip(ends, apart, strict=True) if far <= min(least + ALIKE * leg, NEAR * leg)]
        own = [end for _, end in alike if end == point]
        return own[0] if own else min(alike, key=lambda end: below[end[0]], default=(0, None))[1]

    return tuple(
        (carried(heel, seen[0]), carried(ball, seen[1]) or ball) for (heel, ball), seen in zip(feet, paths, strict=True)
    )


def _below_keys(channels: Channels) -> dict[int, int]:
    """Joints that hang on something that is keyed, but the root: how many bones part them from it."""
    placed = {s.joint for s in channels.scalars if s.joint > 0 and s.kind != "value"}
    keyed = {int(joint) for joint in channels.rotating[1:]} | placed
    chains = {joint: channels.skeleton.chain(joint) for joint in range(1, len(channels.skeleton.names))}
    return {j: next(n for n, above in enumerate(c) if above in keyed) for j, c in chains.items() if keyed & set(c)}
