"""Pages of docs as tests use them: blocks of code of a part of a page, and what the page says that they print."""

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from runpy import run_path
from typing import Any, NamedTuple

DOCS = Path(__file__).resolve().parents[1] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
REPORTS = "Info: ", "Warning: ", "Error: "
"""What the lines begin with that Blender itself prints for each report of an operator, without a window."""


class Example(NamedTuple):
    """A block of code of a page, and the text that is to be printed by it, empty for none."""

    code: str
    prints: str


def part(page: str, heading: str) -> str:
    """The text of a page's part, from a heading of the second level to the next."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return next(one for one in text.split("\n## ") if one.startswith(f"{heading}\n"))


def examples(text: str) -> list[Example]:
    """The blocks of Python in a text, each with the block of plain text that follows it."""
    blocks = BLOCK.findall(text)
    following = [*blocks[1:], ("", "")]
    return [
        Example(code, printed if kind == "text" else "")
        for (language, code), (kind, printed) in zip(blocks, following, strict=True)
        if language == "python"
    ]


def run(code: str, names: dict[str, Any], folder: Path) -> tuple[str, dict[str, Any]]:
    """Run a block with the names of those before it.

    Returns
    -------
    what it prints, without reports of operators, and the names that there are after it.
    """
    script, printed = folder / "block.py", StringIO()
    script.write_text(code, encoding="utf-8")
    with redirect_stdout(printed):
        after = run_path(str(script), names)
    lines = printed.getvalue().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(REPORTS)), after
