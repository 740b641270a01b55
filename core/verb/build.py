"""Building a verb from its examples ([Rose1998] section 4). Everything is checked here; evaluators rely on it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ExampleError, VerbError, shortened
from ..figure import quaternion as quat
from ..figure.channels import Channels
from ..figure.legs import make_legs
from ..figure.lock_point import LockPoint
from ..figure.two_bone_limbs import lengths_of
from ..motion.bspline import Curve
from ..motion.timewarp import Phrasing, Timing, generic_keytimes
from ..progress import ToldProgress, untold
from .canonical import Canonical, canonical_form, hold_switches
from .cardinal_basis import CardinalBasis, cardinal_basis
from .example import Contact, Example, check_examples
from .example_contacts import hold_contacts, over_one_ground, stand_heights
from .fit import bent_told, fit_canonical, fit_errors
from .left_out import diagnosed
from .mixture import make_mixture
from .noise import noise_told, smoothed
from .radial_bases import Kernel
from .root_travel import with_travel
from .verb import ContactWindows, Verb, VerbReport

Array = NDArray[np.float64]

SAMPLES_PER_CONTROL_POINT = 4
"""Samples of an example over generic time for each control point of its curves."""
FIT_TOLERANCE_DEGREES = 3.0
"""Error of the fitted curves above which the verb's report warns."""
WIDEST_SEAM_DEGREES = 30.0
"""Seam of a cycle that is always doubtful; see `doubtful_ends`."""
SMALL_SEAM_DEGREES, OUTSTANDING = 8.0, 4.0
"""Seam that is never doubtful, and how many times the usual seam of the other examples makes one doubtful."""


@dataclass(frozen=True)
class VerbOptions:
    """Options for building a verb.

    Parameters
    ----------
    control_points : number of control points (NumCP) of every curve, unless its example sets one.
    kernel, degree, radius_factor : of the cardinal basis; see `cardinal_basis`.
    timing : how generic time is divided among the segments; see `generic_keytimes`.
    close : whether the seam of a cycle is spread over it, so that it closes.
    hold_contacts : whether contact points are held still in the examples.
    smoothing : seconds over which the examples' keys are smoothed (standard deviation); 0 leaves them as they are.
    """

    control_points: int = 64
    kernel: Kernel = "kriging"
    degree: int = 0
    radius_factor: float = 2.0
    timing: Timing = "mean_share"
    close: bool = True
    hold_contacts: bool = True
    smoothing: float = 0.0


DEFAULT_OPTIONS = VerbOptions()


def build_verb(
    name: str,
    channels: Channels,
    examples: Sequence[Example],
    adverb_names: Sequence[str],
    adverb_ranges: ArrayLike,
    options: VerbOptions = DEFAULT_OPTIONS,
    progress: ToldProgress = untold,
    reference: Array | None = None,
) -> Verb:
    """Build a verb from its examples.

    Parameters
    ----------
    name : the user's name of the verb.
    channels : channels that all examples animate.
    examples : N of them.
    adverb_names : (D,)
    adverb_ranges : (D, 2) minimum and maximum of each adverb; distances between examples are measured in these ranges.
    options : how to build.
    progress : called with the fraction that is done (see `core.progress`) and a description of the current work.
    reference : (4,) rotation of the root at heading 0; by default the mean over the first example.

    Raises
    ------
    ExampleError, BasisError, ClipError, VerbError
        If no verb can be made from the examples.
    """
    prepared = prepare_examples(name, channels, examples, adverb_names)
    ranges = np.asarray(adverb_ranges, dtype=np.float64).reshape(-1, 2)
    places = np.array([e.adverbs for e in prepared]).reshape(len(prepared), len(ranges))
    labels = tuple(e.name for e in prepared)
    basis = _basis(name, places, ranges[:, 1] - ranges[:, 0], tuple(adverb_names), labels, options)
    phrasing = phrasing_of(prepared, options)
    heading_zero = heading_reference(prepared) if reference is None else reference
    canonicals, complaints = canonical_examples(channels, prepared, phrasing, options, heading_zero, progress)
    complaints += hold_switches(channels, labels, canonicals) + _noise_told(prepared, channels, options)
    curves: list[Curve] = []
    for canonical, example in zip(canonicals, prepared, strict=True):
        progress(0.8 + 0.1 * len(curves) / len(prepared), "Fitting curves")
        curves.append(fit_canonical(canonical, example, options.control_points))
    contacts = _contact_windows(name, channels, prepared, canonicals, phrasing.generic, progress)
    verb = Verb(
        name=name,
        channels=channels,
        adverb_names=tuple(adverb_names),
        adverb_ranges=ranges,
        example_names=labels,
        places=places,
        basis=basis,
        phrasing=phrasing,
        keytime_names=prepared[0].keytime_names,
        cyclic=prepared[0].cyclic,
        mixture=make_mixture(channels, tuple(curves)),
        drifts=np.array([np.diff(c.shares)[:, None] * c.drift for c in canonicals]),
        contacts=contacts,
        reference=heading_zero,
        report=_report(channels, prepared, canonicals, curves, basis.condition, complaints, progress),
    )
    return diagnosed(verb, options.kernel, options.degree, options.radius_factor)


