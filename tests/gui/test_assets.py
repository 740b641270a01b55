"""A verb dragged from the Asset Browser onto a character: it is copied, nothing else stays, one undo takes it back."""

from collections.abc import Iterator
from pathlib import Path

import bpy
from bpy_extras.view3d_utils import location_3d_to_region_2d
from hand import Hand
from sidebar import expect
from stage import add_biped, biped


def _library(gui: Hand) -> Iterator[float]:
    """Save a biped whose walk is an asset, and let a folder with that file be the only asset library."""
    folder = Path(bpy.app.tempdir) / "library"
    folder.mkdir()
    yield from add_biped(gui)
    assert bpy.ops.verbs_adverbs.verb_asset_mark() == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "walks.blend"), copy=True)
    while bpy.context.preferences.filepaths.asset_libraries:
        bpy.ops.preferences.asset_library_remove(index=0)
    bpy.ops.preferences.asset_library_add(directory=str(folder))


def _browser(gui: Hand) -> Iterator[float]:
    """Show that library in the area below the 3D view; returns where the first asset's picture is on the screen."""
    with gui.context():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.4)
    yield 0.3
    area = min((one for one in gui.window.screen.areas if one.type == "VIEW_3D"), key=lambda one: one.y)
    area.ui_type = "ASSETS"
    yield 0.5
    area.spaces.active.params.asset_library_reference = "library"
    yield 1.0
    region = next(one for one in area.regions if one.type == "WINDOW")
    return region.x + 60, region.y + region.height - 60


def _names() -> tuple[list[str], ...]:
    return tuple(sorted(kind.keys()) for kind in (bpy.data.objects, bpy.data.armatures, bpy.data.libraries))


def test_a_verb_is_dropped_on_a_character_and_one_undo_takes_it_back(gui: Hand) -> Iterator[float]:
    yield from _library(gui)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_splash=False)
    yield from gui.drawn()
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(walk=False) == {"FINISHED"}
    picture = yield from _browser(gui)
    with gui.context():
        bpy.ops.view3d.view_all()
    bpy.context.view_layer.objects.active = None
    bpy.ops.ed.undo_push(message="a character that is not active")
    yield 0.5
    before = _names()
    region, chest = gui.region(), biped().matrix_world @ biped().pose.bones["Chest"].head
    spot = location_3d_to_region_2d(region, gui.area().spaces.active.region_3d, chest)
    yield from gui.drag(picture, (region.x + spot.x, region.y + spot.y))
    yield from expect(lambda: biped().verbs_adverbs.verbs.keys() == ["walk"], "the verb was put on the biped")
    gui.picture("a verb dropped")
    assert all(row.action is not None for row in biped().verbs_adverbs.verbs["walk"].examples)
    assert _names() == before, f"{before} became {_names()}"
    bpy.ops.ed.undo()
    yield 0.3
    assert not len(biped().verbs_adverbs.verbs) and _names() == before
