"""The command `gui`: runs all tests/gui/test_*.py in real Blender windows on a virtual display."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections import Counter
from pathlib import Path

from .chroots import WINDOWS, Window, ensure, inside
from .package import ROOT, write_zip
from .saying import Stop, say

SECONDS, SECONDS_EACH = 600, 10
CORRUPTIONS = ("VERBS_ADVERBS_CORRUPTIONS", "VERBS_ADVERBS_SEED", "VERBS_ADVERBS_CASE")
SCREEN, LARGE_SCREEN = (1280, 800), (1600, 1000)
NEED_ROOM = ("test_distance_map", "test_sources", "test_tab_modes")
"""Scripts that need the large screen; the others use the small one, which is drawn faster."""
BEGINS = "=== "
"""Text that Blender prints before the name of a script that starts."""


def prepare(only: list[str] | None) -> int:
    """Set up the windows; return exit code 1 if one that must run could not be set up."""
    return 1 if any(_missing(version) for version in only or WINDOWS) else 0


def _missing(version: str) -> bool:
    """Set up one window; return True if that failed and the window must run."""
    try:
        ensure(WINDOWS[version])
    except Stop as reason:
        say(f"Blender {version}: could not be set up: {reason}")
        return WINDOWS[version].must_run
    return False


def _settings() -> tuple[str, int]:
    """Return shell commands that pass on settings for generated damaged files, and a script's time limit in seconds."""
    asked = {name: value for name, value in os.environ.items() if name in CORRUPTIONS}
    words = "".join(f"export {name}={shlex.quote(value)}; " for name, value in asked.items())
    return words, SECONDS + SECONDS_EACH * int(asked.get(CORRUPTIONS[0], 0))


def _command(window: Window, scripts: list[str], archive: Path, out: Path) -> list[str]:
    """Return the command that runs scripts in a window; Mesa draws in Blender's own thread, which is faster."""
    width, height = LARGE_SCREEN if scripts[0] in NEED_ROOM else SCREEN
    binds = {ROOT / "tests": "/tests", archive.parent: "/dist", out: "/out"}
    words, seconds = _settings()
    paths = ",".join(f"/tests/gui/{script}.py" for script in scripts)
    blender = (
        f"{words}export LP_NUM_THREADS=0 BLENDER_USER_RESOURCES=/tmp/user-{scripts[0]}; "
        "rm -rf $BLENDER_USER_RESOURCES; cd /tmp; "
        f"timeout -k 5 {seconds * len(scripts)} xvfb-run -a -s '-screen 0 {width}x{height}x24 +extension GLX' "
        "blender --enable-event-simulate --factory-startup "
        f"--window-geometry 0 0 {width} {height} --gpu-backend opengl -P /tests/gui/harness.py -- "
        f"{paths} /dist/{archive.name} /out {seconds}"
    )
    return inside(window, blender, binds)


def _run_scripts(version: str, scripts: list[str], archive: Path, out: Path) -> dict[str, list[dict[str, str]]]:
    """Run scripts in one Blender as long as it keeps running; return the rows of each script that ran.

    A row contains the name, outcome and message of a test.
    """
    for script in scripts:
        (out / f"{script}.json").unlink(missing_ok=True)
        (out / f"{script}.log").unlink(missing_ok=True)
    log = out / f"{scripts[0]}.log"
    end = _run_shown(_command(WINDOWS[version], scripts, archive, out), log)
    console = log.read_text(encoding="utf-8")
    ran = [script for script in scripts if f"{BEGINS}{script}\n" in console] or scripts[:1]
    return {script: _rows(out / f"{script}.json", end if script == ran[-1] else 0, console) for script in ran}


def _run_shown(command: list[str], log: Path) -> int:
    """Run a command with its output in a log, and report each script that starts; return the exit code."""
    with (
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace"
        ) as process,
        open(log, "w", buffering=1, encoding="utf-8") as said,
    ):
        for line in process.stdout or ():
            said.write(line)
            if line.startswith(BEGINS):
                say(f"  {line.removeprefix(BEGINS).strip()} ...")
    return process.returncode


def _rows(results: Path, end: int, console: str) -> list[dict[str, str]]:
    """Return the results that a script has written, with a row for any other failure.

    Parameters
    ----------
    results : file written by the script.
    end : Blender's exit code if this was its last script, otherwise 0.
    console : output of Blender for all of its scripts.
    """
    rows = json.loads(results.read_text(encoding="utf-8")) if results.is_file() else []
    printed = console.partition(f"{BEGINS}{results.stem}\n")[2].partition(f"\n{BEGINS}")[0] or console
    for row in rows:
        if row["outcome"] == "running":
            row.update(outcome="failed", message=f"Blender ended with {end} during the test")
    complaint = _complaint(rows, end, printed)
    if complaint:
        rows.append({"name": "the run as a whole", "outcome": "failed", "message": complaint})
    if any(row["outcome"] == "failed" for row in rows):
        rows[-1]["log"] = "\n".join(printed.splitlines()[-40:])
    return rows


def _complaint(rows: list[dict[str, str]], end: int, console: str) -> str:
    """Return a failure although no test failed: no tests, a bad exit code, or a traceback that was only printed."""
    if any(row["outcome"] == "failed" for row in rows):
        return ""
    if not rows or end:
        return f"Blender ended with {end} after {len(rows)} tests"
    return "a traceback in the console" if "Traceback (most recent call last)" in console else ""


def _tell(script: str, rows: list[dict[str, str]]) -> None:
    for row in rows:
        took = f" ({row['seconds']} s)" if "seconds" in row else ""
        say(f"  {row['outcome']:7}{script}: {row['name']}{took}")
        for further in ("message", "log"):
            if row.get(further):
                say(row[further])


def _outcomes(version: str, scripts: list[str], archive: Path, out: Path) -> Counter[str]:
    """Run scripts in windows of one screen; one that fails is tried once more. Return the number of each outcome."""
    left, tried, counts = list(scripts), set[str](), Counter[str]()
    while left:
        for script, rows in _run_scripts(version, left, archive, out).items():
            _tell(script, rows)
            failed = any(row["outcome"] == "failed" for row in rows)
            if failed and script not in tried:
                say(f"  {script} is tried once more: a window on a busy machine can miss an input")
                tried.add(script)
                counts["tried once more"] += 1
            else:
                left.remove(script)
                counts.update(row["outcome"] for row in rows)
    return counts


def gui(only: list[str] | None, scripts: list[str], out: Path) -> int:
    """Run the scripts in the windows; return exit code 1 if a test fails or a window that must run is missing."""
    here = sorted(path.stem for path in (ROOT / "tests" / "gui").glob("test_*.py"))
    wanted = [Path(script).stem for script in scripts] or here
    unknown = sorted(set(wanted) - set(here))
    if unknown:
        raise Stop(f"tests/gui has no {', '.join(unknown)}; it has {', '.join(here)}.")
    archive = write_zip(ROOT / "dist")
    counts, missing = Counter[str](), False
    for version in only or WINDOWS:
        missing |= _missing(version)
        if not WINDOWS[version].is_complete():
            continue
        folder = (out / version).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        say(f"Blender {version} in a window; pictures and logs in {folder}")
        for roomy in (False, True):
            alike = [script for script in wanted if (script in NEED_ROOM) == roomy]
            counts += _outcomes(version, alike, archive, folder)
    say(", ".join(f"{counts[outcome]} {outcome}" for outcome in ("passed", "failed", "tried once more")))
    return 1 if missing or counts["failed"] or not counts["passed"] else 0
