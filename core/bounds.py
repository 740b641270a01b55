"""Upper bounds on what is read, built and played. Input beyond them is rejected with a message before memory is used.

Anything made by hand or captured stays far below them: an hour at 60 frames a second has 216 000 frames.
"""

from .errors import VerbError

FRAMES = 300_000
"""Maximum number of frames in a performance, in an action that is read, and of keyed frames in a bake."""

FARTHEST_FRAME = 1_000_000
"""Largest absolute frame at which a performance may begin or end; Blender's scenes end at frame 1 048 574."""

SECONDS = 7200.0
"""Longest performance in seconds. Steps home are considered many times a second at any frame rate."""

VALUES = 40_000_000
"""Maximum number of values, such as frames times curves: 60 curves have 13 million in an hour at 60 frames a second.

A Blender keyframe takes about 80 bytes.
"""

CYCLES = 100_000
"""Maximum number of times that a verb is repeated in a performance."""

CONTROL_POINTS = 500
EXAMPLES = 400
ADVERBS = 60
KEYTIMES = 300
CONTACTS = 200
WINDOWS = 500
"""Maximum numbers for a curve (control points), a verb (examples, adverbs), and an example (keytimes to windows)."""

RADIUS_FACTOR = 1000.0
"""Largest kernel radius, as a multiple of the distance to the nearest example."""

SMOOTHING = 1.0
"""Longest time in seconds over which the keys of examples are smoothed."""

COMMANDS = 20_000
"""Maximum number of commands in a score."""

BAKED_EXAMPLES = 20
"""Maximum number of cycles of a bake that are marked as examples; the first ones are taken."""

WORDS = 100_000
"""Maximum number of words in an utterance; two hours of fast speech have 30 000."""

WORD_PIECES = 1_000_000
"""Maximum number of phones, or pieces of words, in a file of words."""

WORD_LETTERS = 20_000
"""Maximum number of characters in a cue, text strip or label that is searched for words."""

WORD_FILE_BYTES = 32_000_000
"""Largest file of words in bytes; two hours of words with all phones or letters take about 15 million."""

LATEST_WORD = 86_400.0
"""Latest time of a word in seconds: one day. Later times come from files in other units."""

SUGGESTED_SECONDS = 120.0
"""Longest verb, in seconds, that is compared with another at every pair of instants."""


def check_span(who: str, begins: float, ends: float, fps: float, last: str) -> None:
    """Check that the length and the frame range of a performance are within bounds.

    Parameters
    ----------
    who : name of the director that gives its start frame.
    begins, ends : first and last frame.
    fps : frames per second.
    last : description of the last frame, such as ``"the scene's last frame"``.

    Raises
    ------
    VerbError
        If it begins or ends too far from frame 0, has too many frames or lasts too long.
    """
    if not abs(begins) <= FARTHEST_FRAME:
        raise VerbError(
            f"'{who}' starts at frame {begins:.0f}, which is out of bounds. Set a start frame between "
            f"{-FARTHEST_FRAME} and {FARTHEST_FRAME}."
        )
    if not abs(ends) <= FARTHEST_FRAME:
        raise VerbError(f"Frame {ends:g}, {last}, is out of bounds. Set it to a frame before {FARTHEST_FRAME}.")
    frames = max(ends - begins, 0.0) + 1.0
    if frames > FRAMES:
        raise VerbError(
            f"From the start frame of '{who}', {begins:.0f}, to {last}, {ends:.0f}, there are {frames:.0f} frames; the "
            f"maximum is {FRAMES}. Set a later start frame or an earlier end."
        )
    seconds = frames / fps if fps > 0.0 else float("inf")
    if not seconds <= SECONDS:
        raise VerbError(
            f"From the start frame of '{who}', {begins:.0f}, to {last}, {ends:.0f}, it lasts {seconds:.3g} seconds at "
            f"{fps:.3g} fps; the maximum is {SECONDS:.0f}. Set a later start frame, an earlier end or a higher frame "
            "rate."
        )


def check_values(what: str, count: int, width: int) -> None:
    """Check that `count` rows of `width` numbers each are within the bound on memory.

    Parameters
    ----------
    what : the beginning of a sentence, such as ``"The performance of 'Biped'"``.
    count : number of rows.
    width : number of numbers in a row.

    Raises
    ------
    VerbError
        If there are too many numbers.
    """
    if count * width > VALUES:
        raise VerbError(
            f"{what} would have {count} frames with {width} curves, {count * width / 1e6:.0f} million keys; the "
            f"maximum is {VALUES / 1e6:.0f} million. Use fewer frames."
        )


def check_cycles(verb: str, seconds: float, duration: float) -> None:
    """Check that a verb is not repeated too often.

    Parameters
    ----------
    verb : name of the verb.
    seconds : how long it plays.
    duration : its shortest cycle in seconds.

    Raises
    ------
    VerbError
        If it would be repeated more than `CYCLES` times.
    """
    if not seconds <= CYCLES * duration:
        raise VerbError(
            f"A cycle of verb '{verb}' lasts only {duration:.2g} seconds, so it would repeat more than {CYCLES} times "
            f"in {seconds:.3g} seconds. Check the frame rate and keytimes of its examples, or play fewer frames."
        )
