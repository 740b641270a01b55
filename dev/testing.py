"""`test`: the suite in one Blender or in all of them, with the built zip installed."""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .cache import cache_folder
from .environments import MATRIX, Environment, blender_environment, default_environment
from .package import ROOT, write_zip
from .saying import say

TAIL = 60
IN_BLENDER = "tests/blender"
WITHOUT_BLENDER = ("tests/core", "tests/test_house.py")


def _command(environment: Environment, arguments: list[str]) -> list[str]:
    return [str(environment.python), "-m", "pytest", *arguments]


def _surroundings(archive: Path) -> dict[str, str]:
    hidden = ("PYTHONPATH", "PYTHONHOME", "BLENDER_USER_RESOURCES")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    return {**kept, "VERBS_ADVERBS_ZIP": str(archive), "PYTHONDONTWRITEBYTECODE": "1"}


def test_default(arguments: list[str]) -> int:
    """Run the suite in the default Blender; returns pytest's exit code.

    The whole suite runs as two at a time, what needs Blender and what does not: each takes about as long.
    """
    version, environment = default_environment()
    archive = write_zip(ROOT / "dist")
    say(f"Testing {archive.name} in Blender {version}")
    if any((ROOT / argument.partition("::")[0]).exists() for argument in arguments):
        return subprocess.run(_command(environment, arguments), cwd=ROOT, env=_surroundings(archive)).returncode
    say("The tests of core run beside those in Blender and speak when they have ended ...")
    with ThreadPoolExecutor(max_workers=1) as beside:
        core = beside.submit(_run_beside, _command(environment, [*arguments, *WITHOUT_BLENDER]), _surroundings(archive))
        shown = subprocess.run(_command(environment, [*arguments, IN_BLENDER]), cwd=ROOT, env=_surroundings(archive))
        ended, printed = core.result()
    say(printed)
    return shown.returncode or ended


def _run_beside(command: list[str], surroundings: dict[str, str]) -> tuple[int, str]:
    """Run a command; return how it ended and all that it printed."""
    done = subprocess.run(
        command, cwd=ROOT, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.returncode, done.stdout


def _test_quietly(version: str, environment: Environment, archive: Path, arguments: list[str]) -> tuple[str, int]:
    """Run the suite with its output in a log; say how it ended."""
    log = cache_folder() / f"test-{version}.log"
    with open(log, "w", encoding="utf-8") as out:
        command = _command(environment, arguments)
        done = subprocess.run(command, cwd=ROOT, env=_surroundings(archive), stdout=out, stderr=subprocess.STDOUT)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    shown = lines[-TAIL:] if done.returncode else lines[-1:]
    say("\n".join([f"Blender {version}: {'failed, log in ' + str(log) if done.returncode else 'passed'}", *shown]))
    return version, done.returncode


def test_matrix(arguments: list[str], versions: list[str], jobs: int) -> int:
    """Run the suite in each Blender, `jobs` at a time; returns 1 when one of them failed or none could run."""
    archive = write_zip(ROOT / "dist")
    found = {version: blender_environment(version) for version in versions}
    here = {version: environment for version, environment in found.items() if environment}
    say(f"Testing {archive.name} in Blender {', '.join(here)}, {jobs} at a time; each speaks when it has ended ...")
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        ends = dict(pool.map(lambda item: _test_quietly(item[0], item[1], archive, arguments), here.items()))
    say("\nMatrix:")
    for version in MATRIX:
        if version in ends:
            end = f"FAILED (pytest ended with {ends[version]})" if ends[version] else "passed"
            say(f"  Blender {version}: {end}")
        else:
            reason = f"no Python {MATRIX[version]} was found" if version in versions else "not asked for"
            say(f"  Blender {version}: left out, {reason}")
    return 0 if ends and not any(ends.values()) else 1
