"""Captured walks and runs: which events there are, against their annotation, however a clip is seen."""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from verbs_adverbs.core.detect.agreement import agree
from verbs_adverbs.core.detect.detection import Detection, detect
from verbs_adverbs.core.detect.observed import Observed

from .detected import (
    FRAME,
    Events,
    at_rate,
    captured_clip,
    cycles_from,
    found_events,
    in_place,
    misses,
    moved,
    noisy,
    within,
)

EDGE = 2.5 * FRAME
SAME = 3.0
"""Frames within which a found event is the annotated one."""
FIRST = "turned by 213 degrees"
WAYS = {
    "turned by 213 degrees": lambda seen: moved(seen, 3.72),
    "scaled by 0.01": lambda seen: moved(seen, 0.3, 0.01),
    "scaled by 100": lambda seen: moved(seen, 0.3, 100.0),
    "at 24 frames": lambda seen: at_rate(seen, 24.0),
    "at 60 frames": lambda seen: at_rate(seen, 60.0),
    "at 120 frames": lambda seen: at_rate(seen, 120.0),
    "with 2 mm of noise": noisy,
    "on a tilted floor": lambda seen: moved(seen, 0.3, tilt=0.14),
    "in place": in_place,
}


@cache
def clips(folder: Path) -> list[dict[str, Any]]:
    return json.loads((folder / "keytimes.json").read_text(encoding="utf-8"))["clips"]


@cache
def walks(folder: Path) -> list[tuple[dict[str, Any], Observed]]:
    """Annotations of walks and runs, and the clips as they are seen."""
    return [(clip, captured_clip(folder, clip["file"])[1]) for clip in clips(folder) if clip["kind"] == "locomotion"]


def keytimes(clip: dict[str, Any], field: str = "keytimes_sub") -> Events:
    return [(name, row / clip["fps"]) for name, row in zip(clip["keytime_names"], clip[field], strict=True)]


def annotated(clip: dict[str, Any]) -> Events:
    """All events of a clip: the annotation has whole rows, the first and the last one in contact."""
    return [
        (f"{side}_{what}", (row + half) / clip["fps"])
        for side in "LR"
        for first, last in clip["contacts"][side]
        for what, row, half in (("down", first, -0.5), ("up", last, 0.5))
    ]


def nearest_cycle(clip: dict[str, Any], found: Detection):
    start = keytimes(clip)[0][1]
    return min(cycles_from(found, "R"), key=lambda cycle: abs(cycle.start - start))


@cache
def usual_keytimes(folder: Path) -> dict[str, np.ndarray]:
    """Keytimes (M,) found in each walk and run as it is."""
    return {c["file"]: np.array(nearest_cycle(c, detect(seen)).keytimes) for c, seen in walks(folder)}


@pytest.mark.parametrize("way", [pytest.param(w, marks=() if w == FIRST else pytest.mark.long) for w in WAYS])
def test_keytimes_are_those_of_the_annotation_and_the_same_however_a_clip_is_seen(mocap: Path, way: str, tell):
    """The annotation tells which they are. It was made by limits of height and speed, so it does not judge when."""
    differences: list[float] = []
    for clip, observed in walks(mocap):
        usual = usual_keytimes(mocap)[clip["file"]]
        cycle = nearest_cycle(clip, detect(WAYS[way](observed)))
        assert cycle.names == tuple(clip["keytime_names"]), clip["file"]
        assert np.abs(np.array(cycle.keytimes) - [time for _, time in keytimes(clip)]).max() < SAME * FRAME
        differences.extend((np.array(cycle.keytimes) - usual) / FRAME)
    apart = np.abs(differences)
    tell(f"  captured, {way}: {len(apart)} keytimes, moved by {np.median(apart):.2f} frames, {apart.max():.2f} at most")
    assert np.mean(apart <= 1.0) >= 0.95
    assert apart.max() <= 1.5


TRIED = ("turned by 213 degrees", "at 24 frames", "with 2 mm of noise")


@pytest.mark.parametrize("way", [pytest.param(w, marks=() if w == FIRST else pytest.mark.long) for w in TRIED])
def test_no_event_is_missing_and_none_surplus(mocap: Path, way: str):
    for clip, observed in walks(mocap):
        seen = WAYS[way](observed)
        found, wanted = found_events(detect(seen).contacts), annotated(clip)
        for mine, others in ((wanted, found), (found, wanted)):
            missing = np.abs(misses(within(mine, seen, EDGE), others)) > SAME
            assert not missing.any(), (clip["file"], np.array(within(mine, seen, EDGE))[missing])


@pytest.mark.long
def test_the_cycle_that_closes_best_is_as_clean_as_the_annotated_one(mocap: Path):
    for clip, observed in walks(mocap):
        found = detect(observed)
        assert cycles_from(found, "R")[0].closing <= nearest_cycle(clip, found).closing


def test_walks_agree_in_their_structure_and_runs_and_walks_backward_are_told_from_them(mocap: Path):
    found = [detect(observed) for _, observed in walks(mocap)]
    shared = agree(found)
    assert shared.names == ("R_down", "L_up", "L_down", "R_up", "R_down")
    for (clip, _), chosen in zip(walks(mocap), shared.chosen, strict=True):
        assert (chosen is None) == (clip["verb"] in ("run", "walk-back")), clip["file"]
    verbs = Counter(clip["verb"] for clip, _ in walks(mocap))
    assert len([remark for remark in shared.remarks if "a walk and a run" in remark]) == verbs["run"]
    assert len([remark for remark in shared.remarks if "goes backward" in remark]) == verbs["walk-back"] == 1


@pytest.mark.long
def test_kinds_of_captured_clips_are_guessed(mocap: Path, tell):
    right = {"kind": 0, "cyclic": 0}
    for clip in clips(mocap):
        found = detect(captured_clip(mocap, clip["file"])[1])
        right["kind"] += found.kind == ("travelling" if clip["cyclic"] else "stationary")
        right["cyclic"] += found.cyclic == clip["cyclic"]
    tell(f"  of {len(clips(mocap))} clips {right['kind']} are of the kind guessed, {right['cyclic']} cyclic as guessed")
    assert right["kind"] == len(clips(mocap))
    assert right["cyclic"] >= len(clips(mocap)) - 2
