"""Watches that no operator of the extension changes what an action plays, except the one it generates."""

from collections.abc import Callable
from zlib import crc32

import bpy
from blender.action_hash import digest
from blender.installed import MODULE

MANY_ACTIONS = 5
ONE_OF = 5
"""In a file with many actions, one in this many of those that are not assigned is looked at in a call."""
BAKES_AGAIN = "verbs_adverbs.bake_again"
METHODS = ("execute", "invoke", "modal")


class SourceGuard:
    """Wraps the operators' methods, and compares digests of actions before and after each call.

    In files with many actions each operator is watched only once in a test, and only the assigned actions and a few
    others are compared, which change from call to call. So tests that mark a whole library of actions stay quick.
    """

    def __init__(self) -> None:
        self.changed: list[str] = []
        self._seen: set[str] = set()
        self._turn = 0

    def begin(self) -> None:
        """Forget the last test, and wrap operators that were registered since."""
        self.changed.clear()
        self._seen.clear()
        self._turn = 0
        for operator in bpy.types.Operator.__subclasses__():
            if operator.__module__.startswith(MODULE):
                for method in METHODS:
                    found = getattr(operator, method, None)
                    if found is not None and not hasattr(found, "is_watched"):
                        setattr(operator, method, self._watched(operator.bl_idname, found))

    def _watched(self, name: str, method: Callable[..., set[str]]) -> Callable[..., set[str]]:
        def call(*arguments: object) -> set[str]:
            if not self._is_due(name):
                return method(*arguments)
            self._turn += 1
            before = {
                action.name_full: digest(action) for action in _looked_at(self._turn) if not _written(name, action)
            }
            try:
                return method(*arguments)
            finally:
                after = {a.name_full: digest(a) for a in bpy.data.actions if a.name_full in before}
                self.changed += [f"{name} changed '{action}'" for action in after if before[action] != after[action]]

        # Blender looks at the number of parameters before it calls a method, so there is a wrapper for each number.
        def watched(operator: object, context: object) -> set[str]:
            return call(operator, context)

        def watched_event(operator: object, context: object, event: object) -> set[str]:
            return call(operator, context, event)

        chosen = watched if method.__code__.co_argcount == 2 else watched_event
        chosen.is_watched = True
        return chosen

    def _is_due(self, name: str) -> bool:
        seen = name in self._seen
        self._seen.add(name)
        return not seen or len(bpy.data.actions) < MANY_ACTIONS


def _written(name: str, action: bpy.types.Action) -> bool:
    """Whether an operator is there to write an action: bakes are baked again."""
    return name == BAKES_AGAIN and action.verbs_adverbs.bake.kind != "NONE"


def _looked_at(turn: int) -> list[bpy.types.Action]:
    """Actions to be compared: those of no director that are not generated; a part of them if there are many."""
    ours = {action.name_full for action in bpy.data.actions if action.verbs_adverbs.take.uid}
    assigned: set[str] = set()
    for candidate in bpy.data.objects:
        stored = bpy.app.version >= (5, 0, 0) or "verbs_adverbs" in candidate  # reading it would store it before
        found = getattr(candidate, "verbs_adverbs", None) if stored else None
        data = candidate.animation_data
        if found and found.generated:
            ours.add(found.generated.name_full)
        if data and data.action:
            (ours if found and found.directs else assigned).add(data.action.name_full)
    sources = [action for action in bpy.data.actions if action.name_full not in ours]
    if len(sources) < MANY_ACTIONS:
        return sources
    return [a for a in sources if a.name_full in assigned or (crc32(a.name_full.encode()) + turn) % ONE_OF == 0]
