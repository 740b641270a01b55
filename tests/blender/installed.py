"""Where the Blender of these tests keeps its user files; bpy, which reads that only once, is not imported before.

Programs that need such a Blender of their own run in it too.
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
    """Call a program's `main` with the words of the command line, remove what Blender has left, and end the process."""
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
