"""What all examples of one verb must share ([Rose1998] section 3), and channels that no mixture may touch."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..errors import ExampleError, VerbError, listed, shortened
from ..figure.channels import Channels
from ..motion.timewarp import check_keytimes
from .canonical import Canonical
from .example import Example

LARGEST_VALUE = 1e6


def check_examples(
    verb: str, channels: Channels, examples: Sequence[Example], adverb_names: tuple[str, ...]
) -> tuple[Example, ...]:
    """The examples, keytimes counted from their first, if one verb can be made of them.

    Raises
    ------
    VerbError
        If there are none.
    ExampleError
        If one of them is incomplete, or differs in structure from the first.
    """
    if not examples:
        raise VerbError(f"Verb '{verb}' has no examples. Add at least one action to it.")
    checked = tuple(_checked(example, channels, adverb_names) for example in examples)
    first = checked[0]
    for other in checked[1:]:
        _check_structure(verb, first, other)
    return checked


def _checked(example: Example, channels: Channels, adverb_names: tuple[str, ...]) -> Example:
    where = f"example '{example.name}'"
    adverbs = np.asarray(example.adverbs, dtype=np.float64).reshape(-1)
    if len(adverbs) != len(adverb_names):
        raise ExampleError(
            f"{where} gives {len(adverbs)} adverb values, its verb has {len(adverb_names)}. Fill them in."
        )
    keytimes = check_keytimes(example.keytimes, example.keytime_names, example.name)
    take = example.take
    if len(take.times) < 3:
        raise ExampleError(
            f"{where} holds {len(take.times)} frames; a motion needs at least 3. "
            "Choose a longer span or an action with more keys."
        )
    slack = 1e-6 + 0.5 * float(np.max(np.diff(take.times)))
    if take.times[0] > slack or take.times[-1] < keytimes[-1] - slack:
        raise ExampleError(
            f"The keytimes of {where} last {keytimes[-1]:.3f} s but its action has keys only from "
            f"{take.times[0]:.3f} s to {take.times[-1]:.3f} s. Move the first or last marker into the action."
        )
    for what, data in (("a root", take.root), ("a rotation", take.rotations), ("a channel", take.scalars)):
        bad = ~(np.abs(data) < LARGEST_VALUE).reshape(len(data), -1)
        if bad.any():
            row = int(np.flatnonzero(bad.any(axis=1))[0])
            raise ExampleError(
                f"{where} has {what} value that is no sensible number {take.times[row]:.3f} s in. Mend that key."
            )
    return replace(example, adverbs=adverbs, keytimes=keytimes)


def _check_structure(verb: str, first: Example, other: Example) -> None:
    pair = f"'{other.name}' and '{first.name}' of verb '{verb}'"
    if len(other.keytimes) != len(first.keytimes):
        raise ExampleError(
            f"Examples {pair} have {len(other.keytimes)} and {len(first.keytimes)} keytimes. Give both the same ones."
        )
    for index, (theirs, ours) in enumerate(zip(other.keytime_names, first.keytime_names, strict=True)):
        if theirs != ours:
            raise ExampleError(
                f"Keytime {index + 1} of examples {pair} is '{theirs}' in one and '{ours}' in the other. "
                "Bring them into the same order, or rename one."
            )
    if other.cyclic != first.cyclic:
        raise ExampleError(f"Of examples {pair} one is cyclic and the other is not. Make both the same.")
    if (other.kind == "stationary") != (first.kind == "stationary"):
        raise ExampleError(f"Of examples {pair} one stays in place and the other travels. Make both the same kind.")
    theirs, ours = [c.point for c in other.contacts], [c.point for c in first.contacts]
    if theirs != ours:
        odd = sorted(set(theirs) ^ set(ours)) or theirs
        raise ExampleError(
            f"Examples {pair} do not have the same contact points ({listed(odd)}). Give both the same ones."
        )


def hold_switches(channels: Channels, names: Sequence[str], canonicals: Sequence[Canonical]) -> list[str]:
    """Give held channels one value, the first example's first, in all examples; say where they disagree.

    Parameters
    ----------
    channels : which columns are held.
    names : (N,) of the examples.
    canonicals : (N,) whose values are changed in place.

    Returns
    -------
    complaints in words
    """
    first = channels.scalar_columns.start
    complaints: list[str] = []
    for index, scalar in enumerate(channels.scalars):
        if not scalar.held:
            continue
        value = float(canonicals[0].values[0, first + index])
        odd: dict[str, float] = {}
        for name, canonical in zip(names, canonicals, strict=True):
            column = canonical.values[:, first + index]
            other = column[np.abs(column - value) > 1e-4]
            if len(other):
                odd[name] = float(other[0])
            column[:] = value
        if odd:
            what = listed(f"{other:g} in example '{name}'" for name, other in odd.items())
            complaints.append(
                f"'{scalar.label}' is never blended, but is {what} and {value:g} in '{names[0]}'. The verb holds"
                f" {value:g}."
            )
    return list(shortened(complaints, "{count} more channels that are never blended differ between examples."))
