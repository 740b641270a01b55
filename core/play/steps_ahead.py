"""Future steps of moving adverbs, as far as they are known, for which verbs compute their data together."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .adverb_smoothing import NEARLY, ROUNDING, SETTLES_EVERY, SettlingAdverbs
from .player import AskAdverbs, Asked, Handles

Values = Mapping[str, float]
Leads = tuple[Values, float] | None

MOST = 64
"""Maximum number of steps that are computed together."""


class Step(NamedTuple):
    """A step in which adverbs move linearly from one set of values to another.

    Parameters
    ----------
    since : start time in seconds.
    seconds : duration if nothing cuts the step.
    until : end time in seconds.
    adverbs : adverbs at its beginning.
    then : adverbs by name at its end.
    leads : goals and arrival time of adverbs that do not settle; None if there are none.
    heard : number of pending commands that have taken effect when it begins.
    """

    since: float
    seconds: float
    until: float
    adverbs: SettlingAdverbs
    then: Values
    leads: Leads
    heard: int

    @property
    def middle(self) -> Values | None:
        """Adverbs by name at half the step, which determine the pace of linear steps; None if they settle."""
        if self.adverbs.moving:
            return None
        return {name: 0.5 * (value + self.then[name]) for name, value in self.adverbs.values.items()}


def steps_ahead(
    adverbs: SettlingAdverbs, since: float, leads: Leads, asked: Iterable[tuple[float, Asked]], until: float
) -> list[Step]:
    """Return the steps of adverbs up to a time, until they rest or another command takes effect.

    They are exactly those that a player takes, unless a transition begins in between; at most `MOST`, and none that
    `until` or another command would cut.

    Parameters
    ----------
    adverbs, since, leads : those of the present step.
    asked : pending commands of the player, in order of time.
    until : time in seconds up to which it will play.
    """
    adverbs, found, heard = adverbs.copy(), list[Step](), 0

    def add(end: float) -> None:
        """Add a step that ends at a time."""
        if adverbs.moving:
            found.append(Step(since, SETTLES_EVERY, end, adverbs.copy(), adverbs.ahead(SETTLES_EVERY), leads, heard))
        elif leads is not None:
            found.append(Step(since, leads[1] - since, end, adverbs.copy(), leads[0], leads, heard))

    for time, what in (*asked, (until, None)):
        while adverbs.moving and since + SETTLES_EVERY <= min(time, until) + NEARLY and len(found) < MOST:
            add(since + SETTLES_EVERY)
            adverbs.advance(SETTLES_EVERY)
            since += SETTLES_EVERY
        rests = leads is None and not adverbs.moving and time - since > NEARLY
        if not isinstance(what, AskAdverbs) or time > until or len(found) >= MOST or rests:
            break
        if moves(what, adverbs, leads):
            passed = time - since
            if passed > NEARLY:
                add(time)
                if adverbs.moving:
                    adverbs.advance(SETTLES_EVERY if abs(passed - SETTLES_EVERY) < ROUNDING else passed)
                since = time
            adverbs.set(what.values, what.at_once)
            leads = None if what.then is None else ({**adverbs.values, **what.then}, what.until)
        heard += 1
    return found


def moves(what: AskAdverbs, adverbs: SettlingAdverbs, leads: Leads) -> bool:
    """Return whether a command changes how the adverbs move, given their present goals `leads`, if any."""
    return what.then is not None or leads is not None or adverbs.news(what.values, what.at_once)


def news_at(
    asked: Iterable[tuple[float, Asked]], adverbs: SettlingAdverbs, leads: Leads, handles: Handles, until: float
) -> float:
    """Return the time of the first command that changes what plays, or `until` if that is earlier.

    Parameters
    ----------
    asked : pending commands of a player, in order of time.
    adverbs, leads, handles : those of the player; the adverbs rest.
    until : time in seconds.
    """
    for time, what in asked:
        if time >= until:
            break
        if moves(what, adverbs, leads) if isinstance(what, AskAdverbs) else what != handles:
            return time
    return until
