"""Search for Pythons that run (names on PATH may be shims of versions that are not installed), and system packages."""

from __future__ import annotations

import os
import shutil
import sys
from functools import cache
from glob import glob
from pathlib import Path

from .cache import alone
from .saying import Stop, is_answered, run, say

ASK = "import sys, importlib.util as u; print('%d.%d' % sys.version_info[:2], bool(u.find_spec('ensurepip')))"
PLACES = (
    "~/.pyenv/versions/{}*/bin/python",
    "~/.local/share/uv/python/cpython-{}*/bin/python3",
    "/opt/python{}*/bin/python3",
    "/usr/local/bin/python{}",
    "/opt/homebrew/bin/python{}",
    "/usr/bin/python{}",
)


def _candidates(version: str) -> list[str]:
    names = (f"python{version}", "python3", "python")
    on_path = [
        str(Path(folder) / name) for name in names for folder in os.get_exec_path() if (Path(folder) / name).is_file()
    ]
    elsewhere = [path for place in PLACES for path in sorted(glob(os.path.expanduser(place.format(version))))]
    return list(dict.fromkeys([sys.executable, *on_path, *elsewhere]))


@cache
def _answer(path: str) -> tuple[str, bool]:
    """Return the version of a Python ('' if it does not run) and whether it can make virtual environments."""
    words = (is_answered([path, "-c", ASK]) or "").split()
    return (words[0], words[1] == "True") if len(words) == 2 else ("", False)


def can_use_apt() -> bool:
    """Return whether this process can install packages of a Debian-like system."""
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def apt_install(packages: tuple[str, ...], purpose: str) -> None:
    """Install packages of a Debian-like system; `purpose` is shown to the user."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    say(f"Installing {' '.join(packages)} ({purpose}) ...")
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    with alone("apt"):
        run(["apt-get", "update"], "apt-get update", env=environment)
        run(install, f"Installing {purpose}", env=environment)


def find_python(version: str) -> str | None:
    """Return the path of a Python of this version that can make virtual environments, or None if there is none.

    Raises
    ------
    Stop
        If there is one that cannot make them, and the package for this cannot be installed.
    """
    lame = ""
    for path in _candidates(version):
        found, whole = _answer(path)
        if found == version and whole:
            return path
        if found == version:
            lame = lame or path
    if not lame:
        return None
    package = f"python{version}-venv"
    if not can_use_apt():
        raise Stop(f"{lame} cannot make environments. Type: sudo apt-get install -y {package}")
    apt_install((package,), "virtual environments for Python")
    return lame
