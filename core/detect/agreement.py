"""Choice of one cycle from each of several clips with common keytimes, so that they can be examples of one verb."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ..errors import MOST_CHOICES, listed
from .cycles import EXACT, Cycle
from .detection import Detection, windows_of_cycle

TOGETHER, APART = 0.05, 0.0125
"""Seconds between two events, about a frame of animation, below which their order is uncertain; and the separation that
they get if they are reordered like those of other clips."""
CLEANER = 2.0
"""Factor by which cycles beginning with the other foot must close better to be chosen instead."""


@dataclass(frozen=True, eq=False)
class Agreement:
    """One cycle of each of several clips, all with the same keytimes, so that they can be examples of one verb.

    Parameters
    ----------
    names : (M,) names of the keytimes that the cycles share; empty if no clip has a cycle.
    chosen : for each clip, the cycle with these keytimes that closes best, None if the clip has none.
    remarks : a sentence for each clip without such a cycle.
    """

    names: tuple[str, ...]
    chosen: tuple[Cycle | None, ...]
    remarks: tuple[str, ...]


def agree(clips: Sequence[Detection], preferred: str = "R", known: tuple[str, ...] = ()) -> Agreement:
    """Choose the order of keytimes that most clips share, and from each of these clips one cycle in that order.

    In a short clip the cycles of one foot may extend into a start or a stop. They then close worse than those of the
    other foot.

    Parameters
    ----------
    clips : results of detection for each clip.
    preferred : foot whose strike begins the cycles if both feet have cycles in equally many clips, unless the cycles
        of the other foot close far better.
    known : names of the keytimes of the verb's other examples; their order is used if they name the same events.
    """
    ways = Counter(clip.backward for clip in [one for one in clips if one.cycles] or clips)
    backward = ways[True] > ways[False]
    alike = [clip for clip in clips if clip.backward == backward]
    begins = known[:1] and known[0].endswith("_down")
    same = begins and any(set(cycle.names) == set(known) for clip in alike for cycle in clip.cycles)
    lead, names = (known[0].rsplit("_", 1)[0], known) if same else _most_common(alike, preferred)
    chosen = tuple(_cycle_alike(clip, lead, names) if clip.backward == backward else None for clip in clips)
    left_out = [clip for clip, cycle in zip(clips, chosen, strict=True) if cycle is None]
    remarks = (
        _remark_on_way(clip) if clip.cycles and clip.backward != backward else _remark_without_cycle(clip, lead, names)
        for clip in left_out
    )
    return Agreement(names, chosen, tuple(remarks))


def _most_common(clips: Sequence[Detection], preferred: str) -> tuple[str, tuple[str, ...]]:
    """Return the foot that begins the cycles, and the order of their keytimes, as in `agree`; empty without any."""
    counts = Counter(order for clip in clips for order in {(cycle.lead, cycle.names) for cycle in clip.cycles})

    def open_ends(order: tuple[str, tuple[str, ...]]) -> float:
        """Return the worst closing distance of the clips' cycles in `order`, increased unless `preferred` begins it."""
        found = ([one.closing for one in clip.cycles if (one.lead, one.names) == order] for clip in clips)
        apart = max([EXACT, *(min(closings) for closings in found if closings)])
        return apart if order[0] == preferred else CLEANER * apart

    most = max(counts.values(), default=0)
    orders = sorted(order for order, count in counts.items() if count == most)
    return min(orders, key=open_ends, default=("", ()))


def _cycle_alike(clip: Detection, lead: str, names: tuple[str, ...]) -> Cycle | None:
    """Return the clip's cycle whose keytimes have this order, or nearly.

    Of several, the one in which fewest feet are adrift is chosen, then one with exactly this order, then the one that
    closes best.
    """
    own = [cycle for cycle in clip.cycles if cycle.lead == lead]
    own.sort(key=lambda cycle: (len(feet_adrift(clip, cycle)), cycle.names != names))
    found = (in_order(cycle, names) for cycle in own)
    return next((cycle for cycle in found if cycle is not None), None)


def feet_adrift(clip: Detection, cycle: Cycle) -> tuple[str, ...]:
    """Return the feet that strike in a cycle, but have no point that is still enough there to be locked."""
    return tuple(
        foot.foot
        for foot in clip.contacts
        if foot.windows and not any(windows_of_cycle(point.still, cycle, clip) for point in foot.points)
    )


def _remark_on_way(clip: Detection) -> str:
    if clip.backward:
        return f"'{clip.name}' goes backward, but the others go forward: make a separate verb for it."
    return f"'{clip.name}' goes forward, but the others go backward: make a separate verb for it."


def in_order(cycle: Cycle, names: tuple[str, ...]) -> Cycle | None:
    """Return a cycle with its keytimes in another order, None if events that are far apart would have to be exchanged.

    Where one foot lifts as the other strikes, as animators often key it, their order is decided by tiny differences.

    Parameters
    ----------
    cycle : the cycle as detected.
    names : (M,) names of keytimes in order, with the first repeated at the end.
    """
    if names == cycle.names:
        return cycle
    if sorted(names) != sorted(cycle.names) or names[0] != cycle.names[0]:
        return None
    times, found = dict(zip(cycle.names[:-1], cycle.keytimes[:-1], strict=True)), [cycle.start]
    for name in names[1:-1]:
        after = (times[name] - found[-1] + TOGETHER) % cycle.duration - TOGETHER
        found.append(found[-1] + after)
    keytimes = _parted([*found, cycle.end])
    return None if keytimes is None else replace(cycle, names=names, keytimes=keytimes)


def _parted(times: list[float]) -> tuple[float, ...] | None:
    """Return times in increasing order, with close neighbours exchanged; None if others are out of order.

    The first and the last time are not changed.
    """
    last = len(times) - 1
    for index in range(last):
        before, after = times[index], times[index + 1]
        if after - before >= APART:
            continue
        if after - before < -TOGETHER:
            return None
        begin = 0.5 * (before + after - APART)
        if index == 0:
            begin = before
        elif index + 1 == last:
            begin = after - APART
        times[index], times[index + 1] = begin, begin + APART
    return tuple(times) if all(a < b for a, b in pairwise(times)) else None


def _remark_without_cycle(clip: Detection, lead: str, names: tuple[str, ...]) -> str:
    if not clip.cycles:
        return f"'{clip.name}' has no whole cycle. Use a longer clip, or mark its keytimes by hand."
    best = next((cycle for cycle in clip.cycles if cycle.lead == lead), clip.cycles[0])
    if best.lead != lead:
        return (
            f"The only whole cycle of '{clip.name}' begins with '{best.names[0]}' at {best.start:.2f} s, but the "
            f"others begin with '{names[0]}'. Make the clip half a cycle longer, or leave it out."
        )
    return (
        f"The events of '{clip.name}' come in the order {listed(best.names, MOST_CHOICES)}, those of the others in the "
        f"order {listed(names, MOST_CHOICES)}. They may be a walk and a run: make separate verbs for them."
    )
