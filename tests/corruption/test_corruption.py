"""However a file is damaged, operators answer in sentences without tracebacks, and change nothing but what they should.

The environment variables VERBS_ADVERBS_CORRUPTIONS (how many), VERBS_ADVERBS_SEED and VERBS_ADVERBS_CASE (only this
one) are set by `dev.py test --corruptions N --seed S --case C`. Case n depends on the seed and on n only.
"""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from corruption.told import ALONE, SEED, Row, asked, faults, rows_of, summary, tell

COUNT = asked(90)
CHUNK = 45
"""Number of corruptions in one process: long enough to find what one leaves behind for the next, but limited."""
WAITING = 280
CHUNKS = [int(ALONE)] if ALONE else list(range(0, COUNT, CHUNK))
PLAY = Path(__file__).with_name("play.py")


@pytest.fixture(scope="module")
def good_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which the first process makes the good files that all processes open."""
    print(f"seed {SEED}")
    return tmp_path_factory.mktemp("corruptions")


def _play(archive: Path, folder: Path, first: int, count: int) -> list[Row]:
    """Play corruptions; if one ends the process, record that as its fault and continue after it in another process."""
    told, last = folder / "told.jsonl", first + count
    told.unlink(missing_ok=True)
    while first < last:
        command = [sys.executable, str(PLAY), str(archive), str(folder), str(SEED), str(first), str(last - first)]
        with open(folder / "process.txt", "w", encoding="utf-8") as out:
            try:
                end = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, timeout=WAITING).returncode
            except subprocess.TimeoutExpired:
                end = -int(signal.SIGKILL)
        if end == 0:
            break
        begun = [row["begins"] for row in rows_of(told) if "begins" in row]
        assert begun, f"no corruption was begun: {(folder / 'process.txt').read_text()[-2000:]}"
        first = begun[-1] + 1
        _note_end(folder, told, begun[-1], end)
    return rows_of(told)


def _note_end(folder: Path, told: Path, number: int, end: int) -> None:
    """Write the row of a case that ended its process."""
    console = (folder / "console.txt").read_text(encoding="utf-8", errors="replace").splitlines()[-60:]
    what = "longer than 20 s" if end in {-signal.SIGPROF, -signal.SIGKILL} else f"the process ended with {end}"
    row = {"case": number, "seconds": 0.0, "found": ["\n".join([what, *console])], "story": []}
    tell(told, row)


def _how_to_see(rows: list[Row]) -> str:
    """List each fault with the steps of the first case that shows it, and the command that repeats this case."""
    stories = {row["case"]: row["story"] for row in rows if "case" in row}
    lines = [summary(rows)]
    for there in faults(rows).values():
        number, text = there[0]
        version = sys.modules["bpy"].app.version_string if "bpy" in sys.modules else "VERSION"
        lines.append(f"\npython3 dev.py test --bpy {version} --seed {SEED} --case {number}")
        lines += [f"    {step}" for step in stories[number]]
        lines.append(text[:3000])
    return "\n".join(lines)


@pytest.mark.parametrize("first", CHUNKS)
def test_a_damaged_file_is_refused_in_sentences_or_played(first: int, good_files: Path, extension_zip: Path):
    count = 1 if ALONE else min(CHUNK, COUNT - first)
    rows = _play(extension_zip, good_files, first, count)
    played = [row for row in rows if "case" in row]
    print(summary(rows))
    assert len(played) == count
    assert not faults(rows), _how_to_see(rows)
