"""Takes of a director: choosing an earlier one, lengthening the scene for one, and keeping one that was cut short."""

from bpy.props import EnumProperty
from bpy.types import Context, Operator

from .. import bridge
from ..bridge.data.current import current_armature
from ..core.errors import GraphError
from . import reasons
from .operator_base import Intent

_takes: list[tuple[str, str, str]] = []
"""Blender keeps no texts of menus that are made as they open."""


class VERBS_ADVERBS_OT_take_choose(Intent, Operator):
    """Let the director play one of its takes again; the one that it plays now is kept"""

    bl_idname = "verbs_adverbs.take_choose"
    bl_label = "Take"

    def _items(self, context: Context | None) -> list[tuple[str, str, str]]:
        armature = current_armature(context)
        found = bridge.session.write_takes.takes_of(armature) if armature is not None else []
        _takes[:] = [(action.name, action.name, "A take of this character") for action in found]
        return _takes or [("", "None yet", "Perform first")]

    take: EnumProperty(name="Take", description="Action that holds the take", items=_items)

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.resting(context)
        if reason:
            return reason
        armature = current_armature(context)
        takes = (
            bridge.session.write_takes.takes_of(armature)
            if bridge.data.director.director_of(armature) is not None
            else []
        )
        return "" if takes else "Perform first: what is performed becomes a take"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        action = next((one for one in bridge.session.write_takes.takes_of(armature) if one.name == self.take), None)
        if action is None:
            raise GraphError(f"'{armature.name}' has no take '{self.take}'. Choose one of its own.")
        bridge.session.write_takes.choose_take(bridge.data.director.director_of(armature), action)
        bridge.session.live.flush()
        return f"'{action.name}' plays"


class VERBS_ADVERBS_OT_fit_scene(Intent, Operator):
    """Let the scene last until the end of the take"""

    bl_idname = "verbs_adverbs.fit_scene"
    bl_label = "Fit Scene"

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.armature(context)
        if reason:
            return reason
        director = bridge.data.director.director_of(current_armature(context))
        last = bridge.session.write_takes.last_frame(director) if director is not None else 0
        return "" if last > context.scene.frame_end else "The take ends before the scene does"

    def do(self, context: Context) -> str:
        director = bridge.data.director.director_of(current_armature(context))
        context.scene.frame_end = bridge.session.write_takes.last_frame(director)
        bridge.session.live.flush()
        return f"The scene ends at frame {context.scene.frame_end}"


class VERBS_ADVERBS_OT_take_keep(Intent, Operator):
    """Keep the take that was cut short when Blender ended: it becomes the director's score"""

    bl_idname = "verbs_adverbs.take_keep"
    bl_label = "Keep"

    @classmethod
    def reason(cls, context: Context) -> str:
        return _unfinished(context)

    def do(self, context: Context) -> str:
        problems, said = bridge.session.performance.keep_unfinished(current_armature(context), context.scene)
        for problem in problems:
            self.report({"WARNING"}, problem)
        return " ".join(said)


class VERBS_ADVERBS_OT_take_discard(Intent, Operator):
    """Throw away the take that was cut short when Blender ended"""

    bl_idname = "verbs_adverbs.take_discard"
    bl_label = "Discard"

    @classmethod
    def reason(cls, context: Context) -> str:
        return _unfinished(context)

    def do(self, context: Context) -> str:
        bridge.session.crash_journal.discard(current_armature(context))
        return "The unfinished take is gone"


def _unfinished(context: Context) -> str:
    reason = reasons.resting(context)
    if reason:
        return reason
    return "" if bridge.session.crash_journal.unfinished(current_armature(context)) else "No take was left unfinished"


CLASSES = (
    VERBS_ADVERBS_OT_take_choose,
    VERBS_ADVERBS_OT_fit_scene,
    VERBS_ADVERBS_OT_take_keep,
    VERBS_ADVERBS_OT_take_discard,
)
