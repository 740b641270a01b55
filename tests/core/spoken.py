"""An utterance written in every format, after the public descriptions of each; nothing here is the readers'."""

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Sound:
    label: str
    start: float
    end: float


@dataclass(frozen=True)
class Said:
    text: str
    start: float
    end: float
    sounds: tuple[Sound, ...] = ()


UTTERANCE = (
    Said("Look,", 0.48, 0.79, (Sound("L", 0.48, 0.57), Sound("UH1", 0.57, 0.68), Sound("K", 0.68, 0.79))),
    Said("the", 0.79, 0.9, (Sound("DH", 0.79, 0.83), Sound("AH0", 0.83, 0.9))),
    Said("café's", 0.9, 1.52, (Sound("K", 0.9, 1.0), Sound("AH0", 1.0, 1.1), Sound("F", 1.1, 1.2))),
    Said("over", 1.734, 2.011),
    Said("there!", 2.011, 2.5),
    Said("42", 3661.5, 3662.007),
)
"""Words with pauses and without, an hour, a letter beyond ASCII, an apostrophe and a number, at whole milliseconds."""


def clock(seconds: float, mark: str, hours: bool = True) -> str:
    thousandths = round(seconds * 1000)
    minutes, thousandths = divmod(thousandths, 60_000)
    front = f"{minutes // 60:02d}:" if hours or minutes >= 60 else ""
    return f"{front}{minutes % 60:02d}:{thousandths // 1000:02d}{mark}{thousandths % 1000:03d}"


def subrip(words: tuple[Said, ...]) -> str:
    """SubRip with one word a cue."""
    return "\n".join(
        f"{number}\n{clock(word.start, ',')} --> {clock(word.end, ',')}\n{word.text}\n"
        for number, word in enumerate(words, 1)
    )


def webvtt(words: tuple[Said, ...]) -> str:
    """WebVTT with one word a cue, hours left out where they may be, identifiers, settings, comments and styles."""
    blocks = ["WEBVTT - a talk\nKind: captions", "STYLE\n::cue { color: lime }", "NOTE 1\nwords --> and more words"]
    for number, word in enumerate(words, 1):
        times = f"{clock(word.start, '.', hours=False)} --> {clock(word.end, '.', hours=False)} align:start line:0"
        blocks.append(f"word {number}\n{times}\n<c.loud><b>{word.text[:1]}</b>{word.text[1:]}</c>")
    return "\n\n".join(blocks) + "\n"


def phrases(words: tuple[Said, ...]) -> list[list[Said]]:
    """The words parted where there are pauses."""
    groups: list[list[Said]] = []
    for word in words:
        if not groups or word.start > groups[-1][-1].end:
            groups.append([])
        groups[-1].append(word)
    return groups


def timed_line(group: list[Said]) -> str:
    """A line with times inside, as YouTube writes it."""
    rest = "".join(f"<{clock(word.start, '.')}><c> {word.text}</c>" for word in group[1:])
    return group[0].text + rest


def inline(words: tuple[Said, ...]) -> str:
    """WebVTT with times inside the text."""
    blocks = ["WEBVTT"]
    for group in phrases(words):
        blocks.append(f"{clock(group[0].start, '.')} --> {clock(group[-1].end, '.')}\n{timed_line(group)}")
    return "\n\n".join(blocks) + "\n"


def rolling(words: tuple[Said, ...]) -> str:
    """Captions of YouTube: two lines, of which the upper one is the last one again, and cues that only repeat."""
    blocks, above = ["WEBVTT\nKind: captions\nLanguage: en"], " "
    for group in phrases(words):
        start, end = clock(group[0].start, "."), clock(group[-1].end, ".")
        plain = " ".join(word.text for word in group)
        blocks.append(f"{start} --> {end} align:start position:0%\n{above}\n{timed_line(group)}")
        blocks.append(f"{end} --> {clock(group[-1].end + 0.01, '.')} align:start position:0%\n{plain}\n ")
        above = plain
    return "\n\n".join(blocks) + "\n"


def highlighted(words: tuple[Said, ...]) -> str:
    """SubRip as Whisper writes it with `highlight_words`: the whole text, the word that is spoken underlined."""
    cues: list[tuple[float, float, str]] = []
    last = words[0].start
    for index, word in enumerate(words):
        if word.start > last:
            cues.append((last, word.start, " ".join(one.text for one in words)))
        shown = " ".join(f"<u>{one.text}</u>" if place == index else one.text for place, one in enumerate(words))
        cues.append((word.start, word.end, shown))
        last = word.end
    return "\n".join(
        f"{number}\n{clock(start, ',')} --> {clock(end, ',')}\n{text}\n"
        for number, (start, end, text) in enumerate(cues, 1)
    )


