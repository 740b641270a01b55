"""What the bones of a figure are for, as far as verbs need to know."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class BonePoint:
    """An end of a bone.

    Parameters
    ----------
    bone : its name.
    end : ``'HEAD'`` or ``'TAIL'``.
    """

    bone: str
    end: Literal["HEAD", "TAIL"] = "HEAD"


@dataclass(frozen=True)
class FootRoles:
    """Bones of one leg.

    Parameters
    ----------
    side : ``'L'`` or ``'R'``; names of keytimes begin with it.
    thigh, ankle : bones from whose heads the leg's length is counted.
    ball : where the foot rolls and is held.
    heel : where it lands, None where no bone tells.
    """

    side: str
    thigh: str
    ankle: str
    ball: BonePoint
    heel: BonePoint | None = None


@dataclass(frozen=True)
class BoneRoles:
    """Roles of a figure's bones, found by names or guessed, for the user to correct.

    Parameters
    ----------
    source : name of the preset, ``'guess'`` where it is a guess.
    root : the bone that carries the body.
    travelling : controls that do not follow the root.
    feet : left, then right, as far as there are any.
    hands : left, then right.
    pairs : left and right bones.
    remarks : what is missing or doubtful, each a sentence.
    """

    source: str
    root: str
    travelling: tuple[str, ...]
    feet: tuple[FootRoles, ...]
    hands: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...] = ()
