"""Showing where characters go next, and views that follow them: the switches and what they do."""

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty, PointerProperty
from bpy.types import Context, Depsgraph, Operator, PropertyGroup, Scene, WindowManager

from ... import bridge
from ...bridge.blender.events import Heard, listen, redraw_areas, stop_listening
from ...bridge.data.current import current_armature
from ...bridge.session import live_characters
from .. import reasons
from ..operator_base import Intent


class VERBS_ADVERBS_WayChoice(PropertyGroup):
    """What views show of the way ahead; kept while Blender runs, but not saved"""

    shown: BoolProperty(
        name="Way Ahead",
        description="Draw where the character goes next without further commands: path, next footprints and steering "
        "target",
        update=lambda _choice, _context: redraw_areas(),
    )
    follow: BoolProperty(
        name="Follow",
        description="Let 3D views follow the active character during performance and playback. Camera views are not "
        "affected",
        update=lambda _choice, _context: rest(),
    )


class VERBS_ADVERBS_OT_camera_follow(Intent, Operator):
    """Let the scene's camera follow the character on the ground with a Child Of constraint. Press again to remove it"""

    bl_idname = "verbs_adverbs.camera_follow"
    bl_label = "Camera Follows"

    @classmethod
    def reason(cls, context: Context) -> str:
        camera = context.scene.camera
        if camera is None:
            return "The scene has no camera: add one first"
        if camera.library is not None:
            return f"Camera '{camera.name}' is linked from another file: make a library override of it first"
        reason, armature = reasons.character(context), current_armature(context)
        if reason or bridge.session.view.camera.followed_by(camera) == armature:
            return reason
        director = bridge.data.director.director_of(armature)
        live = director is not None and director.verbs_adverbs.live
        return "" if live else "Switch the verb on first, so that the bone to follow is known"

    def do(self, context: Context) -> str:
        armature, camera = current_armature(context), context.scene.camera
        if bridge.session.view.camera.followed_by(camera) == armature:
            bridge.session.view.camera.stop_following(camera)
            return f"Camera '{camera.name}' no longer follows a character"
        bridge.session.view.camera.follow_with_camera(armature, context.scene)
        return f"Camera '{camera.name}' now follows {armature.name} through a constraint"


def after_tick(choice: VERBS_ADVERBS_WayChoice) -> None:
    """Update following views after the performance has moved on."""
    if live_characters.performance is None:
        return
    if choice.shown:
        bridge.session.view.way_ahead.look_ahead(live_characters.performance)
    if choice.follow:
        bridge.session.view.following.follow(current_armature(bpy.context))


def after_end() -> None:
    """After a performance, let following views show the character where it is on the timeline."""
    if bpy.context.window_manager.verbs_adverbs_way.follow:
        bridge.session.view.following.follow(current_armature(bpy.context))


def rest() -> None:
    """Stop following; the views stay where they are."""
    bridge.session.view.following.rest()


@persistent
def on_played_frame(_scene: Scene, _depsgraph: Depsgraph) -> None:
    """The timeline shows another frame: during playback, views follow the active character."""
    context = bpy.context
    if live_characters.performance is not None or not context.window_manager.verbs_adverbs_way.follow:
        return
    if any(window.screen.is_animation_playing for window in context.window_manager.windows):
        bridge.session.view.following.follow(current_armature(context))


@persistent
def on_stopped(*_arguments: object) -> None:
    """The timeline has stopped: leave the views to the user."""
    if bpy.context.window_manager.verbs_adverbs_way.follow:
        rest()


def _handlers() -> tuple[Heard, ...]:
    lists = bpy.app.handlers
    return (lists.frame_change_post, on_played_frame), (lists.animation_playback_post, on_stopped)


CLASSES = (VERBS_ADVERBS_WayChoice, VERBS_ADVERBS_OT_camera_follow)


def register() -> None:
    """Share the switches between all windows, and let views follow playback."""
    WindowManager.verbs_adverbs_way = PointerProperty(type=VERBS_ADVERBS_WayChoice)
    listen(_handlers())


def unregister() -> None:
    """Forget the switches, and leave the views to the user."""
    stop_listening(_handlers())
    del WindowManager.verbs_adverbs_way
