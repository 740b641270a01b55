"""Performs a saved biped by a virtual clock and is killed in the middle: fresh_performer.py ZIP FILE OUT SECONDS.

Places of the root at whole frames are written to OUT before. FILE holds the biped with its verb graph.
"""

import os
import signal
import sys
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
USER = import_module("blender.installed")  # chooses the user folder, before bpy reads it

import bpy  # noqa: E402
import numpy as np  # noqa: E402
from blender.performer import begin, command, noting, play  # noqa: E402

ZIP, FILE, OUT, SECONDS = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
bpy.ops.extensions.package_install_files(filepath=ZIP, repo="user_default", enable_on_install=True, overwrite=True)
bpy.ops.wm.open_mainfile(filepath=FILE, load_ui=False)
armature = bpy.data.objects["Biped"]
clock, seen = begin(armature), {}


def turn() -> None:
    armature.verbs_adverbs.director["turn"] = 0.5


asked = {0.5: lambda: command(armature, "walk"), 3.0: turn, 5.0: lambda: command(armature, "wave")}
play(clock, SECONDS, asked, each=noting(armature, seen))
np.savez(OUT, frames=list(seen), places=list(seen.values()))
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGKILL)
