"""Reading of files with words and their times, of any supported kind.

The content of a file determines its kind, not its name: a header, a bracket, an arrow. Nothing in a file is ever
executed, and nothing is fetched. Each error names the file and the line or the word.
"""

import codecs
import re
from pathlib import Path

from ..bounds import WORD_FILE_BYTES
from ..errors import WordsError
from .cues import words_in_subtitles
from .textgrid import words_in_textgrid
from .transcripts import words_in_transcript
from .word import Utterance

KINDS = "SubRip (.srt), WebVTT (.vtt), JSON of Whisper, WhisperX or whisper.cpp, and TextGrids of Praat"
"""The supported kinds of files, for messages."""

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ENDS_OF_LINES = re.compile("\r\n?")
_ANOTHER = (
    ("ooBinaryFile", "It is a binary file of Praat. Save it with 'Save as text file'."),
    (r"\[Script Info\]", "It contains SubStation Alpha subtitles. Convert them to SubRip or WebVTT."),
    (r"<\?xml", "It is XML. Convert it to SubRip or WebVTT, or export it in one of these formats."),
    ("<tt", "It contains TTML subtitles. Convert them to SubRip or WebVTT."),
    (r"\{\\rtf", "It is rich text. Save it as plain text."),
    (r"\{\d+\}\{\d+\}", "It contains MicroDVD subtitles, which are timed in frames. Convert them to SubRip or WebVTT."),
)
"""Regular expressions for the beginnings of other kinds of files, with advice."""


def read_words(path: Path) -> Utterance:
    """Return the words of a file.

    Raises
    ------
    WordsError
        If it cannot be opened, is too large, or cannot be parsed; see `words_in`.
    """
    try:
        with path.open("rb") as file:
            data = file.read(WORD_FILE_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "this is not a valid file name"
        readable = path.name.encode("utf-8", "replace").decode()
        raise WordsError(f"'{readable}' cannot be opened: {reason}. Check the path and the file.") from error
    return words_in(data, path.name)


def words_in(data: bytes, name: str) -> Utterance:
    """Return the words in the content of a file.

    Parameters
    ----------
    data : the bytes of the file.
    name : its name in errors.

    Raises
    ------
    WordsError
        If it is empty, too large, not text, of unknown kind or damaged, or its words are not in order of time.
    """
    try:
        return _words_in(data)
    except WordsError as error:
        readable = name.encode("utf-8", "replace").decode()
        raise WordsError(f"'{readable}' cannot be read. {error}") from error


def _words_in(data: bytes) -> Utterance:
    if len(data) > WORD_FILE_BYTES:
        raise WordsError(
            f"It is larger than {WORD_FILE_BYTES // 1_000_000} million bytes, far too large for words. Choose the file "
            "with the words, not the sound."
        )
    torn = data.lstrip()[:1] in (b"{", b"[")
    text = _ENDS_OF_LINES.sub("\n", data.decode("utf-8", "surrogateescape") if torn else _decoded(data))
    begin = text.lstrip()[:200]
    if not begin:
        raise WordsError("It is empty. Check that it was saved, and that it is the right file.")
    for sign, told in _ANOTHER:
        if re.match(sign, begin):
            raise WordsError(told)
    if begin[0] in "{[":
        return _transcript(text, data)
    if '"ooTextFile' in begin or '"TextGrid"' in begin:
        return words_in_textgrid(text)
    if begin.startswith("WEBVTT") or "-->" in text:
        return words_in_subtitles(text)
    raise WordsError(f"It is not a supported kind of file with times of words. Supported are: {KINDS}.")


def _transcript(text: str, data: bytes) -> Utterance:
    try:
        return words_in_transcript(text)
    except UnicodeError as error:
        _decoded(data)
        raise WordsError(
            "It has an incomplete escape sequence such as \\ud83d. Export the transcript again."
        ) from error


def _decoded(data: bytes) -> str:
    """Return the text of a file in UTF-8, with or without a mark at its beginning, or in UTF-16 with one."""
    mark, encoding = next((one for one in _MARKS if data.startswith(one[0])), (b"", "utf-8"))
    data = data[len(mark) :]
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, "replace").count("\n") + 1
        raise WordsError(
            f"Line {line} is not {encoding[:6].upper().rstrip('-')}: byte {data[error.start]:#04x} is invalid there. "
            "Open the file in a text editor with its original encoding, and save it as UTF-8."
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise WordsError(
            f"Line {line} has a character of value 0, so that it is not text, or is text in UTF-16 without its mark."
            " Save it as UTF-8."
        )
    return text
