"""Building verbs from examples: everything is checked here, so that evaluators may trust ([Rose1998] section 4)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ExampleError, VerbError
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.legs import make_legs
from ..figure.limbs import lengths_of
from ..figure.lock_point import LockPoint
from ..motion.bspline import Curve
from ..motion.timewarp import Timing, generic_keytimes
from .basis import CardinalBasis, Kernel, cardinal_basis
from .canonical import Canonical, canonical_form
from .check_examples import check_examples, hold_switches
from .example import Contact, Example
from .fit import fit_canonical, fit_errors
from .hold import hold_contacts, over_one_ground, stand_heights
from .in_place import with_travel
from .mixture import make_mixture
from .phrasing import Phrasing
from .verb import ContactWindows, Verb, VerbReport

Array = NDArray[np.float64]
Progress = Callable[[float, str], None]

SAMPLES_PER_CONTROL_POINT = 4
FIT_TOLERANCE_DEGREES = 3.0
WIDEST_SEAM_DEGREES = 30.0
SMALL_SEAM_DEGREES, OUTSTANDING = 8.0, 4.0


def _silent(fraction: float, text: str) -> None:
    pass


@dataclass(frozen=True)
class VerbOptions:
    """How a verb is built.

    Parameters
    ----------
    control_points : NumCP of every curve, where an example does not say otherwise.
    kernel, degree, radius_factor : of the cardinal basis.
    timing : share of generic time that each segment gets.
    close : spread the seam of cycles.
    hold_contacts : bring contact points to rest in the examples.
    """

    control_points: int = 32
    kernel: Kernel = "cubic_b_spline"
    degree: int = 1
    radius_factor: float = 2.0
    timing: Timing = "mean_share"
    close: bool = True
    hold_contacts: bool = True


DEFAULT_OPTIONS = VerbOptions()


def build_verb(
    name: str,
    channels: Channels,
    examples: Sequence[Example],
    adverb_names: Sequence[str],
    adverb_ranges: ArrayLike,
    options: VerbOptions = DEFAULT_OPTIONS,
    progress: Progress | None = None,
    reference: Array | None = None,
) -> Verb:
    """Build the verb that the user calls `name`.

    Parameters
    ----------
    channels : of all examples.
    examples : N of them.
    adverb_names : (D,)
    adverb_ranges : (D, 2) minimum and maximum of each; distances are measured in these.
    options : how to build.
    progress : called with the fraction that is done, as `core.progress` says, and what is being done.
    reference : (4,) rotation of the root at heading 0; by default the first example's mean.

    Raises
    ------
    ExampleError, BasisError, ClipError, VerbError
        What is wrong with the examples, in words.
    """
    tell = progress or _silent
    taken = prepare_examples(name, channels, examples, adverb_names)
    ranges = np.asarray(adverb_ranges, dtype=np.float64).reshape(-1, 2)
    places = np.array([e.adverbs for e in taken]).reshape(len(taken), len(ranges))
    labels = tuple(e.name for e in taken)
    basis = _basis(name, places, ranges[:, 1] - ranges[:, 0], tuple(adverb_names), labels, options)
    segments = np.array([np.diff(e.keytimes) for e in taken])
    generic = generic_keytimes(segments, options.timing)
    heading_zero = heading_reference(taken) if reference is None else reference
    canonicals = canonical_examples(channels, taken, generic, options, heading_zero, tell)
    complaints = hold_switches(channels, labels, canonicals)
    curves: list[Curve] = []
    for canonical, example in zip(canonicals, taken, strict=True):
        tell(0.8 + 0.1 * len(curves) / len(taken), "Fitting curves")
        curves.append(fit_canonical(channels, canonical, example, options.control_points))
    contacts = _contacts(name, channels, taken, canonicals, generic, tell)
    return Verb(
        name=name,
        channels=channels,
        adverb_names=tuple(adverb_names),
        adverb_ranges=ranges,
        example_names=labels,
        places=places,
        basis=basis,
        phrasing=Phrasing(segments, generic),
        keytime_names=taken[0].keytime_names,
        cyclic=taken[0].cyclic,
        mixture=make_mixture(channels, tuple(curves)),
        drifts=np.array([np.diff(c.shares)[:, None] * c.drift for c in canonicals]),
        contacts=contacts,
        reference=heading_zero,
        report=_report(channels, taken, canonicals, curves, basis.condition, complaints, tell),
    )


def _basis(
    verb: str, places: Array, extents: Array, names: tuple[str, ...], labels: tuple[str, ...], options: VerbOptions
) -> CardinalBasis:
    if options.degree < 0:
        raise VerbError(
            f"Verb '{verb}' has degree {options.degree}: far from its examples all their weights would vanish, and the "
            "figure with them. Choose degree 0 or more."
        )
    return cardinal_basis(places, extents, names, labels, options.kernel, options.degree, options.radius_factor)


def prepare_examples(
    name: str, channels: Channels, examples: Sequence[Example], adverb_names: Sequence[str]
) -> tuple[Example, ...]:
    """Checked examples; those animated in place travel."""
    taken = check_examples(name, channels, examples, tuple(adverb_names))
    return tuple(with_travel(e, channels) if e.kind == "in_place" else e for e in taken)


def heading_reference(examples: Sequence[Example]) -> Array:
    """Rotation (4,) of the root from which headings count: the first example's mean, which leaves least swing."""
    return quat.mean(examples[0].take.rotations[:, 0])


