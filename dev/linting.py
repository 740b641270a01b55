"""`lint`: ruff over everything, pyright over what is typed."""

from __future__ import annotations

import subprocess

from .environments import lint_environment
from .package import ROOT
from .saying import say


def lint() -> int:
    """Run the linters; returns 1 when one of them complains."""
    environment = lint_environment()
    folder = environment.python.parent
    commands = {
        "ruff": [str(folder / "ruff"), "check", "."],
        "pyright": [str(folder / "pyright"), "--pythonpath", str(environment.python)],
    }
    if environment.version != "3.11":
        del commands["pyright"]
        say("pyright: left out, types are checked against the NumPy of Python 3.11, which was not found")
    ends = {}
    for name, command in commands.items():
        say(f"{name}:")
        ends[name] = subprocess.run(command, cwd=ROOT).returncode
    return 1 if any(ends.values()) else 0
