"""Pictures of the panels and of a first verb in a real window; run by docs/make_images.py."""

import subprocess
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import bpy
from blender.small_bvh import write_bvh
from hand import Hand
from mathutils import Quaternion
from sidebar import show_panels

Steps = Iterator[float]
EXTENSION = "bl_ext.user_default.verbs_adverbs"
SCREEN_HEIGHT = 1150
TABS, FOOT = 28, 16
SMALLER = 0.9
"""Size of a panel that would not fit into the window."""
AROUND_DIALOG, AROUND_WIDE_DIALOG = "600x620+60+200", "1060x620+0+200"
DIRECT, BAKE, ADVERBS, GRAPH, SCORE, PERFORM = "directing", "baking", "adverbs", "graph", "performing", "perform"
VERBS, OPTIONS = ("verbs", "verb_examples", "verb_adverbs", "verb_report"), "verb_options"
LAYERS, GESTURES, PHASES = ("layers", "layer_more"), "talking", ("example", "keytimes", "gesture")
BLENDING = GESTURES, "blending"
EXAMPLE = "example", "keytimes", "contacts", "values", "check"
REACH = "verbs", "verb_measures", "verb_targets", "verb_refinement"
SEQUENCER, LAST_SHOWN = "SEQUENCE_EDITOR", 80


def _empty_scene() -> None:
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()


def _add_biped(gui: Hand) -> bpy.types.Object:
    """The biped in an empty scene, large in the viewport."""
    _empty_scene()
    with gui.context():
        bpy.ops.verbs_adverbs.add_biped()
    space = gui.area().spaces.active
    view = space.region_3d
    view.view_location, view.view_distance = (0.0, -0.9, 0.85), 5.2
    space.overlay.show_extras = True
    return bpy.context.object


def _full(gui: Hand, area: str = "VIEW_3D") -> Steps:
    with gui.context(area):
        bpy.ops.screen.screen_full_area()
    yield 1.0


def _cut(source: Path, name: str, *how: str) -> None:
    folder = source.parent / "cut"
    folder.mkdir(exist_ok=True)
    small = ["+dither", "-colors", "128", "-define", "png:compression-level=9", f"PNG8:{folder / name}.png"]
    subprocess.run(["convert", str(source), *how, "+repage", *small], check=True, timeout=60)


def _panel(gui: Hand, name: str, *panels: str, area: str = "VIEW_3D") -> Steps:
    """A picture of some panels, cut out of the sidebar."""
    show_panels(*panels)
    bpy.context.preferences.system.use_region_overlap = False
    yield 0.3
    yield from _full(gui, area)
    yield from gui.sidebar("Verbs", area)
    yield 1.0
    region = gui.region("UI", area)
    top = SCREEN_HEIGHT - region.y - region.height
    extent = f"{region.width - TABS}x{region.height - FOOT}+{region.x}+{top}"
    border = ["-bordercolor", "#303030", "-border", "6"]
    _cut(gui.picture(name), name, "-crop", extent, "+repage", "-fuzz", "2%", "-trim", *border)


def _dialog(gui: Hand, name: str, operator: str, around: str = AROUND_DIALOG, **values: object) -> Steps:
    """A picture of an operator's dialog, cut out where the window changed."""
    gui.move(500, 720)
    yield 1.0
    before = gui.picture(f"{name}-before")
    with gui.context():
        getattr(bpy.ops.verbs_adverbs, operator)("INVOKE_DEFAULT", **values)
    yield 1.0
    after = gui.picture(name)
    near = ["-crop", around, "+repage"]
    words = ["convert", str(before), str(after), "-compose", "difference", "-composite", "-threshold", "12%", *near]
    where = subprocess.run([*words, "-format", "%@", "info:"], check=True, capture_output=True, text=True).stdout
    _cut(after, name, *near, "-crop", where.strip())
    yield from gui.key("ESC")


