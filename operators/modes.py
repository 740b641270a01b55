"""The two modes of the tab Verbs: everyday tools, and what is set up once."""

import bpy
from bpy.app.handlers import persistent
from bpy.props import EnumProperty, PointerProperty, StringProperty
from bpy.types import Context, Object, PropertyGroup, WindowManager

from .. import bridge
from ..bridge.blender.events import Heard, listen, stop_listening
from ..bridge.data.current import current_armature

TAB = "Verbs"
"""Name of the tab in sidebars."""
ANIMATE, SET_UP = "ANIMATE", "SET_UP"
MODES = (
    (ANIMATE, "Animate", "Direct, perform, layer, score and bake", "PLAY", 0),
    (SET_UP, "Set Up", "Examples, adverbs, verbs, the verb graph, measures and targets", "TOOL_SETTINGS", 1),
)
NUMBERS = {name: number for name, *_, number in MODES}


def mode_of(context: Context) -> str:
    """Return the mode of the tab: the chosen one, else the one that the current armature is ready for."""
    chosen = context.window_manager.verbs_adverbs_tab.chosen
    if chosen in NUMBERS:
        return chosen
    return ANIMATE if can_animate(current_armature(context)) else SET_UP


def can_animate(armature: Object | None) -> bool:
    """Whether an armature has a verb, or is still moved by one that is gone."""
    if armature is None:
        return False
    return bool(armature.verbs_adverbs.verbs) or bridge.data.director.holder_of(armature) is not None


def go_to(context: Context, mode: str) -> None:
    """Switch the tab to a mode; if the current armature would be in it anyway, nothing is stored as chosen."""
    tab = context.window_manager.verbs_adverbs_tab
    if mode_of(context) != mode:
        tab.chosen = ""
        tab.chosen = mode if mode_of(context) != mode else ""


class VERBS_ADVERBS_Tab(PropertyGroup):
    """Mode of the tab Verbs, shared by all windows; reset when a file is opened, and not saved"""

    chosen: StringProperty(name="Chosen", description="The chosen mode; empty if none was chosen")
    mode: EnumProperty(
        name="Mode",
        description="Show what you use every day, or what you set up once",
        items=MODES,
        get=lambda _tab: NUMBERS[mode_of(bpy.context)],
        set=lambda tab, number: setattr(tab, "chosen", MODES[number][0]),
    )


@persistent
def _on_other_file(*_arguments: object) -> None:
    """Blender may keep the window manager's data when a file is opened: forget what was chosen in the last file."""
    for manager in bpy.data.window_managers:
        manager.verbs_adverbs_tab.chosen = ""


CLASSES = (VERBS_ADVERBS_Tab,)


def _handlers() -> tuple[Heard, ...]:
    return ((bpy.app.handlers.load_post, _on_other_file),)


def register() -> None:
    """Let all windows share one mode."""
    listen(_handlers())
    WindowManager.verbs_adverbs_tab = PointerProperty(type=VERBS_ADVERBS_Tab)


def unregister() -> None:
    """Forget the mode."""
    stop_listening(_handlers())
    del WindowManager.verbs_adverbs_tab