def canonical_examples(
    channels: Channels,
    examples: Sequence[Example],
    generic: Array,
    options: VerbOptions,
    reference: Array | None = None,
    progress: Progress = _silent,
) -> list[Canonical]:
    """Examples in canonical form, closed and held as `options` say, their quaternions in one hemisphere a joint."""
    heading_zero = heading_reference(examples) if reference is None else reference
    closed: list[Canonical] = []
    for index, example in enumerate(examples):
        progress(0.7 * index / len(examples), f"Reading example '{example.name}'")
        count = example.control_points or options.control_points
        samples = SAMPLES_PER_CONTROL_POINT * max(count, options.control_points)
        closed.append(canonical_form(example, channels, generic, heading_zero, samples, options.close))
    held = _held(channels, examples, closed, generic, progress) if options.hold_contacts else closed
    return [_aligned(canonical, channels, held[0]) for canonical in held]


def _held(
    channels: Channels, examples: Sequence[Example], closed: Sequence[Canonical], generic: Array, progress: Progress
) -> list[Canonical]:
    """Examples whose points stand still, all at one height over the ground."""
    lowered: list[list[Array]] = []
    for index, contact in enumerate(examples[0].contacts):
        progress(0.7 + 0.03 * index / len(examples[0].contacts), "Holding the feet")
        windows = [np.array(c.windows[index]).reshape(-1, 2) for c in closed]
        over, _ = stand_heights(channels, closed, contact, windows, generic, examples[0].cyclic)
        lower = over_one_ground(np.concatenate(over), _leg_length(channels, contact))
        lowered.append(np.split(lower, np.cumsum([len(w) for w in windows])[:-1]))

    return hold_contacts(
        closed, examples, channels, generic, lowered, lambda part: progress(0.73 + 0.07 * part, "Holding the feet")
    )


def _leg_length(channels: Channels, contact: Contact) -> float:
    control = channels.traveller_of(contact.joint)
    if control is not None:
        return channels.travelling[control].reach
    return lengths_of(make_legs(channels, [LockPoint(contact.point, contact.joint, contact.offset)]))[0]


def _aligned(canonical: Canonical, channels: Channels, first: Canonical) -> Canonical:
    columns = channels.rotation_columns
    mine = canonical.values[:, columns].reshape(len(canonical.values), -1, 4)
    theirs = quat.align(first.values[:, columns].reshape(len(first.values), -1, 4).mean(axis=0), quat.IDENTITY)
    signs = np.where(np.einsum("trc,rc->r", mine, theirs) < 0.0, -1.0, 1.0)
    canonical.values[:, columns] = (mine * signs[:, None]).reshape(len(mine), -1)
    return canonical


