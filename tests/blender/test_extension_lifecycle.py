"""The extension comes and goes without a trace."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import addon_utils
import bpy
import pytest
from blender.installed import MODULE
from blender.lifecycle import traces
from blender.stage import walking_biped

FRESH = Path(__file__).with_name("fresh_blender.py")


def _in_fresh_blender(what: str, extension_zip: Path, tmp_path: Path) -> str:
    """Output of one function of fresh_blender.py, run in a Blender of its own."""
    done = subprocess.run(
        [sys.executable, str(FRESH), what, str(extension_zip), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def disabled(extension: ModuleType):
    bpy.ops.preferences.addon_disable(module=MODULE)
    yield
    bpy.ops.preferences.addon_enable(module=MODULE)


def test_disabling_takes_back_what_enabling_added(disabled: None):
    without = traces()
    bpy.ops.preferences.addon_enable(module=MODULE)
    bpy.ops.preferences.addon_disable(module=MODULE)
    assert traces() - without == set()


def test_enabling_twice_in_a_row_adds_the_same_things(disabled: None):
    bpy.ops.preferences.addon_enable(module=MODULE)
    first = traces()
    bpy.ops.preferences.addon_disable(module=MODULE)
    bpy.ops.preferences.addon_enable(module=MODULE)
    assert traces() == first


def test_disabling_leaves_no_name_of_ours(disabled: None):
    assert [name for name in traces() if "verbs_adverbs" in name.lower()] == []


def test_blender_has_no_policy_warning_about_the_extension():
    assert not [text for module, text in addon_utils._extensions_warnings_get() if MODULE in str(module)]


def test_enabling_does_not_import_numpy(extension_zip: Path, tmp_path: Path):
    said = _in_fresh_blender("enable_without_numpy", extension_zip, tmp_path)
    assert "no numpy" in said and "Traceback" not in said


def test_uninstalling_leaves_no_file_and_no_trace(extension_zip: Path, tmp_path: Path):
    said = _in_fresh_blender("uninstall", extension_zip, tmp_path)
    assert "nothing left" in said and "Traceback" not in said


def test_a_new_version_installed_over_the_old_one_runs_its_own_code(extension_zip: Path, tmp_path: Path):
    said = _in_fresh_blender("upgrade", extension_zip, tmp_path)
    assert "new code" in said and "Traceback" not in said


def test_a_part_that_cannot_register_takes_the_others_back(extension_zip: Path, tmp_path: Path):
    said = _in_fresh_blender("half_registered", extension_zip, tmp_path)
    assert "taken back" in said and "on purpose" in said


def test_nothing_is_stored_on_objects_that_have_nothing_to_do_with_it(extension: ModuleType, tmp_path: Path):
    walking_biped()
    cube = bpy.data.objects.new("Cube", bpy.data.meshes.new("Cube"))
    bpy.context.collection.objects.link(cube)
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    bpy.context.view_layer.objects.active = cube
    assert not bpy.ops.verbs_adverbs.live_off.poll()
    bpy.context.scene.frame_set(9)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "cube.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "cube.blend"))
    assert list(bpy.data.objects["Cube"].keys()) == [] and bpy.data.objects["Biped director"].verbs_adverbs.live
