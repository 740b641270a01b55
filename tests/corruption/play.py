"""Plays corruptions in a Blender of its own: python play.py ZIP FOLDER SEED FIRST COUNT.

A line is written to FOLDER/told.jsonl before each case, so that a case that ends the process is known, and another
one after it.
"""

import faulthandler
import resource
import signal
import sys
import time
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
USER = import_module("blender.installed")  # chooses the user folder, before bpy reads it

import bpy  # noqa: E402

from corruption.case import Case  # noqa: E402
from corruption.console import Console  # noqa: E402
from corruption.files import prepare  # noqa: E402
from corruption.told import tell  # noqa: E402

MEMORY = 6 * 2**30
SECONDS = 20
"""Seconds of processor time that a case may take."""


def main(archive: str, place: str, seed: str, first: str, count: str) -> None:
    folder = Path(place)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    bpy.ops.extensions.package_install_files(
        filepath=archive, repo="user_default", enable_on_install=True, overwrite=True
    )
    assert USER.MODULE in bpy.context.preferences.addons, f"{archive} was not enabled"
    for _ in prepare(folder):
        pass
    console = Console(folder / "console.txt")
    faulthandler.enable()
    faulthandler.register(signal.SIGPROF, chain=True)
    told = folder / "told.jsonl"
    for number in range(int(first), int(first) + int(count)):
        tell(told, {"begins": number})
        tell(told, _played(Case(int(seed), number, folder, console)))


def _played(case: Case) -> dict[str, object]:
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    for _ in case.steps():
        pass
    signal.setitimer(signal.ITIMER_PROF, 0)
    took = round(time.process_time() - begun, 2)
    return {"case": case.number, "seconds": took, "found": case.found, "story": case.story}


if __name__ == "__main__":
    USER.run(main)