def coloured(words: tuple[Said, ...]) -> str:
    """SubRip as stable-ts writes it: the whole text, the word that is spoken in a colour."""
    return highlighted(words).replace("<u>", '<font color="#00ff00">').replace("</u>", "</font>")


def whisper(words: tuple[Said, ...]) -> str:
    segments = []
    for number, group in enumerate(phrases(words)):
        spoken = [
            {"word": f" {word.text}", "start": word.start, "end": word.end, "probability": 0.75} for word in group
        ]
        text = "".join(f" {word.text}" for word in group)
        segments.append(
            {"id": number, "seek": 0, "start": group[0].start, "end": group[-1].end, "text": text, "words": spoken}
        )
    return json.dumps({"text": "...", "segments": segments, "language": "en"})


def whisper_listed(words: tuple[Said, ...]) -> str:
    """The segments of Whisper without anything around them."""
    return json.dumps(json.loads(whisper(words))["segments"])


def chunks(words: tuple[Said, ...]) -> str:
    """JSON of Transformers' pipeline with times of words."""
    return json.dumps(
        {"text": "...", "chunks": [{"text": f" {one.text}", "timestamp": [one.start, one.end]} for one in words]}
    )


def whisper_online(words: tuple[Said, ...]) -> str:
    spoken = [{"word": word.text, "start": word.start, "end": word.end} for word in words]
    segment = {"id": 0, "start": words[0].start, "end": words[-1].end, "text": "..."}
    return json.dumps({"task": "transcribe", "duration": 4000.0, "segments": [segment], "words": spoken}, indent=1)


def whisperx(words: tuple[Said, ...]) -> str:
    segments = []
    for group in phrases(words):
        spoken = [{"word": word.text, "start": word.start, "end": word.end, "score": 0.75} for word in group]
        text = " ".join(word.text for word in group)
        segments.append({"start": group[0].start, "end": group[-1].end, "text": text, "words": spoken})
    every = [word for segment in segments for word in segment["words"]]
    return json.dumps({"segments": segments, "word_segments": every, "language": "en"}, ensure_ascii=False)


def whispercpp(words: tuple[Said, ...]) -> str:
    """Words cut into pieces of two letters, the marks of the recogniser among them."""
    entries = []
    for group in phrases(words):
        tokens = [token("[_BEG_]", group[0].start, group[0].start)]
        for word in group:
            tokens += tokens_of(word)
        tokens.append(token("[_TT_150]", group[-1].end, group[-1].end))
        entry = token("".join(f" {word.text}" for word in group), group[0].start, group[-1].end)
        entries.append({**entry, "tokens": tokens})
    top = {"systeminfo": "AVX = 1", "model": {"type": "base"}, "result": {"language": "en"}, "transcription": entries}
    return json.dumps(top, indent="\t", ensure_ascii=False)


def tokens_of(word: Said) -> list[dict[str, object]]:
    """A word in pieces of two letters, with punctuation before and after it in pieces of no length."""
    places = [place for place, letter in enumerate(word.text) if letter.isalnum()]
    first, last = places[0], places[-1] + 1
    cut = [word.text[place : min(place + 2, last)] for place in range(first, last, 2)]
    step = (word.end - word.start) / len(cut)
    edges = [word.start + place * step for place in range(len(cut))] + [word.end]
    tokens = [token(text, *span) for text, span in zip(cut, zip(edges[:-1], edges[1:], strict=True), strict=True)]
    before = [token(word.text[:first], word.start, word.start)] if first else []
    after = [token(word.text[last:], word.end, word.end)] if word.text[last:] else []
    tokens = [*before, *tokens, *after]
    return [{**tokens[0], "text": f" {tokens[0]['text']}"}, *tokens[1:]]


