"""Reading the examples of a verb from their actions for core's builder, and finding points that can be locked."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import bpy
import numpy as np
from bpy.types import Action, Object, PropertyGroup
from numpy.typing import NDArray

from ...core.detect.bone_names import is_inner, told_point
from ...core.detect.bone_roles import BonePoint
from ...core.detect.observed import quantile
from ...core.errors import ExampleError, RigError, VerbError, quoted
from ...core.figure.channels import Channels
from ...core.figure.skeleton import point_positions
from ...core.verb.example import Contact, Example, Take, frames_of
from ..blender.naming import example_name, told_frame
from ..blender.versions import curves_of
from ..data.annotate import check_known, fps_of, value_of
from ..data.bones.names import contacts_on_bones, names_in_contacts
from ..data.curves import HUGE, SAME_FRAME, Keyed, gather, key_ends
from ..data.example_list import referenced
from ..data.markers import effective_keytimes, effective_span, effective_windows, goes_around
from ..rig.rig import Rig, guess_root, read_rig
from ..rig.rig_digest import is_held
from ..rig.roles import SOLE_ENDS, Feet, contact_point, roles_of, soles_of
from .channels import Span, read_channels
from .read_action import read_action

Array = NDArray[np.float64]
Points = tuple[BonePoint | None, ...]
NEAR = 0.06
"""How near to a foot's point the end of a control must stay to represent it, as a fraction of the leg's length."""
LOW = 0.25
"""Fraction of the frames, those in which a point of a foot is lowest, in which a control must carry it."""
ALIKE = 0.01
"""How far apart the ends of controls may be to count as equally near, as a fraction of the leg's length."""


def still_contacts(channels: Channels, contacts: Sequence[Contact]) -> Iterator[str]:
    """Yield a message for each contact point that is moved only by the root's keys.

    Parameters
    ----------
    channels : channels of the examples.
    contacts : contacts of an example.
    """
    below, names = _below_keys(channels), channels.skeleton.names
    for joint in np.unique([contact.joint for contact in contacts]).astype(int).tolist():
        if joint and joint not in below:
            yield (
                f"No key moves the contact point {told_point(names[joint], 'HEAD')} relative to the root '{names[0]}'. "
                "If constraints move it, put the contact on the control that it follows, such as its IK target."
            )


def on_controls(
    armature: Object, channels: Channels, take: Take, feet: Sequence[Points], paths: Sequence[Array], leg: float
) -> tuple[Points, ...]:
    """Find, for the heel and ball of each foot, a point of a keyed bone that moves with it, such as of an IK control.

    Where several ends move with a point, its own bone is preferred, then the end of a keyed bone. Where only bones
    within the rig have an end there, the topmost keyed bone is taken that carries the foot, with the foot's heel or
    ball as its point. If none does, a ball stays on its own bone and a heel becomes None.

    Parameters
    ----------
    armature : the armature.
    channels, take : the keyed channels and their values.
    feet : (F,) heel and ball of each foot, or one of them; None where there is no bone for one.
    paths : (F,) positions (P, T, 3) of its points as Blender shows them; the last point is the ball, or toes follow it.
    leg : length of a leg.
    """
    below, names, frames = _below_keys(channels), channels.skeleton.names, frames_of(take, channels)
    keyed = [joint for joint, levels in below.items() if levels == 0 and not is_inner(names[joint])]
    ends = [(joint, BonePoint(names[joint], end)) for joint in below for end in ("HEAD", "TAIL")]
    standing = roles_of(armature).feet
    soles = [
        (joint, BonePoint(names[joint], end)) for joint in keyed for end in soles_of(armature, names[joint], standing)
    ]

    def places(points: Sequence[tuple[int, BonePoint]]) -> Array:
        found = (contact_point(armature, channels.skeleton, point.bone, point.end, standing) for _, point in points)
        return np.array([point_positions(*frames, joint, offset) for joint, offset in found])

    of_ends, of_soles = places(ends), places(soles)

    def carried(point: BonePoint | None, path: Array) -> BonePoint | None:
        if point is None or not ends:
            return None
        alike = _alike(ends, np.linalg.norm(of_ends - path, axis=-1).mean(axis=1), leg)
        own = [end for _, end in alike if end == point]
        keys = [end for joint, end in alike if joint in keyed]
        if own or keys:
            return (own or keys)[0]
        low = path[:, 2] <= quantile(path[:, 2], LOW)
        apart = np.linalg.norm(of_soles[:, low] - path[low], axis=-1).mean(axis=1) if soles else np.zeros(0)
        near = _alike(soles, apart, leg)
        if near:
            return min(near, key=lambda end: len(channels.skeleton.chain(end[0])))[1]
        return min(alike, key=lambda end: below[end[0]], default=(0, None))[1]

    found = [
        [carried(point, path) for point, path in zip(*foot, strict=False)] for foot in zip(feet, paths, strict=True)
    ]
    return tuple((*own[:-1], own[-1] or points[-1]) for own, points in zip(found, feet, strict=True))


