"""The shape of every operator: say why it is greyed out, do one thing, report an error as a sentence."""

from typing import ClassVar

from bpy.types import Context

from ..bridge.blender.redraw import redraw_areas
from ..bridge.data.current import face_again, facings
from ..core.errors import VerbsError

SHOWN_IN = ("VIEW_3D", "DOPESHEET_EDITOR")


class Intent:
    """Mixin of an operator; a subclass gives `do` and, as `reason`, why it cannot be done here."""

    bl_options: ClassVar[set[str]] = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: Context) -> bool:
        """Whether nothing stands in the way; the tooltip says what does."""
        reason = cls.reason(context)
        if reason:
            cls.poll_message_set(reason)
        return not reason

    @classmethod
    def reason(cls, context: Context) -> str:
        """Why the operator cannot run now, empty when it can."""
        return ""

    def do(self, context: Context) -> str:
        """Do it; return what to tell the user, empty for nothing."""
        raise NotImplementedError

    def execute(self, context: Context) -> set[str]:
        """Run `do`; on an error report its sentence and cancel."""
        kept = facings()
        try:
            said = self.do(context)
        except VerbsError as error:
            face_again(kept)
            self.tell("ERROR", str(error))
            return {"CANCELLED"}
        redraw_areas(SHOWN_IN)
        if said:
            self.tell("INFO", said)
        return {"FINISHED"}

    def tell(self, kind: str, text: str) -> None:
        """Report something to the user."""
        self.report({kind}, text)
