"""Which adverbs a player is going to have at its next steps, so that verbs can compute them together."""

from collections.abc import Iterable, Mapping, Sequence

from .adverb_smoothing import SettlingAdverbs
from .piece import NEARLY, ROUNDING, SETTLES_EVERY
from .player import AskAdverbs, Asked
from .verb_now import Pacer

Values = Mapping[str, float]

MOST = 64
"""Steps that are looked at together."""


def make_ready(
    pacers: Sequence[Pacer],
    adverbs: SettlingAdverbs,
    settled: float,
    leads: tuple[Values, float] | None,
    asked: Iterable[tuple[float, Asked]],
    until: float,
) -> None:
    """Let verbs compute together what they need for the next steps of moving adverbs, if they do not have it.

    Parameters
    ----------
    pacers : of the verbs.
    adverbs : as they are at the time `settled`, at which the present step began; they are left as they are.
    leads : where they go in a straight line, and the seconds at which they get there; None if they settle or rest.
    asked : what the player has been asked for that has not taken effect yet, in order of time.
    until : seconds up to which it is going to play.
    """
    waiting = [pacer for pacer in pacers if not pacer.ready(adverbs.values)]
    if waiting:
        ahead = _steps_ahead(adverbs.copy(), settled, leads, asked, until)
        for pacer in waiting:
            pacer.make_ready(*ahead)


def _steps_ahead(
    adverbs: SettlingAdverbs,
    settled: float,
    leads: tuple[Values, float] | None,
    asked: Iterable[tuple[float, Asked]],
    until: float,
) -> tuple[list[Values], list[Values]]:
    """Return the values by name at the beginning of the next steps, and those half-way through straight ones.

    They are exactly those that a player will have, unless a transition begins in between. The parameters are those of
    `make_ready`; `adverbs` are moved on.
    """
    places, middles = list[Values](), list[Values]()

    def begin() -> None:
        """Note the beginning of a step."""
        places.append(dict(adverbs.values))
        if leads is not None and not adverbs.moving:
            middles.append({name: 0.5 * (value + leads[0][name]) for name, value in adverbs.values.items()})

    def go(time: float) -> float:
        """Take all whole steps up to a time; return when the last one ended."""
        begun = settled
        while adverbs.moving and begun + SETTLES_EVERY <= time + NEARLY and len(places) < MOST:
            adverbs.advance(SETTLES_EVERY)
            begun += SETTLES_EVERY
            begin()
        return begun

    begin()
    for time, what in asked:
        if len(places) >= MOST or time > until:
            break
        if not isinstance(what, AskAdverbs):
            continue
        settled = go(time)
        if what.then is None and leads is None and not adverbs.news(what.values, what.at_once):
            continue
        passed = time - settled
        if adverbs.moving and passed > NEARLY:
            places.append(adverbs.ahead(SETTLES_EVERY))
            adverbs.advance(SETTLES_EVERY if abs(passed - SETTLES_EVERY) < ROUNDING else passed)
        settled = time if passed > NEARLY else settled
        adverbs.set(what.values, what.at_once)
        leads = None if what.then is None else ({**adverbs.values, **what.then}, what.until)
        begin()
    go(until)
    if leads is not None:
        places.append(leads[0])
    return places, middles
