"""The biped's generated actions, annotated, and the verbs that are built from them."""

from collections.abc import Sequence

from bpy.types import Object, PropertyGroup

from ...core.biped.reach_gesture import KEYTIME_NAMES, REACH_ADVERBS, REACH_RANGES, REACHING_END, REACHING_HAND
from ..data.annotate import add_example, add_keytime, rename_keytime, set_value
from ..data.contacts import add_contact, add_window
from ..data.schema import PLACES
from ..rig.biped import ExampleAction
from .definitions import add_adverb, add_reference, add_verb, use_adverb

RANGE = (-1.0, 1.0)


def annotate_generated(written: ExampleAction) -> PropertyGroup:
    """Annotate a generated action as one example: span, keytimes, contacts, kind and adverb values."""
    action, motion = written.action, written.generated
    frames = [written.frame(float(seconds)) for seconds in motion.keytimes]
    item = add_example(action, motion.name, frames[0], frames[-1], written.fps)
    item.kind, item.cyclic = motion.kind.upper(), motion.cyclic
    for name, frame in zip(motion.keytime_names[1:-1], frames[1:-1], strict=True):
        add_keytime(action, item, name, frame)
    for index in (0, -1):
        rename_keytime(action, item.keytimes[index], motion.keytime_names[index])
    item.active_keytime = 0
    for plant in motion.plants:
        contact = add_contact(action, item, plant.bone, plant.end)
        for start, end in plant.windows:
            add_window(action, item, contact, written.frame(start), written.frame(end), snap=False)
    item.active_contact = 0
    for name, value in motion.adverbs.items():
        set_value(action, item, name, value)
    return item


def define_reach(armature: Object, written: Sequence[ExampleAction]) -> PropertyGroup:
    """Define the verb 'reach' of the generated reaches; its adverbs measure where the hand is."""
    for adverb, (low, high) in zip(REACH_ADVERBS, REACH_RANGES.tolist(), strict=True):
        if adverb not in armature.verbs_adverbs.adverbs:
            add_adverb(armature, adverb, low, high, 0.5 * (low + high), "m")
    verb = define_verb(armature, "reach", written)
    for adverb, axis in zip(REACH_ADVERBS, PLACES, strict=True):
        used = verb.adverbs[adverb]
        used.measure, used.bone, used.end, used.keytime = axis, REACHING_HAND, REACHING_END, KEYTIME_NAMES[1]
    return verb


def define_verb(armature: Object, name: str, written: Sequence[ExampleAction]) -> PropertyGroup:
    """Define a verb of generated actions: annotate them, and add the adverbs that the armature lacks."""
    verb = add_verb(armature, name)
    for adverb in written[0].generated.adverbs:
        if adverb not in armature.verbs_adverbs.adverbs:
            add_adverb(armature, adverb, *RANGE)
        use_adverb(verb, adverb, True)
    for example in written:
        add_reference(verb, example.action, annotate_generated(example))
    verb.active_example = armature.verbs_adverbs.active_adverb = 0
    return verb
