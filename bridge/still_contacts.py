"""Contact points that are moved by constraints alone, which are not read with an example."""

from collections.abc import Iterator, Sequence

import numpy as np

from ..core.figure.channels import Channels
from ..core.verb.example import Contact


def still_contacts(channels: Channels, contacts: Sequence[Contact]) -> Iterator[str]:
    """Sentences about points that hang on nothing that is keyed, but the root.

    Parameters
    ----------
    channels : of the examples.
    contacts : of an example.
    """
    moving = {int(joint) for joint in channels.rotating[1:]} | {s.joint for s in channels.scalars if s.joint > 0}
    names = channels.skeleton.names
    for joint in np.unique([contact.joint for contact in contacts]).astype(int).tolist():
        if joint != 0 and not moving & set(channels.skeleton.chain(joint)):
            yield (
                f"No key moves the contact point '{names[joint]}' against the root '{names[0]}'. If constraints move "
                "it, put the contact on the control that it follows, such as the target of its IK."
            )
