"""Switches, integers and other channels that no mixture may touch."""

from collections.abc import Sequence

import numpy as np

from ..errors import listed, shortened
from ..figure.channels import Channels
from .canonical import Canonical


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
