"""A test in which Blender crashes or hangs fails, and the run comes to its end all the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from verbs_adverbs.dev.testing import BY_FILE

BAD = {"crashes": "os.abort()", "hangs": "threading.Event().wait()"}


@pytest.mark.parametrize("how", BAD)
def test_a_bad_end_of_one_process_ends_the_run(how: str, tmp_path: Path):
    for name in "abcd":
        (tmp_path / f"test_{name}.py").write_text("def test_first(): pass\ndef test_second(): pass\n")
    (tmp_path / "test_bad.py").write_text(f"import os, threading\ndef test_bad(): {BAD[how]}\ndef test_next(): pass\n")
    limits = ["-o", "faulthandler_timeout=2", "-o", "faulthandler_exit_on_timeout=true"]
    command = [sys.executable, "-m", "pytest", "-n", "2", *BY_FILE, "-p", "no:cacheprovider", *limits, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "crashed while running 'test_bad.py::test_bad'" in done.stdout
