"""Building a verb from its definition and its examples; imported only when something is built."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from bpy.types import Object, PropertyGroup
from numpy.typing import NDArray

from ...core.bounds import ADVERBS, CONTACTS, CONTROL_POINTS, EXAMPLES, KEYTIMES, RADIUS_FACTOR, SMOOTHING, WINDOWS
from ...core.errors import ExampleError, VerbError
from ...core.figure import quaternion as quat
from ...core.verb.build import VerbOptions, build_verb, heading_reference
from ...core.verb.verb import Verb
from ..action.examples import Source, read_examples
from ..blender.jobs import computed, remembered
from ..data.director import check_range
from ..data.example_list import referenced
from ..data.schema import ROOT_IS_OBJECT
from ..rig.rig import Rig
from .verb_cache import rooted_signature

Array = NDArray[np.float64]

NEARLY = 1e-3
FEWEST = 4
"""Number of control points that a cubic curve needs."""


def options_of(item: PropertyGroup) -> VerbOptions:
    """Return the options for building a verb, from its properties."""
    return VerbOptions(
        control_points=item.control_points,
        kernel=item.kernel.lower(),
        degree=item.degree,
        radius_factor=item.radius_factor,
        timing=item.timing.lower(),
        hold_contacts=item.hold_contacts,
        smoothing=item.smoothing,
    )


def build_plain(armature: Object, item: PropertyGroup) -> tuple[Verb, Rig, tuple[str, ...]]:
    """Read the examples of a verb and build it from them alone, without its refinement; the file is not changed.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.

    Returns
    -------
    verb : the verb; its heading has the same reference as that of the armature's first built verb.
    rig : the armature as it was read.
    complaints : warnings from reading and building.

    Raises
    ------
    VerbsError
        If the verb cannot be built; the message says why.
    """
    _check_ranges(armature, item)
    _check_size(item)
    content = armature.session_uid, item.uid, rooted_signature(armature, item, "")
    source = remembered(("examples", content), lambda: read_examples(armature, item))
    stored = armature.verbs_adverbs
    names = [used.name for used in item.adverbs]
    adverbs = [stored.adverbs[name] for name in names]
    name, ranges = item.name, np.array([(adverb.minimum, adverb.maximum) for adverb in adverbs]).reshape(-1, 2)
    options, zero = options_of(item), _heading_zero(armature, source)
    verb = computed(
        ("verb", content),
        lambda tell: build_verb(name, source.channels, source.examples, names, ranges, options, tell, zero),
    )
    return verb, source.rig, (*source.complaints, *verb.report.complaints)


def build_unplaced(armature: Object, item: PropertyGroup) -> tuple[Verb, Rig]:
    """Build a verb whose examples may lack adverb values: they are placed one after the other along a line."""
    _check_size(item)
    content = armature.session_uid, item.uid, rooted_signature(armature, item, "")
    source = remembered(("unplaced", content), lambda: read_examples(armature, item, placed=False))
    count = len(source.examples)
    line = ("example",) if count > 1 else ()
    examples = [replace(example, adverbs=np.full(len(line), float(row))) for row, example in enumerate(source.examples)]
    ranges = np.array([(0.0, float(count - 1))] * len(line)).reshape(-1, 2)
    options = replace(options_of(item), degree=1, kernel="cubic_b_spline")
    name, zero = item.name, _heading_zero(armature, source)
    verb = computed(
        ("unplaced verb", content),
        lambda tell: build_verb(name, source.channels, examples, line, ranges, options, tell, zero),
    )
    return verb, source.rig


def _heading_zero(armature: Object, source: Source) -> Array:
    stored = armature.verbs_adverbs
    kept = stored.reference_root == source.rig.root and _is_rotation(stored.reference)
    return np.array(stored.reference) if kept else _reference(source)


def _is_rotation(reference: Sequence[float]) -> bool:
    """Return whether four stored numbers are a unit quaternion; those of a damaged file may not be."""
    return abs(float(np.linalg.norm(np.array(reference))) - 1.0) < NEARLY


def _reference(source: Source) -> Array:
    """Return the root's rotation (4,) that counts as heading 0: how the examples face if the object is not rotated."""
    facing = heading_reference(source.examples)
    if source.rig.root == ROOT_IS_OBJECT:
        return facing
    return quat.multiply(quat.from_yaw(-quat.yaw_of(source.rig.object.rotation)), facing)


