"""Pages of docs: their examples print what they say outside of Blender, and sentences they explain are in the code."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pages
import pytest

LONGEST, LONGEST_MODEL = 20, 40
"""Lines of code that an example of scripting has at most, and that a motion model has less than."""
LONGEST_README = 10_000
"""Bytes that the README has at most."""
ROOT = pages.DOCS.parent
SHIPPED = "core", "bridge", "operators", "panels"
QUOTED, FIELD = re.compile(r"\*(.+?)\*"), re.compile(r"\{[^{}]*\}")
LINK = re.compile(r"""(?:\]\(|src=")(?!\w+:)([^)"#\s]*)#?([^)"\s]*)[)"]""")
TOLD = 10
"""Letters, beside names and numbers, by which a sentence is known at least."""
END = """
assert not {"bpy", "scipy"} & set(sys.modules), "more than NumPy was imported"
assert sys.modules["core"].__file__.startswith(sys.path[0]), "another core was imported"
"""


def _pages() -> Iterator[Path]:
    yield from pages.DOCS.rglob("*.md")
    yield from ROOT.glob("*.md")


@pytest.mark.parametrize("where", ["zip", "repository"])
def test_what_the_page_says_of_scripts_outside_of_blender_is_so(where: str, extension_zip: Path, tmp_path: Path):
    archive = tmp_path / "the extension.zip"
    archive.write_bytes(extension_zip.read_bytes())
    place = archive if where == "zip" else ROOT
    _is_so(pages.part("scripting.md", "Outside of Blender"), place, tmp_path)


def test_what_the_page_says_of_motion_models_is_so(tmp_path: Path):
    text = (pages.DOCS / "motion-models.md").read_text(encoding="utf-8")
    _is_so(text, ROOT, tmp_path)
    (model,) = (one.code for one in pages.examples(text) if "(MotionModel)" in one.code)
    assert _lines(model) < LONGEST_MODEL


def _is_so(text: str, place: Path, folder: Path) -> None:
    """Run the examples of a text with the core that is in a place, and compare what they print with the text."""
    told = pages.examples(text)
    code = "".join(one.code for one in told).replace("/path/to/verbs_adverbs.zip", place.as_posix())
    assert _printed(code + END, folder) == "".join(one.prints for one in told)


def _lines(code: str) -> int:
    return len([line for line in code.splitlines() if line.strip()])


def _printed(code: str, folder: Path) -> str:
    """What a script prints in a Python of its own, which finds no module of this repository by itself."""
    script = folder / "script.py"
    script.write_text(code, encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", script], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("heading", ["In Blender", "Outside of Blender"])
def test_examples_of_scripts_have_no_more_than_twenty_lines(heading: str):
    for one in pages.examples(pages.part("scripting.md", heading)):
        assert _lines(one.code) <= LONGEST, one.code


def _anchors(page: Path) -> set[str]:
    """What links call the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", sorted(path.relative_to(ROOT).as_posix() for path in _pages()))
def test_links_of_a_page_lead_to_files_and_headings_that_are_there(page: str):
    for address, anchor in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
        target = (ROOT / page).parent / address if address else ROOT / page
        assert target.exists(), address
        assert not anchor or anchor in _anchors(target), f"{address}#{anchor}"


def test_the_readme_is_one_page_and_leads_to_every_other():
    readme = ROOT / "README.md"
    found, waiting = {readme}, [readme]
    while waiting:
        page = waiting.pop()
        targets = ((page.parent / address).resolve() for address, _ in LINK.findall(page.read_text(encoding="utf-8")))
        new = {target for target in targets if target.suffix == ".md"} - found
        found |= new
        waiting += new
    assert readme.stat().st_size <= LONGEST_README
    assert not set(_pages()) - found, set(_pages()) - found


@cache
def _said() -> frozenset[str]:
    """All texts in the shipped code but docstrings, with … for what is filled in."""
    paths = (path for folder in SHIPPED for path in (ROOT / folder).rglob("*.py"))
    return frozenset(text for path in paths for text in _texts(path))


def _texts(path: Path) -> Iterator[str]:
    nodes: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, str):
                yield FIELD.sub("…", node.value)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            nodes += ast.iter_child_nodes(node)


def _explained(page: Path) -> Iterator[str]:
    """The sentences in the first column of a page's tables of sentences."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return (one for line in lines if line.startswith("| *") for one in QUOTED.findall(line.split(" | ")[0]))


def _pages_with_sentences() -> list[str]:
    """Pages with a table of sentences, of which there is at least that of troubleshooting."""
    found = (path for path in _pages() if "\n| It says |" in path.read_text(encoding="utf-8"))
    return sorted({path.relative_to(ROOT).as_posix() for path in found} | {"docs/troubleshooting.md"})


@pytest.mark.parametrize("page", _pages_with_sentences())
def test_sentences_that_are_explained_are_said_by_the_code(page: str):
    found = list(_explained(ROOT / page))
    unsaid = [one for one in found if not _is_said(one)]
    assert len(found) > 8 and not unsaid, "\n".join(unsaid)


def _is_said(sentence: str) -> bool:
    """Whether one text of the code has all words of a sentence, in order, with names and numbers between them."""
    fixed = sentence.strip("… ").split("…")
    longest, pattern = max(fixed, key=len), re.compile(".*".join(map(re.escape, fixed)), re.DOTALL)
    return sum(map(len, fixed)) >= TOLD and any(longest in text and pattern.search(text) for text in _said())


def test_every_reason_that_operators_share_is_explained():
    told = set(_texts(ROOT / "operators" / "reasons.py"))
    reasons = {text for text in told if re.search(r"\bfirst\b|switch it off", text)}
    lacking = reasons - set(_explained(pages.DOCS / "troubleshooting.md"))
    assert len(reasons) > 10 and not lacking, lacking
