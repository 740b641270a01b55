"""Rendering while a verb moves the armature: what is rendered is up to date, and Blender survives it."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import bpy
import numpy as np
from hand import Hand
from sidebar import expect
from stage import CLOSE, MODULE, MOOD, add_live_biped, as_computed, biped, director, joints

FRAME = 5


def _drive_mood_by_slope() -> None:
    driver = director().driver_add(MOOD).driver
    variable = driver.variables.new()
    variable.targets[0].id, variable.targets[0].data_path = director(), '["slope"]'
    driver.expression = variable.name
    director().update_tag()


def _prepare_rendering() -> None:
    scene = bpy.context.scene
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(scene.camera)
    scene.camera.location, scene.camera.rotation_euler = (0.0, -6.0, 1.0), (1.57, 0.0, 0.0)
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "BLENDER_WORKBENCH", 32, 32


class Rendered:
    """Notes where the joints (J, 3) are in what is rendered, and that it came to its end."""

    def __init__(self) -> None:
        self.joints: list[np.ndarray] = []
        self.complete = False
        bpy.app.handlers.frame_change_post.append(self._note)
        bpy.app.handlers.render_complete.append(self._finish)

    def stop(self) -> None:
        """Note nothing more."""
        bpy.app.handlers.frame_change_post.remove(self._note)
        bpy.app.handlers.render_complete.remove(self._finish)

    def _note(self, _scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
        if depsgraph.mode == "RENDER":
            seen = biped().evaluated_get(depsgraph)
            self.joints.append(np.array([seen.matrix_world @ bone.head for bone in seen.pose.bones]))

    def _finish(self, *_arguments: object) -> None:
        self.complete = True


def test_a_driver_that_changes_and_is_rendered_at_once(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    _prepare_rendering()
    _drive_mood_by_slope()
    yield from as_computed()
    for slope, evaluated in ((0.8, True), (-0.6, False)):
        rendered = Rendered()
        director()["slope"] = slope
        director().update_tag()
        if evaluated:
            bpy.context.view_layer.update()
        with gui.context():
            assert bpy.ops.render.render("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
        yield from expect(lambda note=rendered: note.complete, "the frame is rendered")
        yield from expect(lambda: not bpy.app.is_job_running("RENDER"), "another frame may be rendered")
        rendered.stop()
        yield from as_computed()
        assert abs(director()["mood"] - slope) < CLOSE
        assert np.abs(rendered.joints[-1] - joints(list(biped().pose.bones.keys()))).max() < CLOSE


def test_a_saved_file_with_a_driver_is_rendered_in_background(gui: Hand) -> Iterator[float]:
    yield from add_live_biped(gui)
    _prepare_rendering()
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 1, False
    _drive_mood_by_slope()
    yield from as_computed()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "driven.blend"
        scene.render.filepath = f"{folder}/frame"
        bpy.ops.wm.save_as_mainfile(filepath=str(path))
        done = subprocess.run(
            [bpy.app.binary_path, "-b", "--factory-startup", "--addons", MODULE, str(path), "-f", str(FRAME)],
            env=os.environ, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        assert "Traceback" not in done.stdout + done.stderr, done.stdout + done.stderr
        assert [one.name for one in Path(folder).glob("frame*.png")] == [f"frame{FRAME:04}.png"]
