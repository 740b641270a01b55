"""The bench: figures, targets, records, and whether they are met."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from math import inf
from pathlib import Path

import bpy
import numpy as np

from ..dev.figure import Figure, table
from ..dev.record import CHANGED, SLOWER, Group, differing, read_records
from . import dragging, frames
from .building import build_figures
from .crowd import crowd_figures
from .crowded import crowded_figures, quick_crowded_figures
from .dragging import drag_figures
from .ending import ending_figures
from .frames import frame_figures
from .gesturing import gesture_figures
from .lasting import lasting_figures, quick_lasting_figures
from .layered import layer_figures
from .libraries import library_figures
from .locked import locked_figures, quick_locked_figures
from .package import package_figures
from .performing import performing_figures
from .poses import pose_figures, quick_pose_figures
from .reaching import reach_figures
from .writing import quick_writing_figures, writing_figures

Part = Callable[[], Iterator[Figure]]

PARTS: dict[str, Part] = {
    "poses": pose_figures,
    "reaching": reach_figures,
    "live frames": frame_figures,
    "performing": performing_figures,
    "performing with locks": locked_figures,
    "drags": drag_figures,
    "writing": writing_figures,
    "long timelines": lasting_figures,
    "takes": ending_figures,
    "layers": layer_figures,
    "gestures": gesture_figures,
    "building": build_figures,
    "copies": crowd_figures,
    "libraries": library_figures,
    "hundreds and hours": crowded_figures,
    "the extension": package_figures,
}
QUICK: dict[str, Part] = {
    "poses": quick_pose_figures,
    "live frames": partial(frame_figures, frames.QUICK_ROUNDS),
    "performing with locks": quick_locked_figures,
    "drags": partial(drag_figures, dragging.QUICK_DRAGS, dragging.QUICK_ROUNDS),
    "writing": quick_writing_figures,
    "long timelines": quick_lasting_figures,
    "crowds": quick_crowded_figures,
}
"""Figures that each change must keep fast; each is a ratio of two times from the same run."""


def main(path: Path | None, how: Path | None) -> int:
    """Measure, print the table, and return 1 if a target is missed; if quick, if a figure is worse than its record.

    Parameters
    ----------
    path : JSON file to write the figures to, or None.
    how : 'quick' for the path of a frame only, or None.
    """
    figures = _held_to_records() if how else [figure for name in PARTS for figure in _measured(PARTS[name], name)]
    group: Group = "quick" if how else "bench"
    worse, better = (list(differing(group, figures, *bounds)) for bounds in ((SLOWER,), (inf, CHANGED)))
    gone = set(read_records(group)) - {figure.name for figure in figures}
    worse += [f"{name}: is not measured any more." for name in sorted(gone)]
    missed = [figure.name for figure in figures if not figure.met]
    print(f"\nBlender {bpy.app.version_string}, NumPy {np.__version__}; shortest of interleaved repeats\n")
    print(table(figures, {name: one.record for name, one in read_records(group).items()}))
    print(f"\nMissed: {'; '.join(missed)}" if missed else "\nAll targets are met.")
    print("\n".join(["", *dict.fromkeys(worse + better)] if worse + better else ["All are as their records."]))
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps([asdict(figure) for figure in figures], indent=2) + "\n", encoding="utf-8")
    return 1 if (worse if how else missed) else 0


def _held_to_records() -> list[Figure]:
    """Return figures of the path of a frame; one worse than its record is measured again, and the better kept."""
    figures, known = list[Figure](), read_records("quick")
    for name, part in QUICK.items():
        found = _measured(part, name)
        if any(differing("quick", [figure for figure in found if figure.name in known], SLOWER)):
            again = {figure.name: figure for figure in _measured(part, name)}
            found = [one.better_of(again[one.name]) for one in found]
        figures += found
    return figures


def _measured(part: Part, name: str) -> list[Figure]:
    print(f"Measuring {name} ...", flush=True)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return list(part())
