#!/usr/bin/env python3
"""Makes the pictures in docs/images again: python3 docs/make_images.py, on Debian or Ubuntu as root.

The sheets of figures and the errors of reaches are drawn by the demo's own code; everything else is a picture of a real
window of Blender 4.3, cut to size by the ImageMagick that is installed beside it; one of them moves.
"""

import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
sys.path.insert(0, str(ROOT))

from dev.chroots import WINDOWS, ensure, inside  # noqa: E402
from dev.package import write_zip  # noqa: E402
from dev.programs import run_program  # noqa: E402
from dev.saying import Stop, say  # noqa: E402

IMAGES = DOCS / "images"
SCRATCH = ROOT / "out" / "docs"
WINDOW = WINDOWS["4.3"]
SECONDS = 600
SCREENS = {"window_pictures": (1600, 1150), "moving_picture": (860, 720)}
"""Scripts, and the size in pixels of the window that each one has."""
KINDS = {".png", ".gif"}


def _run(script: str) -> None:
    """Run a shell script in the window's system; what it says is kept in the scratch folder."""
    binds = {ROOT / "tests": "/tests", ROOT / "dist": "/dist", DOCS: "/docs", SCRATCH: "/out"}
    with open(SCRATCH / "log", "a", encoding="utf-8") as log:
        done = subprocess.run(inside(WINDOW, script, binds), stdout=log, stderr=subprocess.STDOUT)
    if done.returncode:
        raise Stop(f"The pictures were not made: {SCRATCH / 'log'} says why.")


def _photograph_windows() -> None:
    archive = write_zip(ROOT / "dist")
    say("Taking pictures of Blender's window")
    for script, screen in SCREENS.items():
        _photograph(script, archive.name, *screen)


def _photograph(script: str, archive: str, width: int, height: int) -> None:
    _run(
        "export BLENDER_USER_RESOURCES=/tmp/user-docs; rm -rf $BLENDER_USER_RESOURCES; cd /tmp; "
        f"xvfb-run -a -s '-screen 0 {width}x{height}x24 +extension GLX' "
        "blender --enable-event-simulate --factory-startup --gpu-backend opengl "
        f"--window-geometry 0 0 {width} {height} -P /tests/gui/harness.py -- "
        f"/docs/{script}.py /dist/{archive} /out {SECONDS}"
    )


def main() -> int:
    """Make all pictures, then put them into place."""
    try:
        ensure(WINDOW)
        shutil.rmtree(SCRATCH, ignore_errors=True)
        SCRATCH.mkdir(parents=True)
        _photograph_windows()
        if run_program("docs.drawn_pictures", [SCRATCH / "cut"]):
            raise Stop("The sheets and errors were not drawn: the message stands above.")
    except Stop as reason:
        say(f"make_images.py: {reason}")
        return 1
    IMAGES.mkdir(exist_ok=True)
    made = sorted(path for path in (SCRATCH / "cut").iterdir() if path.suffix in KINDS)
    for path in made:
        shutil.copyfile(path, IMAGES / path.name)
    size = sum(path.stat().st_size for path in IMAGES.iterdir())
    say(f"{len(made)} pictures in {IMAGES}, {size / 1e6:.2f} MB together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
