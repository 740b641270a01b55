"""Switches, integers and other channels that no mixture may touch."""

from collections.abc import Sequence

import numpy as np

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
        for name, canonical in zip(names, canonicals, strict=True):
            column = canonical.values[:, first + index]
            odd = column[np.abs(column - value) > 1e-4]
            if len(odd):
                complaints.append(
                    f"'{scalar.label}' is never blended, but is {odd[0]:g} in example '{name}' and {value:g} in "
                    f"'{names[0]}'. The verb holds {value:g}."
                )
            column[:] = value
    return complaints
