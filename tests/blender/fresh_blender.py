"""Checks that need a Blender of their own: python fresh_blender.py FUNCTION ZIP FOLDER."""

import os
import shutil
import sys
import traceback
import zipfile
from pathlib import Path

FUNCTION, ZIP, FOLDER = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
MODULE = "bl_ext.user_default.verbs_adverbs"
USER_FOLDER = FOLDER / "user"
os.environ["BLENDER_USER_RESOURCES"] = str(USER_FOLDER)
sys.path.insert(0, str(Path(__file__).parent))

import bpy  # noqa: E402
from lifecycle import traces  # noqa: E402


class NumPySeen:
    """An importer that notes and refuses every import of NumPy."""

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
    left = [str(path) for path in USER_FOLDER.rglob("*verbs_adverbs*")]
    assert left == [], left
    return "nothing left"


def upgrade() -> str:
    install(ZIP)
    newer = FOLDER / "newer.zip"
    with zipfile.ZipFile(ZIP) as old, zipfile.ZipFile(newer, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "core/errors.py":
                text += b"\nNEWER = True\n"
            if name == "blender_manifest.toml":
                text = text.replace(b'version = "0.', b'version = "7.', 1)
            new.writestr(name, text)
    __import__(f"{MODULE}.core.errors")
    assert not hasattr(sys.modules[f"{MODULE}.core.errors"], "NEWER")
    install(newer)
    __import__(f"{MODULE}.core.errors")
    assert sys.modules[f"{MODULE}.core.errors"].NEWER
    return "new code"


try:
    print({"enable_without_numpy": enable_without_numpy, "uninstall": uninstall, "upgrade": upgrade}[FUNCTION]())
except AssertionError:
    traceback.print_exc(file=sys.stdout)
    sys.stdout.flush()
    os._exit(1)
shutil.rmtree(USER_FOLDER, ignore_errors=True)
sys.stdout.flush()
os._exit(0)
