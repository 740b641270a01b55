"""Plays a saved file in a Blender without the extension and writes matrices: python fresh_player.py FILE OUT FRAME.

It jumps to frames out of order first. Then FRAME alone is rendered with motion blur, and what the render's dependency
graph evaluates is written too.
"""

import os
import sys
import tempfile

os.environ["BLENDER_USER_RESOURCES"] = tempfile.mkdtemp(prefix="verbs_adverbs_player_")

import bpy
import numpy as np

FILE, OUT, FRAME = sys.argv[1], sys.argv[2], int(sys.argv[3])
seen: dict[str, np.ndarray] = {}


def matrices(depsgraph: bpy.types.Depsgraph) -> np.ndarray:
    armature = bpy.data.objects["Biped"].evaluated_get(depsgraph)
    return np.array([armature.matrix_world @ bone.matrix for bone in armature.pose.bones])


def note(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    seen[f"rendered {scene.frame_current_final:.4f}"] = matrices(depsgraph)


bpy.ops.wm.open_mainfile(filepath=FILE)
assert not hasattr(bpy.types.Object, "verbs_adverbs")
scene = bpy.context.scene
for frame in (FRAME, 3, 41, 12, FRAME):
    scene.frame_set(frame)
    seen[f"frame {frame}"] = matrices(bpy.context.evaluated_depsgraph_get())
scene.render.engine, scene.cycles.samples, scene.render.use_motion_blur = "CYCLES", 1, True
scene.render.resolution_x = scene.render.resolution_y = 4
scene.render.filepath = OUT + ".png"
bpy.app.handlers.frame_change_post.append(note)
scene.frame_set(1)
scene.frame_set(FRAME)
bpy.ops.render.render(write_still=True)
np.savez(OUT, **seen)
sys.stdout.flush()
os._exit(0)
