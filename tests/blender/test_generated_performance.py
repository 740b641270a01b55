"""A minute of the biped that the extension ships, held to the targets of captured motion, and the judge itself tried.

The judge sees rows, and which points the player says stand or step home. Whatever else the player does, feet that slide
must not pass.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from blender.minutes import assert_held_to_targets, generated_minute
from verbs_adverbs.demo.rows import write_rows
from verbs_adverbs.demo.targets import verdicts

pytestmark = pytest.mark.long

BAKED_CM = 0.01
SLIP = "inside verbs: slip where locked, cm/s"


@pytest.mark.parametrize("name", ["level", "ramp", "stairs"])
def test_the_figures_of_a_generated_minute_are_held_to_their_targets(name: str, tell):
    assert_held_to_targets(generated_minute().cases[name], f"generated minute, {name}", tell)


def test_the_rows_that_are_judged_are_what_blender_plays():
    bake = generated_minute().bake
    assert bake["frames"] == 3601
    assert bake["differs_cm"] < BAKED_CM


def test_the_rows_that_are_judged_are_written(tmp_path: Path):
    case = generated_minute().cases["level"]
    write_rows(tmp_path / "rows.npz", case.figure, case.held, case.free)
    written = np.load(tmp_path / "rows.npz")
    assert written["times"].shape == (3601,)
    assert written["values"].shape == written["unlocked"].shape == (3601, len(written["columns"]))
    assert written["columns"][:3].tolist() == ["travel x", "travel y", "heading"]
    assert written["support"].shape == written["stepping"].shape == (3601, 2)
    assert 0.5 < written["support"].mean() < 1.0
    assert 0.0 < written["stepping"].mean() < 0.1
    assert not (written["support"] & written["stepping"]).any()


def test_a_minute_with_its_locks_off_is_seen_to_slide():
    case = generated_minute().cases["level"]
    found = _judged(replace(case, held=case.free))
    for where in ("inside verbs", "in transitions"):
        slip = found[f"{where}: slip where locked, cm/s"]
        assert not slip.met and "MISSED" in slip.line
        assert slip.any_frame > 5.0


def test_a_foot_that_slides_in_a_single_frame_is_seen():
    case = generated_minute().cases["level"]
    row = next(row for row in range(60, 3600) if case.held.support[row - 2 : row + 3, 0].all())
    values = case.held.values.copy()
    values[row, case.held.columns.index("travel x")] += 0.001
    found = _judged(replace(case, held=replace(case.held, values=values)))
    assert found[SLIP].any_frame == pytest.approx(100.0 * 0.001 * 60.0, rel=0.1)


def test_a_step_home_that_is_not_announced_is_a_slide():
    case = generated_minute().cases["level"]
    held = replace(case.held, support=case.held.support | case.held.stepping, stepping=case.held.stepping & False)
    found = _judged(replace(case, held=held))
    assert not found[SLIP].met
    assert found[SLIP].any_frame > 20.0
    assert found["inside verbs: off the floor, cm"].figure > 2.0


def _judged(case):
    return {verdict.what: verdict for verdict in verdicts(case.figures)}
