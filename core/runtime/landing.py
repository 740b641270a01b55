"""Where and when a swinging point is expected to stand again, if all goes on as it does."""

from .playing import Playing
from .root_path import RootPath


def next_stand(playing: Playing, bit: int) -> float | None:
    """Generic time, counted from the beginning of this cycle, at which the point of `bit` comes to stand next.

    None if it does not as long as the verb plays.
    """
    begins = [begin for begin, _, other, _ in playing.now.stands if other == bit]
    ahead = [begin for begin in begins if begin > playing.phase]
    if ahead:
        return min(ahead)
    return min(begins) + 1.0 if begins and playing.now.verb.cyclic else None


def foresee(playing: Playing, root: RootPath, until: float, stride: float) -> tuple[float, Playing, RootPath]:
    """Seconds until generic time `until` of this cycle or the next, and where the verb and the root will be then."""
    future = Playing(playing.now, playing.phase)
    place = RootPath((root.place.real, root.place.imag, root.height, root.heading))
    seconds = 0.0
    while future.cycle + future.phase < until:
        reach = min(future.next_edge(), until - future.cycle)
        seconds += (reach - future.phase) / future.rate
        place.move(future.go(reach), stride)
        future.wrap()
    return seconds, future, place
