"""The panels in a window: every one drawn without a traceback, with a picture of each sidebar."""

from collections.abc import Iterator

import bpy
from hand import Hand
from sidebar import ANIMATE, SET_UP, show_mode

PAGES = 3


def _biped(verbs: bool = True) -> bpy.types.Object:
    """The example biped with its walk, made active, as a new user gets it."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.verbs_adverbs.add_biped(walk=verbs)
    return bpy.context.object


def _open_sidebar(gui: Hand, area: str) -> Iterator[float]:
    yield from gui.sidebar("Verbs", area)
    region = gui.region("UI", area)
    assert region.active_panel_category == "Verbs"
    yield 0.6


def _leaf_through(gui: Hand, area: str, name: str) -> Iterator[float]:
    """A picture of each page of a sidebar, its area in full screen."""
    with gui.context(area):
        bpy.ops.screen.screen_full_area()
    yield 1.0
    yield from _open_sidebar(gui, area)
    for page in range(PAGES):
        gui.picture(f"{name}-{page + 1}")
        region = gui.region("UI", area)
        gui.move(region.x + region.width / 2, region.y + region.height / 2)
        yield 0.2
        with gui.context(area, "UI"):
            bpy.ops.view2d.scroll_down(deltay=1, page=True)
        region.tag_redraw()
        yield 0.5


def test_the_sidebar_helps_an_empty_scene(gui: Hand) -> Iterator[float]:
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    yield from _open_sidebar(gui, "VIEW_3D")
    gui.picture("panels-empty")
    assert bpy.context.object is None


def test_the_sidebar_shows_a_verb_before_and_after_it_is_built(gui: Hand) -> Iterator[float]:
    armature = _biped()
    yield from show_mode(gui, SET_UP)
    yield from _leaf_through(gui, "VIEW_3D", "panels-unbuilt")
    with gui.context("VIEW_3D", "UI"):
        bpy.ops.view2d.scroll_up(deltay=9, page=True)
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    gui.area().tag_redraw()
    yield 2.0
    gui.picture("panels-built")
    assert armature.verbs_adverbs.verbs[0].built_hash


def test_a_verb_that_changed_is_built_anew_when_idle(gui: Hand) -> Iterator[float]:
    from importlib import import_module

    verbs = import_module("bl_ext.user_default.verbs_adverbs.bridge.authoring.verbs")
    armature = _biped()
    item = armature.verbs_adverbs.verbs[0]
    bpy.ops.verbs_adverbs.verb_build()
    yield from _open_sidebar(gui, "VIEW_3D")
    item.control_points = 24
    armature.update_tag()
    assert verbs.status(armature, item).state == "OUT_OF_DATE"
    gui.area().tag_redraw()
    for _ in range(100):
        yield 0.1
        if verbs.status(armature, item).state == "UP_TO_DATE":
            break
    assert verbs.status(armature, item).state == "UP_TO_DATE"


def test_the_sidebar_says_what_is_wrong(gui: Hand) -> Iterator[float]:
    armature = _biped()
    item = armature.verbs_adverbs.verbs[0]
    bpy.data.actions.remove(item.examples[1].action)
    item.examples[2].action.verbs_adverbs.examples[0].values.clear()
    armature.verbs_adverbs.adverbs[0].name = "feeling"
    yield from show_mode(gui, SET_UP)
    yield 1.0
    gui.picture("panels-wrong")
    assert item.examples[1].action is None


def test_the_sidebar_while_a_verb_is_on_and_after_its_director_was_deleted(gui: Hand) -> Iterator[float]:
    armature = _biped()
    yield from _open_sidebar(gui, "VIEW_3D")
    with gui.context("VIEW_3D", "UI"):
        assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    yield from _leaf_through(gui, "VIEW_3D", "panels-on")
    yield from show_mode(gui, SET_UP)
    gui.picture("panels-on-set-up")
    assert not bpy.ops.verbs_adverbs.example_add.poll()
    for collection in armature.verbs_adverbs.director.users_collection:
        collection.objects.unlink(armature.verbs_adverbs.director)
    with gui.context("VIEW_3D", "UI"):
        bpy.ops.view2d.scroll_up(deltay=9, page=True)
    gui.area().tag_redraw()
    yield 1.0
    gui.picture("panels-deleted-director")
    yield from show_mode(gui, ANIMATE)
    gui.picture("panels-deleted-director-animate")
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    assert armature.animation_data.action.name == "Walk plain"


def test_the_dope_sheet_annotates_the_action(gui: Hand) -> Iterator[float]:
    _biped()
    area = gui.area()
    area.type = "DOPESHEET_EDITOR"
    yield 0.5
    area.spaces.active.mode = "ACTION"
    area.spaces.active.show_pose_markers = True
    yield 0.5
    yield from _leaf_through(gui, "DOPESHEET_EDITOR", "panels-dope-sheet")
    assert gui.region("UI", "DOPESHEET_EDITOR").width > 1


def test_every_list_to_pick_from_opens_in_the_middle_of_the_window(gui: Hand) -> Iterator[float]:
    armature = _biped()
    bpy.ops.verbs_adverbs.verb_add(name="another")
    from importlib import import_module

    annotate = import_module("bl_ext.user_default.verbs_adverbs.bridge.data.annotate")
    annotate.add_example(bpy.data.actions.new("Stranger"), "Stranger", 1.0, 9.0, 24.0)
    gui.move(700, 500)
    dialogs = {
        "verb_examples_add": {},
        "structure_copy": {},
        "example_add": {},
        "contact_add": {},
        "adverb_add": {},
        "window_from_keytimes": {},
    }
    for name, values in dialogs.items():
        with gui.context():
            assert getattr(bpy.ops.verbs_adverbs, name)("INVOKE_DEFAULT", **values) == {"RUNNING_MODAL"}
        yield 0.6
        gui.picture(f"dialog-{name}")
        yield from gui.key("ESC")
        yield 0.3
    assert len(armature.verbs_adverbs.verbs["another"].examples) == 0


def test_the_panels_are_drawn_whatever_is_active(gui: Hand) -> Iterator[float]:
    armature = _biped()
    body = next(child for child in bpy.data.objects if child.type == "MESH")
    bare = bpy.data.objects.new("bare", bpy.data.armatures.new("bare"))
    lamp = bpy.data.objects.new("lamp", bpy.data.lights.new("lamp", "POINT"))
    empty = bpy.data.objects.new("empty", None)
    for made in (bare, lamp, empty):
        bpy.context.collection.objects.link(made)
    yield from _open_sidebar(gui, "VIEW_3D")
    gui.area("DOPESHEET_EDITOR").spaces.active.show_region_ui = True
    drawn = 0
    for active in (body, bare, lamp, empty, None, armature):
        bpy.context.view_layer.objects.active = active
        for mode in (ANIMATE, SET_UP):
            yield from show_mode(gui, mode)
            yield from gui.drawn("UI", "DOPESHEET_EDITOR")
            drawn += 1
    bpy.ops.object.mode_set(mode="EDIT")
    yield 0.4
    bpy.ops.object.mode_set(mode="POSE")
    yield 0.4
    armature.verbs_adverbs.schema = 99
    armature.verbs_adverbs.active_verb = armature.verbs_adverbs.active_adverb = 77
    armature.animation_data.action.verbs_adverbs.active_example = 77
    yield 0.4
    armature.animation_data_clear()
    yield 0.4
    gui.picture("panels-odd")
    assert drawn == 12
