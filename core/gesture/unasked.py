"""Choice of words that get a gesture if the text does not request any.

Speech falls into phrases, and a gesture goes with the most informative word of one (McNeill, *Hand and Mind*, 1992).
Without grammar, this is assumed to be the longest word of each phrase, the last of several, since stress falls late.
The gesture is drawn independently for each phrase, from its words, so that changes to others do not affect it.
"""

from collections.abc import Sequence
from hashlib import blake2b

from ..words.word import Word

PAUSE = 0.3
"""Seconds of silence that separate two phrases."""
LONGEST_PHRASE = 3.0
"""Seconds after which a phrase without a pause is split."""
STOPS = (".", ",", ";", ":", "!", "?")
"""Punctuation at the end of a word that ends a phrase."""


def phrases_of(words: Sequence[Word]) -> list[list[int]]:
    """Return the indices of words in order, by phrase."""
    found: list[list[int]] = []
    for number, word in enumerate(words):
        before = words[number - 1] if number else None
        if (
            before is None
            or before.text.endswith(STOPS)
            or word.start - before.end >= PAUSE
            or word.end - words[found[-1][0]].start > LONGEST_PHRASE
        ):
            found.append([])
        found[-1].append(number)
    return found


def unasked(words: Sequence[Word], names: Sequence[str], seed: int) -> dict[int, str]:
    """Return names of gestures by word index, in phrases whose text requests none.

    Parameters
    ----------
    words : words of one speaker, in order.
    names : names of the gestures to choose from.
    seed : another number draws other gestures.
    """
    found: dict[int, str] = {}
    for phrase in phrases_of(words):
        if names and not any(words[number].tag for number in phrase):
            carrier = max(phrase, key=lambda number: (len(words[number].text.strip("".join(STOPS))), number))
            told = " ".join([str(seed), *(words[number].text for number in phrase)]).encode()
            drawn = int.from_bytes(blake2b(told, digest_size=4).digest(), "big")
            found[carrier] = names[drawn % len(names)]
    return found
