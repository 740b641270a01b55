"""System libraries that Blender's wheel needs before `import bpy` works."""

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
    """Last line of what `import bpy` complains of; empty when it works."""
    done = subprocess.run([str(python), "-c", "import bpy, os; os._exit(0)"], capture_output=True, text=True)
    if done.returncode == 0:
        return ""
    return (done.stderr.strip().splitlines() or [f"it ended with {done.returncode}"])[-1]


def ensure_bpy_imports(python: Path) -> None:
    """Make `import bpy` work, with the system's libraries where they are missing and may be installed."""
    complaint = _complaint(python)
    if complaint and ".so" in complaint and can_use_apt():
        apt_install(NEEDED, "libraries that Blender draws with")
        complaint = _complaint(python)
    if complaint:
        advice = f"Type: sudo apt-get install -y {' '.join(NEEDED)}" if ".so" in complaint else "See the message above."
        raise Stop(f"`import bpy` fails: {complaint}\n{advice}")
