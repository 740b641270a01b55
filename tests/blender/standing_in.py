"""Stands in for Blender's executable where there is only its Python module: opens a file and runs a command of it.

    python standing_in.py FILE --command verbs bake ...

As in Blender, a file that cannot be read is told, and the command runs all the same. The extension is that which is
installed in the user's folder, which the environment variable `BLENDER_USER_RESOURCES` names.
"""

import importlib
import os
import sys
import traceback
from pathlib import Path

import bpy

MODULE = "bl_ext.user_default.verbs_adverbs"


def main(words: list[str]) -> int:
    """Do what the words of a command line say, and return the exit code."""
    split = words.index("--command")
    opened, (command, *asked) = [word for word in words[:split] if not word.startswith("-")], words[split + 1 :]
    assert command == "verbs", f"the command is {command}"
    bpy.ops.preferences.addon_enable(module=MODULE)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    for path in opened:
        if not Path(path).is_file():
            sys.stderr.write(f'Error: Cannot read file "{path}": No such file or directory\n')
            break
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    return importlib.import_module(f"{MODULE}.operators.command_line.commands").run(asked)


if __name__ == "__main__":
    ended = 120
    try:
        ended = main(sys.argv[1:])
    except Exception:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended)
