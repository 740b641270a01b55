"""The command `gui`: runs each tests/gui/test_*.py inside a real Blender window on a virtual display."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path
from time import monotonic

from .chroots import WINDOWS, Window, ensure, inside
from .package import ROOT, write_zip
from .saying import Stop, say

SECONDS, SECONDS_EACH = 600, 10
CORRUPTIONS = ("VERBS_ADVERBS_CORRUPTIONS", "VERBS_ADVERBS_SEED", "VERBS_ADVERBS_CASE")
SCREEN = (1600, 1000)


def prepare(only: list[str] | None) -> int:
    """Set up the windows; returns exit code 1 if one that must run could not be set up."""
    return 1 if any(_missing(version) for version in only or WINDOWS) else 0


def _missing(version: str) -> bool:
    """Set up one window; returns True if that failed and the window must run."""
    try:
        ensure(WINDOWS[version])
    except Stop as reason:
        say(f"Blender {version}: could not be set up: {reason}")
        return WINDOWS[version].must_run
    return False


def _settings() -> tuple[str, int]:
    """Return shell commands that pass on settings for generated damaged files, and the seconds for a script."""
    asked = {name: value for name, value in os.environ.items() if name in CORRUPTIONS}
    words = "".join(f"export {name}={shlex.quote(value)}; " for name, value in asked.items())
    return words, SECONDS + SECONDS_EACH * int(asked.get(CORRUPTIONS[0], 0))


def _command(window: Window, script: str, archive: Path, out: Path) -> list[str]:
    """Return the command that runs a script in a window; Mesa draws it in Blender's own thread, which is quicker."""
    width, height = SCREEN
    binds = {ROOT / "tests": "/tests", archive.parent: "/dist", out: "/out"}
    words, seconds = _settings()
    blender = (
        f"{words}export LP_NUM_THREADS=0 BLENDER_USER_RESOURCES=/tmp/user-{script}; "
        "rm -rf $BLENDER_USER_RESOURCES; cd /tmp; "
        f"timeout -k 5 {seconds} xvfb-run -a -s '-screen 0 {width}x{height}x24 +extension GLX' "
        "blender --enable-event-simulate --factory-startup "
        f"--window-geometry 0 0 {width} {height} --gpu-backend opengl -P /tests/gui/harness.py -- "
        f"/tests/gui/{script}.py /dist/{archive.name} /out"
    )
    return inside(window, blender, binds)


def _run_script(version: str, script: str, archive: Path, out: Path) -> list[dict[str, str]]:
    """Run one script in one window; returns a row for each of its tests, with its name, outcome and message."""
    results, log = out / f"{script}.json", out / f"{script}.log"
    results.unlink(missing_ok=True)
    with open(log, "w", encoding="utf-8") as said:
        command = _command(WINDOWS[version], script, archive, out)
        end = subprocess.run(command, stdout=said, stderr=subprocess.STDOUT).returncode
    rows = json.loads(results.read_text(encoding="utf-8")) if results.is_file() else []
    console = log.read_text(encoding="utf-8", errors="replace")
    for row in rows:
        if row["outcome"] == "running":
            row.update(outcome="failed", message=f"Blender ended with {end} during the test")
    complaint = _complaint(rows, end, console)
    if complaint:
        rows.append({"name": "the run as a whole", "outcome": "failed", "message": complaint})
    if any(row["outcome"] == "failed" for row in rows):
        rows[-1]["log"] = "\n".join(console.splitlines()[-40:])
    return rows


def _complaint(rows: list[dict[str, str]], end: int, console: str) -> str:
    """Say what is wrong although no test failed: no tests, a bad exit code, or a traceback that was only printed."""
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


def gui(only: list[str] | None, scripts: list[str], out: Path) -> int:
    """Run the scripts in the windows; returns exit code 1 if a test fails or a window that must run is missing."""
    here = sorted(path.stem for path in (ROOT / "tests" / "gui").glob("test_*.py"))
    wanted = [Path(script).stem for script in scripts] or here
    unknown = sorted(set(wanted) - set(here))
    if unknown:
        raise Stop(f"tests/gui has no {', '.join(unknown)}; it has {', '.join(here)}.")
    archive = write_zip(ROOT / "dist")
    counts = {"passed": 0, "failed": 0}
    missing = False
    for version in only or WINDOWS:
        missing |= _missing(version)
        if not WINDOWS[version].is_complete():
            continue
        folder = (out / version).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        say(f"Blender {version} in a window; pictures and logs in {folder}")
        for script in wanted:
            begun = monotonic()
            rows = _run_script(version, script, archive, folder)
            if any(row["outcome"] == "failed" for row in rows):
                _tell(script, rows)
                say(f"  {script} is tried once more: a window on a busy machine can miss an input")
                rows = _run_script(version, script, archive, folder)
            _tell(script, rows)
            say(f"  {script} took {monotonic() - begun:.0f} s")
            for row in rows:
                counts[row["outcome"]] += 1
    say(f"{counts['passed']} passed, {counts['failed']} failed")
    return 1 if missing or counts["failed"] or not counts["passed"] else 0
