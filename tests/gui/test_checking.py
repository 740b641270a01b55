"""Check Examples in a window: the mistake stands under Report, and a click on the button below it mends it."""

from collections.abc import Iterator

import bpy
from hand import Hand
from sidebar import expect, find, narrow, show_panels

OPS = bpy.ops.verbs_adverbs
NARROW = 200


def _values(verb: bpy.types.PropertyGroup) -> list[list[float]]:
    examples = (reference.action.verbs_adverbs.examples[0] for reference in verb.examples)
    return [[value.value for value in example.values] for example in examples]


def _exchange(verb: bpy.types.PropertyGroup, *rows: int) -> None:
    one, other = (verb.examples[row].action.verbs_adverbs.examples[0].values for row in rows)
    for mine, theirs in zip(one, other, strict=True):
        mine.value, theirs.value = theirs.value, mine.value


def test_exchanged_adverbs_are_found_and_mended_by_clicks(gui: Hand) -> Iterator[float]:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    with gui.context():
        assert OPS.add_biped() == {"FINISHED"}
    armature = bpy.context.object
    verb = armature.verbs_adverbs.verbs[0]
    verb.control_points = 24
    right = _values(verb)
    _exchange(verb, 1, 4)
    show_panels("verbs", "verb_examples", "verb_report")
    yield from gui.sidebar("Verbs")
    with gui.context(kind="UI"):
        bpy.ops.screen.screen_full_area()
    yield 1.0
    x, y = yield from find(gui, "verbs_adverbs.examples_check")
    yield from gui.click(x, y)
    yield from expect(lambda: len(verb.suspects) > 0, "the examples are checked")
    yield from gui.drawn("UI")
    gui.picture("checking-found")
    yield from narrow(gui, NARROW)
    x, y = yield from find(gui, "verbs_adverbs.verb_mend")
    gui.picture("checking-narrow")
    yield from gui.click(x, y)
    yield from expect(lambda: _values(verb) == right, "the values are exchanged back")
    yield from gui.drawn("UI")
    gui.picture("checking-mended")
    with gui.context():
        bpy.ops.ed.undo()
    yield 0.5
    assert _values(bpy.data.objects["Biped"].verbs_adverbs.verbs[0]) != right