def test_window(gui: Hand) -> Steps:
    armature = _add_biped(gui)
    show_panels(DIRECT, "modes", PERFORM)
    with gui.context():
        assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    armature.verbs_adverbs.director["mood"] = 0.8
    armature.verbs_adverbs.director.update_tag()
    bpy.context.scene.frame_set(17)
    yield 2.0
    yield from gui.sidebar("Verbs")
    yield 1.0
    _cut(gui.picture("window"), "window", "-resize", "1200x")


def test_verbs_panel(gui: Hand) -> Steps:
    _add_biped(gui)
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    bpy.context.preferences.view.ui_scale = SMALLER
    yield from _panel(gui, "panel-verbs", *VERBS, OPTIONS)
    bpy.context.preferences.view.ui_scale = 1.0


def test_adverbs_panel(gui: Hand) -> Steps:
    _add_biped(gui)
    yield from _panel(gui, "panel-adverbs", ADVERBS)


def test_direct_panel(gui: Hand) -> Steps:
    armature = _add_biped(gui)
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    armature.verbs_adverbs.director["mood"] = 0.8
    yield from _panel(gui, "panel-direct", DIRECT, "following")


def _add_score(gui: Hand) -> bpy.types.Object:
    """The biped with three verbs, the suggested transitions and some commands, performing."""
    _empty_scene()
    with gui.context():
        bpy.ops.verbs_adverbs.add_biped(stand=True, wave=True)
        bpy.ops.verbs_adverbs.transitions_suggest()
        armature = bpy.context.object
        bpy.ops.verbs_adverbs.start_verb(verb=armature.verbs_adverbs.verbs["stand"].uid)
        for verb, frame in (("walk", 20.0), ("stand", 110.0), ("wave", 150.0)):
            bpy.ops.verbs_adverbs.command_add(verb=verb, frame=frame)
        armature.verbs_adverbs.director.verbs_adverbs.performance.active = True
        assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    return armature


def test_graph_panel(gui: Hand) -> Steps:
    rig = _add_score(gui).verbs_adverbs
    rig.active_transition = [item.target_name for item in rig.transitions].index("walk")
    assert bpy.ops.verbs_adverbs.transition_keytime(end="enters_end", keytime="R_up") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.graph_check() == {"FINISHED"}
    yield from _panel(gui, "panel-graph", GRAPH)


def test_layers_panel(gui: Hand) -> Steps:
    _empty_scene()
    assert bpy.ops.verbs_adverbs.add_biped(wave=True, cast="GESTURES") == {"FINISHED"}
    armature = bpy.context.object
    for verb in ("wave", "carry"):
        assert bpy.ops.verbs_adverbs.layer_add(verb=armature.verbs_adverbs.verbs[verb].uid) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    bpy.context.scene.frame_set(20)
    assert bpy.ops.verbs_adverbs.layer_ask(wish="start", layer="carry") == {"FINISHED"}
    bpy.context.scene.frame_set(60)
    assert bpy.ops.verbs_adverbs.layer_ask(wish="start", layer="wave") == {"FINISHED"}
    armature.verbs_adverbs.active_layer = 0
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}
    bpy.context.scene.frame_set(62)
    yield from _panel(gui, "panel-layers", *LAYERS)


SUBTITLES = """1
00:00:01,000 --> 00:00:01,300
We

2
00:00:01,300 --> 00:00:01,900
<offer>welcome

3
00:00:01,900 --> 00:00:02,300
you,

4
00:00:02,500 --> 00:00:02,800
over

5
00:00:02,800 --> 00:00:03,200
<indicate>there.
"""


def _add_talking() -> None:
    """The talking biped, walking, with words of a file and their gestures."""
    _empty_scene()
    assert bpy.ops.verbs_adverbs.add_biped(cast="TALKING") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    with tempfile.TemporaryDirectory() as folder:
        said = Path(folder) / "said.srt"
        said.write_text(SUBTITLES)
        assert bpy.ops.verbs_adverbs.words_file(filepath=str(said)) == {"FINISHED"}
    bpy.context.object.verbs_adverbs.director.verbs_adverbs.speech.active_word = 1
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}
    bpy.context.scene.frame_set(36)


def test_gestures_panel(gui: Hand) -> Steps:
    _add_talking()
    yield from _panel(gui, "panel-gestures", GESTURES)


