"""Progress reports of long computations.

Every long function of core takes `progress`. It is called with the fraction that is done, from 0 to 1 and never
decreasing, about every tenth of a second or more often. An exception that it raises propagates through the function,
which leaves no partial results behind, so a caller can use it to cancel the work.
"""

from collections.abc import Callable

Progress = Callable[[float], None]
ToldProgress = Callable[[float, str], None]
"""Like `Progress`, but also called with a description of the current work."""


def untold(_fraction: float, _doing: str = "") -> None:
    """Ignore the progress; the default of functions that report it."""


def share_of(progress: Progress, begin: float, end: float) -> Progress:
    """Return a callback for the part of the work from `begin` to `end` of the whole; it takes fractions of the part."""
    return lambda fraction: progress(begin + fraction * (end - begin))
