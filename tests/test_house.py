"""The house rules: which way imports point, how long files and functions are, which words and calls are forbidden."""

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

from dev.counting import imports_of, rings_of

ROOT = Path(__file__).resolve().parents[1]
PARTS = ("core", "bridge", "operators", "panels")
ROOMS = {
    "core": (
        *("figure", "aim", "motion", "biped", "verb", "reach", "detect", "graph", "play", "feet", "layers"),
        *("words", "gesture", "steer"),
    ),
    "bridge": ("blender", "data", "rig", "action", "authoring", "layers", "session"),
}
"""The rooms (folders) of each part, in order: a room imports from earlier ones only."""
MOST_FILES = 30
"""Largest number of files in a folder that is shipped, its `__init__.py` included."""
BLENDER = {"bpy", "mathutils", "bmesh", "gpu", "gpu_extras", "blf", "bl_ui", "bpy_extras", "idprop"}
OUTSIDE = {"pickle", "marshal", "shelve", "socket", "urllib", "http", "requests", "ssl", "ftplib", "scipy"}
LONGEST_FILE, LONGEST_FUNCTION = 600, 60
CODE_FROM_TEXT = {"eval", "exec", "compile"}
FORBIDDEN = re.compile(r"\bissues? #?\d|\bTODO\b|\bFIXME\b|\bXXX\b", re.IGNORECASE)
TEXT = {".py", ".md", ".toml", ".txt", ".sh", ""}


@cache
def _files() -> tuple[PurePosixPath, ...]:
    """Every file of the project that git does not ignore."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = (PurePosixPath(name) for name in listing.stdout.splitlines())
    return tuple(sorted(name for name in names if (ROOT / name).is_file()))


def _python() -> list[PurePosixPath]:
    return [path for path in _files() if path.suffix == ".py"]


def _shipped() -> list[PurePosixPath]:
    return [path for path in _python() if path.parts[0] in PARTS or str(path) == "__init__.py"]


@cache
def _tree(path: PurePosixPath) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), str(path))


def _against_the_arrow(order: tuple[str, ...], own: str, target: str) -> bool:
    return own in order and target in order and order.index(target) > order.index(own)


def _report(found: Iterable[str]) -> None:
    lines = list(found)
    assert not lines, "\n" + "\n".join(lines)


def _assert_no_imports(is_wrong: Callable[[PurePosixPath, Sequence[str]], bool]) -> None:
    """Report imports of shipped files that are wrong, by the file and by what is imported."""
    imports = ((path, *found) for path in _shipped() for found in imports_of(path, _tree(path)))
    _report(f"{path}:{line} imports {'.'.join(target)}" for path, line, target in imports if is_wrong(path, target))


def test_imports_point_from_panels_to_operators_to_bridge_to_core():
    _assert_no_imports(lambda path, target: _against_the_arrow(PARTS, path.parts[0], target[0]))


@pytest.mark.parametrize("part", ROOMS)
def test_imports_within_a_part_point_from_room_to_room_one_way(part: str):
    def is_wrong(path: PurePosixPath, target: Sequence[str]) -> bool:
        within = path.parts[0] == target[0] == part and len(path.parts) > 2 and len(target) > 1
        return within and _against_the_arrow(ROOMS[part], path.parts[1], target[1])

    _assert_no_imports(is_wrong)


@pytest.mark.parametrize("part", ROOMS)
def test_every_file_of_a_part_is_in_a_room(part: str):
    assert {path.parts[1] for path in _shipped() if path.parts[0] == part and len(path.parts) > 2} == set(ROOMS[part])


def test_no_folder_is_crowded():
    counts = Counter(str(path.parent) for path in _shipped())
    _report(f"{folder}: {n} files" for folder, n in counts.items() if n > MOST_FILES)


def test_no_imports_go_in_a_circle_not_even_for_types():
    _report([", ".join(ring) for ring in rings_of({path: _tree(path) for path in _shipped()})])


def test_packages_of_bridge_name_all_their_modules_for_type_checkers():
    lacking: list[str] = []
    for path in _shipped():
        # A package stands for its folder, which the package around it is to name.
        module = path.parent if path.name == "__init__.py" else path.with_suffix("")
        package = module.parent / "__init__.py"
        if package.parts[0] == "bridge":
            named = {target[-1] for _, target in imports_of(package, _tree(package))}
            lacking += [f"{package} does not import {module.name}"] * (module.name not in named)
    _report(lacking)


def test_core_never_sees_blender():
    _assert_no_imports(lambda path, target: path.parts[0] == "core" and target[0] in BLENDER)


def test_what_is_shipped_needs_numpy_alone_and_no_network():
    _assert_no_imports(lambda _path, target: target[0] in OUTSIDE)


def test_what_is_shipped_evaluates_no_text_as_code():
    _report(
        f"{path}:{node.lineno} calls {node.func.id}"
        for path in _shipped()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CODE_FROM_TEXT
    )


def test_packages_import_nothing_heavy():
    _assert_no_imports(lambda path, target: path.name == "__init__.py" and target[0] in BLENDER | {"numpy"})


def test_files_are_short():
    lengths = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in _python()}
    _report(f"{path}: {length} lines" for path, length in lengths.items() if length > LONGEST_FILE)


def test_functions_fit_a_screen():
    _report(
        f"{path}:{node.lineno} {node.name}: {node.end_lineno - node.lineno + 1} lines"
        for path in _python()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno - node.lineno + 1 > LONGEST_FUNCTION
    )


def test_no_file_is_a_drawer_for_everything():
    _report(str(path) for path in _python() if path.stem in {"utils", "util", "misc", "common", "helpers"})


def test_public_names_of_core_have_docstrings():
    _report(
        f"{path}:{node.lineno} {node.name}"
        for path in _shipped()
        if path.parts[0] == "core"
        for node in _tree(path).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    )


def test_errors_are_never_swallowed():
    _report(
        f"{path}:{node.lineno}"
        for path in _python()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
        and all(isinstance(part, ast.Pass | ast.Continue) for part in node.body)
    )


def test_the_project_speaks_of_itself_alone():
    here = PurePosixPath("tests/test_house.py")
    _report(
        f"{path}:{number}: {line.strip()}"
        for path in _files()
        if path.suffix in TEXT and path != here and path.name != "LICENSE"
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1)
        if FORBIDDEN.search(line)
    )


def _asserting(path: PurePosixPath) -> set[str]:
    """Names of the functions in a file whose own body contains an assertion."""
    functions = (node for node in ast.walk(_tree(path)) if isinstance(node, ast.FunctionDef))
    return {found.name for found in functions if any(isinstance(node, ast.Assert) for node in ast.walk(found))}


def test_every_test_can_fail():
    def checks(function: ast.FunctionDef, asserting: set[str]) -> bool:
        names = {ast.unparse(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
        calls = {name.rsplit(".", 1)[-1] for name in names}
        return bool(({function.name} | calls) & asserting) or any(
            re.match(r"_?(assert|raises|fail|expect)", c) for c in calls
        )

    tests = {path: _asserting(path) for path in _python() if path.parts[0] == "tests"}
    _report(
        f"{path}:{node.lineno} {node.name}"
        for path, asserting in tests.items()
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and not checks(node, asserting)
    )


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_a_package(part: str):
    assert (ROOT / part / "__init__.py").is_file()
