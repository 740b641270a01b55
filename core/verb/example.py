"""Examples: motions placed in the adverb space ([Rose1998] section 3, [Rose2001] eq. 1), and what they must share."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import ExampleError, VerbError, listed
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.skeleton import forward_kinematics
from ..motion.bspline import Encoding
from ..motion.resampling import resample
from ..motion.timewarp import check_keytimes
from ..motion.travel import repeat

Array = NDArray[np.float64]
Kind = Literal["travelling", "in_place", "stationary"]
SAME = 1e-9
"""Tolerance in seconds within which two instants count as equal."""
NEARLY = 0.05
"""Tolerance of lengths as a share of a frame; keytimes are stored in single precision."""
LARGEST_VALUE = 1e6
"""Largest valid value of a key; a larger one counts as corrupt."""


@dataclass(frozen=True, eq=False)
class Contact:
    """A point of the figure that is planted on the floor during some spans of an example.

    Parameters
    ----------
    point : name of the contact point.
    joint : index of the joint that carries it.
    offset : (3,) its position in the joint's frame, performance units.
    windows : begin and end of each span, in seconds from the example's first keytime; they may reach beyond its ends.
    """

    point: str
    joint: int
    offset: Array
    windows: tuple[tuple[float, float], ...]


@dataclass(frozen=True, eq=False)
class Take:
    """Keyed frames of one action over an example's span and a margin around it.

    Parameters
    ----------
    times : (F,) seconds from the start of the span, increasing.
    rotations : (F, R, 4) unit quaternions of the animated joints; the root's, joint 0, is absolute in performance
        space.
    root : (F, 3) position of the root in performance space.
    scalars : (F, S) further animated numbers, as `Channels.scalars` lists them.
    """

    times: Array
    rotations: Array
    root: Array
    scalars: Array


def frames_of(take: Take, channels: Channels) -> tuple[Array, Array]:
    """Return positions (F, J, 3) and orientations (F, J, 4) of all joints of a take, in performance space."""
    count = len(take.times)
    rotations = np.array(np.broadcast_to(channels.static, (count, *channels.static.shape)))
    rotations[:, channels.rotating] = take.rotations
    locations = np.zeros((count, len(channels.skeleton.names), 3))
    columns, joints, axes = channels.location_scalars
    locations[:, joints, axes] = take.scalars[:, columns]
    locations[:, 0] = take.root
    return forward_kinematics(channels.skeleton, rotations, locations)


def round_of(take: Take, lasts: float) -> float:
    """Return the period of a loop in seconds: to its last frame, or one frame more if its first pose follows there.

    Parameters
    ----------
    take : take of the loop from second 0 on.
    lasts : duration in seconds of an example of the loop; it is the period if the first pose follows the last frame.
    """
    last, step = float(take.times[-1]), float(take.times[-1] - take.times[-2])
    if lasts - last < NEARLY * step:
        return last
    poses = take.rotations[[0, 1, -2, -1]].copy()
    poses[:, 0] = quat.IDENTITY
    gap, after, before = (
        float(np.linalg.norm(quat.angle_between(poses[one], poses[other]))) for one, other in ((3, 0), (0, 1), (2, 3))
    )
    return lasts if gap > 0.25 * (after + before) else last


def around(
    take: Take, channels: Channels, period: float, start: float, end: float, margin: float
) -> tuple[Take, float]:
    """Return the take of a loop over another span of time: after its last frame it continues from its first.

    Each repetition is moved and rotated by the loop's travel. The remaining difference between its last pose and its
    first is spread over the whole loop. A loop whose last frame is one before its first pose gets that pose at its end.

    Parameters
    ----------
    take : take of the loop from second 0, for one period or until one frame before.
    channels : channels that it animates.
    period : seconds of one period, as returned by `round_of`.
    start, end : the new span in seconds; times are then relative to its start.
    margin : seconds on either side of the span.

    Returns
    -------
    take : take over that span.
    seam : largest joint rotation in degrees that remained between the last pose and the first.
    """
    take = _cut(_completed(take, channels, period), period)
    heading = float(quat.yaw_of(quat.multiply(take.rotations[-1, 0], quat.conjugate(take.rotations[0, 0]))))
    shift = take.root[-1] - quat.rotate(quat.from_yaw(heading), take.root[0])
    travel = np.array([shift[0], shift[1], heading, shift[2]])
    closed, seam = _closed(take, _moved(take, channels, travel), channels, heading)
    rounds = range(math.floor((start - margin) / period), math.ceil((end + margin) / period))
    copies = [_moved(closed, channels, one) for one in repeat(travel, np.array(rounds, dtype=np.float64))]
    times = np.concatenate([closed.times[:-1] + number * period for number in rounds])
    near = (times >= start - margin - SAME) & (times <= end + margin + SAME)
    rotations, root, scalars = (
        np.concatenate([getattr(copy, name)[:-1] for copy in copies])[near] for name in ("rotations", "root", "scalars")
    )
    return Take(times[near] - start, quat.continuous(rotations), root, scalars), seam


def _completed(take: Take, channels: Channels, period: float) -> Take:
    """Return a take extended by its first frame after a `period` if it ends before; the root keeps moving."""
    short = period - float(take.times[-1])
    if short <= SAME:
        return take
    turns = quat.yaw_of(quat.multiply(take.rotations[[1, -1], 0], quat.conjugate(take.rotations[[0, -2], 0])))
    facing = quat.yaw_of(quat.multiply(take.rotations[-1, 0], quat.conjugate(take.rotations[0, 0])))
    steps = np.stack([quat.rotate(quat.from_yaw(facing), take.root[1] - take.root[0]), take.root[-1] - take.root[-2]])
    share = short / np.array([take.times[1] - take.times[0], take.times[-1] - take.times[-2]])
    turn = quat.from_yaw(facing + float(share @ turns) / 2.0)
    shift = take.root[-1] + share @ steps / 2.0 - quat.rotate(turn, take.root[0])
    travel = np.array([shift[0], shift[1], quat.yaw_of(turn), shift[2]])
    first = Take(take.times[:1] + period, take.rotations[:1], take.root[:1], take.scalars[:1])
    return _joined(take, _moved(first, channels, travel))


def _joined(take: Take, after: Take) -> Take:
    names = ("times", "rotations", "root", "scalars")
    return Take(*(np.concatenate([getattr(take, name), getattr(after, name)]) for name in names))


def _cut(take: Take, period: float) -> Take:
    """Return the rows of a take from second 0 to `period`, including one at each end."""
    inside = take.times[(take.times > SAME) & (take.times < period - SAME)]
    times = np.concatenate([[0.0], inside, [period]])
    rotations, root, scalars = (resample(take.times, rows, times) for rows in (take.rotations, take.root, take.scalars))
    return Take(times, quat.normalize(rotations), root, scalars)


def _moved(take: Take, channels: Channels, travel: Array) -> Take:
    """Return a take moved by a travel (4,): x, y, heading and height."""
    turn, shift = quat.from_yaw(travel[2]), travel[[0, 1, 3]]
    rows = [0, *channels.travelling_rows.tolist()]
    columns = channels.travelling_places - channels.scalar_columns.start
    rotations, scalars = take.rotations.copy(), take.scalars.copy()
    rotations[:, rows] = quat.multiply(turn, rotations[:, rows])
    scalars[:, columns] = quat.rotate(turn, scalars[:, columns]) + shift
    return Take(take.times, rotations, quat.rotate(turn, take.root) + shift, scalars)


def _closed(take: Take, following: Take, channels: Channels, heading: float) -> tuple[Take, float]:
    """Return a loop's take, closed so that its last frame is the first of the next period, and the seam in degrees."""
    share = (take.times / take.times[-1])[:, None]
    seam = quat.log(quat.multiply(quat.conjugate(following.rotations[0]), take.rotations[-1]))
    rotations = quat.multiply(take.rotations, quat.exp((0.5 - share)[..., None] * seam))
    gap = take.scalars[-1] - following.scalars[0]
    scalars = take.scalars + (0.5 - share) * gap
    columns = channels.travelling_places - channels.scalar_columns.start
    back = quat.from_yaw((share - 1.0) * heading)
    scalars[:, columns] = take.scalars[:, columns] + (0.5 - share)[..., None] * quat.rotate(back, gap[columns])
    return replace(take, rotations=rotations, scalars=scalars), float(np.degrees(np.linalg.norm(seam, axis=-1).max()))


