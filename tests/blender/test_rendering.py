"""What is played is rendered in a Blender that shows no window, as `blender -b file -f 5` does, and survives it."""

import subprocess
import sys
from pathlib import Path

import bpy
import pytest
from blender.stage import walking_biped

FRESH = Path(__file__).with_name("fresh_blender.py")


def _in_fresh_blender(what: str, extension_zip: Path, tmp_path: Path) -> str:
    """What one function of fresh_blender.py says in a Blender of its own, after the present file was saved for it."""
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    done = subprocess.run(
        [sys.executable, str(FRESH), what, str(extension_zip), str(tmp_path)],
        capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


@pytest.fixture
def armature():
    found, scene = walking_biped(), bpy.context.scene
    scene.camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    bpy.context.collection.objects.link(scene.camera)
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 1, False
    scene.render.resolution_x = scene.render.resolution_y = 4
    return found


def test_a_driven_slider_is_rendered_without_a_window(armature, extension_zip: Path, tmp_path: Path):
    bpy.ops.verbs_adverbs.live_on()
    director = armature.verbs_adverbs.director
    director.driver_add('["mood"]').driver.expression = "frame / 30 - 1"
    assert "rendered" in _in_fresh_blender("render_without_window", extension_zip, tmp_path)
