"""Chooses the folder for the user files of the tests' Blender.

Blender reads that setting only once, so this module must be imported before bpy. Programs that tests run in a Blender
of their own import it too.
"""

import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

MODULE = "bl_ext.user_default.verbs_adverbs"
USER_FOLDER = Path(tempfile.mkdtemp(prefix="verbs_adverbs_user_"))
os.environ["BLENDER_USER_RESOURCES"] = str(USER_FOLDER)


def run(main: Callable[..., None]) -> None:
    """Call a program's `main` with the arguments of the command line, remove Blender's files, and end the process."""
    import bpy

    ended = 1
    try:
        main(*sys.argv[1:])
        ended = 0
    except Exception:
        traceback.print_exc()
    finally:
        shutil.rmtree(USER_FOLDER, ignore_errors=True)
        shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended)
