"""The command `lint`: ruff over everything, pyright over core and the code that uses Blender."""

from __future__ import annotations

import subprocess

from .environments import lint_environment
from .package import ROOT
from .saying import say

BLENDER = ROOT / "dev" / "pyright-blender.json"


def lint() -> int:
    """Run the linters; return exit code 1 if one of them fails."""
    environment = lint_environment()
    folder = environment.python.parent
    pyright = [str(folder / "pyright"), "--pythonpath", str(environment.python)]
    commands = {
        "ruff": [str(folder / "ruff"), "check", "."],
        "pyright, core": pyright,
        "pyright, what meets Blender": [*pyright, "--project", str(BLENDER)],
    }
    if environment.version != "3.11":
        commands = {"ruff": commands["ruff"]}
        say("pyright: left out, types are checked against the NumPy of Python 3.11, which was not found")
    ends = {}
    for name, command in commands.items():
        say(f"{name}:")
        ends[name] = subprocess.run(command, cwd=ROOT).returncode
    return 1 if any(ends.values()) else 0