def _contacts(
    name: str,
    channels: Channels,
    examples: Sequence[Example],
    canonicals: Sequence[Canonical],
    generic: Array,
    progress: Progress,
) -> tuple[ContactWindows, ...]:
    found: list[ContactWindows] = []
    for index, contact in enumerate(examples[0].contacts):
        progress(0.9 + 0.05 * index / len(examples[0].contacts), "Measuring the contacts")
        counts = [len(c.windows[index]) for c in canonicals]
        if len(set(counts)) > 1:
            odd = next(i for i, count in enumerate(counts) if count != counts[0])
            raise ExampleError(
                f"Point '{contact.point}' has {counts[odd]} contact windows in example '{examples[odd].name}' but "
                f"{counts[0]} in '{examples[0].name}'. Verb '{name}' needs the same number in all of its examples."
            )
        windows = np.array([c.windows[index] for c in canonicals]).reshape(len(examples), -1, 2)
        if examples[0].cyclic:
            windows = np.array([_nearest_turn(mine, windows[0]) for mine in windows]).reshape(windows.shape)
        heights = stand_heights(channels, canonicals, contact, list(windows), generic, examples[0].cyclic)
        clearances, drops = (np.array(part).reshape(windows.shape[:2]) for part in heights)
        drops += over_one_ground(clearances, _leg_length(channels, contact))
        found.append(ContactWindows(contact.point, contact.joint, contact.offset, windows, clearances, drops))
    return tuple(found)


def _nearest_turn(windows: Array, first: Array) -> Array:
    """Windows (W, 2) of a cycle, begun with the one and moved by the cycles that bring them nearest to `first`."""
    turns = [np.concatenate([windows[k:], windows[:k] + 1.0]) for k in range(max(1, len(windows)))]
    moved = [turn - np.round((turn - first).mean() if len(turn) else 0.0) for turn in turns]
    return min(moved, key=lambda turn: float(np.sum((turn - first) ** 2)))


def doubtful_ends(seams: Array, errors: Array) -> NDArray[np.bool_]:
    """Which examples (N,) of a verb probably begin or end at a wrong frame.

    A wide seam alone says little: captured cycles that are cut with care close by 3 to 26 degrees, alike within a verb,
    and curves follow them within 2. Wrong ends stand out among the verb's other examples, or the curves miss them.

    Parameters
    ----------
    seams : (N,) degrees by which closing the cycle turned a joint.
    errors : (N,) degrees by which the curves miss the example.
    """
    others = [np.delete(seams, row) for row in range(len(seams))]
    usual = np.array([np.median(rest) if len(rest) else np.inf for rest in others])
    stands_out = (seams > OUTSTANDING * usual) | (errors > FIT_TOLERANCE_DEGREES)
    return (seams > WIDEST_SEAM_DEGREES) | ((seams > SMALL_SEAM_DEGREES) & stands_out)


def _report(
    channels: Channels,
    examples: Sequence[Example],
    canonicals: Sequence[Canonical],
    curves: Sequence[Curve],
    condition: float,
    found: Sequence[str],
    progress: Progress,
) -> VerbReport:
    errors: list[tuple[float, float]] = []
    for canonical, curve in zip(canonicals, curves, strict=True):
        progress(0.95 + 0.05 * len(errors) / len(curves), "Measuring the fit")
        errors.append(fit_errors(channels, canonical, curve))
    complaints = list(found)
    doubtful = doubtful_ends(np.array([c.seam_degrees for c in canonicals]), np.array([e[0] for e in errors]))
    for example, canonical, (degrees, _), doubt in zip(examples, canonicals, errors, doubtful, strict=True):
        if doubt:
            complaints.append(
                f"Closing the cycle of example '{example.name}' turned a joint by {canonical.seam_degrees:.0f} "
                "degrees: its last keytime does not show what its first shows. Check its first and last frame and its "
                "keytimes."
            )
        elif degrees > FIT_TOLERANCE_DEGREES:
            complaints.append(
                f"The curves miss example '{example.name}' by up to {degrees:.1f} degrees. "
                "Check its keytimes; if they are right, give the verb more control points."
            )
    if condition > 1e8:
        complaints.append(
            "Some examples lie so close together that the weights between them are unsure. Move them apart."
        )
    return VerbReport(
        fit_degrees=tuple(e[0] for e in errors),
        fit_distance=tuple(e[1] for e in errors),
        seam_degrees=tuple(c.seam_degrees for c in canonicals),
        seam_distance=tuple(c.seam_distance for c in canonicals),
        condition=condition,
        complaints=tuple(complaints),
    )
