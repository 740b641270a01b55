"""Redirects everything that the process prints, from Python and from Blender, into a file that is read meanwhile."""

import ctypes
import os
import sys
from pathlib import Path


class Console:
    """Redirects standard output and standard error into a file.

    Parameters
    ----------
    path : file to write them to.
    """

    def __init__(self, path: Path) -> None:
        self._read = open(path, "w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        out = os.open(path, os.O_WRONLY | os.O_APPEND)
        sys.stdout.flush()
        sys.stderr.flush()
        self._were = os.dup(1), os.dup(2)
        os.dup2(out, 1)
        os.dup2(out, 2)

    def fresh(self) -> str:
        """Return what was printed since the last call."""
        sys.stdout.flush()
        sys.stderr.flush()
        ctypes.CDLL(None).fflush(None)
        return self._read.read()

    def give_back(self) -> None:
        """Undo the redirection."""
        self.fresh()
        os.dup2(self._were[0], 1)
        os.dup2(self._were[1], 2)
