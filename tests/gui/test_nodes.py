"""The verb graph as nodes in a window: a node goes where the mouse takes it, links make transitions, marks follow."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import STEP, Hand
from performance import add_performing_biped, goes_on, verb_is
from sidebar import expect
from stage import biped, part

Steps = Iterator[float]
WITHIN = 1.0
"""Pixels by which a node may miss the mouse."""
EDITOR = "NODE_EDITOR"


def _tree() -> bpy.types.NodeTree:
    return biped().verbs_adverbs.nodes


def _node(verb: str) -> bpy.types.Node:
    uid = biped().verbs_adverbs.verbs[verb].uid
    return next(node for node in _tree().nodes if node.uid == uid and node.outputs)


def _pixel(gui: Hand, x: float, y: float) -> tuple[float, float]:
    """Where a place in the tree is on the screen."""
    region, scale = gui.region("WINDOW", EDITOR), bpy.context.preferences.system.ui_scale
    at = region.view2d.view_to_region(x * scale, y * scale, clip=False)
    return region.x + at[0], region.y + at[1]


def _corner(gui: Hand, verb: str) -> np.ndarray:
    """Pixel of a node's upper left corner, not rounded."""
    left, right = (np.array(_pixel(gui, *place)) for place in ((0.0, 0.0), (1000.0, 1000.0)))
    return left + np.array(_node(verb).location) / 1000.0 * (right - left)


def _way_end(gui: Hand, verb: str, row: int) -> tuple[float, float]:
    """Pixel of the dot of one of a node's ways."""
    node = _node(verb)
    return _pixel(gui, node.location[0] + node.width, node.location[1] - 34.0 - 21.5 * row)


def _entry(gui: Hand, verb: str) -> tuple[float, float]:
    """Pixel of the dot at which a verb is entered."""
    uid = biped().verbs_adverbs.verbs[verb].uid
    node = next(node for node in _tree().nodes if node.uid == uid and node.inputs)
    return _pixel(gui, node.location[0], node.location[1] - 10.0)


def _transitions() -> list[tuple[str, str]]:
    rig = biped().verbs_adverbs
    names = {item.uid: item.name for item in rig.verbs}
    return sorted((names[one.source], names[one.target]) for one in rig.transitions)


def _open(gui: Hand) -> Steps:
    """Show the graph in the place of the 3D view."""
    gui.area().ui_type = part("bridge.authoring.nodes").TREE
    yield 0.3
    gui.area(EDITOR).spaces.active.show_region_ui = False
    assert bpy.ops.verbs_adverbs.nodes_show() == {"FINISHED"}
    yield from expect(lambda: gui.area(EDITOR).spaces.active.node_tree == _tree(), "the editor shows the graph")
    yield from gui.drawn("WINDOW", EDITOR)
    yield 0.5


def _overlapping() -> list[tuple[str, str]]:
    """Pairs of nodes of which one covers a part of the other, as they were drawn."""
    scale = bpy.context.preferences.system.ui_scale
    boxes = {n.name: (*n.location, n.dimensions[0] / scale, n.dimensions[1] / scale) for n in _tree().nodes}
    return [
        (one, other)
        for one, (x, y, w, h) in boxes.items()
        for other, (u, v, r, s) in boxes.items()
        if one < other and x < u + r and u < x + w and y - h < v and v - s < y
    ]


def _all_is_seen(gui: Hand, name: str) -> Steps:
    """Take a picture with all nodes in it, of which none may cover another."""
    for _ in range(2):
        yield from gui.drawn("WINDOW", EDITOR)
    with gui.context(EDITOR):
        bpy.ops.node.view_all()
    yield 0.6
    yield from gui.drawn("WINDOW", EDITOR)
    gui.picture(name)
    assert _overlapping() == []


def test_all_of_a_graph_is_seen_at_both_scales(gui: Hand) -> Steps:
    try:
        for scale in (1.0, 2.0):
            bpy.context.preferences.view.ui_scale = scale
            if "Biped" not in bpy.data.objects:
                yield from add_performing_biped(gui)
                assert bpy.ops.verbs_adverbs.graph_check() == {"FINISHED"}
                yield from _open(gui)
            yield from _all_is_seen(gui, f"nodes at scale {scale:g}")
            assert _node("walk").dimensions[0] > 200.0 * scale
            before, items = _node("stand").dimensions[1], biped().verbs_adverbs.transitions
            kept = [(item.leaves_begin, item.enters_end) for item in items]
            items[0].enters_end = items[2].leaves_begin = items[3].leaves_begin = 1.7
            biped().update_tag()
            yield from _all_is_seen(gui, f"nodes that are wrong at scale {scale:g}")
            assert _node("stand").dimensions[1] > before
            for item, (begin, end) in zip(items, kept, strict=True):
                item.leaves_begin, item.enters_end = begin, end
            biped().update_tag()
    finally:
        bpy.context.preferences.view.ui_scale = 1.0


def test_a_node_stays_where_the_mouse_takes_it_and_links_are_transitions(gui: Hand) -> Steps:
    yield from add_performing_biped(gui)
    yield from _open(gui)
    before, grabbed = _corner(gui, "wave"), np.array(_pixel(gui, *(np.array(_node("wave").location) + (60, -10))))
    first, last = grabbed + (8, -8), grabbed + (90, -130)
    gui.move(*grabbed)
    yield 0.2
    gui.press()
    yield 0.2
    for place in (first, 0.5 * (first + last), last):
        gui.move(*place)
        yield STEP
    yield 0.2
    gui.release()
    yield 0.5
    moved = _corner(gui, "wave") - before
    assert np.abs(moved - (last.round() - first.round())).max() <= WITHIN, moved
    rig = biped().verbs_adverbs
    yield from expect(lambda: rig.verbs[rig.active_verb].name == "wave", "the verb of the node is the chosen one")
    yield from gui.drag(_way_end(gui, "stand", 2), _entry(gui, "walk"))
    yield from expect(lambda: _transitions().count(("stand", "walk")) == 2, "the link is a transition")
    assert np.abs(_corner(gui, "wave") - before - moved).max() <= WITHIN
    yield from gui.drawn("WINDOW", EDITOR)
    gui.picture("nodes linked")
    bpy.ops.ed.undo()
    yield 0.5
    assert _transitions().count(("stand", "walk")) == 1 and len(_tree().links) == 6
    gui.picture("nodes undone")


def test_perform_joins_verbs_and_what_plays_is_marked(gui: Hand) -> Steps:
    yield from add_performing_biped(gui)
    rig = biped().verbs_adverbs
    rig.transitions.clear()
    bpy.ops.ed.undo_push(message="verbs without transitions")
    yield from _open(gui)
    assert len(_tree().links) == 0
    for asked in (False, True):
        bpy.ops.verbs_adverbs.perform("INVOKE_DEFAULT")
        yield from expect(goes_on, "the biped is performed")
        assert len(rig.transitions) == 6
        yield from expect(lambda: len(_tree().links) == 6, "the nodes show what was suggested")
        if asked:
            assert bpy.ops.verbs_adverbs.perform_command(verb=rig.verbs["walk"].uid) == {"FINISHED"}
            yield from expect(lambda: verb_is("walk"), "the biped walks")
            yield from _all_is_seen(gui, "nodes performed")
        part("bridge.session.performing").end()
        yield from expect(lambda: not goes_on(), "the performance has ended")
        yield 0.5
        assert len(biped().verbs_adverbs.transitions) == (6 if asked else 0)
