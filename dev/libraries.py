"""System libraries that `import bpy` needs."""

from __future__ import annotations

import subprocess
from pathlib import Path

from .pythons import apt_install, can_use_apt
from .saying import Stop

NEEDED = (
    "libx11-6", "libxext6", "libxrender1", "libxfixes3", "libxi6", "libxkbcommon0", "libsm6", "libice6", "libgl1",
    "libegl1", "libgl1-mesa-dri",
)  # fmt: skip


def _complaint(python: Path) -> str:
    """Return the last line of the error from `import bpy`; empty if it works."""
    done = subprocess.run([str(python), "-c", "import bpy, os; os._exit(0)"], capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]


def ensure_bpy_imports(python: Path) -> None:
    """Make sure that `import bpy` works; missing system libraries are installed if possible.

    Raises
    ------
    Stop
        If it does not work; the message says what to type.
    """
    complaint = _complaint(python)
    if complaint and ".so" in complaint and can_use_apt():
        apt_install(NEEDED, "libraries that Blender draws with")
        complaint = _complaint(python)
    if complaint:
        advice = f"Type: sudo apt-get install -y {' '.join(NEEDED)}" if ".so" in complaint else "See the message above."
        raise Stop(f"`import bpy` fails: {complaint}\n{advice}")
