"""Checks that need a Blender of their own: python fresh_blender.py FUNCTION ZIP FOLDER."""

import os
import shutil
import sys
import traceback
import zipfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
USER = import_module("blender.installed")  # chooses the user folder, before bpy reads it

import bpy  # noqa: E402
from blender.lifecycle import traces  # noqa: E402

MODULE = USER.MODULE
FUNCTION, ZIP, FOLDER = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


class NumPySeen:
    """An importer that records and refuses every import of NumPy."""

    seen = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "numpy":
            self.seen = True
            raise ImportError("NumPy was imported while the extension was enabled")


def install(archive: Path, enable: bool = True) -> None:
    bpy.ops.extensions.package_install_files(
        filepath=str(archive), repo="user_default", enable_on_install=enable, overwrite=True
    )


def enable_without_numpy() -> str:
    install(ZIP, enable=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "numpy"]:
        del sys.modules[name]
    watcher = NumPySeen()
    sys.meta_path.insert(0, watcher)
    bpy.ops.preferences.addon_enable(module=MODULE)
    assert MODULE in bpy.context.preferences.addons
    assert not watcher.seen and "numpy" not in sys.modules
    return "no numpy"


def uninstall() -> str:
    before = traces()
    install(ZIP)
    assert MODULE in bpy.context.preferences.addons
    repo = next(i for i, repo in enumerate(bpy.context.preferences.extensions.repos) if repo.module == "user_default")
    bpy.ops.extensions.package_uninstall(repo_index=repo, pkg_id="verbs_adverbs")
    assert MODULE not in bpy.context.preferences.addons
    assert traces() - before == set(), traces() - before
    assert [name for name in sys.modules if name.startswith(MODULE)] == []
    left = [str(path) for path in USER.USER_FOLDER.rglob("*verbs_adverbs*")]
    assert left == [], left
    return "nothing left"


def altered(name: str, addition: bytes) -> Path:
    """Make a copy of the zip with a higher version and a text added to one of its files."""
    target = FOLDER / "altered.zip"
    with zipfile.ZipFile(ZIP) as old, zipfile.ZipFile(target, "w") as new:
        for member in old.namelist():
            text = old.read(member)
            if member == "blender_manifest.toml":
                text = text.replace(b'version = "0.', b'version = "7.', 1)
            new.writestr(member, text + addition if member == name else text)
    return target


def upgrade() -> str:
    newer = altered("core/errors.py", b"\nNEWER = True\n")
    install(ZIP)
    assert not hasattr(import_module(f"{MODULE}.core.errors"), "NEWER")
    install(newer)
    assert import_module(f"{MODULE}.core.errors").NEWER
    return "new code"


def half_registered() -> str:
    broken = altered("panels/view/overlays.py", b"\ndef register():\n    raise RuntimeError('on purpose')\n")
    before = traces()
    with suppress(RuntimeError):
        install(broken)
    assert traces() - before == set(), traces() - before
    return "taken back"


def render_without_window() -> str:
    install(ZIP)
    bpy.ops.wm.open_mainfile(filepath=str(FOLDER / "saved.blend"))
    with bpy.context.temp_override(window=None):
        assert bpy.context.window is None
        bpy.ops.render.render()
    return "rendered"


WHAT = (enable_without_numpy, uninstall, upgrade, half_registered, render_without_window)
CHECKS = {check.__name__: check for check in WHAT}
try:
    print(CHECKS[FUNCTION]())
except AssertionError:
    traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
    os._exit(1)
shutil.rmtree(USER.USER_FOLDER, ignore_errors=True)
shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
sys.stdout.flush()
os._exit(0)
