"""Makes the repository's root importable as the package `verbs_adverbs`, and finds the folder of captured motion."""

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parents[1]
collect_ignore = ["gui"]

sys.path.insert(0, str(ROOT))
from dev.alias import load_root  # noqa: E402

del sys.path[0]
load_root()

hypothesis.settings.register_profile("verbs_adverbs", derandomize=True, deadline=None)
hypothesis.settings.load_profile("verbs_adverbs")


def _mocap_folder() -> Path:
    return Path(os.environ.get("VERBS_ADVERBS_MOCAP") or ROOT.parent / "shared" / "mocap").resolve()


def pytest_report_header() -> list[str]:
    folder = _mocap_folder()
    mocap = str(folder) if folder.is_dir() else f"none at {folder}: its tests are left out"
    bpy = "found" if importlib.util.find_spec("bpy") else "not in this Python: tests/blender is left out"
    return [f"mocap: {mocap}", f"bpy: {bpy}"]


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Return a function that adds a line of text to the summary at the end of the run, from whichever process."""
    return lambda text: record_property("told", text)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "told" and report.when == "call":
                    terminalreporter.write_line(text)


@pytest.fixture(scope="session")
def extension_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the zip under test: VERBS_ADVERBS_ZIP, or one made from the working tree."""
    from verbs_adverbs.dev.package import write_zip

    given = os.environ.get("VERBS_ADVERBS_ZIP")
    return Path(given) if given else write_zip(tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="session")
def mocap() -> Path:
    """Return the folder of captured motion with `keytimes.json`; without one, tests that use it are skipped."""
    folder = _mocap_folder()
    if (folder / "keytimes.json").is_file():
        return folder
    reason = f"no captured motion at {folder}: set VERBS_ADVERBS_MOCAP to a folder with BVH files and keytimes.json"
    if os.environ.get("VERBS_ADVERBS_REQUIRE_MOCAP") == "1":
        pytest.fail(reason + " (VERBS_ADVERBS_REQUIRE_MOCAP=1 asks for it)")
    pytest.skip(reason)