@dataclass(frozen=True, eq=False)
class Example:
    """An example motion M_i of a verb, with its keytimes K_m and its place p_i in the adverb space ([Rose2001] eq. 1).

    Parameters
    ----------
    name : its name in messages.
    adverbs : (D,) its place, in the order and units of the verb's adverbs.
    keytime_names : (M,)
    keytimes : (M,) seconds from the start of the span; the first is 0, the last is the duration.
    take : the frames.
    contacts : planted points, and when they are planted.
    kind : ``'travelling'`` if its root moves it along, ``'in_place'`` if its feet slide under it as on a treadmill,
        ``'stationary'`` if it stays where it is.
    cyclic : whether the last keytime marks the same event as the first.
    control_points : number of control points of its curves, 0 for that of the verb's options.
    encoding : encoding of its curves.
    """

    name: str
    adverbs: Array
    keytime_names: tuple[str, ...]
    keytimes: Array
    take: Take
    contacts: tuple[Contact, ...]
    kind: Kind
    cyclic: bool
    control_points: int = 0
    encoding: Encoding = "cubic_b_spline"


def check_examples(
    verb: str, channels: Channels, examples: Sequence[Example], adverb_names: tuple[str, ...]
) -> tuple[Example, ...]:
    """Check that one verb can be made from some examples, and return them with keytimes relative to the first.

    Parameters
    ----------
    verb : name of the verb, for messages.
    channels : channels that the examples animate.
    examples : N of them.
    adverb_names : (D,)

    Raises
    ------
    VerbError
        If there are no examples.
    ExampleError
        If an example is incomplete, or differs in structure from the first.
    """
    if not examples:
        raise VerbError(f"Verb '{verb}' has no examples. Add at least one action to it.")
    checked = [_checked(example, channels, adverb_names) for example in examples]
    order = [contact.point for contact in checked[0].contacts]
    for row, example in enumerate(checked[1:], start=1):
        if sorted(contact.point for contact in example.contacts) == sorted(order):
            contacts = sorted(example.contacts, key=lambda contact: order.index(contact.point))
            checked[row] = replace(example, contacts=tuple(contacts))
        _check_structure(verb, checked[0], checked[row])
    return tuple(checked)


