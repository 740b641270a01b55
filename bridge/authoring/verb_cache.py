"""Digests of everything that a verb is built from, fast enough for a panel, and built verbs cached under them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Action, Object, PropertyGroup

from ..blender.naming import example_name
from ..blender.store import USUAL, Resting, all_made, digest_of, keep, kept, keys_and_floors
from ..data.annotate import fps_of
from ..data.bones.names import BoneNames, Names, contacts_on_bones
from ..data.bones.seen import content_before
from ..data.content import ActionContent, action_content, called_now
from ..data.current import action_of
from ..data.example_list import referenced
from ..data.markers import ActionMarkers, effective_keytimes, effective_span, effective_windows
from ..data.schema import SCHEMA
from ..rig.rig_digest import bone_limits, rig_digest
from ..rig.roles import SOLE_ENDS

if TYPE_CHECKING:
    from ...core.verb.verb import Verb
    from ..rig.rig import Rig

annotations = Resting()
"""Annotations read so far, by the example's address and adverbs, and the armature if its bones were renamed."""
signatures = Resting()
"""Digests of verbs by armature, verb and root. Code that reads actions again or may turn armatures calls `change`."""
Content = tuple[str, ...]
ALL = 3
"""Memory of a verb as a multiple of its curves', including what playing it computes."""
Made = tuple["Verb", "Rig", tuple[str, ...]]


@contextmanager
def signatures_rest() -> Iterator[None]:
    """Compute each verb's digest only once in the `with` block, where nothing may change except inside its `change`.

    Actions and floors must not be edited at all.
    """
    with signatures.rest(), annotations.rest(), keys_and_floors.rest():
        yield


def rooted_signature(armature: Object, item: PropertyGroup, root: str) -> str:
    """Return a digest of everything that a verb is built from: armature, options, adverbs, examples and refinement.

    The names of the verb, its actions and its examples are not included. Parameters are those of `plain_signature`.
    """
    key = armature.session_uid, item.uid, root
    return signatures.once(key, lambda: _rooted_signature(armature, item, root))


def _rooted_signature(armature: Object, item: PropertyGroup, root: str) -> str:
    plain, own = plain_signature(armature, item, root), item.refinement
    turned = own.last_millimetres != "NONE"
    if not own.text and not own.exactly and not turned:
        return plain
    told = (plain, own.text, own.made_from, own.exactly, _measures(item))
    told += (own.search,) if own.exactly and own.search != "LEAST_SQUARES" else ()
    told += (own.last_millimetres, bone_limits(armature)) if turned else ()
    return digest_of(told)


def _measures(item: PropertyGroup) -> list[tuple[str, ...]]:
    """Return what the adverbs of a verb measure."""
    return [(u.name, u.measure, u.bone, u.end, u.keytime, u.space) for u in item.adverbs if u.measure != "NONE"]


def refined_from(armature: Object, item: PropertyGroup, root: str, before: Mapping[str, str] | None = None) -> str:
    """Return the the digest of what a refinement depends on; parameters are those of `plain_signature`."""
    return f"{plain_signature(armature, item, root, before=before)} {digest_of(_measures(item))}"


@contextmanager
def still_refined(armature: Object, before: Mapping[str, str] | None = None) -> Iterator[None]:
    """Keep up-to-date refinements up to date across the changes that the `with` block makes to their verbs.

    `before` is as for `plain_signature`, for what the verbs were made from before the block.
    """

    def made_from(verb: PropertyGroup, called: Mapping[str, str] | None) -> str:
        return refined_from(armature, verb, verb.built_root, called)

    verbs = [verb for verb in armature.verbs_adverbs.verbs if verb.refinement.text]
    fitting = [verb for verb in verbs if verb.refinement.made_from == made_from(verb, before)]
    yield
    for verb in fitting:
        verb.refinement.made_from = made_from(verb, None)


