"""Where the Blender of these tests keeps its user files; nothing here may import bpy, which reads it only once."""

import os
import tempfile
from pathlib import Path

MODULE = "bl_ext.user_default.verbs_adverbs"
USER_FOLDER = Path(tempfile.mkdtemp(prefix="verbs_adverbs_user_"))
os.environ["BLENDER_USER_RESOURCES"] = str(USER_FOLDER)
