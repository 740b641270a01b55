"""Stands in for Blender's executable where there is only its Python module: opens a file and runs a command of it.

    python standing_in.py FILE --command verbs bake ...
    python standing_in.py FILE --operator OUT

The second form lets the operator of the window bake what the active character performs, over the scene's frames.
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
    split = next(place for place, word in enumerate(words) if word in ("--command", "--operator"))
    opened, (command, *asked) = [word for word in words[:split] if not word.startswith("-")], words[split + 1 :]
    bpy.ops.preferences.addon_enable(module=MODULE)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    for path in opened:
        if not Path(path).is_file():
            sys.stderr.write(f'Error: Cannot read file "{path}": No such file or directory\n')
            break
        bpy.ops.wm.open_mainfile(filepath=path, load_ui=False)
    if words[split] == "--operator":
        span = {"frame_start": bpy.context.scene.frame_start, "frame_end": bpy.context.scene.frame_end}
        bpy.ops.verbs_adverbs.bake_performance(**span, assign=True)
        bpy.ops.wm.save_as_mainfile(filepath=command, copy=True)
        return 0
    assert command == "verbs", f"the command is {command}"
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
