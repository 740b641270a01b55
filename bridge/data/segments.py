"""Segments between keytimes that are far shorter or longer in one example of a verb than in its others."""

from collections.abc import Iterator

import bpy
from bpy.types import PropertyGroup

from .annotate import fps_of
from .definitions import referenced
from .markers import ActionMarkers, effective_keytimes

SHORTEST, LONGEST = 0.25, 4.0


def odd_segments(verb: PropertyGroup, markers: ActionMarkers) -> Iterator[tuple[PropertyGroup, str]]:
    """Examples whose segments are out of proportion, each with a sentence; nothing is built.

    A segment is held against the mean of the same one in the verb's other examples, in seconds: keytimes that were
    copied and never moved to where things happen are found so. Examples of other keytimes than the first are left out.

    Parameters
    ----------
    verb : whose examples are looked over.
    markers : of their actions.
    """
    found = [referenced(reference) for reference in verb.examples if reference.enabled]
    examples = [example for example in found if example is not None]
    timed = [(example, effective_keytimes(example.id_data, example, markers[example.id_data])) for example in examples]
    alike = [(example, keytimes) for example, keytimes in timed if _names(keytimes) == _names(timed[0][1])]
    if len(alike) < 2:
        return
    lengths = [_seconds(example, keytimes) for example, keytimes in alike]
    totals = [sum(column) for column in zip(*lengths, strict=True)]
    for (example, keytimes), mine in zip(alike, lengths, strict=True):
        for row, (length, total) in enumerate(zip(mine, totals, strict=True)):
            others = (total - length) / (len(alike) - 1)
            if length > 0.0 and others > 0.0 and not SHORTEST <= length / others <= LONGEST:
                where = f"From '{keytimes[row][0]}' to '{keytimes[row + 1][0]}'"
                much = f"far {'shorter' if length < others else 'longer'} than the {others:.2g} s of the others"
                yield example, f"{where} it takes {length:.2g} s, {much}: check these keytimes"


def _names(keytimes: tuple[tuple[str, float], ...]) -> list[str]:
    return [name for name, _ in keytimes]


def _seconds(example: PropertyGroup, keytimes: tuple[tuple[str, float], ...]) -> list[float]:
    frames, fps = [frame for _, frame in keytimes], fps_of(example, bpy.context.scene)
    return [(later - frame) / fps for frame, later in zip(frames, frames[1:], strict=False)]