def test_plan_in_the_sequencer(gui: Hand) -> Steps:
    """The plan of gestures as strips over the words."""
    _add_talking()
    bpy.context.scene.frame_end = LAST_SHOWN
    with gui.context():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.3)
    yield 0.5
    min((area for area in gui.window.screen.areas if area.type == "VIEW_3D"), key=lambda area: area.y).type = SEQUENCER
    yield 0.5
    assert bpy.ops.verbs_adverbs.plan_strips() == {"FINISHED"}
    with gui.context(SEQUENCER):
        bpy.ops.sequencer.view_all()
    yield 1.5
    region = gui.region("WINDOW", SEQUENCER)
    extent = f"{region.width}x{region.height}+{region.x}+{SCREEN_HEIGHT - region.y - region.height}"
    _cut(gui.picture("sequencer"), "sequencer", "-crop", extent, "+repage", "-resize", "1100x")


def test_blending_curve_panel(gui: Hand) -> Steps:
    _add_talking()
    assert bpy.ops.verbs_adverbs.curve_edit() == {"FINISHED"}
    yield from _panel(gui, "panel-blending-curve", *BLENDING)


def test_gesture_phases_panel(gui: Hand) -> Steps:
    _empty_scene()
    assert bpy.ops.verbs_adverbs.add_biped(cast="TALKING") == {"FINISHED"}
    armature = bpy.context.object
    armature.animation_data.action = armature.verbs_adverbs.verbs["beat"].examples[0].action
    assert bpy.ops.verbs_adverbs.phases_find(replace=True) == {"FINISHED"}
    yield from _panel(gui, "panel-gesture-phases", *PHASES)


def test_score_panel(gui: Hand) -> Steps:
    _add_score(gui)
    yield from _panel(gui, "panel-score", SCORE)


def _begin_to_perform(gui: Hand) -> Steps:
    """The biped walks, performed, in the middle of the view."""
    _empty_scene()
    with gui.context():
        bpy.ops.verbs_adverbs.add_biped(stand=True, wave=True)
        bpy.ops.verbs_adverbs.transitions_suggest()
        bpy.ops.verbs_adverbs.start_verb(verb=bpy.context.object.verbs_adverbs.verbs["walk"].uid)
    view = gui.area().spaces.active.region_3d
    view.view_location, view.view_distance = (0.0, -2.0, 0.7), 7.0
    with gui.context():
        bpy.ops.verbs_adverbs.perform("INVOKE_DEFAULT")
    yield 1.5


