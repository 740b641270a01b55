"""Verb graphs ([Rose1998] section 5): verbs expressed in common channels, and the transitions between them."""

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..errors import MOST_CHOICES, GraphError, quoted
from ..figure import quaternion as quat
from ..figure.channels import SAME, TRAVEL, Channels, columns_in, union
from ..figure.knee_hinges import ExamplePoses
from ..figure.lock_point import LockPoint
from ..verb.mixture import Group, Mixture
from ..verb.verb import ContactWindows, Verb
from .check_graph import check_graph
from .overlay import Layers
from .transition import Transition, ahead, shortest_path

Array = NDArray[np.float64]
REST = {"location": 0.0, "scale": 1.0}
KEPT = 16
"""Sets of verbs of which it is remembered what they are in common channels."""
POSES = 24
"""Poses of each example from which it is learnt how knees bend."""


_conformed: dict[object, tuple[Verb, ...]] = {}
"""Verbs expressed in common channels, by the motions that they were made from."""


def in_common(verbs: Sequence[Verb]) -> tuple[Verb, ...]:
    """Express `verbs`, all on one skeleton, in the channels of all, with headings counted as in the first.

    Verbs that differ from earlier ones in nothing but their names or weights share what was made for these.
    """
    motions = tuple((verb.mixture, verb.drifts.tobytes(), verb.reference.tobytes()) for verb in verbs)
    if motions not in _conformed:
        channels = union([verb.channels for verb in verbs])
        scalars = resting_scalars(channels, verbs)
        while len(_conformed) >= KEPT:
            del _conformed[next(iter(_conformed))]
        _conformed[motions] = tuple(conform(verb, channels, scalars, verbs[0].reference) for verb in verbs)
    return tuple(
        replace(verb, channels=like.channels, mixture=like.mixture, drifts=like.drifts, reference=like.reference)
        if like.mixture is not verb.mixture
        else verb
        for verb, like in zip(verbs, _conformed[motions], strict=True)
    )


def resting_scalars(channels: Channels, verbs: Sequence[Verb]) -> Array:
    """Return the values (S,) of the scalars for verbs that do not animate them.

    Locations and scales are at rest. A property has the value with which the first of `verbs` that has it begins, so
    that a switch which only some verbs hold stays as it is in the others.
    """
    values = np.zeros(len(channels.scalars))
    for index, scalar in enumerate(channels.scalars):
        owner = next(verb for verb in verbs if scalar.key in {own.key for own in verb.channels.scalars})
        place = [own.key for own in owner.channels.scalars].index(scalar.key)
        column = owner.channels.scalar_columns.start + place
        begins = owner.sample_phases(np.zeros(1), np.eye(len(owner.example_names))[0])[0, column]
        values[index] = REST.get(scalar.kind, float(begins))
    return values


def conform(verb: Verb, channels: Channels, scalars: Array, reference: Array) -> Verb:
    """Express `verb` in `channels`, with headings counted from `reference`.

    A joint that the verb does not animate keeps its static rotation in this verb, a scalar gets its value in `scalars`.

    Parameters
    ----------
    verb : verb to express.
    channels : channels that include the verb's own.
    scalars : (S,) values of scalars that the verb does not have.
    reference : (4,) rotation of the root at heading 0. The verb is turned about +Z by the difference to its own.
    """
    turn = float(quat.yaw_of(quat.multiply(verb.reference, quat.conjugate(reference))))
    if _same_columns(verb.channels, channels) and abs(turn) < SAME:
        return verb
    taken, filled = _columns(verb.channels, channels, scalars)
    mixture = Mixture(channels, ())
    groups = tuple(_turned(channels, _widened(group, mixture, taken, filled), -turn) for group in verb.mixture.groups)
    drifts = verb.drifts.copy()
    drifts[..., :2] = quat.rotate(quat.from_yaw(-turn), _in_space(drifts[..., :2]))[..., :2]
    return replace(verb, channels=channels, mixture=replace(mixture, groups=groups), drifts=drifts, reference=reference)


def _same_columns(mine: Channels, theirs: Channels) -> bool:
    return (
        np.array_equal(mine.rotating, theirs.rotating)
        and mine.scalars == theirs.scalars
        and np.allclose(mine.static, theirs.static, atol=SAME)
    )


