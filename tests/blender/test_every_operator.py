"""Every operator that Blender's RNA lists: it says what it does and why it cannot, undo and redo give back what was.

A new operator needs a recipe in `operator_recipes.py`, or a test elsewhere that is named there.
"""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest
from blender.installed import USER_FOLDER
from blender.operator_recipes import ELSEWHERE, OPS, RECIPES, opened
from blender.stage import rested
from blender.whole_file import Seen, differences, whole_file

CONTEXT = "context is incorrect"
"""What Blender says itself of an operator that does not say why it is greyed out."""
UNCHANGED = {"measure", "graph_check", "performance_write", "keys_show"}
"""Operators that change nothing where all is up to date, as it is here, or only what is selected."""
ALWAYS = {
    "measure_travel", "actions_conform", "command_add", "command_remove", "command_go", "score_clear", "start_verb",
}  # fmt: skip
ALWAYS |= {"transition_add", "transition_remove", "transition_suggest", "transition_keytime", "transition_end_here"}
ALWAYS |= {"bake", "bake_performance", "generated_keep"}
"""Operators that are tried each time though their files are large."""


def names() -> list[str]:
    return sorted(name for name in dir(OPS) if not name.startswith("_"))


def test_every_operator_has_a_recipe_or_is_tested_elsewhere(extension):
    assert set(names()) == RECIPES.keys() | ELSEWHERE.keys()


def test_every_operator_says_what_it_does_in_the_same_way(extension):
    told = {name: getattr(OPS, name).get_rna_type().description for name in names()}
    assert [name for name, text in told.items() if len(text.split()) <= 5] == []
    assert [text for text in told.values() if text != " ".join(text.split()) or not text[0].isupper()] == []
    assert [text for text in told.values() if not (text[-1].isalnum() or text[-1] in ")'")] == []


def test_every_property_of_an_operator_says_what_it_is(extension):
    silent = [
        f"{name}.{prop.identifier}"
        for name in names()
        for prop in getattr(OPS, name).get_rna_type().properties
        if not (prop.description or prop.is_hidden or prop.type == "COLLECTION" or prop.identifier == "rna_type")
    ]
    assert silent == []


TOLD_APART = {
    "live_on": [{}, {"every": True}, {"from_here": True}],
    "live_off": [{}, {"every": True}],
    "verb_build": [{}, {"every": True}],
    "bake": [{"length": "CYCLES"}, {"length": "RANGE"}],
    "example_span": [{"side": "START"}, {"side": "END"}],
    "keytime_jump": [{"to": "ACTIVE"}, {"to": "PREVIOUS"}, {"to": "NEXT"}],
    "adverb_move": [{"direction": "UP"}, {"direction": "DOWN"}],
    "layer_move": [{"step": -1}, {"step": 1}],
    "word_nudge": [{"frames": -1.0}, {"frames": 1.0}],
    "window_edge": [{"edge": "DOWN"}, {"edge": "UP"}],
}
"""Operators that have more than one button, with what each button asks for."""


@pytest.mark.parametrize("name", TOLD_APART)
def test_two_buttons_of_an_operator_have_two_tooltips(name: str, extension):
    operator, rna = getattr(bpy.types, f"VERBS_ADVERBS_OT_{name}"), getattr(OPS, name).get_rna_type()
    defaults = {prop.identifier: getattr(prop, "default", None) for prop in rna.properties}
    buttons = [SimpleNamespace(**{**defaults, **asked}) for asked in TOLD_APART[name]]
    told = [operator.description(bpy.context, button) or rna.description for button in buttons]
    assert len(set(told)) == len(told) and all(len(text.split()) > 5 for text in told)


def _seen(folder: Path) -> Seen:
    """The whole file, once what is live is up to date."""
    rested(folder)
    return whole_file()


def _with_marks() -> list[object]:
    """The operators with recipes; where a file is large most of them are tried among the long tests."""
    usual = {name for name, recipe in RECIPES.items() if recipe.file in ("strides", "reach")} | ALWAYS
    return [name if name in usual else pytest.param(name, marks=pytest.mark.long) for name in RECIPES]


@pytest.mark.parametrize("name", _with_marks())
def test_undo_gives_back_what_was_and_redo_what_was_done(name: str, extension, tmp_path):
    recipe = RECIPES[name]
    opened(recipe.file)
    recipe.before()
    options = recipe.options() if callable(recipe.options) else recipe.options
    before = _seen(tmp_path)
    bpy.ops.ed.undo_push(message="prepared")
    assert getattr(OPS, name)("EXEC_DEFAULT", True, **options) == {"FINISHED"}
    after = _seen(tmp_path)
    assert differences(before, after) or name in UNCHANGED
    bpy.ops.ed.undo()
    assert differences(before, _seen(tmp_path)) == []
    bpy.ops.ed.redo()
    assert differences(after, _seen(tmp_path)) == []


def _nothing() -> None:
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def _a_mesh() -> None:
    opened("strides")
    mesh = bpy.data.objects.new("Mesh", bpy.data.meshes.new("Mesh"))
    bpy.context.collection.objects.link(mesh)
    bpy.context.view_layer.objects.active = mesh


def _linked() -> None:
    path = USER_FOLDER / "every operator strides.blend"
    opened("strides")
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (there, wanted):
        wanted.objects = there.objects
    for one in wanted.objects:
        bpy.context.collection.objects.link(one)
    bpy.context.view_layer.objects.active = wanted.objects[0]


def _in_mode(mode: str) -> Callable[[], None]:
    def go() -> None:
        opened("strides")
        bpy.ops.object.mode_set(mode=mode)

    return go


def _newer() -> None:
    opened("strides").verbs_adverbs.schema = 99


STATES: dict[str, Callable[[], None]] = {
    "an empty scene": _nothing,
    "a mesh": _a_mesh,
    "a linked armature": _linked,
    "Edit Mode": _in_mode("EDIT"),
    "Pose Mode": _in_mode("POSE"),
    "a newer schema": _newer,
}


@pytest.mark.parametrize("state", STATES)
def test_what_refuses_says_why_and_changes_nothing(state: str, extension, capfd):
    """Operators run with what they are set to at first; those that do something go on from the state anew."""
    STATES[state]()
    before, wrong = whole_file(), []
    for name in [name for name in names() if name not in ("tell", "perform", "refine")]:
        try:
            done = getattr(OPS, name)("EXEC_DEFAULT", True)
        except RuntimeError as refusal:
            done, told = set(), str(refusal).strip().partition(".poll() ")[2] or str(refusal).removeprefix("Error: ")
            if CONTEXT in told or len(told.split()) < 3 or "Traceback" in told:
                wrong.append(f"{name} says: {told}")
        if done == {"FINISHED"}:
            STATES[state]()
            before = whole_file()
        elif found := differences(before, whole_file()):
            wrong.append(f"{name} refuses and changes {found[:3]}")
            STATES[state]()
    assert wrong == []
    assert "Traceback" not in "".join(capfd.readouterr())
