"""The tour of the code: the functions that it names are there, and each is called by one that it names before."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dev.package import ROOT

TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
STEP = re.compile(r"^\| `([\w/]+\.py)` \| `([\w.]+)` \|", re.MULTILINE)
MOST = 8
"""Functions, and files, from a slider and from a bake to what is written."""
LONGEST = 60


def _ways() -> dict[str, list[tuple[str, str]]]:
    """Return the steps of each table by the last heading before it; of a second one with its first function."""
    found, heading = dict[str, list[tuple[str, str]]](), ""
    for part in re.split(r"^(?!\|)", TOUR, flags=re.MULTILINE):
        if part.startswith("## "):
            heading = part.splitlines()[0].removeprefix("## ")
        if steps := STEP.findall(part):
            found[heading if heading not in found else f"{heading}, {steps[0][1]}"] = steps
    return found


WAYS = _ways()


def _defined(file: str, name: str) -> list[ast.FunctionDef | ast.ClassDef]:
    """Return what a file defines under a name, which may have the class of a method before it."""
    found: list[ast.AST] = [ast.parse((ROOT / file).read_text(encoding="utf-8"))]
    for part in name.split("."):
        inside = [node for one in found for node in ast.iter_child_nodes(one)]
        found = [one for one in inside if isinstance(one, ast.FunctionDef | ast.ClassDef) and one.name == part]
    return found


def _named(function: ast.FunctionDef | ast.ClassDef) -> Iterator[str]:
    """Yield all names that a function uses, of what it calls and of what it hands to a timer or a job."""
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def test_there_are_five_ways():
    assert list(WAYS) == [
        "From a slider to the pose",
        "From a change to the timeline",
        "From a change to the timeline, plan_of",
        "From a command to the pose",
        "From the bake to keyframes",
    ]


@pytest.mark.parametrize("way", WAYS)
def test_each_function_is_called_by_one_before_it(way):
    used: set[str] = set()
    for place, (file, name) in enumerate(WAYS[way]):
        found = _defined(file, name)
        assert found, f"{file} has no function {name}."
        assert place == 0 or name.rpartition(".")[2] in used, f"Nothing before calls {name} of {file}."
        assert all(node.end_lineno - node.lineno < LONGEST for node in found if isinstance(node, ast.FunctionDef))
        used |= {used for node in found for used in _named(node)}


@pytest.mark.parametrize("way", ["From a slider to the pose", "From the bake to keyframes"])
def test_the_shortest_ways_stay_short(way):
    steps = WAYS[way]
    assert len(steps) <= MOST
    assert len({file for file, _ in steps}) <= MOST
    assert len(set(steps)) == len(steps)


def test_files_that_are_named_are_there():
    missing = {name for name in re.findall(r"`((?:core|bridge|operators|panels|tests)/[\w/]+\.py)`", TOUR)}
    assert sorted(name for name in missing if not Path(ROOT, name).is_file()) == []
