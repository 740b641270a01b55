"""One structure for all examples of a verb: the same foot first, the same events in the same order."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import MOST_CHOICES, listed
from .cycles import Cycle
from .detection import Detection


@dataclass(frozen=True, eq=False)
class Agreement:
    """Which cycle of each clip goes into a verb with the others'.

    Parameters
    ----------
    names : (M,) keytimes that they share, none if no clip has a cycle.
    chosen : of each clip the cycle that closes best, None where none has this structure.
    remarks : of each clip that has none, a sentence.
    """

    names: tuple[str, ...]
    chosen: tuple[Cycle | None, ...]
    remarks: tuple[str, ...]


def agree(clips: Sequence[Detection], preferred: str = "R") -> Agreement:
    """Choose cycles of one structure in as many clips as have it; a clip that begins with the other foot is shifted.

    Parameters
    ----------
    clips : what was found in each.
    preferred : foot that begins the cycles where either could.
    """
    counts = Counter(order for clip in clips for order in {(cycle.lead, cycle.names) for cycle in clip.cycles})
    lead, names = max(counts, key=lambda order: (counts[order], order[0] == preferred, order), default=("", ()))
    chosen = tuple(
        next((cycle for cycle in clip.cycles if (cycle.lead, cycle.names) == (lead, names)), None) for clip in clips
    )
    left_out = [clip for clip, cycle in zip(clips, chosen, strict=True) if cycle is None]
    return Agreement(names, chosen, tuple(_without(clip, lead, names) for clip in left_out))


def _without(clip: Detection, lead: str, names: tuple[str, ...]) -> str:
    if not clip.cycles:
        return f"'{clip.name}' holds no whole cycle. Mark its keytimes by hand."
    best = next((cycle for cycle in clip.cycles if cycle.lead == lead), clip.cycles[0])
    if best.lead != lead:
        return (
            f"'{clip.name}' holds a whole cycle from '{best.names[0]}' at {best.start:.2f} s alone, the others begin "
            f"with '{names[0]}'. Make it half a cycle longer, or leave it out."
        )
    return (
        f"The events of '{clip.name}' come as {listed(best.names, MOST_CHOICES)}, those of the others as"
        f" {listed(names, MOST_CHOICES)}: a "
        "walk and a run, perhaps. Make verbs of their own of them."
    )