def keep_reference(armature: Object, rig: Rig, verb: Verb) -> bool:
    """Store the heading of the first built verb as the reference for all later ones, unless one is already stored.

    It is stored again if its root no longer exists, or another root is chosen for the armature. Return
    whether it was stored now; in that case the digests of verbs have changed, since they include it.
    """
    stored = armature.verbs_adverbs
    gone = stored.reference_root not in {ROOT_IS_OBJECT, *rig.bones} or not _is_rotation(stored.reference)
    chosen = stored.root == rig.root != stored.reference_root
    decided = (gone or chosen) and armature.library is None
    if decided:
        stored.reference, stored.reference_root = verb.reference.tolist(), rig.root
    return decided


def _check_ranges(armature: Object, item: PropertyGroup) -> None:
    for adverb in armature.verbs_adverbs.adverbs:
        if adverb.name in item.adverbs:
            check_range(adverb.name, adverb.minimum, adverb.maximum)


def _check_size(item: PropertyGroup) -> None:
    """Check that a verb and its examples are not too large to be built.

    Raises
    ------
    VerbError, ExampleError
        If something is; the message says what, and the limit.
    """
    rows = [(row, example) for row in item.examples if row.enabled and (example := referenced(row)) is not None]
    found = [example for _, example in rows]
    for count, most, what, remedy in (
        (item.control_points, CONTROL_POINTS, "control points", "64 follow most motions"),
        (len(item.adverbs), ADVERBS, "adverbs", "Let it vary along fewer"),
        (len(found), EXAMPLES, "examples", "Switch some off"),
    ):
        if count > most:
            raise VerbError(f"Verb '{item.name}' has {count} {what}; no more than {most} are built. {remedy}.")
    if not 0.0 < item.radius_factor <= RADIUS_FACTOR:
        raise VerbError(f"Verb '{item.name}' has a radius of {item.radius_factor:g}. Set one up to {RADIUS_FACTOR:g}.")
    if not 0.0 <= item.smoothing <= SMOOTHING:
        raise VerbError(f"Verb '{item.name}' is smoothed over {item.smoothing:g} s. Set up to {SMOOTHING:g} s.")
    if item.control_points < FEWEST:
        raise VerbError(f"Verb '{item.name}' has {item.control_points} control points. Set {FEWEST} or more.")
    for row, example in rows:
        _check_control_points(row, example)
        windows = max((len(contact.windows) for contact in example.contacts), default=0)
        for count, most, what in (
            (len(example.keytimes), KEYTIMES, "keytimes"),
            (len(example.contacts), CONTACTS, "contact points"),
            (windows, WINDOWS, "windows of a contact point"),
        ):
            if count > most:
                raise ExampleError(
                    f"Example '{example.name}' of action '{example.id_data.name}' has {count} {what}; no more than"
                    f" {most} can be used. Remove those that are not needed."
                )


def _check_control_points(row: PropertyGroup, example: PropertyGroup) -> None:
    """Check that an example's own number of control points, if it has one, is valid.

    Raises
    ------
    ExampleError
        If it is not.
    """
    count = row.control_points
    if count and not FEWEST <= count <= CONTROL_POINTS:
        raise ExampleError(
            f"Example '{example.name}' of action '{example.id_data.name}' has {count} control points of its own. Set"
            f" {FEWEST} to {CONTROL_POINTS}, or 0 for as many as the verb has."
        )
