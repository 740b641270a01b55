"""Debian systems in separate folders, each with a packaged Blender and a virtual display."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .cache import alone, cache_folder
from .pythons import apt_install, can_use_apt
from .saying import Stop, run, say

PACKAGES = "blender xvfb xauth imagemagick libgl1-mesa-dri python3-numpy python3-scipy fonts-dejavu-core"
LATE = "-o Acquire::Check-Valid-Until=false -o Acquire::Retries=3"


@dataclass(frozen=True)
class Window:
    """A Debian system with a Blender that runs in a window.

    Parameters
    ----------
    suite : Debian suite that packages this Blender.
    must_run : whether tests fail if the system cannot be set up; otherwise its tests are skipped.
    packages : packages to be installed in it.
    """

    suite: str
    must_run: bool
    packages: str = PACKAGES

    @property
    def folder(self) -> Path:
        """Root folder of the system."""
        return cache_folder() / "windows" / self.suite

    @property
    def stamp(self) -> Path:
        """File that is written when the system is set up; it is outside the system's root."""
        return self.folder.with_name(f"{self.suite}.complete")

    def is_complete(self) -> bool:
        """Whether the system was set up completely, with the present list of packages."""
        return self.stamp.is_file() and self.stamp.read_text() == self.packages


WINDOWS = {
    "4.3": Window("trixie", must_run=True),
    "5.2": Window("sid", must_run=False, packages=f"{PACKAGES} python3-cattr python3-requests python3-jsonschema"),
}


def inside(window: Window, script: str, binds: dict[Path, str] | None = None) -> list[str]:
    """Return the command that runs a shell script in the window's system.

    Mounts are made in a separate mount namespace: they end with the command, however it ends, and deleting the folder
    can never reach the host's files. `binds` maps host folders to their paths inside.
    """
    root = shlex.quote(str(window.folder))
    lines = ["set -e", "mount --make-rprivate /", f"mount -t proc proc {root}/proc", f"mount --rbind /dev {root}/dev"]
    for host, place in (binds or {}).items():
        lines += [f"mkdir -p {root}{place}", f"mount --bind {shlex.quote(str(host))} {root}{place}"]
    lines.append(f"exec chroot {root} /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "
                 f"DEBIAN_FRONTEND=noninteractive LIBGL_ALWAYS_SOFTWARE=1 sh -c {shlex.quote(script)}")  # fmt: skip
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", "\n".join(lines)]


def _check_host() -> None:
    if os.name != "posix" or os.geteuid() != 0 or not shutil.which("unshare"):
        raise Stop("Real windows are set up with debootstrap and chroot: run this as root on Debian or Ubuntu.")
    if not shutil.which("debootstrap"):
        if not can_use_apt():
            raise Stop("debootstrap is missing. Install it with the system's package manager.")
        apt_install(("debootstrap", "debian-archive-keyring"), "a tool that sets up Debian systems")


def _make(window: Window) -> None:
    window.stamp.unlink(missing_ok=True)
    if os.path.ismount(window.folder / "dev") or os.path.ismount(window.folder / "proc"):
        raise Stop(f"Something is mounted in {window.folder}. Unmount it, then run the command again.")
    if window.folder.exists():
        shutil.rmtree(window.folder)
    window.folder.mkdir(parents=True)
    say(f"Setting up Debian {window.suite} with its Blender in {window.folder} (once; 2 GB, some minutes) ...")
    # Fetching a package fails occasionally, if the mirror changes at that moment, so it is tried once more.
    bootstrap = ["debootstrap", "--variant=minbase", window.suite, str(window.folder)]
    if subprocess.run(bootstrap, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        shutil.rmtree(window.folder)
        run(bootstrap, f"Setting up Debian {window.suite}")
    get = f"apt-get {LATE}"
    fetch = f"{get} update && {get} install -y --no-install-recommends {window.packages} && {get} clean"
    run(inside(window, fetch), f"Installing Blender in Debian {window.suite}")
    window.stamp.write_text(window.packages)


def ensure(window: Window) -> None:
    """Set up the window's system, unless it is already set up.

    Raises
    ------
    Stop
        If it cannot be set up here; the message says what to do.
    """
    if window.is_complete():
        return
    _check_host()
    with alone(f"window-{window.suite}"):
        if not window.is_complete():
            _make(window)
