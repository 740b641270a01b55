"""Where in a word the emphasis of a gesture lands, and which words have a gesture where the text asks for none.

The stroke of a gesture comes before or together with the phonological peak syllable of speech, not after it (McNeill,
"Hand and Mind", 1992, the phonological synchrony rule). Its apex coincides with the pitch accent (Loehr, "Temporal,
structural, and pragmatic synchrony between intonation and gesture", Laboratory Phonology 3, 2012), which is on the
stressed syllable; the apex is nearer to the end of the syllable inside a phrase and earlier before a boundary
(Esteve-Gibert and Prieto, "Prosodic structure shapes the temporal realization of intonation and manual gesture
movements", Journal of Speech, Language, and Hearing Research 56, 2013). And a syllable is heard to happen at its
P-centre (Morton, Marcus and Frankish, "Perceptual centers", Psychological Review 83, 1976), which is close to the onset
of its vowel. So the target is the onset of the stressed vowel: the peak is in the vowel, so the stroke is never after
it, and it is the instant that is heard as the beat.

Speech falls into phrases, and a gesture goes with the word that carries most of a phrase (McNeill, *Hand and Mind*,
1992). Without grammar, that is taken to be its longest word, and of equally long ones the last, since stress falls
late. The gesture is drawn for each phrase by itself, from the phrase's words, so that a change in one phrase leaves
the gestures of the others as they are.
"""

import unicodedata
from collections.abc import Sequence
from hashlib import blake2b

from .word import Phone, Word

PAUSE = 0.3
"""Seconds of silence that separate two phrases."""
LONGEST_PHRASE = 3.0
"""Seconds after which a phrase without a pause is split."""
STOPS = (".", ",", ";", ":", "!", "?")
"""Punctuation at the end of a word that ends a phrase."""
INTO_WORD = 0.3
"""Elapsed share of a word without phones when the stroke lands: most words of a Germanic language begin with their
stressed syllable, whose vowel comes after some consonants. It is a convention, not a measurement."""

VOWELS = frozenset(
    ("AA", "AE", "AH", "AO", "AW", "AX", "AXR", "AY", "EH", "EL", "EM", "EN", "ER", "EY", "IH", "IX", "IY")
    + ("OW", "OY", "UH", "UW", "UX")
)
CONSONANTS = frozenset(
    ("B", "CH", "D", "DH", "DX", "F", "G", "HH", "HV", "JH", "K", "L", "M", "N", "NG", "NX", "P", "Q", "R", "S", "SH")
    + ("T", "TH", "V", "W", "WH", "Y", "Z", "ZH")
)
"""Symbols of ARPABET, the vowels with what else can be a syllable's nucleus. In the CMU Pronouncing Dictionary a digit
follows vowels: 1 for primary stress, 2 for secondary, 0 for none."""
IPA_VOWELS = frozenset("iyɨʉɯuɪʏʊeøɘɵɤoəɛœɜɞʌɔæɐaɶɑɒɚɝᵻᵿ")
PRIMARY, SECONDARY = "\u02c8", "\u02cc"
"""The stress marks of the IPA, which precede the syllable."""
SYLLABIC = frozenset("\u0329\u030d")
"""The marks of the IPA under or over a consonant that is a syllable's nucleus."""


def target_of(word: Word) -> float:
    """Return the time in seconds at which a gesture's emphasis lands on a word: the onset of its stressed vowel."""
    vowel = stressed_vowel(word.phones)
    return word.start + INTO_WORD * (word.end - word.start) if vowel is None else vowel.start


def stressed_vowel(phones: tuple[Phone, ...]) -> Phone | None:
    """Return the vowel with the strongest stress, the first of equal ones; None if no vowel is known.

    ARPABET marks stress by digits, IPA by a stress mark before the syllable. Without marks the first vowel is returned.
    """
    symbols = [phone.label.rstrip("012").upper() for phone in phones]
    if all(symbol in VOWELS or symbol in CONSONANTS for symbol in symbols):
        strengths = {"1": 3, "2": 2}
        weights = [
            strengths.get(phone.label[-1:], 1) if symbol in VOWELS else 0
            for phone, symbol in zip(phones, symbols, strict=True)
        ]
        if any(weights):
            return phones[weights.index(max(weights))]
    return _stressed_in_ipa(phones)


def _stressed_in_ipa(phones: tuple[Phone, ...]) -> Phone | None:
    best: Phone | None = None
    strongest = marked = 0
    for phone in phones:
        if PRIMARY in phone.label:
            marked = 3
        elif SECONDARY in phone.label:
            marked = 2
        if _is_nucleus(phone.label):
            weight = max(marked, 1)
            if weight > strongest:
                best, strongest = phone, weight
    return best


def _is_nucleus(label: str) -> bool:
    letters = unicodedata.normalize("NFD", label).strip(PRIMARY + SECONDARY)
    return letters[:1] in IPA_VOWELS or not SYLLABIC.isdisjoint(letters)


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
    """Return names of gestures for the phrases whose text requests none, by the index of the word that each is on.

    Parameters
    ----------
    words : words of one speaker, in order.
    names : names of the gestures to choose from.
    seed : number from which the gestures are drawn; another one draws others.
    """
    found: dict[int, str] = {}
    for phrase in phrases_of(words):
        if names and not any(words[number].tag for number in phrase):
            carrier = max(phrase, key=lambda number: (len(words[number].text.strip("".join(STOPS))), number))
            told = " ".join([str(seed), *(words[number].text for number in phrase)]).encode()
            drawn = int.from_bytes(blake2b(told, digest_size=4).digest(), "big")
            found[carrier] = names[drawn % len(names)]
    return found
