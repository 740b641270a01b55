"""Adverbs that a walk's examples tell by themselves: how fast they go, how they turn, how steeply they climb."""

import numpy as np
from bpy.types import Object, PropertyGroup

from ...core.errors import VerbError
from ...core.reach.measure import combine, slope, speed, turn_rate
from ..blender.naming import checked_name
from ..data.definitions import add_adverb, use_adverb
from .building import build_unplaced
from .measuring import Filled, check_measured, check_noted, fill_measured, measured_adverbs

TELLING = {"SPEED": ("speed", 0.1), "TURN_RATE": ("turn", np.radians(15.0)), "SLOPE": ("slope", np.radians(3.0))}
"""For each measure the adverb that gets it, and from which difference between examples on it tells something: a share
of the highest speed, radians a second, radians."""


def measure_travel(armature: Object, item: PropertyGroup) -> Filled:
    """Let a verb vary along those of speed, turn and slope in which its examples differ, and measure these.

    So many adverbs are added as the examples suffice for, those in which they differ most. Adverbs that measure one of
    them already are kept, whatever they are called.

    Raises
    ------
    VerbsError
        If the examples cannot be read, or are alike in all of them.
    """
    built = build_unplaced(armature, item)
    values = combine(speed(), turn_rate(), slope()).of_examples(built[0])
    least = np.array([limit for _, limit in TELLING.values()])
    least[0] *= max(float(np.abs(values[:, 0]).max()), 1e-9)
    differences = dict(zip(TELLING, np.ptp(values, axis=0) / least, strict=True))
    measured = {used.measure for used in item.adverbs}
    wanted = [measure for measure, size in differences.items() if size >= 1.0 and measure not in measured]
    wanted.sort(key=lambda measure: -differences[measure])
    room = max(len(values) - 1 - len(item.adverbs), 0)
    if not wanted and not measured & set(TELLING):
        raise VerbError(
            f"The {len(values)} examples of verb '{item.name}' go alike: no speed, turn or slope tells them apart. Add"
            " one that differs, or an adverb of your own."
        )
    names = {measure: TELLING[measure][0] for measure in wanted[:room]}
    check_noted(item)
    if measured_adverbs(item):
        check_measured(item, *built)
    for name in names.values():
        checked_name(name, "adverb", ())
    for measure, name in names.items():
        if name not in armature.verbs_adverbs.adverbs:
            add_adverb(armature, name, default=0.0)
        use_adverb(item, name, True)
        item.adverbs[name].measure = measure
    return fill_measured(armature, item, True, built)