def plain_signature(armature: Object, item: PropertyGroup, root: str, before: Mapping[str, str] | None = None) -> str:
    """Return a digest of everything that a verb is built from, except its refinement.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.
    root : bone that carries the travel, or `ROOT_IS_OBJECT`, as found when the verb was built; empty if the
        verb was never built.
    before : earlier names of renamed bones, to return the digest from before; stored data still has
        the earlier names.
    """
    rig, markers, called = armature.verbs_adverbs, ActionMarkers(), BoneNames(armature)
    names = tuple(used.name for used in item.adverbs)
    contents: dict[Action, ActionContent] = {}
    examples: list[object] = []
    feet = tuple((f.name, f.thigh, f.ankle, f.ball, f.ball_end, f.heel, f.heel_end) for f in rig.feet)
    for reference in item.examples:
        example = referenced(reference)
        if not reference.enabled or example is None:
            examples.append((reference.enabled, None))
            continue
        action = reference.action
        if action not in contents:
            contents[action] = (
                content_before(armature, action, before)
                if before is not None
                else called_now(action_content(action, armature), called.of_curves(action))
            )
        on_bones = called.of_contacts(example)
        key = example.as_pointer(), names, *feet, *((armature.session_uid,) if on_bones else ())
        read = partial(_annotation, example, names, markers, on_bones, feet)
        examples.append((contents[action].digest, annotations.once(key, read), *_own_curves(reference)))
    options = (item.control_points, item.kernel, item.degree, item.radius_factor, item.timing, item.hold_contacts)
    options += (item.smoothing,) if item.smoothing else ()
    ranges = [(used.name, *_extent(rig.adverbs.get(used.name))) for used in item.adverbs]
    at_rest = rig_digest(armature, rig.root or root, tuple(contents.values()), before)
    told = (at_rest, tuple(rig.reference), rig.reference_root, options, ranges, examples)
    return digest_of(told)


def _annotation(
    example: PropertyGroup, adverbs: tuple[str, ...], markers: ActionMarkers, called: Names, feet: tuple[object, ...]
) -> tuple[object, ...]:
    stored: Any = example.values
    values = [(name, stored[name].value) for name in adverbs if name in stored]
    contacts = [
        (bone, c.end, effective_windows(example, c, markers), *(feet if c.end in SOLE_ENDS else ()))
        for c, bone in contacts_on_bones(example, called)
    ]
    return (
        *effective_span(example, markers),
        max(action_of(example).verbs_adverbs.schema, SCHEMA),
        example.kind,
        example.cyclic,
        fps_of(example, bpy.context.scene),
        effective_keytimes(example, markers),
        contacts,
        values,
    )


def _own_curves(reference: PropertyGroup) -> tuple[object, ...]:
    """Return a verb's curve settings for an example; none where it uses the verb's."""
    own = reference.control_points, reference.encoding
    return own if own != (0, "CUBIC_B_SPLINE") else ()


def _extent(adverb: PropertyGroup | None) -> tuple[float, ...]:
    return (adverb.minimum, adverb.maximum) if adverb is not None else ()


def content_of(armature: Object, item: PropertyGroup, root: str) -> Content:
    """Return the key of a verb that travels on `root`: a digest of what it is built from, and names in its remarks."""
    return "verb", rooted_signature(armature, item, root), item.name, *_example_names(item)


def kept_made(armature: Object, item: PropertyGroup) -> tuple[Content, Made] | None:
    """Return the key of a verb, with what was built under it: verb, armature as read, remarks. None if nothing was.

    The root is part of the key, but is only known once the examples are read. So all roots of cached verbs are tried.
    What was built under other names, such as those that Blender gives to actions of a copied armature, is valid too,
    unless there are remarks, which contain these names.
    """
    known: dict[Content, Made] = all_made("verb")
    for root in {rig.root: None for _, rig, _ in known.values()}:
        content = content_of(armature, item, root)
        found = kept(content)
        if found is None:
            alike = (one for key, one in known.items() if key[1] == content[1] and not one[2])
            for verb, rig, none in islice(alike, 1):
                found = replace(verb, name=item.name, example_names=_example_names(item)), rig, none
                keep_made(content, found)
        if found is not None:
            return content, found
    return None


def keep_made(content: Content, made: Made) -> None:
    """Cache what was built under a key."""
    curves = sum(group.controls.nbytes for group in made[0].mixture.groups)
    keep(content, made, USUAL + ALL * curves)


def _example_names(item: PropertyGroup) -> tuple[str, ...]:
    enabled = ((row.action, referenced(row)) for row in item.examples if row.enabled)
    return tuple(example_name(action, example) for action, example in enabled if example is not None)