def _alike(points: Sequence[tuple[int, BonePoint]], apart: Array, leg: float) -> list[tuple[int, BonePoint]]:
    """Return the points that stay about as near as the nearest, and near at all; `apart` holds their distances."""
    nearest = min(apart.min(initial=np.inf) + ALIKE * leg, NEAR * leg)
    return [point for point, far in zip(points, apart, strict=True) if far <= nearest]


def _below_keys(channels: Channels) -> dict[int, int]:
    """Map each joint that is keyed, or below a keyed one other than the root, to its number of levels below that."""
    placed = {s.joint for s in channels.scalars if s.joint > 0 and s.kind != "value"}
    keyed = {int(joint) for joint in channels.rotating[1:]} | placed
    chains = {joint: channels.skeleton.chain(joint) for joint in range(1, len(channels.skeleton.names))}
    return {j: next(n for n, above in enumerate(c) if above in keyed) for j, c in chains.items() if keyed & set(c)}


@dataclass(frozen=True, eq=False)
class Source:
    """The examples of a verb as input for core's builder.

    Parameters
    ----------
    rig : the armature as it was read.
    channels : the channels that the examples animate.
    examples : the enabled examples in the order of the verb's list.
    complaints : messages on what was guessed, left out or contradictory.
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
    placed : whether to read the examples' values of the verb's adverbs; if not, they have no adverbs.

    Raises
    ------
    VerbsError
        If the armature, an action, an example or the verb cannot be used; the message says why.
    """
    used = [ref for ref in verb.examples if ref.enabled]
    found = [resolve(verb, ref) for ref in used]
    if not found:
        raise VerbError(f"Verb '{verb.name}' has no examples. Add some to its list, or tick one.")
    check_adverbs(armature, verb)
    with ExitStack() as stack:
        keyed = [stack.enter_context(_gathered(armature, *pair)) for pair in found]
        rig = read_rig(armature, _root(armature, found, keyed))
        spans = [span_of(armature, rig, *pair, curves) for pair, curves in zip(found, keyed, strict=True)]
    channels, takes, complaints = read_channels(rig, armature, spans)
    adverbs = [adverb.name for adverb in verb.adverbs] if placed else []
    curves = ({"control_points": ref.control_points, "encoding": ref.encoding.lower()} for ref in used)
    examples = tuple(
        replace(_example(armature, rig, verb, adverbs, *pair, take), **own)
        for pair, take, own in zip(found, takes, curves, strict=True)
    )
    readings = tuple(sentence for span in spans for sentence in span.reading.complaints)
    told = [*rig.complaints, *readings, *complaints, *still_contacts(channels, examples[0].contacts)]
    moved = {name for curves in keyed for name in curves.transforms}
    held = [name for name in rig.joints if name in moved and is_held(armature.pose.bones[name])]
    if held:
        told.append(
            f"The constraints of {quoted(held)} still act on top of the verb's motion. Mute them if they interfere."
        )
    return Source(rig, channels, examples, tuple(dict.fromkeys(told)))


@contextmanager
def _gathered(armature: Object, action: Action, item: PropertyGroup) -> Iterator[Keyed]:
    """Gather an action's curves for one of its examples; a loop's curves are gathered as if repeated.

    Blender then interpolates smoothly across its ends. So a copy with repeated curves is read.
    """
    keyed = gather(action, armature)
    if not (_is_one_round(item, keyed) and any(curve.bends_at_its_ends for curve in keyed.all_curves())):
        yield keyed
        return
    copy: Any = action.copy()
    try:
        for curve in curves_of(copy, armature):
            if not len(curve.modifiers):
                cycles: Any = curve.modifiers.new("CYCLES")
                cycles.mode_before = cycles.mode_after = "REPEAT_OFFSET"
                curve.update()
        yield replace(gather(copy, armature), action=action.name)
    finally:
        bpy.data.actions.remove(copy)


def _is_one_round(item: PropertyGroup, keyed: Keyed) -> bool:
    """Return whether an example is a loop as long as the action's keys, wherever it begins."""
    if not (item.cyclic and keyed.has_keys):
        return False
    (start, end), (first, last) = effective_span(item), key_ends(keyed.all_curves())
    return abs(end - start - last + first) < SAME_FRAME


def resolve(verb: PropertyGroup, ref: PropertyGroup) -> tuple[Action, PropertyGroup]:
    """Return the action and the example that a row of a verb's list refers to.

    Raises
    ------
    ExampleError
        If one of them was deleted, or made by a newer version.
    """
    if ref.action is None:
        raise ExampleError(
            f"The action '{ref.action_name}' of verb '{verb.name}' no longer exists. Bring it back, or remove "
            f"'{ref.example_name}' from the verb's examples."
        )
    found = referenced(ref)
    if found is None:
        raise ExampleError(
            f"Action '{ref.action.name}' no longer has an example '{ref.example_name}'. Mark it again and add it to "
            f"verb '{verb.name}', or remove it from the verb's examples."
        )
    check_known(ref.action)
    return ref.action, found


