"""A walking biped with a director in a window: what the window shows of it, compared with what core computes."""

import importlib
import re
import subprocess
from collections.abc import Generator, Sequence
from pathlib import Path

import bpy
import numpy as np
from hand import Hand
from sidebar import expect, find

MODULE = "bl_ext.user_default.verbs_adverbs"
NAME = "Biped"
MOOD = '["mood"]'
CLOSE = 1e-4
FRAME = 17
Waiting = Generator[float, None, None]


def part(name: str) -> object:
    """Import a module of the installed extension."""
    return importlib.import_module(f"{MODULE}.{name}")


def biped() -> bpy.types.Object:
    """The biped, looked up at each call."""
    return bpy.data.objects[NAME]


def director() -> bpy.types.Object:
    """The biped's director, looked up at each call."""
    return biped().verbs_adverbs.director


def add_biped(gui: Hand) -> Waiting:
    """Add a biped with its walk, alone in the scene, filling the view, at a frame in the middle of a step."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.verb_build() == {"FINISHED"}
    bpy.context.scene.frame_set(FRAME)
    with gui.context():
        bpy.ops.view3d.view_selected()
    bpy.ops.ed.undo_push(message="a biped")
    yield 0.3


def add_live_biped(gui: Hand) -> Waiting:
    """Add a biped and switch its verb on with the button in the sidebar."""
    yield from add_biped(gui)
    yield from press_button(gui, "verbs_adverbs.live_on", "the biped is live", is_live)


def is_live() -> bool:
    """Whether the biped has a live director."""
    return director() is not None and director().verbs_adverbs.live


def press_button(gui: Hand, operator: str, what: str, done: object) -> Waiting:
    """Click an operator's button on the right half of the sidebar and wait until it is done."""
    x, y = yield from find(gui, operator, across=0.7)
    yield from gui.click(x, y)
    yield from expect(done, what)


def drag_slider(gui: Hand, path: str = MOOD, pixels: int = 60) -> Waiting:
    """Drag a slider of the director with the mouse, and wait until its value has changed."""
    before = director()[path[2:-2]]
    x, y = yield from find(gui, path)
    yield from gui.drag((x, y), (x + pixels, y))
    yield from expect(lambda: director()[path[2:-2]] != before, f"the slider {path} was moved")


def hover_viewport(gui: Hand) -> Waiting:
    """Put the mouse into the 3D view, left of its sidebar and right of its tools."""
    region = gui.region()
    gui.move(region.x + region.width // 3, region.y + region.height // 3)
    yield 0.2


def joints(names: Sequence[str]) -> np.ndarray:
    """Heads (J, 3) of bones in the world, as the window has evaluated them; nothing is updated for this."""
    seen = biped().evaluated_get(bpy.context.view_layer.depsgraph)
    return np.array([seen.matrix_world @ seen.pose.bones[name].head for name in names])


def core_joints(names: Sequence[str], **sliders: float) -> np.ndarray:
    """Heads (J, 3) as core computes them with feet locked, for the present frame and sliders or for given ones."""
    armature, scene = biped(), bpy.context.scene
    verb = part("bridge.authoring.verbs").verb_for(armature, armature.verbs_adverbs.verbs["walk"])
    adverbs = np.array([sliders.get(name, director()[name]) for name in verb.adverb_names])
    seconds = (scene.frame_current_final - director().verbs_adverbs.start_frame) / scene.render.fps
    score, graph = part("core.play.score"), part("core.graph.verb_graph").graph_of(verb)
    told = zip(verb.adverb_names, adverbs, strict=True)
    tracks = {name: score.Track(np.zeros(1), np.array([value])) for name, value in told}
    wanted = score.Score(verb.name, adverbs=tracks, settle=0.0, lead=1)
    player = part("core.feet.constrained_player").ConstrainedPlayer(
        score.player_of(graph, wanted), None, False, "hinge"
    )
    values = score.record(player, wanted, np.array([seconds])).values
    found = part("core.figure.channels").world_joints(verb.channels, values)[0]
    return found[[verb.channels.skeleton.names.index(name) for name in names]]


def miss() -> float:
    """Largest distance between the window's joints and core's."""
    names = list(biped().pose.bones.keys())
    return float(np.abs(joints(names) - core_joints(names)).max())


def as_computed() -> Waiting:
    """Wait until the window shows what core computes."""
    yield from expect(lambda: miss() < CLOSE, "the armature is where core computes it")


def written() -> str:
    """Digest of what the generated action was made from."""
    return part("bridge.session.timeline").made_from(director().verbs_adverbs.generated)


def picture_of(path: Path) -> np.ndarray:
    """Pixels (height, width, 4) of a picture, from 0 to 1 and from its lowest row on."""
    image = bpy.data.images.load(str(path))
    width, height = image.size
    pixels = np.array(image.pixels).reshape(height, width, 4)
    bpy.data.images.remove(image)
    return pixels


def changed_pixels(gui: Hand, before: Path, after: Path) -> int:
    """Number of pixels that differ between two pictures of the screen, in the 3D view left of the sidebar."""
    view, sidebar = gui.region(), gui.region("UI")
    top = gui.window.height - view.y - view.height
    part_of_it = f"{sidebar.x - view.x}x{view.height}+{view.x}+{top}"
    command = ["compare", "-metric", "AE", "-fuzz", "5%", "-extract", part_of_it, str(before), str(after), "null:"]
    said = subprocess.run(command, capture_output=True, text=True, timeout=60).stderr
    return round(float(re.match(r"[\d.e+]+", said)[0]))