def _end_performing(gui: Hand) -> Steps:
    view = gui.region()
    gui.move(view.x + view.width // 3, view.y + view.height // 3)
    yield from gui.key("ESC")


def test_perform_panel(gui: Hand) -> Steps:
    yield from _begin_to_perform(gui)
    yield from _panel(gui, "panel-perform", PERFORM, "steering")
    yield from _end_performing(gui)


def test_performing(gui: Hand) -> Steps:
    yield from _begin_to_perform(gui)
    take = import_module(f"{EXTENSION}.bridge.session.live_characters").performance.takes[0]
    take.command(dict((name, uid) for uid, name in take.verbs())["stand"])
    view = gui.area().spaces.active.region_3d
    view.view_distance = 4.5
    while take.status.transition is None:
        view.view_location = (*take.player.travel[:2], 0.7)
        yield 0.05
    view = gui.region()
    top = SCREEN_HEIGHT - view.y - view.height
    corner = f"{view.width}x{view.height}+{view.x}+{top}"
    _cut(gui.picture("perform"), "perform", "-crop", corner, "+repage", "-resize", "560x")
    yield from _end_performing(gui)


def _add_reach(gui: Hand) -> bpy.types.PropertyGroup:
    """The biped with a verb whose hand reaches for a target, looked at from nearby."""
    _empty_scene()
    with gui.context():
        bpy.ops.verbs_adverbs.add_biped(walk=False, reach=True)
        bpy.ops.verbs_adverbs.measure()
        bpy.ops.verbs_adverbs.verb_build()
        bpy.ops.verbs_adverbs.target_add()
    view = gui.area().spaces.active.region_3d
    view.view_location, view.view_distance = (-0.2, -0.4, 1.1), 2.2
    view.view_rotation = (0.8002, 0.4619, 0.1913, 0.3314)
    return bpy.context.object.verbs_adverbs.verbs["reach"]


def test_reach_panels(gui: Hand) -> Steps:
    _add_reach(gui)
    assert bpy.ops.verbs_adverbs.refine() == {"FINISHED"}
    yield from _panel(gui, "panel-reach", *REACH)


def test_heat_map(gui: Hand) -> Steps:
    _add_reach(gui).refinement.heat_map = True
    yield 1.0
    before = gui.picture("heat-before")
    assert bpy.ops.verbs_adverbs.refine() == {"FINISHED"}
    yield 1.0
    after = gui.picture("heat-after")
    view = gui.region()
    top = SCREEN_HEIGHT - view.y - view.height
    middle = f"{view.width // 2}x{view.height // 2}+{view.x + view.width // 5}+{top + view.height // 4}"
    _cut(before, "heat-map", str(after), "-crop", middle, "+repage", "+append", "-resize", "900x")


def test_bake_panel(gui: Hand) -> Steps:
    _add_biped(gui)
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    for name in ("walk happy", "walk baked"):
        assert bpy.ops.verbs_adverbs.bake(name=name) == {"FINISHED"}
    yield from _panel(gui, "panel-bake", BAKE)


def test_bake_dialog(gui: Hand) -> Steps:
    _add_biped(gui)
    yield from _dialog(gui, "dialog-bake", "bake", length="RANGE")


def test_bake_again_dialog(gui: Hand) -> Steps:
    armature = _add_biped(gui)
    assert bpy.ops.verbs_adverbs.bake(name="walk baked") == {"FINISHED"}
    arm = armature.pose.bones["UpperArm_L"]
    for frame in (9, 13, 17):
        bpy.context.scene.frame_set(frame)
        arm.rotation_quaternion = arm.rotation_quaternion @ Quaternion((1.0, 0.0, 0.0), 0.3)
        arm.keyframe_insert("rotation_quaternion")
    yield from _dialog(gui, "dialog-bake-again", "bake_again")


def test_import_walks_dialog(gui: Hand) -> Steps:
    for swing in range(16, 36, 2):
        write_bvh(gui.folder / "walks" / f"walk {swing}.bvh", swing=float(swing))
    yield from _dialog(gui, "dialog-import-walks", "walks_confirm", directory=str(gui.folder / "walks"))


def test_map_bones_dialog(gui: Hand) -> Steps:
    armature = _add_biped(gui)
    for bone in armature.data.bones:
        part, _, side = bone.name.partition("_")
        if part in {"UpperArm", "LowerArm", "Hand"}:
            bone.name = f"{part.lower()}.{side}"
    yield from _dialog(gui, "dialog-map-bones", "bones_map", AROUND_WIDE_DIALOG)


def test_example_panel(gui: Hand) -> Steps:
    _add_biped(gui)
    yield from _panel(gui, "panel-example", *EXAMPLE)


def test_dope_sheet(gui: Hand) -> Steps:
    _add_biped(gui)
    area = gui.area()
    area.type = "DOPESHEET_EDITOR"
    yield 0.5
    area.spaces.active.mode = "ACTION"
    area.spaces.active.show_pose_markers = True
    yield 0.5
    with gui.context("DOPESHEET_EDITOR"):
        bpy.ops.action.view_all()
    bpy.context.scene.frame_set(9)
    show_panels(*(f"dope_{name}" for name in EXAMPLE))
    yield from gui.sidebar("Verbs", "DOPESHEET_EDITOR")
    yield 1.0
    area = gui.area("DOPESHEET_EDITOR")
    extent = f"{area.width}x{area.height}+{area.x}+{SCREEN_HEIGHT - area.y - area.height}"
    _cut(gui.picture("dope-sheet"), "dope-sheet", "-crop", extent, "+repage", "-resize", "1100x")
