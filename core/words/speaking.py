"""A text that is said at a rate: its words one after the other, as no recording tells when each of them is said."""

from math import isfinite

from ..errors import WordsError
from .tags import marked_words
from .word import Found, Utterance, Word, in_order, shared_out

RATE = 2.5
"""Words a second that are said by default: 150 a minute, as in a talk."""
PLACE = "What is said"
"""What a complaint calls the text."""


def spoken(text: str, rate: float = RATE) -> Utterance:
    """Return the words of a text, the first of which begins at 0 s, each for as long as its letters say.

    Parameters
    ----------
    text : with its tags; see `marked_words`.
    rate : words a second on average.

    Raises
    ------
    WordsError
        If there are no words or too many, or the rate is no positive number.
    """
    if not (isfinite(rate) and rate > 0.0):
        raise WordsError(f"{PLACE} is to be said at {rate:g} words a second. Give a number above 0.")
    words, left_out = marked_words(text, PLACE)
    if not words:
        raise WordsError("There is nothing to say. Write words first, such as: look over <point> there.")
    times = shared_out([word.text for word in words], 0.0, len(words) / rate)
    found = [
        Found(Word(word.text, *span, tag=word.tag, look=word.look), f"Word {number} of what is said")
        for number, (word, span) in enumerate(zip(words, times, strict=True), 1)
    ]
    found[-1] = Found(found[-1].word, found[-1].place, left_out=tuple(left_out))
    return in_order(found)
