"""The bench: figures, targets, and whether they are met."""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import bpy
import numpy as np

from .building import build_figures
from .crowd import crowd_figures
from .crowded import crowded_figures
from .dragging import drag_figures
from .ending import ending_figures
from .figure import Figure, table
from .frames import frame_figures
from .gesturing import gesture_figures
from .lasting import lasting_figures
from .layered import layer_figures
from .libraries import library_figures
from .locked import locked_figures
from .package import package_figures
from .performing import performing_figures
from .poses import pose_figures
from .reaching import reach_figures
from .writing import writing_figures

PARTS: dict[str, Callable[[], Iterator[Figure]]] = {
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


def main(path: Path | None) -> int:
    """Measure everything, print the table, and return 1 when a target is missed.

    Parameters
    ----------
    path : JSON file to write the figures to, or None.
    """
    figures: list[Figure] = []
    for name, part in PARTS.items():
        print(f"Measuring {name} ...", flush=True)
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        figures += part()
    print(f"\nBlender {bpy.app.version_string}, NumPy {np.__version__}; shortest of interleaved repeats\n")
    print(table(figures))
    missed = [figure.name for figure in figures if not figure.met]
    print(f"\nMissed: {'; '.join(missed)}" if missed else "\nAll targets are met.")
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [{**asdict(figure), "met": figure.met} for figure in figures]
        path.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    return 1 if missed else 0