def _checked(example: Example, channels: Channels, adverb_names: tuple[str, ...]) -> Example:
    """Check one example by itself, and return it with its adverbs as an array and its keytimes from 0."""
    where = f"example '{example.name}'"
    adverbs = np.asarray(example.adverbs, dtype=np.float64).reshape(-1)
    if len(adverbs) != len(adverb_names):
        raise ExampleError(
            f"{where} has {len(adverbs)} adverb values, but its verb has {len(adverb_names)} adverbs. Fill in the "
            "values."
        )
    keytimes = check_keytimes(example.keytimes, example.keytime_names, example.name)
    take = example.take
    if len(take.times) < 3:
        raise ExampleError(
            f"{where} has {len(take.times)} frames; a motion needs at least 3. Choose a longer span or an action with "
            "more keys."
        )
    slack = 1e-6 + 0.5 * float(np.max(np.diff(take.times)))
    if take.times[0] > slack or take.times[-1] < keytimes[-1] - slack:
        raise ExampleError(
            f"The keytimes of {where} last {keytimes[-1]:.3f} s, but its action only has keys from {take.times[0]:.3f} "
            f"s to {take.times[-1]:.3f} s. Move the first or last marker into the action."
        )
    for what, data in (("a root", take.root), ("a rotation", take.rotations), ("a channel", take.scalars)):
        bad = ~(np.abs(data) < LARGEST_VALUE).reshape(len(data), -1)
        if bad.any():
            row = int(np.flatnonzero(bad.any(axis=1))[0])
            raise ExampleError(
                f"{where} has {what} value that is not a valid number {take.times[row]:.3f} s in. Mend that key."
            )
    return replace(example, adverbs=adverbs, keytimes=keytimes)


def _check_structure(verb: str, first: Example, other: Example) -> None:
    """Raise unless `other` has the same keytimes, contact points and kind of motion as `first`."""
    pair = f"'{other.name}' and '{first.name}' of verb '{verb}'"
    if len(other.keytimes) != len(first.keytimes):
        raise ExampleError(
            f"Examples {pair} have {len(other.keytimes)} and {len(first.keytimes)} keytimes. Give both the same "
            "keytimes."
        )
    for index, (theirs, ours) in enumerate(zip(other.keytime_names, first.keytime_names, strict=True)):
        if theirs != ours:
            raise ExampleError(
                f"Keytime {index + 1} of examples {pair} is '{theirs}' in one and '{ours}' in the other. Put them in "
                "the same order, or rename one."
            )
    if other.cyclic != first.cyclic:
        raise ExampleError(f"One of examples {pair} is cyclic and the other is not. Make both the same.")
    if (other.kind == "stationary") != (first.kind == "stationary"):
        raise ExampleError(f"One of examples {pair} stays in place and the other travels. Make both the same kind.")
    theirs, ours = [c.point for c in other.contacts], [c.point for c in first.contacts]
    if theirs != ours:
        odd = sorted(set(theirs) ^ set(ours)) or theirs
        raise ExampleError(
            f"Examples {pair} do not have the same contact points ({listed(odd)}). Give both the same points."
        )