def _noise_told(examples: Sequence[Example], channels: Channels, options: VerbOptions) -> list[str]:
    """Return sentences about the noise of examples; none if noise is smoothed."""
    if options.smoothing > 0.0:
        return []
    told = [sentence for example in examples for sentence in noise_told(example, channels)]
    return list(shortened(told, "{count} more remarks about noise."))


def _basis(
    verb: str, places: Array, extents: Array, names: tuple[str, ...], labels: tuple[str, ...], options: VerbOptions
) -> CardinalBasis:
    """Return the cardinal basis of examples at `places` (N, D) in an adverb space of `extents` (D,)."""
    if options.degree < 0:
        raise VerbError(
            f"Verb '{verb}' has degree {options.degree}, so far from its examples all weights would become 0 and the "
            "figure would collapse. Choose degree 0 or more."
        )
    return cardinal_basis(places, extents, names, labels, options.kernel, options.degree, options.radius_factor)


def prepare_examples(
    name: str, channels: Channels, examples: Sequence[Example], adverb_names: Sequence[str]
) -> tuple[Example, ...]:
    """Check and return the examples of the verb `name`; those animated in place now travel (`with_travel`)."""
    prepared = check_examples(name, channels, examples, tuple(adverb_names))
    return tuple(with_travel(e, channels) if e.kind == "in_place" else e for e in prepared)


def heading_reference(examples: Sequence[Example]) -> Array:
    """Return the root rotation (4,) of heading 0: the mean over the first example.

    Relative to this rotation, the root rotates as little as possible apart from its heading.
    """
    return quat.mean(examples[0].take.rotations[:, 0])


def phrasing_of(examples: Sequence[Example], options: VerbOptions) -> Phrasing:
    """Return the lengths of the segments of prepared examples, and the generic times of their keytimes."""
    segments = np.array([np.diff(example.keytimes) for example in examples])
    return Phrasing(segments, generic_keytimes(segments, options.timing), examples[0].cyclic)


def canonical_examples(
    channels: Channels,
    examples: Sequence[Example],
    phrasing: Phrasing,
    options: VerbOptions,
    reference: Array | None = None,
    progress: ToldProgress = untold,
) -> tuple[list[Canonical], list[str]]:
    """Return examples in canonical form (without travel, closed and held as `options` say), and warnings.

    Parameters
    ----------
    channels : channels that the examples animate.
    examples : N of them, prepared.
    phrasing : result of `phrasing_of`.
    options : how to build.
    reference : (4,) rotation of the root at heading 0; by default `heading_reference`.
    progress : called with the fraction that is done and a description of the current work.

    Returns
    -------
    N examples; the quaternions of each joint lie in the same hemisphere in all of them.
    """
    heading_zero = heading_reference(examples) if reference is None else reference
    closed: list[Canonical] = []
    for index, example in enumerate(examples):
        progress(0.7 * index / len(examples), f"Reading example '{example.name}'")
        count = example.control_points or options.control_points
        samples = SAMPLES_PER_CONTROL_POINT * max(count, options.control_points)
        clean = smoothed(example, channels, options.smoothing) if options.smoothing > 0.0 else example
        closed.append(canonical_form(clean, channels, phrasing, heading_zero, samples, options.close))
    held, complaints = closed, list[str]()
    if options.hold_contacts and examples[0].contacts:
        held, complaints = _with_held_contacts(channels, examples, closed, phrasing, progress)
    return [_in_hemisphere_of(canonical, channels, held[0]) for canonical in held], complaints


def _with_held_contacts(
    channels: Channels,
    examples: Sequence[Example],
    closed: Sequence[Canonical],
    phrasing: Phrasing,
    progress: ToldProgress,
) -> tuple[list[Canonical], list[str]]:
    """Return the canonical examples with their contact points held still at one height, and warnings."""
    lowered: list[list[Array]] = []
    for index, contact in enumerate(examples[0].contacts):
        progress(0.7 + 0.03 * index / len(examples[0].contacts), "Holding the feet")
        windows = [np.array(c.windows[index]).reshape(-1, 2) for c in closed]
        over, _ = stand_heights(channels, closed, contact, windows, phrasing.generic, examples[0].cyclic)
        lower = over_one_ground(np.concatenate(over), _leg_length(channels, contact))
        lowered.append(np.split(lower, np.cumsum([len(w) for w in windows])[:-1]))

    def told(part: float) -> None:
        """Report the progress of holding the contacts."""
        progress(0.73 + 0.07 * part, "Holding the feet")

    leg = _leg_length(channels, examples[0].contacts[0])
    return hold_contacts(closed, examples, channels, phrasing.generic, lowered, leg, told)


