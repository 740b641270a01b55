"""The examples of a verb, read from their actions for the builder of verbs."""

from dataclasses import dataclass
from math import isfinite

import bpy
import numpy as np
from bpy.types import Action, Object, PropertyGroup

from ...core.errors import ExampleError, RigError, VerbError, quoted
from ...core.figure.channels import Channels
from ...core.verb.example import Contact, Example, Take
from ..blender.naming import example_name, told_frame
from ..data.annotate import check_known, fps_of, value_of
from ..data.curves import HUGE, Keyed, gather
from ..data.listing import referenced
from ..data.markers import effective_keytimes, effective_span, effective_windows
from ..rig.rig import Rig, guess_root, is_held, read_rig
from .channels import Span, read_channels
from .keyed_points import still_contacts
from .read_action import read_action


@dataclass(frozen=True, eq=False)
class Source:
    """What a verb is built from.

    Parameters
    ----------
    rig : the armature, read.
    channels : what the examples animate.
    examples : in the order of the verb's list, disabled ones left out.
    complaints : what was guessed, left out or contradictory, in sentences.
    """

    rig: Rig
    channels: Channels
    examples: tuple[Example, ...]
    complaints: tuple[str, ...]


def read_examples(armature: Object, verb: PropertyGroup, placed: bool = True) -> Source:
    """Read the enabled examples of a verb; nothing in the file is changed.

    Parameters
    ----------
    armature : the armature object that the verb belongs to.
    verb : one of its verbs.
    placed : read where the examples lie along the verb's adverbs; if not, they have no adverbs.

    Raises
    ------
    VerbsError
        In words, what is wrong with the armature, an action, an example or the verb.
    """
    found = [resolve(verb, ref) for ref in verb.examples if ref.enabled]
    if not found:
        raise VerbError(f"Verb '{verb.name}' has no examples. Add some to its list, or switch one on.")
    check_adverbs(armature, verb)
    keyed = [gather(action, armature) for action, _ in found]
    rig = read_rig(armature, _root(armature, found, keyed))
    spans = [_span(armature, rig, *pair, curves) for pair, curves in zip(found, keyed, strict=True)]
    channels, takes, complaints = read_channels(rig, armature, spans)
    adverbs = [adverb.name for adverb in verb.adverbs] if placed else []
    examples = tuple(
        _example(rig, verb, adverbs, action, item, take) for (action, item), take in zip(found, takes, strict=True)
    )
    readings = tuple(sentence for span in spans for sentence in span.reading.complaints)
    told = [*rig.complaints, *readings, *complaints, *still_contacts(channels, examples[0].contacts)]
    moved = {name for curves in keyed for name in curves.transforms}
    held = [name for name in rig.joints if name in moved and is_held(armature.pose.bones[name])]
    if held:
        told.append(f"The constraints of {quoted(held)} act on top of what is played.")
    return Source(rig, channels, examples, tuple(dict.fromkeys(told)))


def resolve(verb: PropertyGroup, ref: PropertyGroup) -> tuple[Action, PropertyGroup]:
    """Action and example that a row of a verb's list refers to.

    Raises
    ------
    ExampleError
        If one of them was deleted, or made by a later version.
    """
    if ref.action is None:
        raise ExampleError(
            f"The action '{ref.action_name}' of verb '{verb.name}' is gone. Bring it back, or remove"
            f" '{ref.example_name}' from the verb's examples."
        )
    found = referenced(ref)
    if found is None:
        raise ExampleError(
            f"Action '{ref.action.name}' has no example '{ref.example_name}' any more. Mark it again and add it to verb"
            f" '{verb.name}', or remove it from the verb's examples."
        )
    check_known(ref.action)
    return ref.action, found


