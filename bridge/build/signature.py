"""Digest of everything that a verb is built from, cheap enough to be asked for while a panel is drawn."""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b

import bpy
from bpy.types import Action, Object, PropertyGroup

from ..data.annotate import fps_of
from ..data.content import ActionContent, action_content
from ..data.listing import referenced
from ..data.markers import ActionMarkers, effective_keytimes, effective_span, effective_windows
from ..rig.rig_content import rig_digest

_annotated: dict[tuple[int, tuple[str, ...]], tuple[object, ...]] | None = None
"""What was told of annotations, by the example's address and adverbs; None while somebody may edit them."""


@contextmanager
def annotations_rest() -> Iterator[None]:
    """No annotation is edited meanwhile: those of actions that characters share are read once."""
    global _annotated
    before = _annotated
    _annotated = {} if before is None else before
    try:
        yield
    finally:
        _annotated = before


def rooted_signature(armature: Object, item: PropertyGroup, root: str, thorough: bool = False) -> str:
    """Digest of everything that a verb is built from: armature, options, adverbs, annotations, keys and refinement.

    Its name is left out, and so are those of its actions and examples. Parameters are those of `plain_signature`.
    """
    plain, own = plain_signature(armature, item, root, thorough), item.refinement
    if not own.text and not own.exactly:
        return plain
    told = (plain, own.text, own.made_from, own.exactly, measures_digest(item))
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


def measures_digest(item: PropertyGroup) -> str:
    """Digest of what the adverbs of a verb measure."""
    told = [(u.name, u.measure, u.bone, u.end, u.keytime, u.space) for u in item.adverbs if u.measure != "NONE"]
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


def refined_from(armature: Object, item: PropertyGroup, root: str) -> str:
    """Digest of what a refinement is made for; parameters are those of `plain_signature`."""
    return f"{plain_signature(armature, item, root)} {measures_digest(item)}"


def plain_signature(armature: Object, item: PropertyGroup, root: str, thorough: bool = False) -> str:
    """Digest of everything that a verb is built from before it is refined.

    Parameters
    ----------
    armature, item : an armature object and one of its verbs.
    root : bone that carries the travel, or `ROOT_IS_OBJECT`, as it was found when the verb was built; empty when it
        never was.
    thorough : look at every key of the actions; otherwise trust what Blender says of changes.
    """
    rig, markers = armature.verbs_adverbs, ActionMarkers()
    names, annotated = tuple(used.name for used in item.adverbs), {} if _annotated is None else _annotated
    contents: dict[Action, ActionContent] = {}
    examples: list[object] = []
    for reference in item.examples:
        example = referenced(reference)
        if not reference.enabled or example is None:
            examples.append((reference.enabled, None))
            continue
        action = reference.action
        if action not in contents:
            contents[action] = action_content(action, armature, thorough)
        key = example.as_pointer(), names
        if key not in annotated:
            annotated[key] = _annotation(action, example, names, markers)
        examples.append((contents[action].digest, annotated[key]))
    options = (item.control_points, item.kernel, item.degree, item.radius_factor, item.timing, item.hold_contacts)
    ranges = [(used.name, *_extent(rig.adverbs.get(used.name))) for used in item.adverbs]
    at_rest = rig_digest(armature, rig.root or root, tuple(contents.values()))
    told = (at_rest, tuple(rig.reference), rig.reference_root, options, ranges, examples)
    return blake2b(repr(told).encode(), digest_size=16).hexdigest()


def _annotation(
    action: Action, example: PropertyGroup, adverbs: tuple[str, ...], markers: ActionMarkers
) -> tuple[object, ...]:
    there = markers[action]
    values = [(name, example.values[name].value) for name in adverbs if name in example.values]
    keytimes = effective_keytimes(action, example, there)
    contacts = [(c.bone, c.end, effective_windows(action, example, c, there)) for c in example.contacts]
    span = effective_span(action, example, there)
    fps = fps_of(example, bpy.context.scene)
    return (*span, action.verbs_adverbs.schema, example.kind, example.cyclic, fps, keytimes, contacts, values)


def _extent(adverb: PropertyGroup | None) -> tuple[float, ...]:
    return (adverb.minimum, adverb.maximum) if adverb is not None else ()
