"""A crowd that is baked in parts, in one process or in tasks of a farm, is the same as baked at once."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import bpy
import pytest
from blender.action_hash import keys_in
from blender.farming import (
    ROOT,
    animation,
    begun,
    ended,
    executable,
    kill_with_children,
    opened,
    openjd_run,
    run,
    saved_crowd,
)


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


FIVE = pytest.param(("3/5", "1/5", "2/5", "5/5", "4/5"), marks=pytest.mark.long)


@pytest.mark.parametrize("split", [("1/1",), ("1/2", "2/2"), FIVE], ids=len)
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


def work_off(openjd: str, crowd: Path, out: Path, blender: Path, tasks: int, killed: int) -> None:
    """Run a job's tasks two at a time, one of them killed in the middle and run again, and join its parts."""
    job = openjd_run(openjd, "bake_crowd", BlendFile=crowd, OutFolder=out, Blender=blender, Tasks=tasks)
    waiting, running, kills = list(range(1, tasks + 1)), [], [killed]
    while waiting or running:
        while waiting and len(running) < 2:
            number = waiting.pop(0)
            process = begun(*job, "--step", "Bake", "-tp", f"Share={number}")
            if number in kills:
                assert any("openjd_progress" in line for line in iter(process.stdout.readline, ""))
                kill_with_children(process)
                assert not (out / f"{number}-of-{tasks}.part.blend").exists()
                kills.remove(number)
                waiting.append(number)
            else:
                running.append(process)
        code, told = ended(running.pop(0))
        assert code == 0, told
    code, told = ended(begun(*job, "--step", "Join", "--no-run-dependencies"))
    assert code == 0, told


def test_a_job_of_two_tasks_gives_the_animation_that_is_baked_at_once(openjd: str, crowd: Path, tmp_path: Path):
    out = tmp_path / "out"
    out.mkdir()
    blender, at_once = executable(tmp_path), tmp_path / "at once.blend"
    work_off(openjd, crowd, out, blender, 2, killed=1)
    code, told = ended(begun(blender, crowd, "--command", "verbs", "bake", "--out", at_once))
    assert code == 0, told
    assert animation(out / "baked.blend") == animation(at_once)


def compiled(**settings: object) -> dict:
    """What Flamenco makes of a job of our type with some settings."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node to run Flamenco's job type")
    words = [node, Path(__file__).with_name("flamenco.js"), ROOT / "farm" / "verbs_bake_crowd.js", json.dumps(settings)]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def test_the_tasks_of_a_flamenco_job_are_understood_and_give_what_is_baked_at_once(crowd: Path, tmp_path: Path):
    wanted, out = baked_at_once(crowd, tmp_path / "at once.blend"), tmp_path / "out"
    out.mkdir()
    told = compiled(tasks=2, frames="1-40", parts_folder=str(out), baked_name="b.blend", blendfile=str(crowd), score="")
    *bakes, join = told["tasks"]
    assert [task["name"] for task in bakes] == join["after"] == ["bake-1-of-2", "bake-2-of-2"]
    for task in told["tasks"]:
        ((name, asked),) = [(command["name"], command["parameters"]) for command in task["commands"]]
        assert (name, task["type"], asked["blendfile"]) == ("blender-render", "blender", str(crowd))
        assert asked["exe"] == "{blender}" and asked["args"][:2] == ["--command", "verbs"]
        opened(crowd)
        assert run(*asked["args"][2:]) == 0
    assert animation(out / "b.blend") == wanted
    assert "are no frames" in compiled(tasks=2, frames="1, 5-7", blendfile="x", parts_folder="x")["refused"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("join", "FOLDER/1.blend", "--out", "OUT"), "Share 2/2 is missing among 1 parts"),
        (("join", "FOLDER/1.blend", "FOLDER/gone.blend", "--out", "OUT"), "gone.blend' is missing"),
        (("join", "FOLDER/1.blend", "FOLDER/copy.blend", "--out", "OUT"), "are both share 1/2"),
        (("join", "FOLDER/named.blend", "FOLDER/twice.blend", "--out", "OUT"), "Character 'Biped' is in both parts"),
        (("join", "FOLDER/1.blend", "FOLDER/third.blend", "--out", "OUT"), "they belong to different jobs"),
        (("join", "FOLDER/named.blend", "FOLDER/short.blend", "--out", "OUT"), "not baked from the same score"),
        (("join", "FOLDER/crowd.blend", "--out", "OUT"), "crowd.blend' is not a part: it was not written with --part"),
        (("join", "FOLDER/other.blend", "--out", "OUT"), "is not a part: it was not written with --part"),
        (("join", "FOLDER/notes.txt", "--out", "OUT"), "is not a readable Blender file"),
        (("join", "FOLDER", "--out", "OUT"), "has no parts"),
        (("join", "FOLDER/named.blend", "--out", "/proc/out.blend"), "cannot be written to the folder '/proc'"),
        (
            ("bake", "--character", "Biped", "--character", "Nobody", "--part", "OUT"),
            "This file has no character 'Nobody'",
        ),
        (("bake", "--json", "/proc/told.json", "--out", "OUT"), "cannot be written to the folder '/proc'"),
        (("bake", "--out", "FOLDER"), "is a folder. Give the path of a file"),
        (("bake", "--score", "FOLDER/gone.json", "--out", "OUT"), "cannot be read"),
        (("bake", "--share", "3/2", "--part", "OUT"), "There is no share '3/2'"),
        (("bake", "--share", "two", "--part", "OUT"), "'two' is not a share"),
        (("bake", "--first", "soon", "--part", "OUT"), "'soon' is not a whole frame"),
        (("bake",), "one of the arguments --out --part is required"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_input_ends_with_a_sentence_and_nothing_is_written(parts: Path, tmp_path: Path, capsys, words, said: str):
    before, out = {path: path.read_bytes() for path in parts.iterdir()}, tmp_path / "out.blend"
    opened(parts / "crowd.blend")
    code = run(*(word.replace("OUT", str(out)).replace("FOLDER", str(parts)) for word in words))
    told = capsys.readouterr().err
    assert said in told and code == (2 if told.startswith("usage") else 3)
    assert not out.exists() and {path: path.read_bytes() for path in parts.iterdir()} == before


@pytest.fixture(scope="module")
def parts(extension, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a file of two characters, and parts of it that do not fit each other."""
    folder = tmp_path_factory.mktemp("parts")
    saved_crowd(folder / "crowd.blend", 2, 12)
    for name, words in (
        ("1", ("--share", "1/2")),
        ("copy", ("--share", "1/2")),
        ("third", ("--share", "2/3")),
        ("named", ("--character", "Biped")),
        ("twice", ("--character", "Biped.001", "--character", "Biped")),
        ("short", ("--character", "Biped.001", "--last", "5")),
    ):
        opened(folder / "crowd.blend")
        assert run("bake", *words, "--part", str(folder / f"{name}.blend")) == 0
    (folder / "notes.txt").write_text("notes")
    shutil.copy(folder / "crowd.blend", folder / "other.blend")
    return folder


