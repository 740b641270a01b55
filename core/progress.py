"""Progress of long work, reported while it is done.

Every long function of core takes `progress`: it is called with the fraction that is done, from 0 to 1 and never less
than before, about every tenth of a second of work or more often. Whatever it raises passes through the function, which
leaves nothing half-done behind: so whoever shows how far the work is can also stop it.
"""

from collections.abc import Callable

Progress = Callable[[float], None]
ToldProgress = Callable[[float, str], None]
"""The same, which is also told what is being done."""


def untold(_fraction: float, _doing: str = "") -> None:
    """Report progress to nobody."""


def share_of(progress: Progress, begin: float, end: float) -> Progress:
    """Return the `progress` of a part of the work, which takes the whole from the fraction `begin` to `end`."""
    return lambda fraction: progress(begin + fraction * (end - begin))
