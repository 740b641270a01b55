"""Messages of dev.py: its progress, and why it stops; and running of commands."""

from __future__ import annotations

import subprocess
from pathlib import Path


class Stop(Exception):
    """Raised if something is missing that dev.py cannot provide; the message says what to do."""


def say(text: str) -> None:
    """Print one line, and flush it so that it appears at once even in a pipe."""
    print(text, flush=True)


def run(command: list[str], purpose: str, **options: object) -> None:
    """Run a command quietly.

    Raises
    ------
    Stop
        If it fails, with the end of its output.
    """
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        said = "\n".join(f"    {line}" for line in done.stdout.splitlines()[-25:])
        raise Stop(f"{purpose} failed ({Path(command[0]).name} ended with {done.returncode}):\n{said}")


def is_answered(command: list[str]) -> str | None:
    """Return the output of a command, or None if it does not exist or fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