def check_adverbs(armature: Object, verb: PropertyGroup) -> None:
    """Check that every adverb of a verb is one of the armature's.

    Raises
    ------
    VerbError
        Naming the one that is not.
    """
    known = {adverb.name for adverb in armature.verbs_adverbs.adverbs}
    for adverb in verb.adverbs:
        if adverb.name not in known:
            raise VerbError(
                f"Verb '{verb.name}' uses the adverb '{adverb.name}', which '{armature.name}' does not have (any more)."
                " Add it to the armature's adverbs, or remove it from the verb."
            )


def _root(armature: Object, found: list[tuple[Action, PropertyGroup]], keyed: list[Keyed]) -> str:
    """Root that the user chose for an armature, else the one that fits the examples: a bone or `ROOT_IS_OBJECT`."""
    spans = ((curves, *effective_span(*pair)) for pair, curves in zip(found, keyed, strict=True))
    return armature.verbs_adverbs.root or guess_root(armature, spans)


def _span(armature: Object, rig: Rig, action: Action, item: PropertyGroup, keyed: Keyed) -> Span:
    start, end = effective_span(action, item)
    reading = read_action(action, armature, rig, start, end, keyed)
    return Span(reading, example_name(action, item), start, fps_of(item, bpy.context.scene))


def _example(
    rig: Rig, verb: PropertyGroup, adverbs: list[str], action: Action, item: PropertyGroup, take: Take
) -> Example:
    name = example_name(action, item)
    keytimes = effective_keytimes(action, item)
    if len(keytimes) < 2:
        raise ExampleError(f"Example '{name}' has no keytimes. Add its first and last keytime.")
    start, end = effective_span(action, item)
    for keytime, frame in keytimes:
        if not start <= frame <= end:
            raise ExampleError(
                f"Keytime '{keytime}' of example '{name}' lies at frame {told_frame(frame)}, outside its span,"
                f" {told_frame(start)} to"
                f" {told_frame(end)}. Drag its marker back, or move the ends of the span."
            )
    fps = fps_of(item, bpy.context.scene)
    return Example(
        name,
        np.array([_value(verb, action, item, adverb) for adverb in adverbs], dtype=np.float64),
        tuple(keytime for keytime, _ in keytimes),
        np.array([(frame - start) / fps for _, frame in keytimes]),
        take,
        tuple(_contact(rig, name, action, item, contact) for contact in item.contacts),
        item.kind.lower(),
        item.cyclic,
    )


def _value(verb: PropertyGroup, action: Action, item: PropertyGroup, adverb: str) -> float:
    value = value_of(item, adverb)
    if value is None:
        raise ExampleError(
            f"Example '{example_name(action, item)}' has no value for the adverb '{adverb}' of verb '{verb.name}'."
            " Give it one, or remove the adverb from the verb."
        )
    if not isfinite(value) or abs(value) > HUGE:
        raise ExampleError(
            f"Example '{example_name(action, item)}' has the value {value:g} for '{adverb}'. Give it a sensible one."
        )
    return value


def _contact(rig: Rig, example: str, action: Action, item: PropertyGroup, contact: PropertyGroup) -> Contact:
    if contact.bone not in rig.joints:
        raise RigError(
            f"The contact point '{contact.bone}' of example '{example}' is no bone of '{rig.armature}' that the root"
            f" '{rig.root}' leads to. Choose another bone for it."
        )
    joint, offset = rig.point(contact.bone, contact.end)
    start, fps = effective_span(action, item)[0], fps_of(item, bpy.context.scene)
    frames = effective_windows(action, item, contact)
    for down, up in frames:
        if not (down < up and max(abs(down), abs(up)) <= HUGE):
            raise ExampleError(
                f"The contact window {told_frame(down)} to {told_frame(up)} of '{contact.bone}' in example '{example}'"
                " lasts no time. Set its ends, or remove it."
            )
    windows = tuple(((a - start) / fps, (b - start) / fps) for a, b in frames)
    return Contact(f"{contact.bone} tail" if contact.end == "TAIL" else contact.bone, joint, offset, windows)
