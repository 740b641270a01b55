"""A program that runs another program inside Blender: python in_blender.py ZIP PROGRAM [ARGUMENTS].

It is run by the Python of an environment with bpy. The zip is installed and enabled in a fresh user folder. Then
`verbs_adverbs.PROGRAM.main` is called with the arguments as paths, where '-' means None; its result is the exit
code.
"""

import importlib
import os
import shutil
import sys
import tempfile
import traceback
from pathlib import Path

USER_FOLDER = tempfile.mkdtemp(prefix="verbs_adverbs_user_")
os.environ["BLENDER_USER_RESOURCES"] = USER_FOLDER
sys.path[0] = str(Path(__file__).resolve().parents[1])
from dev.alias import load_root  # noqa: E402

del sys.path[0]
import bpy  # noqa: E402

MODULE = "bl_ext.user_default.verbs_adverbs"


def main(archive: str, program: str, *arguments: str) -> int:
    """Install and enable the zip, and run the program; return its exit code."""
    bpy.ops.extensions.package_install_files(filepath=archive, repo="user_default", enable_on_install=True)
    if MODULE not in bpy.context.preferences.addons:
        print(f"{archive} could not be enabled: its traceback stands above")
        return 1
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    load_root()
    paths = [None if argument == "-" else Path(argument) for argument in arguments]
    return int(importlib.import_module(f"verbs_adverbs.{program}").main(*paths) or 0)


if __name__ == "__main__":
    ended = 1
    try:
        ended = main(*sys.argv[1:])
    except Exception:
        traceback.print_exc()
    finally:
        shutil.rmtree(USER_FOLDER, ignore_errors=True)
        shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended)
