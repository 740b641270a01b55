"""Noise in the examples: single-frame jumps and jitter are reported, and smoothed on request."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..motion.resampling import resample, smoothed_path
from .example import Example, Take

Array = NDArray[np.float64]

JUMP_DEGREES = 12.0
"""Difference in degrees from its median rotation around a frame from which a joint counts as jumping in that frame."""
OUTSTANDING = 3.0
"""Factor by which this difference must exceed that in nine tenths of the frames."""
ALONE = 0.35
"""Share of a jump by which the adjacent frames may differ."""
AROUND = 3
"""Number of frames on either side of a frame that, with it, give the median that it is compared with."""
TREMBLE_DEGREES, TREMBLE_SHARE = 1.5, 0.01
"""Degrees, and share of the figure's size, from which jitter is reported."""
ALTERNATES = -0.3
"""Median cosine between successive deviations below which the deviations are noise and not motion."""
OF_MEDIAN = 0.46
"""Standard deviation of 3D Gaussian noise as a share of the median length of its second differences."""


def noise_told(example: Example, channels: Channels) -> list[str]:
    """Return sentences about the noise of an example: the joint that jumps most, and what jitters most.

    Joints that carry contact points are left out, since toes turn suddenly where they meet the floor. A take with keys
    between frames is not reported, since such keys are set by hand.
    """
    take = example.take
    if len(take.times) < 2 * AROUND + 2 or not _is_even(take.times):
        return []
    turns = _turns(example, channels)
    jumps = _jumps(turns)
    bones = [f"Bone '{channels.skeleton.names[int(joint)]}'" for joint in channels.rotating]
    told: list[str] = []
    if jumps.any():
        row, joint = np.unravel_index(int(jumps.argmax()), jumps.shape)
        more = int((jumps > 0.0).any(axis=1).sum()) - 1
        others = f"; bones also jump in {more} other frames" if more else ""
        told.append(
            f"{bones[joint]} of example '{example.name}' jumps by {np.degrees(jumps[row, joint]):.0f} degrees in one "
            f"frame, {take.times[row]:.2f} s in{others}. Correct the key, or set Smoothing under How It Is Built."
        )
    degrees, joint = _largest_tremble(np.degrees(turns[1:] - turns[:-1]))
    if degrees > TREMBLE_DEGREES:
        told.append(
            f"{bones[joint]} of example '{example.name}' jitters by {degrees:.1f} degrees from frame to frame. Set "
            "Smoothing under How It Is Built, or use a cleaner take."
        )
    size = float(np.linalg.norm(channels.skeleton.offsets, axis=-1).sum()) or 1.0
    share = _largest_tremble(np.diff(take.root, 2, axis=0)[:, None])[0] / size
    if share > TREMBLE_SHARE:
        told.append(
            f"The root of example '{example.name}' jitters by {100.0 * share:.1f} % of the total bone length from "
            "frame to frame. Set Smoothing under How It Is Built, or use a cleaner take."
        )
    return told


def smoothed(example: Example, channels: Channels, seconds: float) -> Example:
    """Return an example with keys smoothed over some seconds; frames in which a joint jumps are interpolated first.

    A take whose frames are not evenly spaced is first resampled evenly.
    """
    take = example.take
    if not _is_even(take.times):
        even: Array = np.linspace(float(take.times[0]), float(take.times[-1]), len(take.times))
        parts = (
            resample(take.times, part, even) for part in (quat.continuous(take.rotations), take.root, take.scalars)
        )
        rotations, root, scalars = parts
        take = Take(even, quat.normalize(rotations), root, scalars)
        example = replace(example, take=take)
    rotations = quat.continuous(take.rotations)
    for row, joint in zip(*np.nonzero(_jumps(_turns(example, channels)) > 0.0), strict=True):
        if 0 < row < len(rotations) - 1:
            bridge = quat.align(rotations[row + 1, joint], rotations[row - 1, joint]) + rotations[row - 1, joint]
            rotations[row, joint] = quat.normalize(bridge)
    rotations = quat.normalize(smoothed_path(take.times, quat.continuous(rotations), seconds)[0])
    root, scalars = (smoothed_path(take.times, part, seconds)[0] for part in (take.root, take.scalars))
    return replace(example, take=Take(take.times, rotations, root, scalars))


def _is_even(times: Array) -> bool:
    """Return whether `times` (F,) are evenly spaced."""
    steps = np.diff(times)
    return float(np.ptp(steps)) < 1e-3 * float(steps.mean())


def _turns(example: Example, channels: Channels) -> Array:
    """Return the rotation vectors (F - 1, R, 3) from each frame to the next, 0 for joints that carry contact points."""
    rotations = quat.continuous(example.take.rotations)
    turns = quat.log(quat.multiply(quat.conjugate(rotations[:-1]), rotations[1:]))
    turns[:, np.isin(channels.rotating, [contact.joint for contact in example.contacts])] = 0.0
    return turns


def _jumps(turns: Array) -> Array:
    """Return the size in radians (F, R) of each joint's jump at each frame, 0 where there is none.

    `turns` (F - 1, R, 3) are the rotations from each frame to the next. A jump is isolated: the adjacent rotations are
    of the usual size, or the next one reverses it.
    """
    padded = np.pad(turns, ((AROUND, AROUND), (0, 0), (0, 0)), mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * AROUND + 1, axis=0)
    odd = turns - np.median(windows, axis=-1)
    size = np.linalg.norm(odd, axis=-1)
    beside = np.pad(size, ((1, 2), (0, 0)))
    before, after, later = beside[:-3], beside[2:-1], beside[3:]
    following = np.linalg.norm(odd + np.pad(odd[1:], ((0, 1), (0, 0), (0, 0))), axis=-1)
    stays = np.maximum(before, after) <= ALONE * size
    taken_back = np.maximum(np.maximum(before, later), following) <= ALONE * size
    usual = OUTSTANDING * np.quantile(size, 0.9, axis=0)
    alone = (stays | taken_back) & (size > np.maximum(np.radians(JUMP_DEGREES), usual))
    return np.concatenate([np.zeros_like(size[:1]), np.where(alone, size, 0.0)])


def _largest_tremble(deviations: Array) -> tuple[float, int]:
    """Return the noise in the second differences (F, R, 3) of the joint where it is largest, and that joint's index.

    Medians over the frames are used, so that a single frame has no effect.
    """
    size = np.linalg.norm(deviations, axis=-1)
    alike = (deviations[1:] * deviations[:-1]).sum(axis=-1) / np.maximum(size[1:] * size[:-1], 1e-12)
    noisy = np.where(np.median(alike, axis=0) < ALTERNATES, OF_MEDIAN * np.median(size, axis=0), 0.0)
    joint = int(noisy.argmax())
    return float(noisy[joint]), joint
