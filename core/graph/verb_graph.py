"""Verb graphs ([Rose1998] section 5): verbs in common channels, and the transitions between them."""

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
"""Number of sets of verbs whose conversion to common channels is cached."""
POSES = 24
"""Number of poses of each example from which the bending of knees is learnt."""


_conformed: dict[object, tuple[Verb, ...]] = {}
"""Cache of verbs in common channels, by the motions that they were made from."""


def in_common(verbs: Sequence[Verb]) -> tuple[Verb, ...]:
    """Express `verbs`, all on one skeleton, in the union of their channels, with headings relative to the first verb's.

    Verbs that differ from earlier ones only in name or weights reuse the cached result.
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

    Locations and scales are at rest. A property has the value with which it starts in the first of `verbs` that
    animates it, so that a switch that only some verbs animate does not change in the others.
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
    """Express `verb` in `channels`, with headings relative to `reference`.

    A joint that the verb does not animate keeps its static rotation; a scalar that it does not animate gets its value
    from `scalars`.

    Parameters
    ----------
    verb : verb to express.
    channels : channels that include the verb's own.
    scalars : (S,) values of scalars that the verb does not animate.
    reference : (4,) rotation of the root at heading 0. The verb is rotated about +Z by the difference from its own
        reference.
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
    """Return for each pose column of `theirs` its index in `mine`, or -1, and the fill value for those with -1."""
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
    """Rotate root and travelling set of `group`, whose first column is zero, by `turn` radians about +Z."""
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
    """Verbs and the transitions between them. Immutable; made only by `compile_graph`.

    All verbs of a graph have the same channels and the same heading reference, so that their poses and displacements
    can be mixed. Code that mixes them must bring quaternions into one hemisphere, and must not mix held scalars.

    Parameters
    ----------
    channels : channels of every verb.
    verbs : verbs sorted by name.
    transitions : sorted transitions, so that the order in which they were added does not matter.
    loops : for each verb, the likelihood that it follows itself, relative to those of its transitions.
    points : contact points of all verbs, sorted by name.
    layers : layers over the verbs, None if there are none.
    """

    channels: Channels
    verbs: tuple[Verb, ...]
    transitions: tuple[Transition, ...]
    loops: Mapping[str, float]
    points: tuple[LockPoint, ...]
    layers: Layers | None = None

    @property
    def poses(self) -> ExamplePoses:
        """Poses of all verbs' examples, from which the bending of knees is learnt."""
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
        """Return the path with the fewest transitions from the start of `source` to `target`; empty if equal.

        Among equally short paths, it returns the one whose transitions sort first.

        Raises
        ------
        GraphError
            If no path leads there.
        """
        return self.path_from(source, 0.0, target)

    def path_from(self, source: str, phase: float, target: str) -> tuple[Transition, ...]:
        """Return the path like `path`, but starting at generic time `phase` of `source`.

        Raises
        ------
        GraphError
            If no path leads there.
        """
        begin, end = self.verb(source), self.verb(target)
        found = shortest_path(self.leaving, self._cyclic, begin.name, phase, end.name)
        if found is None:
            late = "" if begin.cyclic or phase <= 0.0 else f" after generic time {phase:.2f}"
            raise GraphError(f"There is no path from verb '{source}'{late} to verb '{target}'. Add a transition.")
        return found

    def draw(self, source: str, phase: float, rng: np.random.Generator) -> Transition | None:
        """Draw how verb `source` continues from generic time `phase` without a command; None repeats it.

        The transitions still ahead and the verb's own loop are drawn by their likelihoods. If these are all 0, which
        happens only where a verb was started in its middle, transitions ahead are drawn uniformly; if there are none,
        the verb holds its last pose.

        Parameters
        ----------
        source : verb that plays.
        phase : generic time of that verb.
        rng : generator, from which every call draws exactly one random number.
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
    """Check everything and make a verb graph.

    Parameters
    ----------
    verbs : one or more verbs, all on one skeleton.
    transitions : transitions between verbs, or from a verb to itself.
    loops : for each verb, the likelihood that it follows itself; by default 1 for cyclic verbs and 0 for others.
    starts : verbs that a performance may begin with, which need no incoming transition.

    Raises
    ------
    GraphError
        If anything is wrong; the message lists all problems.
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
    """Return a graph of one verb, which repeats forever or holds its last pose."""
    loops = MappingProxyType({verb.name: 1.0})
    return VerbGraph(verb.channels, (verb,), (), loops, _points_of(verb.contacts))


@lru_cache(maxsize=KEPT)
def _points_of(contacts: tuple[ContactWindows, ...]) -> tuple[LockPoint, ...]:
    """Return the points of some contacts, sorted by name; cached, so that equal contacts give the same object."""
    points = {contact.point: LockPoint(contact.point, contact.joint, contact.offset) for contact in contacts}
    return tuple(points[name] for name in sorted(points))


@lru_cache(maxsize=KEPT)
def _poses_of(mixtures: tuple[Mixture, ...]) -> ExamplePoses:
    """Return poses of all examples, evenly spaced over their curves; cached for the same mixtures."""
    channels, phases = mixtures[0].channels, (np.arange(POSES) + 0.5) / POSES
    counts = [sum(len(group.members) for group in mixture.groups) for mixture in mixtures]
    rows = np.zeros((POSES * sum(counts), channels.width))
    ends = np.cumsum(counts) * POSES
    for mixture, count, end in zip(mixtures, counts, ends, strict=True):
        weights = np.repeat(np.eye(count), POSES, axis=0)
        rows[end - count * POSES : end, 3:] = mixture.sample(np.tile(phases, count), weights)
    return ExamplePoses(rows, channels.scalar_columns)