def whispercpp_server(words: tuple[Said, ...]) -> str:
    """JSON of the server of whisper.cpp, whose words are pieces of words."""
    segments = []
    for entry in json.loads(whispercpp(words))["transcription"]:
        start, end = (entry["offsets"][name] / 1000 for name in ("from", "to"))
        spoken = [
            {
                "word": one["text"],
                "start": one["offsets"]["from"] / 1000,
                "end": one["offsets"]["to"] / 1000,
                "t_dtw": -1,
            }
            for one in entry["tokens"]
        ]
        segments.append({"id": 0, "start": start, "end": end, "text": entry["text"], "words": spoken})
    return json.dumps({"task": "transcribe", "segments": segments})


def token(text: str, start: float, end: float) -> dict[str, object]:
    stamps = {"from": clock(start, ","), "to": clock(end, ",")}
    offsets = {"from": round(start * 1000), "to": round(end * 1000)}
    return {"text": text, "timestamps": stamps, "offsets": offsets, "id": 7, "p": 0.75}


def one_piece_entries(words: tuple[Said, ...]) -> str:
    """JSON of whisper.cpp with `--max-len 1` and without tokens."""
    pieces = json.loads(whispercpp(words))["transcription"]
    entries = [piece for entry in pieces for piece in entry["tokens"] if not piece["text"].startswith("[_")]
    return json.dumps({"transcription": [{key: one[key] for key in ("offsets", "text")} for one in entries]})


def tiers_of(words: tuple[Said, ...], speaker: str = "") -> list[tuple[str, list[tuple[float, float, str]]]]:
    """Tiers of words and phones, with silence between them."""
    front = f"{speaker} - " if speaker else ""
    sounds = [sound for word in words for sound in word.sounds]
    tiers = []
    for name, items in (
        ("words", [(one.start, one.end, one.text) for one in words]),
        ("phones", [(one.start, one.end, one.label) for one in sounds]),
    ):
        filled, last = [], 0.0
        for start, end, text in items:
            filled += [(last, start, "")] if start > last else []
            filled.append((start, end, text))
            last = end
        tiers.append((front + name, filled))
    return tiers


def long_textgrid(tiers: list[tuple[str, list[tuple[float, float, str]]]]) -> str:
    last = max(items[-1][1] for _, items in tiers if items)
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "xmin = 0 ", f"xmax = {last} "]
    lines += ["tiers? <exists> ", f"size = {len(tiers) + 1} ", "item []: "]
    for number, (name, items) in enumerate(tiers, 1):
        lines += [f"    item [{number}]:", '        class = "IntervalTier" ', f'        name = "{name}" ']
        lines += ["        xmin = 0 ", f"        xmax = {last} ", f"        intervals: size = {len(items)} "]
        for place, (start, end, text) in enumerate(items, 1):
            lines += [f"        intervals [{place}]:", f"            xmin = {start!r} ", f"            xmax = {end!r} "]
            lines += ['            text = "{}" '.format(text.replace('"', '""'))]
    lines += [
        f"    item [{len(tiers) + 1}]:",
        '        class = "TextTier" ',
        '        name = "bell" ',
        "        xmin = 0 ",
    ]
    lines += [
        f"        xmax = {last} ",
        "        points: size = 1 ",
        "        points [1]:",
        "            number = 0.5 ",
    ]
    return "\n".join([*lines, '            mark = "ding" '])


def short_textgrid(tiers: list[tuple[str, list[tuple[float, float, str]]]]) -> str:
    last = max(items[-1][1] for _, items in tiers if items)
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", "0", f"{last}", "<exists>", f"{len(tiers)}"]
    for name, items in tiers:
        lines += ['"IntervalTier"', f'"{name}"', "0", f"{last}", f"{len(items)}"]
        for start, end, text in items:
            lines += [repr(start), repr(end), '"{}"'.format(text.replace('"', '""'))]
    return "\n".join([*lines, ""])


FORMATS = {
    "SubRip": subrip,
    "WebVTT": webvtt,
    "WebVTT with inner times": inline,
    "captions of YouTube": rolling,
    "SubRip with highlighted words": highlighted,
    "SubRip with coloured words": coloured,
    "Whisper": whisper,
    "Whisper's segments in a list": whisper_listed,
    "chunks of Transformers": chunks,
    "Whisper online": whisper_online,
    "WhisperX": whisperx,
    "whisper.cpp": whispercpp,
    "whisper.cpp in pieces": one_piece_entries,
    "server of whisper.cpp": whispercpp_server,
    "long TextGrid": lambda words: long_textgrid(tiers_of(words)),
    "short TextGrid": lambda words: short_textgrid(tiers_of(words)),
}
"""Every format by a name for the tests."""
