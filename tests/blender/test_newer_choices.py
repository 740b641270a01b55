"""Whatever choice of a newer version is stored, in whichever group: no operator edits it, and saving keeps it.

Groups, choices and operators are those that Blender's RNA lists, so that new ones are tried as well.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import bpy
import pytest
from corruption.stored import GROUP, groups, owners, properties, write_raw, written
from fixtures import held

OPS = bpy.ops.verbs_adverbs
FILES = Path(__file__).resolve().parents[1] / "fixtures" / "before-0.2.0" / "blender-4.2.23"
UNKNOWN = 77
BESIDE = "of_a_newer_version"
TOLD_ONLY = {"VERBS_ADVERBS_TextItem", "VERBS_ADVERBS_ReportLine"}
"""Lines of results, which are written anew whenever something is found."""
ELSEWHERE = {"add_biped"}
"""Operators that edit nothing that is there."""


class Place(NamedTuple):
    """A choice that is stored: the name of its data-block, the index of its group among all groups there, its name."""

    owner: str
    group: int
    name: str
    kind: str

    @property
    def stored(self) -> bpy.types.PropertyGroup:
        return list(groups(getattr(self.holder, GROUP)))[self.group]

    @property
    def holder(self) -> bpy.types.ID:
        return next(one for one in owners() if repr(one) == self.owner)


def _open(name: str) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(FILES / f"{name}.blend"), load_ui=False)
    bpy.context.view_layer.objects.active = held.armature()


def _in_use() -> list[bpy.types.ID]:
    """The armature, its director, and the examples of its verbs; of other data-blocks no operator is."""
    armature = held.armature()
    actions = {used.action for verb in getattr(armature, GROUP).verbs for used in verb.examples}
    return [armature, held.director(), *sorted(actions, key=lambda one: one.name)]


def _choices() -> Iterator[Place]:
    """Yield one place for each choice of each type of group on a type of data-block."""
    seen = set()
    for owner in _in_use():
        for index, group in enumerate(groups(getattr(owner, GROUP))):
            shape = type(group).__name__
            for prop in properties(group):
                key = type(owner), owner == held.director(), shape, prop.identifier
                if prop.type == "ENUM" and shape not in TOLD_ONLY and key not in seen:
                    seen.add(key)
                    yield Place(repr(owner), index, prop.identifier, f"{type(owner).__name__} {shape}")


def _all_operators() -> list[str]:
    return sorted(name for name in dir(OPS) if not name.startswith("_") and name not in ELSEWHERE)


def _kept(group: object) -> object:
    return group.bl_system_properties_get() if hasattr(group, "bl_system_properties_get") else group


def _raw(value: object) -> object:
    """Everything that is stored in a group, also what this version has no property for."""
    if hasattr(value, "keys"):
        return {key: _raw(value[key]) for key in value.keys()}
    if isinstance(value, list):
        return [_raw(item) for item in value]
    return value.to_list() if hasattr(value, "to_list") else getattr(value, "name_full", value)


def _willing() -> set[str]:
    return {name for name in _all_operators() if getattr(OPS, name).poll()}


def _edits(place: Place) -> list[str]:
    """Run all operators that are willing, with what they are set to at first; return what they did and must not."""
    wrong, before = [], written(getattr(place.holder, GROUP))
    for name in sorted(_willing()):
        try:
            getattr(OPS, name)("EXEC_DEFAULT", True)
        except RuntimeError as refusal:
            if "Traceback" in str(refusal):
                wrong.append(f"{name}: {refusal}")
        if written(getattr(place.holder, GROUP)) != before:
            wrong.append(f"{name} edits {place}")
            break
    return wrong


def _prepare(place: Place) -> None:
    """Let the operators find an action that is newer; what plays is switched off for it."""
    if isinstance(place.holder, bpy.types.Action):
        if held.armature().animation_data.action == held.generated():
            OPS.live_off()
        held.armature().animation_data.action = place.holder


@contextmanager
def _stored(place: Place) -> Iterator[None]:
    """Store a choice that this version does not know in the `with` block, and let Blender notice."""
    kept = _kept(place.stored)
    before = kept.get(place.name)
    write_raw(place.stored, place.name, UNKNOWN)
    _noticed(place)
    yield
    kept = _kept(place.stored)
    if before is None:
        del kept[place.name]
    else:
        kept[place.name] = before
    _noticed(place)


def _noticed(place: Place) -> None:
    place.holder.update_tag()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("name", ["layers", "talking"])
def test_no_operator_edits_what_holds_a_choice_of_a_newer_version(name, extension, capfd):
    _open(name)
    places, wrong = list(_choices()), []
    first: dict[str, tuple[Place, set[str]]] = {}
    for place in places:
        _prepare(place)
        with _stored(place):
            _, willing = first.setdefault(place.owner, (place, _willing()))
            if _willing() != willing:
                wrong.append(f"{place} lets other operators be used: {_willing() ^ willing}")
    for place, _ in first.values():
        _open(name)
        _prepare(place)
        write_raw(place.stored, place.name, UNKNOWN)
        wrong += _edits(place)
    assert wrong == []
    assert "Traceback" not in "".join(capfd.readouterr())
    assert len(first) > 2 and len(places) > 15


@pytest.mark.parametrize("name", ["layers", "talking"])
def test_what_a_newer_version_stores_is_kept_when_the_file_is_saved(name, extension, tmp_path):
    _open(name)
    places = list(_choices())
    for place in places:
        write_raw(place.stored, place.name, UNKNOWN)
        write_raw(place.stored, BESIDE, UNKNOWN)
    before = {repr(owner): written(getattr(owner, GROUP)) for owner in owners()}
    raw = [_raw(_kept(place.stored)) for place in places]
    saved = str(tmp_path / "saved.blend")
    bpy.ops.wm.save_as_mainfile(filepath=saved, copy=True)
    bpy.ops.wm.open_mainfile(filepath=saved, load_ui=False)
    assert {repr(owner): written(getattr(owner, GROUP)) for owner in owners()} == before
    assert [_raw(_kept(place.stored)) for place in places] == raw
    assert all((kept[place.name], kept[BESIDE]) == (UNKNOWN, UNKNOWN) for place, kept in zip(places, raw, strict=True))