def _columns(mine: Channels, theirs: Channels, scalars: Array) -> tuple[NDArray[np.intp], Array]:
    """Return for each pose column of `theirs` its index among those of `mine`, or -1, and the value for the latter."""
    taken = np.full(theirs.width, -1, dtype=np.intp)
    taken[columns_in(mine, theirs)] = np.arange(mine.width) - TRAVEL.stop
    filled = np.concatenate([np.zeros(3), mine.static[theirs.rotating].reshape(-1), scalars])
    return taken[TRAVEL.stop :], filled


def _widened(group: Group, mixture: Mixture, taken: NDArray[np.intp], filled: Array) -> Group:
    """Return the control points of `group` with the columns of `mixture`."""
    controls = np.zeros((*group.controls.shape[:2], mixture.padded))
    controls[..., 1 : 1 + mixture.columns] = np.where(taken >= 0, group.controls[..., 1 + taken], filled)
    return replace(group, controls=controls)


def _turned(channels: Channels, group: Group, turn: float) -> Group:
    """Turn root and travelling set of `group`, whose first column is a zero, by `turn` radians about +Z."""
    controls, heading = group.controls.copy(), quat.from_yaw(turn)
    controls[..., 1:4] = quat.rotate(heading, controls[..., 1:4])
    controls[..., 4:8] = quat.multiply(heading, controls[..., 4:8])
    for row, places in zip(channels.travelling_rows, channels.travelling_places - 2, strict=True):
        columns = slice(4 + 4 * row, 8 + 4 * row)
        controls[..., columns] = quat.multiply(heading, controls[..., columns])
        controls[..., places] = quat.rotate(heading, controls[..., places])
    return replace(group, controls=controls)


def _in_space(plane: Array) -> Array:
    return np.concatenate([plane, np.zeros_like(plane[..., :1])], axis=-1)


@dataclass(frozen=True, eq=False)
class VerbGraph:
    """Verbs and the transitions between them. It is immutable, and only `compile_graph` makes one.

    All verbs of a graph have the same channels and count headings from the same direction, so that their poses and
    displacements can be mixed. Whoever does so must bring quaternions into one hemisphere, and not mix held scalars.

    Parameters
    ----------
    channels : channels of every verb.
    verbs : verbs sorted by name.
    transitions : sorted transitions, so that the order in which they were added does not matter.
    loops : for each verb, the likelihood that it follows itself, relative to those of its transitions.
    points : contact points of all verbs, sorted by name.
    layers : what is laid over the verbs, None if there is nothing.
    """

    channels: Channels
    verbs: tuple[Verb, ...]
    transitions: tuple[Transition, ...]
    loops: Mapping[str, float]
    points: tuple[LockPoint, ...]
    layers: Layers | None = None

    @property
    def poses(self) -> ExamplePoses:
        """Poses of the examples of all verbs, from which it is learnt how knees bend."""
        return _poses_of(tuple(verb.mixture for verb in self.verbs))

    @cached_property
    def leaving(self) -> Mapping[str, tuple[Transition, ...]]:
        """Sorted transitions away from each verb."""
        return {verb.name: tuple(t for t in self.transitions if t.source == verb.name) for verb in self.verbs}

    @cached_property
    def _by_name(self) -> Mapping[str, Verb]:
        return {verb.name: verb for verb in self.verbs}

    @cached_property
    def _cyclic(self) -> Mapping[str, bool]:
        return {verb.name: verb.cyclic for verb in self.verbs}

    def verb(self, name: str) -> Verb:
        """Return the verb called `name`.

        Raises
        ------
        GraphError
            If there is none.
        """
        if name not in self._by_name:
            known = quoted((verb.name for verb in self.verbs), MOST_CHOICES)
            raise GraphError(f"The verb graph has no verb '{name}'. Choose one of {known}.")
        return self._by_name[name]

    def path(self, source: str, target: str) -> tuple[Transition, ...]:
        """Return the path with fewest transitions from the beginning of `source` to `target`; empty if they are one.

        Of several paths equally short, that whose transitions sort first is returned.

        Raises
        ------
        GraphError
            If no way leads there.
        """
        return self.path_from(source, 0.0, target)

    def path_from(self, source: str, phase: float, target: str) -> tuple[Transition, ...]:
        """Return the path as `path` does, from generic time `phase` of `source` on.

        Raises
        ------
        GraphError
            If no way leads there.
        """
        begin, end = self.verb(source), self.verb(target)
        found = shortest_path(self.leaving, self._cyclic, begin.name, phase, end.name)
        if found is None:
            late = "" if begin.cyclic or phase <= 0.0 else f" after generic time {phase:.2f}"
            raise GraphError(
                f"No way leads from verb '{source}'{late} to verb '{target}'. Add a transition on the way there."
            )
        return found

    def draw(self, source: str, phase: float, rng: np.random.Generator) -> Transition | None:
        """Draw how verb `source` goes on from generic time `phase` without a command: a transition, or None for itself.

        The transitions still ahead and the verb's own loop are drawn by their likelihoods. If all of these are 0, which
        happens only where a verb was begun in its middle, transitions ahead are drawn evenly, and without any the verb
        holds its last pose.

        Parameters
        ----------
        source, phase : verb that plays, and where it is.
        rng : generator, of which every call takes exactly one random number.
        """
        ways = ahead(self.leaving[source], phase, self.verb(source).cyclic)
        likelihoods = [self.loops[source], *(t.likelihood for t in ways)]
        if not any(likelihoods):
            likelihoods[1:] = [1.0] * len(ways)
        limits = list(accumulate(likelihoods))
        chosen = min(bisect_right(limits, rng.random() * limits[-1]), len(ways))
        return None if chosen == 0 else ways[chosen - 1]


