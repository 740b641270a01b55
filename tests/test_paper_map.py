"""docs/papers.md names, for every numbered part of the papers, files and functions that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "papers.md"
NUMBERED = {
    "[Rose1998]": {"Section": 8, "Eq.": 4, "Figure": 4, "Table": 1},
    "[Rose2001]": {"Section": 6, "Eq.": 4, "Figure": 19, "Table": 1},
    "[Gruenvogel2003]": {"Section": 9, "Eq.": 3, "Figure": 4, "Table": 1},
    "[Kallmann2005]": {"Section": 8, "Eq.": 2, "Figure": 8, "Table": 0},
}
"""How many sections, equations, figures and tables each paper has."""
PLACE = re.compile(r"`([\w/]+\.py)`: `([\w.]+)`")


def rows_of(paper: str) -> dict[str, tuple[str, str]]:
    """What a paper's table says: by the number of a part, what it is about and where it is here."""
    text = PAGE.read_text(encoding="utf-8")
    part = next(part for part in text.split("\n## ") if part.startswith(paper))
    rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
    return {row[0]: (row[1], row[2]) for row in rows if row[0] != "In the paper"}


@cache
def names_in(path: str) -> frozenset[str]:
    """Functions and classes of a file, and methods and attributes of its classes as Class.name."""
    found: set[str] = set()
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        for inner in node.body if isinstance(node, ast.ClassDef) else ():
            if isinstance(inner, ast.FunctionDef):
                found.add(f"{node.name}.{inner.name}")
            elif isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
                found.add(f"{node.name}.{inner.target.id}")
    return frozenset(found)


@pytest.mark.parametrize("paper", NUMBERED)
def test_every_numbered_part_of_a_paper_has_a_row(paper: str):
    rows = rows_of(paper)
    for kind, count in NUMBERED[paper].items():
        told = {int(found[1]) for name in rows if (found := re.match(rf"{re.escape(kind)} (\d+)$", name))}
        assert told == set(range(1, count + 1)), kind


@pytest.mark.parametrize("paper", [*NUMBERED, "Slides"])
def test_every_place_that_is_named_exists_and_every_row_says_where_or_why_not(paper: str):
    for name, (about, where) in rows_of(paper).items():
        places = PLACE.findall(where)
        assert about and (places or where == "-" or where.startswith("not here: ")), name
        for path, function in places:
            assert (ROOT / path).is_file(), f"{name}: {path}"
            assert function in names_in(path), f"{name}: {path} has no {function}"
