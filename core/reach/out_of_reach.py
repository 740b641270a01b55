"""Saying in words that a target lies where no example reaches, and how far off."""

import numpy as np
from numpy.typing import NDArray

from ..verb.verb import Verb
from .aim import Aim
from .hybrid import polish

Array = NDArray[np.float64]


def out_of_reach(verb: Verb, aim: Aim, point: Array, tolerance: float) -> str:
    """What to tell the animator if `point` (D,) asks for something farther than `tolerance` from all the verb can do.

    Empty where it is met. Distances are in the measure's unit, and where its components have several, in percent of the
    diagonal of the target region.
    """
    error = float(polish(verb, aim, point[None], tolerance, iterations=30).errors[0])
    if error <= tolerance:
        return ""
    wanted = ", ".join(
        f"{label} {value:.3g} {unit}"
        for label, value, unit in zip(aim.measure.labels, aim.asked(point), aim.measure.units, strict=True)
    )
    alike = len(set(aim.measure.units)) == 1
    apart = f"{error:.2g} {aim.measure.units[0]}" if alike else f"{100.0 * error / aim.diagonal:.2g} % of the region"
    return (
        f"The examples of verb '{verb.name}' do not reach {wanted}: the nearest they come is {apart} away. "
        "Bring the target nearer, or add an example there."
    )
