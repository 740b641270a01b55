"""A crowd that is baked in parts, in one process or in tasks of a farm, is the same as baked at once."""

import os
import shutil
from pathlib import Path

import pytest
from blender.farming import ROOT, animation, begun, ended, executable, kill_with_children, opened, run, saved_crowd

TEMPLATES = ROOT / "farm"


@pytest.fixture(scope="session")
def openjd() -> str:
    """The program of Open Job Description; without it, its tests are left out."""
    found = os.environ.get("VERBS_ADVERBS_OPENJD") or shutil.which("openjd")
    if found is None:
        pytest.skip("no openjd: set VERBS_ADVERBS_OPENJD to the program, or run the tests by dev.py")
    return found


@pytest.fixture
def crowd(tmp_path: Path) -> Path:
    """A file with three characters."""
    path = tmp_path / "crowd.blend"
    saved_crowd(path, 3, 40)
    opened(path)
    return path


def baked_at_once(crowd: Path, out: Path) -> dict:
    opened(crowd)
    assert run("bake", "--out", str(out)) == 0
    return animation(out)


@pytest.mark.parametrize("split", [("1/1",), ("1/2", "2/2"), ("3/5", "1/5", "2/5", "5/5", "4/5")], ids=len)
def test_shares_that_are_joined_in_any_order_are_what_is_baked_at_once(crowd: Path, tmp_path: Path, split):
    wanted, parts = baked_at_once(crowd, tmp_path / "at once.blend"), []
    for share in split:
        opened(crowd)
        parts.append(str(tmp_path / f"{share.replace('/', '-')}.blend"))
        assert run("bake", "--share", share, "--part", parts[-1]) == 0
    opened(crowd)
    assert run("join", *parts, "--out", str(tmp_path / "joined.blend")) == 0
    assert len({digest for _, digest, _ in wanted.values()}) == 3 and not any(live for _, _, live in wanted.values())
    assert animation(tmp_path / "joined.blend") == wanted


def task(openjd: str, crowd: Path, out: Path, blender: Path, tasks: int, *which: str) -> list[str]:
    parameters = (f"BlendFile={crowd}", f"OutFolder={out}", f"Blender={blender}", f"Tasks={tasks}")
    told = [word for parameter in parameters for word in ("-p", parameter)]
    return [openjd, "run", str(TEMPLATES / "bake_crowd.openjd.yaml"), *told, *which]


def work_off(openjd: str, crowd: Path, out: Path, blender: Path, tasks: int, killed: int) -> None:
    """Run a job's tasks two at a time, one of them killed in the middle and run again, and join its parts."""
    waiting, running, kill = list(range(1, tasks + 1)), {}, killed
    while waiting or running:
        while waiting and len(running) < 2:
            number = waiting.pop(0)
            words = task(openjd, crowd, out, blender, tasks, "--step", "Bake", "-tp", f"Share={number}")
            running[number] = begun(*words)
        number, process = next(iter(running.items()))
        if number == kill:
            assert any("openjd_progress" in line for line in iter(process.stdout.readline, ""))
            kill_with_children(process)
            assert not (out / f"{number}-of-{tasks}.part.blend").exists()
            kill, waiting = 0, [*waiting, number]
        else:
            code, told = ended(process)
            assert code == 0, told
        del running[number]
    code, told = ended(begun(*task(openjd, crowd, out, blender, tasks, "--step", "Join", "--no-run-dependencies")))
    assert code == 0, told


def test_a_job_of_two_tasks_gives_the_animation_that_is_baked_at_once(openjd: str, crowd: Path, tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    work_off(openjd, crowd, out, executable(tmp_path), 2, killed=1)
    assert animation(out / "baked.blend") == baked_at_once(crowd, tmp_path / "at once.blend")
