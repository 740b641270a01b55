"""A real Blender with the built zip installed: the environment of everything in this folder.

Blender's user folder must be chosen before the first `import bpy`, so `installed` is imported before it.
"""

import importlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from blender.installed import MODULE, USER_FOLDER

EXIT_STATUS = pytest.StashKey[int]()

if importlib.util.find_spec("bpy"):
    import bpy
    from blender.figurine import striding_figurine
    from blender.source_guard import SourceGuard
else:
    collect_ignore_glob = ["test_*.py"]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[EXIT_STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """End the process right after the summary, since some bpy wheels crash or hang while Python shuts down."""
    shutil.rmtree(USER_FOLDER, ignore_errors=True)
    if "bpy" in sys.modules:
        shutil.rmtree(bpy.app.tempdir, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash.get(EXIT_STATUS, 1))


@pytest.fixture(scope="session")
def extension(extension_zip: Path) -> ModuleType:
    """The installed and enabled extension's package, `bl_ext.user_default.verbs_adverbs`."""
    bpy.ops.extensions.package_install_files(
        filepath=str(extension_zip), repo="user_default", enable_on_install=True, overwrite=True
    )
    assert MODULE in bpy.context.preferences.addons, f"{extension_zip} was not enabled: its traceback stands above"
    return importlib.import_module(MODULE)


@pytest.fixture(scope="session")
def openjd() -> str:
    """The program of Open Job Description; without it, its tests are left out."""
    found = os.environ.get("VERBS_ADVERBS_OPENJD") or shutil.which("openjd")
    if found is None:
        pytest.skip("no openjd: set VERBS_ADVERBS_OPENJD to the program, or run the tests by dev.py")
    return found


@pytest.fixture(scope="session")
def source_guard(extension: ModuleType) -> "SourceGuard":
    """Return the guard that watches whether operators change source actions."""
    return SourceGuard()


@pytest.fixture(autouse=True)
def empty_scene(source_guard: "SourceGuard") -> Iterator[None]:
    """Start each test in an empty file with the extension enabled; it fails if an operator changes a source action."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert MODULE in bpy.context.preferences.addons
    source_guard.begin()
    yield
    assert not source_guard.changed, "\n".join(source_guard.changed)


@pytest.fixture
def armature() -> "bpy.types.Object":
    """The striding figurine; a file whose tests are about another figure has a fixture of its own by this name."""
    return striding_figurine()


@pytest.fixture
def verb(armature: "bpy.types.Object") -> "bpy.types.PropertyGroup":
    """The armature's first verb."""
    return armature.verbs_adverbs.verbs[0]


@pytest.fixture
def director(armature: "bpy.types.Object") -> "bpy.types.Object":
    """The armature's director, which its file's fixture `armature` has made."""
    return armature.verbs_adverbs.director
