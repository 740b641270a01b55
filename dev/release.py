"""The command `release`: sets, builds, checks and tags a version in one step; nothing is uploaded."""

from __future__ import annotations

import datetime
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from . import package
from .environments import MATRIX, blender_environment
from .package import ENDINGS, FILES, FOLDERS, ROOT
from .repository import LARGEST, build
from .saying import Stop, run, say

BRANCH = "main"
UNRELEASED = "## Unreleased"
MANIFEST, CHANGELOG, README = ROOT / "blender_manifest.toml", ROOT / "CHANGELOG.md", ROOT / "README.md"
SCENES = ("layers", "talking")
"""Scenes of `tests/fixtures/scenes.py` that are kept for each release."""
LICENSE = ["SPDX:GPL-3.0-or-later"]
"""Requirements of the public platform for add-ons."""
OLDEST = "4.2.0"
PERMITTED = {"files"}
"""Permissions that the extension requests and uses."""
LONGEST = 64
"""Maximum length of a tagline, and of the reason for a permission."""
FIELDS = {
    *("schema_version", "id", "version", "name", "tagline", "maintainer", "type", "tags", "blender_version_min"),
    *("license", "copyright", "permissions", "website"),
}


def release(version: str, dry_run: bool) -> int:
    """Make a release of the tree, or do all of it in a clone that is deleted; return the exit code."""
    _check_tree(version, dry_run)
    if dry_run:
        return _rehearse(version)
    fixtures = ROOT / "tests" / "fixtures" / version
    before = {path: path.read_bytes() for path in (MANIFEST, CHANGELOG, README)}
    try:
        _set_version(version)
        archive = build()
        for remark in check_package(archive):
            say(f"Before it is uploaded: {remark}")
        _make_fixtures(archive, fixtures)
        run(["git", "add", "--", *map(str, (*before, fixtures))], "Adding the release", cwd=ROOT)
        run(["git", "commit", "-q", "-m", f"Version {version}"], "Committing the release", cwd=ROOT)
    except BaseException:
        for path, text in before.items():
            path.write_bytes(text)
        shutil.rmtree(fixtures, ignore_errors=True)
        raise
    run(["git", "tag", "-a", f"v{version}", "-m", f"Version {version}"], "Tagging the release", cwd=ROOT)
    say(f"Version {version} is committed and tagged v{version}; {archive} is what can be uploaded by hand")
    return 0


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        raise Stop(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def _numbers(version: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise Stop(f"'{version}' is no version. Give three numbers, such as 0.2.0.")
    return tuple(map(int, version.split(".")))


def _check_tree(version: str, dry_run: bool) -> None:
    present = package.version()
    if _numbers(version) <= _numbers(present):
        raise Stop(f"Version {version} is not later than {present}, which the manifest has. Give a later one.")
    if _git("status", "--porcelain"):
        raise Stop("The tree has changes that are not committed. Commit them, or take them back, first.")
    branch = _git("rev-parse", "--abbrev-ref", "HEAD")
    if branch != BRANCH and not dry_run:
        raise Stop(f"The tree is on '{branch}'. Releases are made on '{BRANCH}': merge it there first.")
    if _git("tag", "--list", f"v{version}"):
        raise Stop(f"There is a tag v{version} already. Give another version.")
    if UNRELEASED not in CHANGELOG.read_text(encoding="utf-8"):
        raise Stop(f"CHANGELOG.md has no section '{UNRELEASED}'. Say there what is new.")


def _rehearse(version: str) -> int:
    """Make the release in a clone, with the environments of the cache, and delete the clone."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        clone = Path(folder) / "clone"
        run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(clone)], "Cloning the tree")
        run(["git", "checkout", "-q", "-B", BRANCH], "Making the branch", cwd=clone)
        for name in ("user.name", "user.email"):
            run(["git", "config", name, "rehearsal"], "Setting git up", cwd=clone)
        done = subprocess.run([sys.executable, "dev.py", "release", version], cwd=clone)
        if done.returncode == 0:
            changed = subprocess.run(
                ["git", "show", "--stat", "--format=%an: %s (%D)", "HEAD"], cwd=clone, capture_output=True, text=True
            )
            say(f"{changed.stdout}It was a rehearsal: nothing of it is left")
    return done.returncode


def _set_version(version: str) -> None:
    """Write a version and the date into the files that contain them."""
    former = f"verbs_adverbs-{package.version()}.zip"
    text = README.read_text(encoding="utf-8")
    README.write_text(text.replace(former, f"verbs_adverbs-{version}.zip"), encoding="utf-8")
    text = MANIFEST.read_text(encoding="utf-8")
    MANIFEST.write_text(
        re.sub(r'(?m)^version\s*=\s*"[^"]+"', f'version = "{version}"', text, count=1), encoding="utf-8"
    )
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    text = CHANGELOG.read_text(encoding="utf-8")
    CHANGELOG.write_text(text.replace(UNRELEASED, f"## {version} ({day})", 1), encoding="utf-8")


def _make_fixtures(archive: Path, folder: Path) -> None:
    """Make the fixture files of the release with its own zip, in all Blenders of the matrix."""
    maker = str(ROOT / "tests" / "fixtures" / "make.py")
    for blender in MATRIX:
        environment = blender_environment(blender)
        if environment is None:
            raise Stop(f"No Python {MATRIX[blender]} was found for Blender {blender}, whose files belong to a release.")
        command = [str(environment.python), maker, str(archive), str(folder), *SCENES]
        run(command, f"Making the files of Blender {blender}")
        say(f"Made the files of Blender {blender}: {', '.join(SCENES)}")


def check_package(archive: Path) -> list[str]:
    """Check what Blender's own tool leaves to the platform's moderators; return what remains to be done by hand.

    Raises
    ------
    Stop
        If something breaks a rule.
    """
    with zipfile.ZipFile(archive) as opened:
        manifest = tomllib.loads(opened.read("blender_manifest.toml").decode("utf-8"))
        names = opened.namelist()
    wrong = [*_faults_of(manifest), *_redundant(names)]
    if archive.stat().st_size > LARGEST:
        wrong.append(f"the zip is larger than {LARGEST} bytes")
    if wrong:
        raise Stop(f"{archive.name} breaks rules of the platform: {'; '.join(wrong)}.")
    given = str(manifest.get("website", "")).startswith("https://")
    return [] if given else ["the manifest has no `website`, where users find help and report mistakes"]


def _faults_of(manifest: dict[str, Any]) -> list[str]:
    """Return the faults of a manifest, as parts of a sentence."""
    permissions = manifest.get("permissions", {})
    told = [manifest["tagline"], *permissions.values()]
    found = [f"'{text}' is longer than {LONGEST} letters" for text in told if len(text) > LONGEST]
    found += [f"'{text}' ends in punctuation" for text in told if not text[-1].isalnum()]
    found += [f"nothing is known of the field '{name}'" for name in sorted(manifest.keys() - FIELDS)]
    found += [f"the field '{name}' is empty" for name, value in manifest.items() if value in ("", [], {})]
    if manifest.get("license") != LICENSE:
        found.append(f"the license is not {LICENSE[0]}")
    if set(permissions) != PERMITTED:
        found.append(f"it asks for {sorted(permissions)}, but uses {sorted(PERMITTED)}")
    if manifest.get("blender_version_min") != OLDEST:
        found.append(f"the oldest Blender is not {OLDEST}")
    return found + (["its name contains 'Blender'"] if "blender" in manifest["name"].lower() else [])


def _redundant(names: list[str]) -> list[str]:
    """Return the files of a zip that do not belong there."""
    inside = [name for name in names if name not in FILES]
    strange = [
        n for n in inside if n.split("/")[0] not in FOLDERS or Path(n).suffix not in ENDINGS or "__pycache__" in n
    ]
    return [f"'{name}' does not belong into the zip" for name in strange]
