"""Building verbs now, instead of waiting until they are played."""

from bpy.props import BoolProperty
from bpy.types import Context, Operator

from .. import bridge
from ..bridge.current import current_armature, current_verb
from . import reasons
from .intent import Intent


class VERBS_ADVERBS_OT_verb_build(Intent, Operator):
    """Build the chosen verb from its examples and say what was found"""

    bl_idname = "verbs_adverbs.verb_build"
    bl_label = "Build Verb"

    every: BoolProperty(name="All Verbs", description="Build all verbs of the armature")

    @classmethod
    def reason(cls, context: Context) -> str:
        reason = reasons.verb(context)
        if reason:
            return reason
        verb = current_verb(context)
        return "" if any(reference.enabled for reference in verb.examples) else "Add examples to the verb first"

    def do(self, context: Context) -> str:
        armature = current_armature(context)
        verbs = list(armature.verbs_adverbs.verbs) if self.every else [current_verb(context)]
        manager = context.window_manager
        manager.progress_begin(0.0, float(len(verbs)))
        try:
            found = [
                bridge.verbs.built_for(
                    armature, verb, True, lambda part, _text, done=done: manager.progress_update(done + part)
                )
                for done, verb in enumerate(verbs)
            ]
        finally:
            manager.progress_end()
        for verb, built in zip(verbs, found, strict=True):
            bridge.verbs.note_built(armature, verb, built)
        complaints = sum(line.kind == "WARNING" for built in found for line in built.lines)
        names = ", ".join(verb.name for verb in verbs)
        heard = f"; {complaints} remark{'s' if complaints > 1 else ''} in its panel" if complaints else ""
        return f"Built {names}{heard}"


CLASSES = (VERBS_ADVERBS_OT_verb_build,)


def register() -> None:
    """Begin to listen to changes of actions."""
    bridge.content.watch()


def unregister() -> None:
    """Stop listening and drop what was built."""
    bridge.idle.stop()
    bridge.content.unwatch()
    bridge.verbs.forget_built()