def _leg_length(channels: Channels, contact: Contact) -> float:
    """Return the length of a contact point's leg, or the distance at rest of the point's control from the root."""
    control = channels.traveller_of(contact.joint)
    if control is not None:
        return channels.travelling[control].reach
    return lengths_of(make_legs(channels, [LockPoint(contact.point, contact.joint, contact.offset)]))[0]


def _in_hemisphere_of(canonical: Canonical, channels: Channels, first: Canonical) -> Canonical:
    """Flip quaternions of joints, in place, into the hemisphere of their mean in `first`, and return the example."""
    columns = channels.rotation_columns
    mine = canonical.values[:, columns].reshape(len(canonical.values), -1, 4)
    theirs = quat.align(first.values[:, columns].reshape(len(first.values), -1, 4).mean(axis=0), quat.IDENTITY)
    signs = np.where(np.einsum("trc,rc->r", mine, theirs) < 0.0, -1.0, 1.0)
    canonical.values[:, columns] = (mine * signs[:, None]).reshape(len(mine), -1)
    return canonical


def _contact_windows(
    name: str,
    channels: Channels,
    examples: Sequence[Example],
    canonicals: Sequence[Canonical],
    generic: Array,
    progress: ToldProgress,
) -> tuple[ContactWindows, ...]:
    """Return the windows, clearances and drops of each contact point in all examples.

    Raises
    ------
    ExampleError
        If examples differ in the number of windows of a point.
    """
    found: list[ContactWindows] = []
    for index, contact in enumerate(examples[0].contacts):
        progress(0.9 + 0.05 * index / len(examples[0].contacts), "Measuring the contacts")
        counts = [len(c.windows[index]) for c in canonicals]
        if len(set(counts)) > 1:
            odd = next(i for i, count in enumerate(counts) if count != counts[0])
            raise ExampleError(
                f"Point '{contact.point}' has {counts[odd]} contact windows in example '{examples[odd].name}' but "
                f"{counts[0]} in '{examples[0].name}'. Verb '{name}' needs the same number in all examples. Add or "
                "remove windows."
            )
        windows = np.array([c.windows[index] for c in canonicals]).reshape(len(examples), -1, 2)
        if examples[0].cyclic:
            windows = np.array([_matched_windows(mine, windows[0]) for mine in windows]).reshape(windows.shape)
        heights = stand_heights(channels, canonicals, contact, list(windows), generic, examples[0].cyclic)
        clearances, drops = (np.array(part).reshape(windows.shape[:2]) for part in heights)
        drops += over_one_ground(clearances, _leg_length(channels, contact))
        found.append(ContactWindows(contact.point, contact.joint, contact.offset, windows, clearances, drops))
    return tuple(found)


def _matched_windows(windows: Array, first: Array) -> Array:
    """Return the windows (W, 2) of a cycle, reordered and shifted by whole cycles to be nearest to `first`."""
    turns = [np.concatenate([windows[k:], windows[:k] + 1.0]) for k in range(max(1, len(windows)))]
    moved = [turn - np.round((turn - first).mean() if len(turn) else 0.0) for turn in turns]
    return min(moved, key=lambda turn: float(np.sum((turn - first) ** 2)))


def doubtful_ends(seams: Array, errors: Array) -> NDArray[np.bool_]:
    """Return which examples (N,) of a verb probably begin or end at a wrong frame.

    A wide seam alone is weak evidence: the seams of carefully cut captured cycles are 3 to 26 degrees wide, similar
    within one verb, and curves fit the cycles within 2 degrees. Wrong ends show as outliers among the verb's other
    examples, or as a bad fit of the curves.

    Parameters
    ----------
    seams : (N,) degrees by which closing the cycle turned a joint.
    errors : (N,) fitting errors of the curves in degrees.
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
    progress: ToldProgress,
) -> VerbReport:
    """Measure the fit and return the report, with a warning for each doubtful example."""
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
                "degrees: its last keytime does not show the pose of its first. Check its first and last frame and its "
                "keytimes."
            )
        elif degrees > FIT_TOLERANCE_DEGREES:
            complaints.append(
                f"The fitted curves miss example '{example.name}' by up to {degrees:.1f} degrees. Check its keytimes. "
                "If they are right, give it or the verb more control points."
            )
    bent = [bent_told(channels, *all_of_it) for all_of_it in zip(canonicals, curves, examples, strict=True)]
    return VerbReport(
        fit_degrees=tuple(e[0] for e in errors),
        fit_distance=tuple(e[1] for e in errors),
        seam_degrees=tuple(c.seam_degrees for c in canonicals),
        seam_distance=tuple(c.seam_distance for c in canonicals),
        condition=condition,
        complaints=tuple(complaints),
        bent=tuple(told for told in bent if told),
    )
