"""What is done after a damage: operators with random properties, frames, undo, saving, opening, switching off."""

from functools import cache
from pathlib import Path
from random import Random

import bpy

from .damage import CANNOT, CannotDamage, names_in_file, one_of
from .state import MARK
from .stored import GROUP, places

OPS = bpy.ops.verbs_adverbs
SHARES = {
    "refine": 0.2, "add_biped": 0.2, "keytimes_find": 0.5, "live_on": 8.0, "live_off": 4.0, "verb_build": 4.0,
    "bake": 2.0, "bake_again": 2.0, "bake_performance": 2.0, "performance_write": 2.0, "graph_check": 2.0,
}  # fmt: skip
"""How often operators are chosen, compared with others: rarely if they take seconds, often if they use much data."""
POLLS, MUCH, OPENED = 4, 20, "saved and opened"


def operators() -> list[str]:
    return sorted(name for name in dir(OPS) if not name.startswith("_"))


def choose_operator(rng: Random) -> str:
    """Return the name of an operator, usually of one that can run now."""
    names = operators()
    for _ in range(POLLS):
        name = rng.choices(names, [SHARES.get(name, 1.0) for name in names])[0]
        if getattr(OPS, name).poll() and not (name == "refine" and _is_much_asked()):
            return name
    return "live_on"


def _is_much_asked() -> bool:
    """Whether a stored count is so large that refining rightly takes long."""
    counts = (place for (_, name), there in places().items() if name == "count" for place in there)
    return any(getattr(group, prop.identifier) > MUCH for group, prop in counts)


def _argument(rng: Random, prop: bpy.types.Property) -> object:
    if prop.type == "STRING":
        return names_in_file(rng) if rng.random() < 0.8 else rng.choice(("", "?", "\U0001f600", "x" * 200))
    if prop.type == "FLOAT":
        return rng.choice((0.0, -1.0, 1.0, 12.5, 1e-9, float("nan"), float("inf"), 40.0))
    if prop.type == "INT":
        return rng.choice((0, 1, 3, 20, 77, -5))
    if prop.type == "BOOLEAN":
        return rng.random() < 0.5
    if prop.type == "ENUM":
        known = [item.identifier for item in prop.enum_items]
        return rng.choice(known) if known else names_in_file(rng)
    if prop.type == "COLLECTION":
        return [_row(rng, prop.fixed_type) for _ in range(rng.randrange(3))]
    return None


def _row(rng: Random, kind: bpy.types.Struct) -> dict[str, object]:
    found = [prop for prop in kind.properties if prop.identifier != "rna_type"]
    row = {prop.identifier: _argument(rng, prop) for prop in found}
    actions = list(bpy.data.actions)
    if actions and rng.random() < 0.7:
        name = rng.choice(actions).name
        row.update({key: name for key, value in row.items() if isinstance(value, str) and key != "uid"})
    return {key: value for key, value in row.items() if value is not None}


def arguments(rng: Random, name: str) -> dict[str, object]:
    """Return random values for some of an operator's properties."""
    found = getattr(OPS, name).get_rna_type().properties
    chosen = [prop for prop in found if prop.identifier != "rna_type" and rng.random() < 0.5]
    values = {prop.identifier: _argument(rng, prop) for prop in chosen}
    return {key: value for key, value in values.items() if value is not None}


def frame(rng: Random) -> str:
    at = rng.choice((1, 7, 13, 30, 59, 60, 61, 0, -10, 200))
    bpy.context.scene.frame_set(at, subframe=rng.choice((0.0, 0.5)))
    return f"frame {at}"


def update(_rng: Random) -> str:
    for one in bpy.data.objects:
        one.update_tag()
    bpy.context.view_layer.update()
    return "update"


def slider(rng: Random) -> str:
    """Set a numeric custom property of a director or target, as dragging its slider does."""
    ours = [one for one in bpy.data.objects if not one.get(MARK)]
    found = [(one, key) for one in ours for key in one.keys() if isinstance(one.get(key), float)]
    one, key = one_of(rng, found)
    one[key] = rng.choice((0.0, 0.4, -1.0, 3.0, 50.0))
    one.update_tag()
    bpy.context.view_layer.update()
    return f"slider {key} of {one.name} = {one[key]}"


def activate(rng: Random) -> str:
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    one = rng.choice([None, *bpy.context.view_layer.objects])
    bpy.context.view_layer.objects.active = one
    return f"active: {one and one.name}"


def mode(rng: Random) -> str:
    wanted = rng.choice(("POSE", "EDIT", "OBJECT"))
    bpy.ops.object.mode_set(mode=wanted)
    return f"mode {wanted}"


def undo(rng: Random) -> str:
    which = rng.choice(("undo", "undo", "undo", "redo"))
    getattr(bpy.ops.ed, which)()
    return which


def open_again(_rng: Random) -> str:
    saved = Path(bpy.data.filepath).with_name("case.blend")
    bpy.ops.wm.save_as_mainfile(filepath=str(saved), copy=True)
    bpy.ops.wm.open_mainfile(filepath=str(saved), load_ui=False)
    return OPENED


def save(_rng: Random) -> str:
    bpy.ops.wm.save_as_mainfile(filepath=str(Path(bpy.data.filepath).with_name("case.blend")), copy=True)
    return "saved"


@cache
def module() -> str:
    """Name of the extension's package."""
    return next(name for name in bpy.context.preferences.addons.keys() if name.endswith(f".{GROUP}"))


def panels() -> list[type[bpy.types.Panel]]:
    """The extension's panels."""
    found = [one for one in bpy.types.Panel.__subclasses__() if one.__module__.startswith(module())]
    return sorted(found, key=lambda one: one.__name__)


def switch_extension(_rng: Random) -> str:
    bpy.ops.preferences.addon_disable(module=module())
    bpy.context.view_layer.update()
    bpy.ops.preferences.addon_enable(module=module())
    return "disabled and enabled"


OTHER = {frame: 4, update: 3, slider: 3, activate: 1, mode: 1, undo: 3, open_again: 1, save: 1, switch_extension: 0.5}


def do_something_else(rng: Random) -> str:
    """Do something that an animator does beside the extension's buttons, such as undo; return what it was."""
    doing = rng.choices(list(OTHER), list(OTHER.values()))[0]
    try:
        return doing(rng)
    except (CannotDamage, *CANNOT) as refusal:
        return f"{doing.__name__} refused: {refusal}"


def turn_tab() -> None:
    """Show the other one of the tab's two modes."""
    tab = bpy.context.window_manager.verbs_adverbs_tab
    tab.mode = next(mode for mode in tab.bl_rna.properties["mode"].enum_items.keys() if mode != tab.mode)


def look_at_panels() -> None:
    """Call every panel's `poll` in both modes of the tab, as Blender does before it draws a panel."""
    for _ in range(2):
        turn_tab()
        for panel in panels():
            if hasattr(panel, "poll"):
                panel.poll(bpy.context)
