"""What a performance says of itself over the 3D view."""

from dataclasses import dataclass

from .character import Character
from .performing import Session

FRAMES = 12
"""Frames over which their rate is told."""


@dataclass(frozen=True)
class Told:
    """What one character does at the moment.

    Parameters
    ----------
    title : its name, and the verb or transition that it plays.
    plan : what comes next, or what is wrong.
    wrong : whether `plan` says what is wrong.
    phase : generic time within the cycle of the verb, in [0, 1].
    keytimes : generic times of the verb's keytimes.
    standing : points that are planted, with a comma between them; empty if none is locked.
    """

    title: str
    plan: str
    wrong: bool
    phase: float
    keytimes: tuple[float, ...]
    standing: str


def tell(character: Character) -> Told:
    """What a character did at the moment that is shown."""
    player, moment = character.player, character.moment
    verb, passage = player.graph.verb(moment.verb), moment.transition
    playing = verb.name if passage is None else f"{passage[0].source} → {verb.name} {100.0 * passage[1]:.0f} %"
    ways = " → ".join(way.target for way in moment.plan)
    locked = moment.standing if player.locks is not None else ()
    return Told(
        title=f"{character.armature.name}: {playing}",
        plan=character.problem or (f"then {ways}" if ways else ""),
        wrong=bool(character.problem),
        phase=moment.phase % 1.0 if verb.cyclic else min(moment.phase, 1.0),
        keytimes=tuple(verb.phrasing.generic.tolist()),
        standing=", ".join(locked),
    )


def rate_of(session: Session) -> float:
    """Frames that were shown a second lately; 0 before there are two."""
    shown = session.frames.shown
    count = min(FRAMES, len(shown))
    passed = shown[-1].displayed - shown[-count].displayed if count > 1 else 0.0
    return (count - 1) / passed if passed > 0.0 else 0.0
