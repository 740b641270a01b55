"""Upper bounds of what is read, built and played. What goes beyond is refused in a sentence before memory is taken.

Whatever somebody would make by hand or capture lies far within: an hour at 60 frames a second has 216 000 frames.
"""

from .errors import VerbError

FRAMES = 300_000
"""Most frames of a performance, of an action that is read, and keyed frames of a bake."""

FARTHEST_FRAME = 1_000_000
"""Farthest frame from 0 at which a performance may begin or end; Blender's scenes end at frame 1 048 574."""

SECONDS = 7200.0
"""Most seconds of a performance, in which steps home are considered many times a second whatever the frame rate."""

VALUES = 40_000_000
"""Most numbers at once, such as frames times curves: 60 curves have 13 million in an hour at 60 frames a second.

A key of Blender's takes some 80 bytes.
"""

CYCLES = 100_000
"""Most times that a verb is repeated in a performance."""

CONTROL_POINTS = 500
EXAMPLES = 400
ADVERBS = 60
KEYTIMES = 300
CONTACTS = 200
WINDOWS = 500
"""Most control points of a curve, examples and adverbs of a verb; keytimes, contacts and windows of an example."""

RADIUS_FACTOR = 1000.0
"""Largest radius of a kernel, in distances to the nearest example."""

SMOOTHING = 1.0
"""Most seconds over which the keys of examples are smoothed."""

COMMANDS = 20_000
"""Most commands of a score."""

BAKED_EXAMPLES = 20
"""Most cycles of a bake that are marked as examples, the first ones."""

WORDS = 100_000
"""Most words of an utterance; two hours of hurried speech have 30 000."""

WORD_PIECES = 1_000_000
"""Most phones, or pieces of words, that a file of words is read with."""

WORD_LETTERS = 20_000
"""Most letters of a cue, a text strip or a label of which the words are looked for."""

WORD_FILE_BYTES = 32_000_000
"""Largest file of words; two hours of words with all their phones or letters have some 15 million bytes."""

LATEST_WORD = 86_400.0
"""Latest second of a word: a day. Later ones come from files that count in other units."""

SUGGESTED_SECONDS = 120.0
"""Longest verb, in seconds, of which every instant is compared with every instant of another."""


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
    count, width : of rows, and of numbers in a row.

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
        If it would be repeated more than `CYCLES` times.
    """
    if not seconds <= CYCLES * duration:
        raise VerbError(
            f"A cycle of verb '{verb}' lasts as little as {duration:.2g} seconds, so it would be repeated more than"
            f" {CYCLES} times in {seconds:.3g} seconds. Check the frame rate and the keytimes of its examples, or play"
            " fewer frames."
        )
