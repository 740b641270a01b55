"""Records of corruptions, and a summary of them in which each fault stands once."""

import json
import os
import re
from collections import Counter
from pathlib import Path

SEED = int(os.environ.get("VERBS_ADVERBS_SEED") or 1998)
ALONE = os.environ.get("VERBS_ADVERBS_CASE")
"""The seed, and the number of the only case to be played, if one is asked for."""


def asked(count: int) -> int:
    """Number of corruptions that are asked for, `count` by default."""
    return 1 if ALONE else int(os.environ.get("VERBS_ADVERBS_CORRUPTIONS") or count)


Row = dict[str, object]
ADDRESS = re.compile(r"0x[0-9a-f]+|\d+(\.\d+)?")


def rows_of(path: Path) -> list[Row]:
    """The rows of a file of JSON lines; the last may be cut off."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
        if line.endswith("}"):
            found.append(json.loads(line))
    return found


def tell(path: Path, row: Row) -> None:
    """Add a row to a file of JSON lines."""
    with open(path, "a", encoding="utf-8") as out:
        out.write(json.dumps(row) + "\n")


def fault_of(found: str) -> str:
    """Return a text that is the same for all findings of a fault: the error of a traceback and where it was raised."""
    if not found.startswith("traceback"):
        return ADDRESS.sub("#", found.split("...")[0])[:160]
    lines = found.splitlines()
    places = [line.strip() for line in lines if re.match(r' +File ".*(verbs_adverbs|numpy)', line)]
    ours = [line for line in places if "extensions" in line]
    ends = [line for line in lines if re.match(r"\w[\w.]*(Error|Exception|Warning|Interrupt)\b", line)]
    last = ends[-1] if ends else ""
    where = re.sub(r".*user_default/verbs_adverbs/", "", ours[-1]) if ours else ""
    return f"traceback: {ADDRESS.sub('#', last)[:110]} | {where}"


def faults(rows: list[Row]) -> dict[str, list[tuple[int, str]]]:
    """Cases and findings by fault, the most frequent first."""
    found: dict[str, list[tuple[int, str]]] = {}
    for row in rows:
        for text in row.get("found", ()):
            found.setdefault(fault_of(text), []).append((row["case"], text))
    return dict(sorted(found.items(), key=lambda pair: -len(pair[1])))


def summary(rows: list[Row]) -> str:
    """Counts of faults with the cases that show them."""
    played = [row for row in rows if "case" in row]
    bad = sum(bool(row["found"]) for row in played)
    lines = [f"{len(played)} corruptions, {bad} with faults"]
    for fault, there in faults(played).items():
        numbers = sorted(Counter(number for number, _ in there))
        lines.append(f"{len(numbers):5} {fault}   cases {', '.join(map(str, numbers[:6]))}")
    return "\n".join(lines)
