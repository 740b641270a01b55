"""From the definitions of a verb to the built verb; imported only when something is built."""

import numpy as np
from bpy.types import Object, PropertyGroup
from numpy.typing import NDArray

from ..core.errors import VerbError
from ..core.figure import quaternion as quat
from ..core.verb.build import Progress, VerbOptions, build_verb, heading_reference
from ..core.verb.verb import Verb
from .examples import Source, read_examples
from .properties import ROOT_IS_OBJECT
from .rig import Rig

Array = NDArray[np.float64]

WIDEST = 1e9


def options_of(item: PropertyGroup) -> VerbOptions:
    """How a verb is to be built, as its properties say."""
    return VerbOptions(
        control_points=item.control_points,
        kernel=item.kernel.lower(),
        degree=item.degree,
        radius_factor=item.radius_factor,
        timing=item.timing.lower(),
        hold_contacts=item.hold_contacts,
    )


def build(armature: Object, item: PropertyGroup, progress: Progress | None = None) -> tuple[Verb, Rig, tuple[str, ...]]:
    """Read the examples of a verb and build it; nothing in the file is changed.

    Returns
    -------
    verb : the verb; it faces as the armature's first built verb does.
    rig : the armature as it was read.
    complaints : of the reading and of the building.

    Raises
    ------
    VerbsError
        Why it cannot be built, in words.
    """
    _check_ranges(armature, item)
    source = read_examples(armature, item)
    stored = armature.verbs_adverbs
    names = [used.name for used in item.adverbs]
    adverbs = [stored.adverbs[name] for name in names]
    verb = build_verb(
        item.name,
        source.channels,
        source.examples,
        names,
        np.array([(adverb.minimum, adverb.maximum) for adverb in adverbs]).reshape(-1, 2),
        options_of(item),
        progress,
        np.array(stored.reference) if stored.reference_root == source.rig.root else _reference(source),
    )
    return verb, source.rig, (*source.complaints, *verb.report.complaints)


def _reference(source: Source) -> Array:
    """Rotation (4,) of the root at heading 0: as the examples face while the object itself is not turned."""
    facing = heading_reference(source.examples)
    if source.rig.root == ROOT_IS_OBJECT:
        return facing
    return quat.multiply(quat.from_yaw(-quat.yaw_of(source.rig.object.rotation)), facing)


def _check_ranges(armature: Object, item: PropertyGroup) -> None:
    for adverb in armature.verbs_adverbs.adverbs:
        wide = max(abs(adverb.minimum), abs(adverb.maximum))
        if adverb.name in item.adverbs and not wide <= WIDEST:
            raise VerbError(
                f"Adverb '{adverb.name}' ranges from {adverb.minimum:g} to {adverb.maximum:g}, which is too wide. "
                "Give it the lowest and the highest value that it should have."
            )
