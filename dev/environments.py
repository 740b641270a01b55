"""Virtual environments with one Blender each, made once by venv and pip and marked complete by a content hash.

A tool that synchronises environments cannot replace this: the wheels of Blender 4.2 to 5.0 contain a different version
of Python than in their file names, so that uv would reinstall them each time, even during a test run.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from .cache import alone, cache_folder
from .libraries import ensure_bpy_imports
from .pythons import find_python
from .saying import Stop, run, say

ROOT = Path(__file__).resolve().parents[1]
REQUIREMENTS = ROOT / "dev" / "requirements"
MATRIX = {"4.2.23": "3.11", "4.5.15": "3.11", "5.0.1": "3.11", "5.2.3": "3.13"}
DEFAULTS = ("5.0.1", "5.2.3")
GIGABYTE = 1 << 30
NO_PYTHON = "Neither Python 3.11 nor Python 3.13 was found. Install one of them (apt, python.org, pyenv)."


@dataclass(frozen=True)
class Environment:
    """A virtual environment, which may not exist yet.

    Parameters
    ----------
    folder : its folder.
    version : version of its Python, such as '3.11'.
    base : path of the Python that creates it.
    requirements : file with the packages that are installed in it.
    holds_bpy : whether Blender is among them.
    """

    folder: Path
    version: str
    base: str
    requirements: Path
    holds_bpy: bool

    @property
    def python(self) -> Path:
        """Path of the environment's own Python."""
        return self.folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def fingerprint(self) -> str:
        """Hash of all inputs of the environment."""
        texts = [path.read_bytes() for path in (self.requirements, REQUIREMENTS / "common.txt")]
        return hashlib.sha256(b"\0".join([self.base.encode(), *texts])).hexdigest()

    def is_complete(self) -> bool:
        """Whether the environment was made completely, with the present requirements."""
        stamp = self.folder / "complete"
        return stamp.is_file() and stamp.read_text() == self.fingerprint and self.python.exists()


def _make(environment: Environment, contents: str) -> None:
    """Make an environment, replacing an existing one; not the one that runs this, nor where that is forbidden."""
    if Path(sys.prefix).resolve() == environment.folder.resolve() or os.environ.get("VERBS_ADVERBS_MAKE") == "0":
        raise Stop(
            f"{environment.folder} is not what this tree needs, and may not be made anew here. Run `dev.py` alone."
        )
    if shutil.disk_usage(cache_folder()).free < 2 * GIGABYTE:
        raise Stop(f"Less than 2 GB are free at {cache_folder()}. Set VERBS_ADVERBS_CACHE to a folder with more.")
    shutil.rmtree(environment.folder, ignore_errors=True)
    say(f"Making an environment with {contents} in {environment.folder} (once; about a minute) ...")
    run([environment.base, "-m", "venv", str(environment.folder)], "Making the environment")
    pip = [str(environment.python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input"]
    run([*pip, "-r", str(environment.requirements)], f"Installing {contents}")
    if environment.holds_bpy:
        say("Trying `import bpy` ...")
        ensure_bpy_imports(environment.python)
    (environment.folder / "complete").write_text(environment.fingerprint)


def _ensured(environment: Environment, contents: str) -> Environment:
    if not environment.is_complete():
        with alone(environment.folder.name):
            if not environment.is_complete():
                _make(environment, contents)
    return environment


def blender_environment(version: str) -> Environment | None:
    """Return an environment with this version of Blender, made if needed; None if the Python for it is missing."""
    python = find_python(MATRIX[version])
    if not python:
        return None
    folder = cache_folder() / f"bpy-{version}"
    environment = Environment(folder, MATRIX[version], python, REQUIREMENTS / f"bpy-{version}.txt", holds_bpy=True)
    return _ensured(environment, f"Blender {version} as a Python module (400 MB to fetch)")


def default_environment() -> tuple[str, Environment]:
    """Return the version and environment of the first default Blender for which a Python is found.

    Raises
    ------
    Stop
        If no Python is found for any.
    """
    for version in DEFAULTS:
        environment = blender_environment(version)
        if environment:
            return version, environment
    raise Stop(NO_PYTHON)


def _without_bpy(name: str, contents: str) -> Environment:
    found = ((version, find_python(version)) for version in ("3.11", "3.13"))
    version, python = next(((version, python) for version, python in found if python), ("", None))
    if not python:
        raise Stop(NO_PYTHON)
    environment = Environment(cache_folder() / name, version, python, REQUIREMENTS / f"{name}.txt", holds_bpy=False)
    return _ensured(environment, contents)


def lint_environment() -> Environment:
    """Return an environment with the linters, made if needed.

    Raises
    ------
    Stop
        If no Python is found for it.
    """
    return _without_bpy("lint", "ruff and pyright")


def farm_environment() -> Environment:
    """Return an environment with a render farm of one machine, made if needed; its packages differ from Blender's.

    Raises
    ------
    Stop
        If no Python is found for it, or it cannot be made.
    """
    return _without_bpy("farm", "Open Job Description's program")
