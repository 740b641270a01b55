"""The steps in which adverbs are going to move, as far as they are known: what verbs compute for them together."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .adverb_smoothing import NEARLY, ROUNDING, SETTLES_EVERY, SettlingAdverbs
from .player import AskAdverbs, Asked, Handles

Values = Mapping[str, float]
Leads = tuple[Values, float] | None

MOST = 64
"""Steps that are looked at together."""


class Step(NamedTuple):
    """A step in which adverbs move: straight from one place to another.

    Parameters
    ----------
    since, seconds : seconds at which it begins, and how long it takes if nothing cuts it.
    until : seconds at which it ends.
    adverbs : at its beginning.
    then : adverbs by name that it leads to.
    leads : where adverbs that do not settle go, and when they get there; None if they are led nowhere.
    heard : how many of the commands that were waiting have taken effect when it begins.
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
        """Adverbs by name half-way, which straight steps have their pace from; None if they settle."""
        if self.adverbs.moving:
            return None
        return {name: 0.5 * (value + self.then[name]) for name, value in self.adverbs.values.items()}


def steps_ahead(
    adverbs: SettlingAdverbs, since: float, leads: Leads, asked: Iterable[tuple[float, Asked]], until: float
) -> list[Step]:
    """Return the steps of adverbs up to a time, until they rest or something else is asked for.

    They are exactly those that a player takes, unless a transition begins in between; at most `MOST`, and none that
    `until` or another command would cut.

    Parameters
    ----------
    adverbs, since, leads : as they are in the present step.
    asked : what the player has been asked for that has not taken effect yet, in order of time.
    until : seconds up to which it is going to play.
    """
    adverbs, found, heard = adverbs.copy(), list[Step](), 0

    def add(end: float) -> None:
        """Note a step, which ends at a time."""
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
    """Whether adverbs that are led somewhere, or nowhere, go elsewhere when that is asked for."""
    return what.then is not None or leads is not None or adverbs.news(what.values, what.at_once)


def news_at(
    asked: Iterable[tuple[float, Asked]], adverbs: SettlingAdverbs, leads: Leads, handles: Handles, until: float
) -> float:
    """Return when something is asked for that changes what plays, if that is before a time; else that time.

    Parameters
    ----------
    asked : what a player has been asked for that has not taken effect yet, in order of time.
    adverbs, leads, handles : of the player; the adverbs rest.
    until : seconds.
    """
    for time, what in asked:
        if time >= until:
            break
        if moves(what, adverbs, leads) if isinstance(what, AskAdverbs) else what != handles:
            return time
    return until
