"""The command `test`: runs the tests in one Blender or in several, with the built zip installed."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from .cache import cache_folder
from .environments import MATRIX, Environment, blender_environment, default_environment, farm_environment
from .package import ROOT, write_zip
from .record import REASON, WRITES
from .saying import Stop, say
from .targets import write_page

TAIL = 60
MOST_WORKERS = 4
CORRUPTION = "tests/corruption/test_corruption.py"
OPENJD = "VERBS_ADVERBS_OPENJD"
"""Environment variable with the path of the Open Job Description program for the tests."""
BY_FILE = ["--dist", "loadfile", "--no-loadscope-reorder", "--max-worker-restart", "0"]
"""The tests of a file stay in one process. A Blender that crashes ends the run, which otherwise would hang (with
xdist 3.8)."""


def _command(environment: Environment, arguments: list[str]) -> list[str]:
    """Return pytest's command line: on all cores, each with its own Blender, unless it is for a single file."""
    named = [argument.partition("::")[0] for argument in arguments]
    single = len([name for name in named if name.endswith(".py") and (ROOT / name).is_file()]) == 1
    all_cores = ["-n", "auto", "--maxprocesses", str(MOST_WORKERS), *BY_FILE]
    workers = [] if single else all_cores
    return [str(environment.python), "-m", "pytest", *workers, *arguments]


def _surroundings(archive: Path) -> dict[str, str]:
    hidden = ("PYTHONPATH", "PYTHONHOME", "BLENDER_USER_RESOURCES")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    alone = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    farm = {OPENJD: str(farm_environment().python.with_name("openjd"))} if OPENJD not in kept else {}
    return {**alone, **farm, **kept, "VERBS_ADVERBS_ZIP": str(archive), "PYTHONDONTWRITEBYTECODE": "1"}


def ask_for_corruptions(count: int | None, seed: int | None, case: int | None) -> None:
    """Set the environment variables for the number and seed of generated damaged files in the tests."""
    asked = {"CORRUPTIONS": count, "SEED": seed, "CASE": case}
    os.environ.update({f"VERBS_ADVERBS_{name}": str(value) for name, value in asked.items() if value is not None})
    said = [f"{name.lower()} {value}" for name, value in asked.items() if value is not None]
    say(f"Generated damages: {', '.join(said)}")


def test_default(arguments: list[str]) -> int:
    """Run the tests in the default Blender, without arguments all but the long ones; return pytest's exit code."""
    version, environment = default_environment()
    archive = write_zip(ROOT / "dist")
    say(f"Testing {archive.name} in Blender {version}")
    if not arguments:
        say("The long tests are left out; `python3 dev.py test -m long` runs those.")
    command = _command(environment, arguments or ["-m", "not long"])
    return subprocess.run(command, cwd=ROOT, env=_surroundings(archive)).returncode


def test_recording(arguments: list[str], reason: str, elsewhere: bool) -> int:
    """Run tests that write the records of their figures, and the page of targets; return pytest's exit code.

    Parameters
    ----------
    arguments : arguments of pytest, including the tests.
    reason : reason why some records may get worse.
    elsewhere : whether another Blender than the default one was requested.

    Raises
    ------
    Stop
        If no tests are named, or another Blender is.
    """
    if elsewhere or not arguments:
        raise Stop("--record takes the names of tests, and runs them in the default Blender alone.")
    os.environ.update({WRITES: "1", REASON: reason})
    end = test_default(arguments)
    write_page()
    return end


def _test_quietly(version: str, environment: Environment, archive: Path, arguments: list[str]) -> int:
    """Run the tests with their output in a log, and print the outcome; return pytest's exit code."""
    log = cache_folder() / f"test-{version}.log"
    with open(log, "w", encoding="utf-8") as out:
        command = _command(environment, arguments)
        done = subprocess.run(command, cwd=ROOT, env=_surroundings(archive), stdout=out, stderr=subprocess.STDOUT)
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    shown = lines[-TAIL:] if done.returncode else lines[-1:]
    say("\n".join([f"Blender {version}: {'failed, log in ' + str(log) if done.returncode else 'passed'}", *shown]))
    return done.returncode


def test_matrix(arguments: list[str], versions: list[str]) -> int:
    """Run the tests in several Blenders in turn; return exit code 1 if one failed or none could run."""
    archive = write_zip(ROOT / "dist")
    found = {version: blender_environment(version) for version in versions}
    here = {version: environment for version, environment in found.items() if environment}
    say(f"Testing {archive.name} in Blender {', '.join(here)}; each one reports when it has ended ...")
    ends = {version: _test_quietly(version, environment, archive, arguments) for version, environment in here.items()}
    say("\nMatrix:")
    for version in MATRIX:
        if version in ends:
            end = f"FAILED (pytest ended with {ends[version]})" if ends[version] else "passed"
            say(f"  Blender {version}: {end}")
        else:
            reason = f"no Python {MATRIX[version]} was found" if version in versions else "not asked for"
            say(f"  Blender {version}: left out, {reason}")
    return 0 if ends and not any(ends.values()) else 1
