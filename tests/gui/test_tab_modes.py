"""The modes of the tab and the pie menu in a window: what is daily is seen without scrolling; keys are given back."""

from collections.abc import Iterator

import bpy
from hand import BLINK, Hand
from sidebar import ANIMATE, SET_UP, expect, narrow, show_mode
from stage import add_biped, biped, hover_viewport, is_live, part

Steps = Iterator[float]
MODULE = "bl_ext.user_default.verbs_adverbs"
NARROW = 200
VERBS = 10
MENU, KEY = "VERBS_ADVERBS_MT_pie", "V"
AWAY = 90
"""Pixels from the middle of the pie menu to its buttons."""
PAGES = 8
HELD = 0.6
"""Seconds for which a key is held: Blender takes less than 0.2 s for a tap, after which the menu stays."""


def _add_ten_verbs() -> None:
    """A biped with ten verbs in one graph, which is switched on."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    told = {"stand": True, "wave": True, "reach": True, "cast": "GESTURES", "join": True}
    assert bpy.ops.verbs_adverbs.add_biped(**told) == {"FINISHED"}
    assert len(biped().verbs_adverbs.verbs) == VERBS
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}


def _hidden(gui: Hand) -> float:
    """Pixels of the sidebar's content below its lower edge, while it is scrolled to its top."""
    region = gui.region("UI")

    def top() -> float:
        return region.view2d.region_to_view(0, region.height)[1]

    with gui.context(kind="UI"):
        for _ in range(PAGES):
            bpy.ops.view2d.scroll_up(page=True)
        highest = top()
        for _ in range(PAGES):
            bpy.ops.view2d.scroll_down(page=True)
        lowest = top()
        for _ in range(PAGES):
            bpy.ops.view2d.scroll_up(page=True)
    return highest - lowest


def _shown(gui: Hand, mode: str, name: str) -> Steps:
    yield from show_mode(gui, mode)
    yield 0.6
    gui.picture(f"modes-{name}")
    region = gui.region("UI")
    print(f"{name}: sidebar {region.width} x {region.height}, hidden {_hidden(gui):.0f}", flush=True)


def test_all_of_animate_is_seen_without_scrolling(gui: Hand) -> Steps:
    _add_ten_verbs()
    yield from _shown(gui, ANIMATE, "animate")
    assert _hidden(gui) == 0.0
    yield from _shown(gui, SET_UP, "set-up")
    yield from narrow(gui, NARROW)
    yield from _shown(gui, SET_UP, "set-up-narrow")
    yield from _shown(gui, ANIMATE, "animate-narrow")
    bpy.context.preferences.view.ui_scale = 2.0
    yield from _shown(gui, ANIMATE, "animate-scale-2")
    assert _hidden(gui) > 0.0
    bpy.context.preferences.view.ui_scale = 1.0


def test_a_click_on_the_row_changes_the_mode_and_undo_leaves_it(gui: Hand) -> Steps:
    yield from add_biped(gui)
    yield from show_mode(gui, ANIMATE)
    tab = bpy.context.window_manager.verbs_adverbs_tab
    region = gui.region("UI")
    yield from expect(lambda: tab.mode == ANIMATE, "a biped is animated")
    x, y = region.x + 0.7 * region.width, region.y + region.height - 24
    yield from gui.click(x, y)
    yield from expect(lambda: tab.mode == SET_UP, "the right half of the row is Set Up")
    yield from hover_viewport(gui)
    yield from gui.key("Z", ctrl=True)
    yield 0.3
    assert tab.mode == SET_UP


def _pie(gui: Hand, across: int, up: int, name: str) -> Steps:
    """Hold the key of the pie menu over the view, move the mouse to a button, and let the key go."""
    yield from hover_viewport(gui)
    x, y = gui.at
    gui.press(KEY)
    yield HELD
    for share in (0.3, 0.6, 1.0):
        gui.move(x + share * across, y + share * up)
        yield BLINK
    yield HELD
    gui.picture(name)
    gui.release(KEY)
    yield BLINK


def test_the_pie_menu_switches_on_and_off_and_shows_the_pad(gui: Hand) -> Steps:
    yield from add_biped(gui)
    yield from _pie(gui, -AWAY, 0, "pie-off")
    yield from expect(is_live, "its left button switches the verb on")
    yield from expect(lambda: part("bridge.blender.jobs").going() is None, "all is computed")
    pad = bpy.context.window_manager.verbs_adverbs_pad
    before = pad.shown
    yield from _pie(gui, AWAY, AWAY * 2 // 3, "pie-on")
    yield from expect(lambda: pad.shown != before, "its button at the upper right shows or hides the pad")
    pad.shown = before
    yield from _pie(gui, -AWAY, 0, "pie-on-again")
    yield from expect(lambda: not is_live(), "its left button switches the verb off")


def _shortcuts() -> list[tuple[str, str]]:
    keymaps = bpy.context.window_manager.keyconfigs.addon.keymaps
    items = keymaps["3D View"].keymap_items if "3D View" in keymaps else ()
    return [(item.idname, item.to_string()) for item in items if "verbs_adverbs" in item.idname or _is_pie(item)]


def _is_pie(item: bpy.types.KeyMapItem) -> bool:
    return item.idname == "wm.call_menu_pie" and item.properties.name == MENU


def test_the_shortcuts_are_free_in_blenders_key_map_and_go_with_the_extension(gui: Hand) -> Steps:
    ours = _shortcuts()
    assert len(ours) == 3
    configurations = bpy.context.window_manager.keyconfigs
    for name in ("3D View", "3D View Generic", "Object Mode", "Object Non-modal", "Pose", "Window", "Screen", "Frames"):
        taken = {item.to_string() for item in configurations.default.keymaps[name].keymap_items}
        assert not taken & {keys for _, keys in ours}, name
    assert bpy.ops.preferences.addon_disable(module=MODULE) == {"FINISHED"}
    yield 0.2
    keymaps = configurations.addon.keymaps
    assert not [one for one in keymaps["3D View"].keymap_items if one.type == KEY] if "3D View" in keymaps else True
    assert bpy.ops.preferences.addon_enable(module=MODULE) == {"FINISHED"}
    assert _shortcuts() == ours
