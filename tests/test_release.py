"""A release is one command: in a clone of the tree as it is, what it makes is opened and looked at."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
VERSION = "98.7.6"
BLENDERS = {"4.2.23", "4.5.15", "5.0.1", "5.2.3"}
CHANGED = {"README.md", "CHANGELOG.md", "blender_manifest.toml"}


def _git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a clone of the tree with what is not committed yet, which is committed there, on main."""
    clone = tmp_path / "tree"
    _git(tmp_path, "clone", "-q", "--no-hardlinks", str(ROOT), str(clone))
    told = _git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, told):
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, clone / name)
    changelog = clone / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if "## Unreleased" not in text:
        changelog.write_text(text.replace("\n## ", "\n## Unreleased\n\n- Something.\n\n## ", 1), encoding="utf-8")
    _git(clone, "checkout", "-q", "-B", "main")
    for name in ("user.name", "user.email"):
        _git(clone, "config", name, "tester")
    _git(clone, "add", "-A")
    _git(clone, "commit", "-q", "--allow-empty", "-m", "As it is")
    return clone


def _release(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Make a release as a developer would, with the environments that are there; none is made anew or removed."""
    cache = os.environ.get("VERBS_ADVERBS_CACHE", str(ROOT / ".dev"))
    env = {**os.environ, "VERBS_ADVERBS_CACHE": cache, "VERBS_ADVERBS_MAKE": "0"}
    python = shutil.which("python3") or sys.executable
    command = [python, "dev.py", "release", *arguments]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("version", "spoilt", "told"),
    [
        ("0.0.1", "", "not later than"),
        ("1.0", "", "is no version"),
        (VERSION, "README.md", "not committed"),
        (VERSION, "branch", "Releases are made on 'main'"),
    ],
)
def test_what_is_no_release_is_refused_and_nothing_is_changed(tree: Path, version: str, spoilt: str, told: str):
    if spoilt == "branch":
        _git(tree, "checkout", "-q", "-b", "another")
    elif spoilt:
        (tree / spoilt).write_text("other", encoding="utf-8")
    before = _git(tree, "status", "--porcelain"), _git(tree, "rev-parse", "HEAD")
    done = _release(tree, version)
    assert done.returncode == 1 and told in done.stderr, done.stdout + done.stderr
    assert (_git(tree, "status", "--porcelain"), _git(tree, "rev-parse", "HEAD")) == before
    assert _git(tree, "tag", "--list", f"v{VERSION}") == ""


@pytest.mark.long
def test_a_rehearsal_leaves_nothing_behind(tree: Path):
    before = _git(tree, "rev-parse", "HEAD")
    done = _release(tree, VERSION, "--dry-run")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"tests/fixtures/{VERSION}" in done.stdout
    assert _git(tree, "rev-parse", "HEAD") == before and _git(tree, "status", "--porcelain") == ""
    assert _git(tree, "tag", "--list", f"v{VERSION}") == "" and not (tree / "dist").exists()


@pytest.mark.long
def test_a_release_is_a_commit_with_a_tag_and_a_zip_that_can_be_uploaded(tree: Path):
    before = _git(tree, "rev-parse", "HEAD").strip()
    done = _release(tree, VERSION)
    assert done.returncode == 0, done.stdout + done.stderr
    assert _git(tree, "status", "--porcelain") == "" and _git(tree, "rev-parse", "HEAD~1").strip() == before
    assert _git(tree, "cat-file", "-t", f"v{VERSION}").strip() == "tag"
    assert _git(tree, "rev-parse", f"v{VERSION}^{{commit}}") == _git(tree, "rev-parse", "HEAD")
    changed = set(_git(tree, "diff", "--name-only", "HEAD~1").split())
    assert {name for name in changed if not name.startswith("tests/fixtures/")} == CHANGED
    made = [Path(name) for name in changed if name.startswith(f"tests/fixtures/{VERSION}/") and name.endswith(".blend")]
    assert {path.parent.name.removeprefix("blender-") for path in made} == BLENDERS
    with zipfile.ZipFile(tree / "dist" / f"verbs_adverbs-{VERSION}.zip") as archive:
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode("utf-8"))
        names = archive.namelist()
    assert (manifest["version"], manifest["license"]) == (VERSION, ["SPDX:GPL-3.0-or-later"])
    assert {"__init__.py", "LICENSE"} < set(names)
    assert {name.split("/")[0] for name in names if "/" in name} == {"core", "bridge", "operators", "panels"}
    listed = json.loads((tree / "dist" / "index.json").read_text(encoding="utf-8"))["data"]
    assert [(one["id"], one["version"]) for one in listed] == [("verbs_adverbs", VERSION)]
    heading = re.search(r"^## (.+)$", (tree / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert heading and re.fullmatch(rf"{VERSION} \(\d{{4}}-\d\d-\d\d\)", heading.group(1))
    assert f"verbs_adverbs-{VERSION}.zip" in (tree / "README.md").read_text(encoding="utf-8")
