"""Figures that miss their targets, or have none, held to the records in bench/record.json."""

import os
from collections.abc import Iterable
from dataclasses import replace

from verbs_adverbs.dev.cache import alone
from verbs_adverbs.dev.figure import Figure
from verbs_adverbs.dev.record import (
    CHANGED,
    REASON,
    REPEATED,
    WRITES,
    differing,
    forget_records,
    measured,
    read_records,
    write_records,
)


def assert_held(where: str, figures: Iterable[Figure]) -> None:
    """Assert that each figure which misses its target, or has none, is as its record, and that no other has a record.

    Parameters
    ----------
    where : what begins the names of their records.
    figures : all that are judged there.
    """
    beginning = f"{where}: "
    loose = [replace(one, name=beginning + one.name) for one in figures if one.target is None or not one.met]
    if os.environ.get(WRITES):
        with alone("records"):
            forget_records("tests", _met(beginning, loose))
            assert write_records("tests", measured([loose]), os.environ.get(REASON, "")) == []
        return
    assert _met(beginning, loose) == [], "these meet their targets; take their records away with --record"
    assert list(differing("tests", loose, REPEATED, CHANGED)) == []


def _met(beginning: str, loose: list[Figure]) -> list[str]:
    """Names of records that begin so and are of none of these figures."""
    names = {one.name for one in loose}
    return [name for name in read_records("tests") if name.startswith(beginning) and name not in names]
