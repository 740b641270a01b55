"""The command `count`: the amount of code, and of constructs that make code hard to follow."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from .package import ROOT
from .saying import is_answered, say

SHIPPED = ("core", "bridge", "operators", "panels")
ALIKE = 6
"""Number of identical lines in two places that count as a duplicate."""
EMPTY = {"dict", "list", "set", "deque", "OrderedDict", "defaultdict", "WeakKeyDictionary", "WeakValueDictionary"}
MEMOIZED = {"cache", "lru_cache"}
QUIET = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip


def count(out: Path | None) -> int:
    """Print the counts, and write them to a file if one is given; returns the exit code."""
    found = counts()
    width = max(map(len, found))
    for name, number in found.items():
        say(f"{name:{width}}  {number:>9,}")
    if out is not None:
        out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 0


def counts() -> dict[str, float]:
    """Return all counts by description."""
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path in _python()}
    trees = {path: ast.parse(text) for path, text in sources.items()}
    shipped = [path for path in sources if path.parts[0] in SHIPPED or str(path) == "__init__.py"]
    bridge = [trees[path] for path in shipped if path.parts[0] == "bridge"]
    code = {path: code_lines(text, trees[path]) for path, text in sources.items()}
    told = sum(len(docstring_lines(trees[path])) for path in shipped)
    lines = sum(len(code[path]) for path in shipped)
    named = _named_in({path.parts[1]: trees[path] for path in shipped if path.match("bridge/*/__init__.py")})
    rings = rings_of({path: trees[path] for path in shipped})
    return {
        "shipped files": len(shipped),
        "shipped lines of code": lines,
        "lines of docstrings to a hundred of code": round(100.0 * told / lines, 1),
        "lines of code in tests": sum(len(code[path]) for path in sources if path.parts[0] == "tests"),
        "module-level memos in bridge": sum(len(memos_of(tree)) for tree in bridge),
        "digest functions in bridge": sum(map(_digests, bridge)),
        "calls through lazily imported modules without types": sum(_untyped(trees[path], named) for path in shipped),
        "rings of imports, those for types included": len(rings),
        "files in such rings": sum(map(len, rings)),
        f"stretches of {ALIKE} lines that stand twice": duplicates({path: code[path] for path in shipped}),
    }


def _python() -> list[PurePosixPath]:
    """Return every Python file tracked by git."""
    listing = is_answered(["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]) or ""
    names = (PurePosixPath(name) for name in listing.splitlines())
    return sorted(name for name in names if name.suffix == ".py" and (ROOT / name).is_file())


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the line numbers of docstrings, including those of attributes and constants."""
    told = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )
    return {line for node in told for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}


def code_lines(text: str, tree: ast.Module) -> dict[int, str]:
    """Return the lines by number that are not blank, comments or docstrings."""
    spoken = docstring_lines(tree)
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    numbers = {n for one in tokens if one.type not in QUIET for n in range(one.start[0], one.end[0] + 1)}
    lines = text.splitlines()
    return {number: lines[number - 1].strip() for number in sorted(numbers - spoken) if lines[number - 1].strip()}


def memos_of(tree: ast.Module) -> list[str]:
    """Return the state of a module: functions with cached results, containers that are initially empty, and globals."""
    found: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            marks = {re.split(r"\W", ast.unparse(mark).split("(")[0])[-1] for mark in node.decorator_list}
            found += [node.name] * bool(marks & MEMOIZED)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and _is_empty(node.value):
            found.append(ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target))
    changed = {name for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
    return [*found, *sorted(changed - set(found))]


def _is_empty(value: ast.expr) -> bool:
    """Return whether an expression makes an empty container."""
    if isinstance(value, ast.Dict):
        return not value.keys
    if isinstance(value, ast.List):
        return not value.elts
    if not isinstance(value, ast.Call):
        return False
    name = ast.unparse(value.func).split("[")[0].split(".")[-1]
    return name in EMPTY and len(value.args) <= (name == "defaultdict")


def _digests(tree: ast.Module) -> int:
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return sum("digest" in node.name for node in functions)


def _untyped(tree: ast.Module, named: set[tuple[str, str]]) -> int:
    """Count the modules that are looked up in packages of bridge which do not name them for type checkers.

    Packages within these are left to the house test, which checks the same for them.
    """
    return sum(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Attribute)
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id == "bridge"
        and (node.value.attr, node.attr) not in named
        for node in ast.walk(tree)
    )


def _named_in(packages: dict[str, ast.Module]) -> set[tuple[str, str]]:
    """Return pairs of package name and module that the package imports for type checkers."""
    return {
        (package, name.name)
        for package, tree in packages.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module is None
        for name in node.names
    }


def rings_of(trees: dict[PurePosixPath, ast.Module]) -> list[list[str]]:
    """Return the cycles of modules that import each other, at run time or for types only; packages are left out."""
    needs = needs_of(trees)
    reached = {module: _reached(module, needs) for module in needs}
    rings = {
        frozenset([module, *(other for other in reached[module] if module in reached[other])])
        for module in needs
        if module in reached[module]
    }
    return sorted(sorted(ring) for ring in rings)


def needs_of(trees: Mapping[PurePosixPath, ast.Module]) -> dict[str, set[str]]:
    """Return for each module the others that it imports, at its top or inside functions."""
    modules = {".".join(path.with_suffix("").parts): path for path in trees if path.name != "__init__.py"}
    needs: dict[str, set[str]] = {}
    for module, path in modules.items():
        named = {".".join(target) for _, target in imports_of(path, trees[path])}
        needs[module] = {one for name in named for one in (name, name.rpartition(".")[0]) if one in modules} - {module}
    return needs


def imports_of(path: PurePosixPath, tree: ast.AST) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield line and dotted target of each import of a file; relative ones are resolved against the root."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, tuple(name.name.split("."))) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = path.parent.parts[: len(path.parent.parts) - node.level + 1] if node.level else ()
            module = (*base, *(node.module.split(".") if node.module else ()))
            yield from ((node.lineno, (*module, name.name)) for name in node.names)


def _reached(module: str, needs: dict[str, set[str]]) -> set[str]:
    """Return what a module imports, directly or indirectly."""
    found, left = set[str](), list(needs[module])
    while left:
        if (one := left.pop()) not in found:
            found.add(one)
            left += needs[one]
    return found


def duplicates(code: dict[PurePosixPath, dict[int, str]]) -> int:
    """Count blocks of `ALIKE` lines of code, without imports, that occur in more than one place."""
    places: dict[tuple[str, ...], Counter[PurePosixPath]] = defaultdict(Counter)
    for path, numbered in code.items():
        lines = [line for line in numbered.values() if not line.startswith(("import ", "from "))]
        for first in range(len(lines) - ALIKE + 1):
            places[tuple(lines[first : first + ALIKE])][path] += 1
    return sum(sum(where.values()) - 1 for where in places.values())
