"""Which commands of a director are heard; the others are passed over, and it is said why."""

from bpy.types import Object

from .commands import CommandKey, verb_of_number
from .graph import members

NEARLY = 1e-6


def unheard(director: Object, key: CommandKey) -> str:
    """Why a command is passed over, in a sentence; empty when it is heard."""
    own = director.verbs_adverbs
    verb = verb_of_number(own.directs, key.number)
    if verb is None:
        return f"No verb has the number {key.number} (any more). Remove the command, or put another in its place."
    if key.frame < own.start_frame - NEARLY:
        return f"The performance begins later, at frame {own.start_frame}. Move the command, or the start frame."
    if verb not in members(own.directs):
        return f"No transition leads to '{verb.name}'. Add one to the verb graph."
    return ""
