"""Pages of docs: their examples print what they say outside of Blender, and sentences they explain are in the code."""

import subprocess
import sys
from pathlib import Path

import pages
import pytest

LONGEST = 20
"""Lines of code that an example of a page has at most."""
ROOT = pages.DOCS.parent
END = """
assert not {"bpy", "scipy"} & set(sys.modules), "more than NumPy was imported"
assert sys.modules["core"].__file__.startswith(sys.path[0]), "another core was imported"
"""


@pytest.mark.parametrize("where", ["zip", "repository"])
def test_what_the_page_says_of_scripts_outside_of_blender_is_so(where: str, extension_zip: Path, tmp_path: Path):
    archive = tmp_path / "the extension.zip"
    archive.write_bytes(extension_zip.read_bytes())
    place = archive if where == "zip" else ROOT
    told = pages.examples(pages.part("scripting.md", "Outside of Blender"))
    code = "".join(one.code for one in told) + END
    found = _printed(code.replace("/path/to/verbs_adverbs.zip", place.as_posix()), tmp_path)
    assert found == "".join(one.prints for one in told)


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
        assert len([line for line in one.code.splitlines() if line.strip()]) <= LONGEST, one.code
