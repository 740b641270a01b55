"""Three loops keyed by hand on a Rigify character, from Find Keytimes to a slider, every interaction counted."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
from blender.control_rig import SIDES, part
from blender.fresh_rigify import generate_rigify
from blender.hand_keyed import FPS, SOLES, key_loop, three_loops, walked
from hand import Hand
from sidebar import expect, show_panels
from user import User

MOST = 12
SLIP, LIMP = 0.1, 0.02
"""Centimetres a second; share of a half cycle's pace."""


def _figure() -> bpy.types.Object:
    return bpy.data.objects["Rigify"]


def _keyed(gui: Hand, travelling: bool) -> Iterator[float]:
    """A saved file with the character and its three loops, opened."""
    path = Path(mkdtemp()) / "rigify.blend"
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    bpy.context.scene.render.fps = FPS
    with gui.context():
        armature = generate_rigify()
        bpy.data.objects.remove(bpy.data.objects["metarig"])
        for loop in three_loops(cycles=travelling, travelling=travelling):
            key_loop(armature, loop).use_fake_user = True
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    yield 1.0
    user = User(gui, "")
    yield from user.opens(bpy.ops.wm.open_mainfile, path, load_ui=False)
    yield from user.refuses_scripts()
    with gui.context():
        bpy.ops.view3d.view_selected()
    yield from gui.sidebar("Verbs")


def _from_find_to_a_slider(gui: Hand, travelling: bool) -> Iterator[float]:
    yield from _keyed(gui, travelling)
    user = User(gui, f"hand-keyed-{'travelling' if travelling else 'in-place'}")
    user.take("raw")
    yield from user.confirms("verbs_adverbs.keytimes_find", "dialog")
    yield from expect(lambda: "walk" in _figure().verbs_adverbs.verbs, "there is a verb")
    verb = _figure().verbs_adverbs.verbs["walk"]
    assert len(verb.examples) == 3
    for reference in verb.examples:
        (example,) = reference.action.verbs_adverbs.examples
        assert {(c.bone, c.end) for c in example.contacts} == {(f"foot_ik.{s}", e) for s in SIDES for e in SOLES}
    user.take("found")
    yield from user.presses("verbs_adverbs.measure_travel")
    yield from expect(lambda: [adverb.name for adverb in verb.adverbs] == ["speed"], "it varies along speed")
    user.take("measured")
    yield from user.presses("verbs_adverbs.live_on", 0.7)
    yield from expect(lambda: _figure().verbs_adverbs.director is not None, "the verb is switched on")
    yield 1.0
    user.take("on")
    before = _figure().verbs_adverbs.director["speed"]
    yield from user.drags('["speed"]', 60)
    yield from expect(lambda: _figure().verbs_adverbs.director["speed"] > before, "the slider moves")
    yield 1.0
    user.take("dragged")
    assert all(line.kind == "INFO" for line in part("bridge.authoring.verbs").status(_figure(), verb).lines)
    found = walked(_figure())
    user.take("walked")
    told = f"slip {found.slip:.3f} cm/s, at rest {found.resting:.3f}, limp {100.0 * found.limp:.2f} %"
    print(f"from Find Keytimes to a slider: {user.count} interactions, {told}")
    assert user.count <= MOST and max(found.slip, found.resting) < SLIP and found.limp < LIMP


def test_loops_in_place_have_a_slider_in_twelve_interactions(gui: Hand) -> Iterator[float]:
    yield from _from_find_to_a_slider(gui, False)


def test_travelling_loops_have_a_slider_in_twelve_interactions(gui: Hand) -> Iterator[float]:
    yield from _from_find_to_a_slider(gui, True)


def test_window_from_keytimes_proposes_the_windows_of_the_chosen_point(gui: Hand) -> Iterator[float]:
    yield from _keyed(gui, False)
    with gui.context():
        assert bpy.ops.verbs_adverbs.keytimes_find(verb="walk") == {"FINISHED"}
    (example,) = _figure().animation_data.action.verbs_adverbs.examples
    frames = {keytime.name: keytime.frame for keytime in example.keytimes[:-1]}
    for row, contact in enumerate(example.contacts):
        example.active_contact = row
        contact.windows.clear()
        gui.move(600, 450)
        with gui.context():
            assert bpy.ops.verbs_adverbs.window_from_keytimes("INVOKE_DEFAULT") == {"RUNNING_MODAL"}
        yield 0.5
        gui.picture(f"window-from-keytimes-{row}")
        yield from gui.key("RET")
        yield 0.3
        (window,) = example.contacts[row].windows
        side = contact.bone[-1]
        assert abs(window.start - frames[f"{side}_down"]) < 0.01 and abs(window.end - frames[f"{side}_up"]) < 0.01
    show_panels("example", "contacts")
    yield from gui.drawn("UI")
    gui.picture("contacts-of-a-rigify-walk")