def check_adverbs(armature: Object, verb: PropertyGroup) -> None:
    """Check that every adverb of a verb is one of the armature's.

    Raises
    ------
    VerbError
        If one is not; the message names it.
    """
    known = {adverb.name for adverb in armature.verbs_adverbs.adverbs}
    for adverb in verb.adverbs:
        if adverb.name not in known:
            raise VerbError(
                f"Verb '{verb.name}' uses the adverb '{adverb.name}', which '{armature.name}' does not have. Add it to "
                "the armature's adverbs, or remove it from the verb."
            )


def _root(armature: Object, found: list[tuple[Action, PropertyGroup]], keyed: list[Keyed]) -> str:
    """Return the root chosen by the user for an armature, else the one that fits the examples, or `ROOT_IS_OBJECT`."""
    spans = ((curves, *read_from_to(item, curves)) for (_, item), curves in zip(found, keyed, strict=True))
    return armature.verbs_adverbs.root or guess_root(armature, spans)


def span_of(armature: Object, rig: Rig, action: Action, item: PropertyGroup, keyed: Keyed) -> Span:
    """Read the span of an example; it wraps around the end of its action if that is a loop and the example does."""
    start, end = effective_span(item)
    first, last = read_from_to(item, keyed)
    name, fps = example_name(action, item), fps_of(item, bpy.context.scene)
    if (first, last) == (start, end):
        return Span(read_action(action, armature, rig, start, end, keyed), name, start, fps)
    reading = read_action(action, armature, rig, first, last, keyed, 0.0)
    return Span(reading, name, first, fps, (start, end))


def read_from_to(item: PropertyGroup, keyed: Keyed) -> tuple[float, float]:
    """Return the first and last frame to read for an example: its own, or those of the loop it wraps around."""
    span = effective_span(item)
    keys = key_ends(keyed.all_curves()) if item.cyclic and keyed.has_keys else span
    return keys if goes_around(item, span, keys) else span


def _example(
    armature: Object,
    rig: Rig,
    verb: PropertyGroup,
    adverbs: list[str],
    action: Action,
    item: PropertyGroup,
    take: Take,
) -> Example:
    name = example_name(action, item)
    keytimes = effective_keytimes(item)
    if len(keytimes) < 2:
        raise ExampleError(f"Example '{name}' has no keytimes. Add its first and last keytime.")
    start, end = effective_span(item)
    for keytime, frame in keytimes:
        if not start <= frame <= end:
            raise ExampleError(
                f"Keytime '{keytime}' of example '{name}' is at frame {told_frame(frame)}, outside the example's "
                f"frames {told_frame(start)} to {told_frame(end)}. Drag its marker back, or move the ends of the "
                "example."
            )
    fps, names = fps_of(item, bpy.context.scene), names_in_contacts(armature, item)
    on_soles = any(contact.end in SOLE_ENDS for contact in item.contacts)
    feet = roles_of(armature).feet if on_soles else ()
    return Example(
        name,
        np.array([_value(verb, action, item, adverb) for adverb in adverbs], dtype=np.float64),
        tuple(keytime for keytime, _ in keytimes),
        np.array([(frame - start) / fps for _, frame in keytimes]),
        take,
        tuple(_contact(armature, rig, feet, name, item, *pair) for pair in contacts_on_bones(item, names)),
        item.kind.lower(),
        item.cyclic,
    )


def _value(verb: PropertyGroup, action: Action, item: PropertyGroup, adverb: str) -> float:
    value = value_of(item, adverb)
    if value is None:
        raise ExampleError(
            f"Example '{example_name(action, item)}' has no value for the adverb '{adverb}' of verb '{verb.name}'."
            " Give it one, press Fill In Values of All under Its Examples, or remove the adverb from the verb."
        )
    if not isfinite(value) or abs(value) > HUGE:
        raise ExampleError(
            f"Example '{example_name(action, item)}' has the invalid value {value:g} for '{adverb}'. Set a usable "
            "value."
        )
    return value


def _contact(
    armature: Object,
    rig: Rig,
    feet: Feet,
    example: str,
    item: PropertyGroup,
    contact: PropertyGroup,
    bone: str,
) -> Contact:
    if bone not in rig.joints:
        raise RigError(
            f"The contact point '{bone}' of example '{example}' is not a bone of '{rig.armature}' below the root "
            f"'{rig.root}'. Choose another bone for it, or press Map Bones if it was renamed."
        )
    joint, offset = contact_point(armature, rig.skeleton, bone, contact.end, feet)
    start, fps = effective_span(item)[0], fps_of(item, bpy.context.scene)
    frames = effective_windows(item, contact)
    for down, up in frames:
        if not (down < up and max(abs(down), abs(up)) <= HUGE):
            raise ExampleError(
                f"The contact window {told_frame(down)} to {told_frame(up)} of '{bone}' in example '{example}' has no "
                "length. Set its ends, or remove it."
            )
    windows = tuple(((a - start) / fps, (b - start) / fps) for a, b in frames)
    return Contact(bone if contact.end == "HEAD" else f"{bone} {contact.end.lower()}", joint, offset, windows)
