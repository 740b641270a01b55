"""Reading the table of skeletons with published names, on which what names tell is tried."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Published:
    """A skeleton with published names, and the roles of its bones; ``{}`` stands for the marks of left and right.

    Parameters
    ----------
    sides : marks of left and right.
    root, thigh, ankle, hand : names of bones.
    ball : bone at whose head the ball of the foot is, or at its tail.
    ball_end : which of them.
    heel : bone that marks the heel, empty for none.
    source : where the names are published.
    tree : a line for each bone, below its parent, with the place of its head on the body after ``@``.
    """

    sides: tuple[str, str]
    root: str
    thigh: str
    ankle: str
    ball: str
    ball_end: str
    heel: str
    hand: str
    source: str
    tree: tuple[str, ...]


def _read(block: str) -> tuple[str, Published]:
    name, *lines = block.strip("\n").splitlines()
    fields = dict(line.split(": ", 1) for line in lines if " @" not in line)
    left, right = fields["sides"].split(" | ")
    ball = fields["ball"]
    return name, Published(
        sides=(left, right),
        root=fields["root"],
        thigh=fields["thigh"],
        ankle=fields["ankle"],
        ball=ball.removesuffix(" (tail)"),
        ball_end="TAIL" if ball.endswith(" (tail)") else "HEAD",
        heel=fields.get("heel", ""),
        hand=fields["hand"],
        source=fields["source"],
        tree=tuple(line for line in lines if " @" in line),
    )


PUBLISHED = dict(
    _read(block) for block in (Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("== ")[1:])
)
