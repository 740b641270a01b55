"""Ten walks of seven skeletons in one folder: other names, bones, proportions, rest poses, axes, units and rates."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from brought_files import Switches, Written, write_walk

SKELETONS = {
    "MotionBuilder": Switches("MotionBuilder", more=("fingers",), landing=0.3, begins=(0.3, 0.8)),
    "toeless": Switches("MotionBuilder", toe=False, rest="A", rate=60.0, tall=0.95, trunk=1.1),
    "Mixamo": Switches("Mixamo", between=("spine",), more=("fingers", "face"), rest="A", tall=1.1, heading=130.0),
    "CMU": Switches("CMU", between=("spine", "hip joints"), unit="inches", rate=120.0, order="ZYX", heading=-70.0),
    "Bandai-Namco": Switches("Bandai-Namco", between=("top",), rest="heap", places=True, ends="zero", tall=0.9),
    "Biped": Switches("Biped", more=("hair", "prop"), up="Z", unit="metres", order="ZXY", trunk=0.9, heading=90.0),
    "numbered": Switches("numbered", lying=True, up="X", unit="millimetres", rate=50.0, tall=1.05),
}
"""What the files of each skeleton are like."""
FOLDER = ("MotionBuilder", "toeless", "Mixamo", "CMU", "Bandai-Namco", "Biped", "numbered", "Mixamo", "CMU", "numbered")
"""Skeletons of the ten walks."""


@dataclass(frozen=True, eq=False)
class Mixed:
    """A walk of a folder, and what its file is like."""

    written: Written
    switches: Switches


def write_mixed(folder: Path, first: str = FOLDER[0]) -> dict[str, Mixed]:
    """Write ten walks of seven skeletons, and return them by the names of their files; that of `first` comes first."""
    folder.mkdir(parents=True, exist_ok=True)
    rng, found = np.random.default_rng(7), dict[str, Mixed]()
    for place, kind in enumerate(sorted(FOLDER, key=lambda kind: kind != first)):
        name = f"{place} {kind}"
        switches = replace(SKELETONS[kind], landing=0.3 - 0.01 * place)
        speed = 0.85 + 0.06 * place
        found[name] = Mixed(write_walk(folder / f"{name}.bvh", switches, speed, (0.1 * place) % 1.0, rng), switches)
    return found