def test_parts_of_another_state_of_the_file_are_refused(parts: Path, tmp_path: Path, capsys):
    opened(parts / "crowd.blend")
    bpy.data.objects["Biped"].location.x = 3.0
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "moved.blend"))
    assert run("join", str(parts / "named.blend"), "--out", str(tmp_path / "out.blend")) == 3
    assert "was baked from another version of the file" in capsys.readouterr().err


def test_a_file_that_is_missing_ends_with_3_and_a_sentence(tmp_path: Path):
    for words in (("list",), ("check",), ("bake", "--out", tmp_path / "out.blend")):
        code, told = ended(begun(executable(tmp_path), tmp_path / "gone.blend", "--command", "verbs", *words))
        assert code == 3 and "No file is open" in told, told
    assert not (tmp_path / "out.blend").exists()


@pytest.mark.long
def test_a_job_of_fifty_characters_and_five_tasks_gives_the_animation_that_is_baked_at_once(
    openjd: str, tmp_path: Path, tell
):
    crowd, at_once, out = tmp_path / "crowd.blend", tmp_path / "at once.blend", tmp_path / "out"
    out.mkdir()
    names, blender = saved_crowd(crowd, 50, 240), executable(tmp_path)
    work_off(openjd, crowd, out, blender, 5, killed=2)
    code, told = ended(begun(blender, crowd, "--command", "verbs", "bake", "--out", at_once))
    assert code == 0, told
    joined, wanted = animation(out / "baked.blend"), animation(at_once)
    assert sorted(joined) == names and joined == wanted
    tell(
        f"Farm: {len(joined)} characters in 5 tasks, {len({one for _, one, _ in wanted.values()})} motions, same bytes"
    )


@pytest.mark.long
def test_the_minute_is_baked_to_the_bit_as_by_the_operator_and_a_killed_bake_leaves_the_file(tmp_path: Path, tell):
    from verbs_adverbs.demo.cast import generated_cast
    from verbs_adverbs.demo.script import write_script

    cast, blender = generated_cast(), executable(tmp_path)
    write_script(cast.armature, cast.script)
    minute, out = tmp_path / "minute.blend", tmp_path / "out.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(minute), copy=True)
    killed = begun(blender, minute, "--command", "verbs", "bake", "--out", minute, "--progress", "openjd")
    before = hashlib.sha256(minute.read_bytes()).hexdigest()
    told = (line.partition("openjd_progress: ")[2] for line in iter(killed.stdout.readline, ""))
    assert any(50.0 < float(percent) < 100.0 for percent in told if percent)
    kill_with_children(killed)
    assert hashlib.sha256(minute.read_bytes()).hexdigest() == before
    code, told = ended(begun(blender, minute, "--command", "verbs", "bake", "--out", out))
    assert code == 0, told
    (baked,) = animation(out).values()
    by_operator = tmp_path / "operator.blend"
    code, told = ended(begun(blender, minute, "--operator", by_operator))
    assert code == 0, told
    assert (baked,) == tuple(animation(by_operator).values())
    keys = sum(len(rows) for rows in keys_in(bpy.context.object.animation_data.action).values())
    tell(f"Minute: {keys} keys baked on the command line, the same bytes as by the operator")
