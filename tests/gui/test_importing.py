"""Walks imported in a window: a dialog shows their figure, the status bar the progress, and Esc stops it."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
from blender.small_bvh import write_bvh
from hand import Hand
from sidebar import expect
from stage import part

SWINGS = 18.0, 21.0, 24.0, 27.0, 30.0


def _folder(scale: float = 1.0) -> tuple[str, list[dict[str, str]]]:
    folder = Path(mkdtemp()) / "Walker"
    names = [write_bvh(folder / f"walk {swing:.0f}.bvh", swing=swing, scale=scale).name for swing in SWINGS]
    return str(folder), [{"name": name} for name in names]


def _choose(gui: Hand, folder: str, files: list[dict[str, str]]) -> None:
    """What the file browser does when its button is pressed."""
    with gui.context():
        assert bpy.ops.verbs_adverbs.walks_choose(directory=folder, files=files) == {"FINISHED"}


def _figure() -> bpy.types.Object | None:
    return bpy.data.objects.get("Walker")


def _plays() -> bool:
    figure = _figure()
    director = figure.verbs_adverbs.director if figure is not None else None
    return director is not None and director.verbs_adverbs.live


def test_a_folder_of_walks_plays_after_one_dialog_and_one_undo_takes_it_back(gui: Hand) -> Iterator[float]:
    yield from gui.sidebar("Verbs")
    _choose(gui, *_folder())
    yield 0.5
    gui.picture("walks confirmed")
    yield from gui.key("RET")
    yield from expect(_plays, "the walks are imported, and the verb plays", 60.0)
    yield 0.5
    gui.picture("walks imported")
    assert len(_figure().verbs_adverbs.verbs["walk"].examples) == len(SWINGS)
    assert [one for one in bpy.data.objects if one.type == "ARMATURE"] == [_figure()]
    bpy.ops.ed.undo()
    yield 0.2
    assert _figure() is None and not bpy.data.actions


def test_a_dwarf_is_asked_about_in_the_dialog_and_esc_leaves_it(gui: Hand) -> Iterator[float]:
    before = set(bpy.data.objects.keys())
    _choose(gui, *_folder(0.15))
    yield 0.5
    gui.picture("a dwarf is asked about")
    yield from gui.key("ESC")
    yield 0.3
    assert set(bpy.data.objects.keys()) == before and not bpy.data.actions


def test_esc_stops_an_import_and_takes_everything_back(gui: Hand) -> Iterator[float]:
    folder, files = _folder()
    before = set(bpy.data.objects.keys())
    with gui.context():
        assert bpy.ops.verbs_adverbs.walks_import("INVOKE_DEFAULT", directory=folder, files=files) == {"RUNNING_MODAL"}
    yield from expect(lambda: bool(bpy.data.actions), "the first file is imported")
    yield from gui.key("ESC")
    yield from expect(lambda: not bpy.data.actions, "Esc takes it back")
    assert set(bpy.data.objects.keys()) == before and part("bridge.blender.jobs").going() is None
    yield 0.3
    gui.picture("import stopped")
