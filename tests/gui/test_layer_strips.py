"""Layers baked to NLA strips in a real window, and played there by Blender without the extension."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import Hand
from performance import look_at_root
from sidebar import expect
from stage import MODULE, biped, director

Steps = Iterator[float]
Poses = dict[float, np.ndarray]

LAST = 190
MOST_DEGREES = 0.1
FRAMES = [0.5 * half for half in range(2, 2 * LAST + 1)]
"""Frames at which poses are compared, whole and half ones."""
PLAYED = 12
"""Number of frames that have to be seen while Blender plays."""


def _begin() -> None:
    """Add a biped that walks a bend at its sliders, with layers that carry, wave with the trunk, and look on top."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(wave=True, cast="GESTURES") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    layers = biped().verbs_adverbs.layers
    for verb in ("carry", "wave", "look"):
        assert bpy.ops.verbs_adverbs.layer_add(verb=biped().verbs_adverbs.verbs[verb].uid) == {"FINISHED"}
    layers["wave"].times, layers["wave"].taper, layers["look"].mode = 2, 2, "ADDITIVE"
    for layer, wish, frame in (
        ("carry", "start", 20),
        ("look", "start", 60),
        ("carry", "stop", 90),
        ("wave", "start", 110),
    ):
        bpy.context.scene.frame_set(frame)
        assert bpy.ops.verbs_adverbs.layer_ask(wish=wish, layer=layer) == {"FINISHED"}
    for frame, turn in ((40, 0.0), (120, 0.8)):
        director()["turn"] = turn
        director().keyframe_insert('["turn"]', frame=frame)
    bpy.context.scene.frame_end = LAST


def _pose() -> np.ndarray:
    """Matrices (J, 4, 4) of all bones in the armature, as Blender has evaluated them."""
    seen = biped().evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([bone.matrix for bone in seen.pose.bones])


def _poses() -> Poses:
    found = {}
    for frame in FRAMES:
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        found[frame] = _pose()
    return found


def _played(gui: Hand) -> Iterator[float]:
    """Let Blender play, press its key for that, and return the poses of the frames that it has shown."""
    seen: Poses = {}

    def see(scene: bpy.types.Scene, _depsgraph: object) -> None:
        seen[float(scene.frame_current)] = _pose()

    bpy.context.scene.frame_set(100)
    bpy.app.handlers.frame_change_post.append(see)
    view = gui.region()
    gui.move(view.x + view.width // 3, view.y + view.height // 2)
    yield 0.3
    yield from gui.key("SPACE")
    yield from expect(lambda: len(seen) >= PLAYED, "Blender plays")
    yield from gui.key("SPACE")
    yield from expect(lambda: not bpy.context.screen.is_animation_playing, "Blender has stopped playing")
    bpy.app.handlers.frame_change_post.remove(see)
    return seen


def _degrees(one: np.ndarray, other: np.ndarray) -> float:
    """Largest angle between the rotations of matrices (J, 4, 4), by how far their axes are apart."""
    apart = np.linalg.norm(one[:, :3, :3] - other[:, :3, :3], axis=(1, 2))
    return float(np.degrees(2.0 * np.arcsin(np.minimum(apart / np.sqrt(8.0), 1.0))).max())


def _farthest(some: Poses, others: Poses) -> tuple[float, float]:
    """Return the largest angle between poses of the same frames in degrees, and the frame."""
    return max((_degrees(pose, others[frame]), frame) for frame, pose in some.items())


def _show_strips(gui: Hand) -> Steps:
    """Divide the view, and show the strips in its lower part."""
    before = set(gui.window.screen.areas)
    with gui.context():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.4)
    yield 0.5
    new = next(area for area in gui.window.screen.areas if area not in before)
    new.type = "NLA_EDITOR"
    yield 0.5
    with gui.context("NLA_EDITOR"):
        bpy.ops.nla.view_all()
    yield 0.5


def _bake(name: str, strips: str) -> None:
    assert bpy.ops.verbs_adverbs.bake_performance(
        name=name, frame_start=1, frame_end=LAST, strips=strips, annotate=False
    ) == {"FINISHED"}


def _strips_play_as_one_action_does(gui: Hand, strips: str) -> Steps:
    _begin()
    _bake("whole", "ONE")
    yield 0.5
    wanted = _poses()
    assert _degrees(wanted[60.0], wanted[130.0]) > 30.0, "the yardstick moves"
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    _bake("strip", strips)
    bpy.ops.preferences.addon_disable(module=MODULE)
    try:
        assert not hasattr(bpy.types.Object, "verbs_adverbs")
        data = biped().animation_data
        assert data.action is None and len(data.nla_tracks) == 4
        played = yield from _played(gui)
        found = _poses()
        bpy.context.scene.frame_set(150)
        yield from _show_strips(gui)
        gui.area().spaces.active.region_3d.view_distance = 4.0
        yield from look_at_root(gui)
        gui.picture(f"layer-strips-{strips.lower()}")
    finally:
        bpy.ops.preferences.addon_enable(module=MODULE)
    for told, poses in (("while Blender plays", played), ("frame by frame", found)):
        apart, frame = _farthest(poses, wanted)
        print(f"{strips}, {told}: {len(poses)} frames, at most {apart:.4f} degrees apart, at frame {frame:g}")
        assert apart < MOST_DEGREES, f"{told} frame {frame:g} is {apart:.3f} degrees off"


def test_overriding_strips_play_in_blender_alone_as_one_action_does(gui: Hand) -> Steps:
    yield from _strips_play_as_one_action_does(gui, "OVERRIDE")


def test_combined_strips_play_in_blender_alone_as_one_action_does(gui: Hand) -> Steps:
    yield from _strips_play_as_one_action_does(gui, "COMBINE")