def compile_graph(
    verbs: Sequence[Verb],
    transitions: Sequence[Transition],
    loops: Mapping[str, float] | None = None,
    starts: Collection[str] = (),
) -> VerbGraph:
    """Make a verb graph, after checking everything.

    Parameters
    ----------
    verbs : one verb or more, all on one skeleton.
    transitions : transitions between verbs, or from a verb to itself.
    loops : for each verb, the likelihood that it follows itself; by default 1 for cyclic verbs and 0 for others.
    starts : verbs that a performance may begin with, so that no transition need lead to them.

    Raises
    ------
    GraphError
        If anything is wrong; the message has every complaint.
    """
    likely = {verb.name: float(verb.cyclic) for verb in verbs} | dict(loops or {})
    ordered = sorted(verbs, key=lambda verb: verb.name)
    ways = tuple(sorted(transitions))
    complaints = check_graph(ordered, ways, likely, starts)
    if complaints:
        raise GraphError(*complaints)
    conformed = in_common(ordered)
    return VerbGraph(
        channels=conformed[0].channels,
        verbs=conformed,
        transitions=ways,
        loops=MappingProxyType(likely),
        points=_points_of(tuple(contact for verb in ordered for contact in verb.contacts)),
    )


@lru_cache(maxsize=KEPT)
def graph_of(verb: Verb) -> VerbGraph:
    """One verb alone as a graph: it goes on for ever, or holds its end."""
    loops = MappingProxyType({verb.name: 1.0})
    return VerbGraph(verb.channels, (verb,), (), loops, _points_of(verb.contacts))


@lru_cache(maxsize=KEPT)
def _points_of(contacts: tuple[ContactWindows, ...]) -> tuple[LockPoint, ...]:
    """Points that stand in some contacts, sorted by name; the same ones for the same contacts."""
    points = {contact.point: LockPoint(contact.point, contact.joint, contact.offset) for contact in contacts}
    return tuple(points[name] for name in sorted(points))


@lru_cache(maxsize=KEPT)
def _poses_of(mixtures: tuple[Mixture, ...]) -> ExamplePoses:
    """Poses of all examples, evenly spaced over their curves; the same ones for the same mixtures."""
    channels, phases = mixtures[0].channels, (np.arange(POSES) + 0.5) / POSES
    counts = [sum(len(group.members) for group in mixture.groups) for mixture in mixtures]
    rows = np.zeros((POSES * sum(counts), channels.width))
    ends = np.cumsum(counts) * POSES
    for mixture, count, end in zip(mixtures, counts, ends, strict=True):
        weights = np.repeat(np.eye(count), POSES, axis=0)
        rows[end - count * POSES : end, 3:] = mixture.sample(np.tile(phases, count), weights)
    return ExamplePoses(rows, channels.scalar_columns)
