"""How much of anything is read, built and played; what goes beyond is refused in a sentence before memory is taken.

Whatever somebody would make by hand or capture lies far within: an hour at 60 frames a second has 216 000 frames.
"""

from .errors import VerbError

FRAMES = 300_000
"""Frames of a performance, keyed frames of a bake, frames of an action that are read."""

FARTHEST_FRAME = 1_000_000
"""How far from frame 0 a performance may begin and end; Blender's scenes end at frame 1 048 574."""

SECONDS = 7200.0
"""Of a performance, which is computed in steps of some milliseconds whatever the frame rate."""

VALUES = 40_000_000
"""Numbers at once, such as frames times curves: a figure of 60 curves has 13 million in an hour at 60 frames a second.

A key of Blender's takes some 80 bytes.
"""

CYCLES = 100_000
"""How often a verb is repeated in a performance."""

CONTROL_POINTS = 500
EXAMPLES = 400
ADVERBS = 60
KEYTIMES = 300
CONTACTS = 200
WINDOWS = 500
"""Of a verb: control points of a curve, examples, adverbs; of an example: keytimes, contacts, windows of a contact."""

RADIUS_FACTOR = 1000.0
"""Reach of a kernel, times the distance to the nearest example."""

COMMANDS = 20_000
"""Of a score."""

BAKED_EXAMPLES = 20
"""Cycles of a bake that are marked as examples, the first ones."""

SUGGESTED_SECONDS = 120.0
"""Of a verb of which every moment is compared with every moment of another."""


def check_span(who: str, begins: float, ends: float, fps: float, last: str) -> None:
    """Check that a performance can be computed from its start frame on.

    Parameters
    ----------
    who : the director that says where it begins.
    begins, ends : first and last frame.
    fps : frames per second.
    last : what the last frame is, such as ``"the scene's last frame"``.

    Raises
    ------
    VerbError
        If it begins or ends too far away, has too many frames or lasts too long.
    """
    if not abs(begins) <= FARTHEST_FRAME:
        raise VerbError(
            f"'{who}' begins at frame {begins:.0f}, which is too far away. Set its start frame to one between"
            f" {-FARTHEST_FRAME} and {FARTHEST_FRAME}."
        )
    if not abs(ends) <= FARTHEST_FRAME:
        raise VerbError(f"Frame {ends:g}, {last}, is too far away. Set one before frame {FARTHEST_FRAME}.")
    frames = max(ends - begins, 0.0) + 1.0
    if frames > FRAMES:
        raise VerbError(
            f"From the start frame of '{who}', {begins:.0f}, to {last}, {ends:.0f}, there are {frames:.0f} frames;"
            f" no more than {FRAMES} are played. Set a later start frame or an earlier end."
        )
    seconds = frames / fps if fps > 0.0 else float("inf")
    if not seconds <= SECONDS:
        raise VerbError(
            f"From the start frame of '{who}', {begins:.0f}, to {last}, {ends:.0f}, it lasts {seconds:.3g} seconds at"
            f" {fps:.3g} frames a second; no more than {SECONDS:.0f} are played. Set a later start frame, an earlier"
            " end or a higher frame rate."
        )


def check_values(what: str, count: int, width: int) -> None:
    """Check that there is room for `count` rows of `width` numbers each.

    Parameters
    ----------
    what : the beginning of a sentence, such as ``"The performance of 'Biped'"``.

    Raises
    ------
    VerbError
        If there are too many.
    """
    if count * width > VALUES:
        raise VerbError(
            f"{what} would have {count} frames of {width} curves, {count * width / 1e6:.0f} million keys; no more than"
            f" {VALUES / 1e6:.0f} million are made. Take fewer frames."
        )


def check_cycles(verb: str, seconds: float, duration: float) -> None:
    """Check that a verb is not repeated too often.

    Parameters
    ----------
    verb : its name.
    seconds : how long it is played.
    duration : seconds of its shortest cycle.

    Raises
    ------
    VerbError
        If it is.
    """
    if not seconds <= CYCLES * duration:
        raise VerbError(
            f"A cycle of verb '{verb}' lasts as little as {duration:.2g} seconds, so it would be repeated more than"
            f" {CYCLES} times in {seconds:.3g} seconds. Check the frame rate and the keytimes of its examples, or play"
            " fewer frames."
        )
