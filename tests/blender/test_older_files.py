"""Files that were saved before the first release open with all that was stored; what they play is built anew.

The files are in `tests/fixtures`; beside each stands what it held when it was saved.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.stage import part, rested
from fixtures import held
from fixtures.held import Keys, Written

FILES = sorted((Path(__file__).resolve().parents[1] / "fixtures" / "before-0.2.0").glob("*/*.blend"))
OLDEST = [path for path in FILES if path.parent.name == "blender-4.2.23"]
ALONE = [path for path in OLDEST if path.stem == "timeline"]
"""Of these the director plays one verb."""
OPS = bpy.ops.verbs_adverbs
SAME = 1e-5
GONE = {"as_before"}
"""What is not stored any more."""
OTHER_DEFAULTS = {"hinged_knees": (False, True)}
"""What is other than it was where nobody had set it: before, and now."""
NUDGE = 0.003


def _name(path: Path) -> str:
    return "/".join(path.with_suffix("").parts[-3:])


def _read(path: Path) -> Written:
    written = Written(path)
    if tuple(written.made["blender"][:2]) > bpy.app.version[:2]:
        pytest.skip("The file was saved by a newer Blender than this one, which need not be able to open it.")
    return written


def _open(path: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(path), load_ui=False)
    bpy.context.view_layer.objects.active = held.armature()


def _opened(path: Path) -> Written:
    found = _read(path)
    _open(found.path)
    return found


@pytest.fixture(params=FILES, ids=_name)
def written(request) -> Written:
    """What stands beside a file, which is open."""
    return _opened(request.param)


def _differences(then: object, now: object, where: str = "") -> Iterator[str]:
    """Places in which something is other than it was; what this version stores besides does not count."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            if (value, now.get(name)) == OTHER_DEFAULTS.get(name):
                continue
            if name in now:
                yield from _differences(value, now[name], f"{where}/{name}")
            elif name not in GONE:
                yield f"{where}/{name} is gone"
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for index, pair in enumerate(zip(then, now, strict=True)):
            yield from _differences(*pair, f"{where}/{index}")
    elif then != now:
        yield f"{where} was {then!r:.200} and is {now!r:.200}"


def _apart(then: Keys, now: Keys) -> float:
    """The most by which curves differ that go straight from key to key, at the keys that they had."""
    assert then.keys() == now.keys()
    pairs = [(old, np.interp(old[:, 0], *now[name].T[:2])) for name, old in then.items()]
    return max(float(np.abs(old[:, 1] - new).max()) for old, new in pairs)


def _plays_the_same(written: Written) -> None:
    """A verb that was refined is to be refined again, as it is built anew."""
    if written.path.stem == "reach":
        assert OPS.refine() == {"FINISHED"} and OPS.performance_write() == {"FINISHED"}
    assert _apart(written.keys[written.generated], held.keys_of(held.generated())) < SAME
    assert np.abs(held.places() - written.places).max() < SAME


def _others(digests: dict[str, str], generated: str) -> dict[str, str]:
    return {name: digest for name, digest in digests.items() if name != generated}


def _stored_now(written: Written) -> dict[str, dict[str, object]]:
    """Return what is stored now, without what was noted of the motion that is computed anew."""
    now = held.stored()
    for of in (written.stored, now):
        of[f"Action {written.generated}"].pop("custom", None)
    return now


def test_definitions_score_and_annotations_are_those_that_were_stored(written):
    assert list(_differences(written.stored, _stored_now(written))) == []
    assert list(_differences(written.strips, held.strips())) == []


def test_actions_and_bakes_are_those_that_were_saved_to_the_bit(written):
    generated = written.generated
    assert _others(held.digests(), generated) == _others(written.digests, generated)
    for name in written.keys.keys() - {generated}:
        assert _apart(written.keys[name], held.keys_of(bpy.data.actions[name])) == 0.0


def test_it_is_said_that_its_verbs_are_built_anew_until_they_are(written):
    rig, schema = held.armature().verbs_adverbs, part("bridge.data.schema")
    assert schema.is_unreleased(rig)
    assert OPS.verb_build(every=True) == {"FINISHED"}
    assert not schema.is_unreleased(rig) and rig.schema == schema.SCHEMA


def test_it_plays_what_it_played(written):
    _plays_the_same(written)


def _nudged(action: bpy.types.Action) -> bpy.types.FCurve:
    """The curve of an action's that is looked for again."""
    return next(curve for _, curve in held.curves(action) if curve.data_path.endswith("location"))


@pytest.mark.parametrize("path", OLDEST, ids=_name)
def test_opening_a_file_of_this_version_computes_nothing_that_is_up_to_date(path, extension, tmp_path):
    _opened(path)
    _compute(tmp_path)
    assert OPS.adverb_add(name="new") == {"FINISHED"}
    rested(tmp_path)
    generated = held.generated().name
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    bpy.ops.preferences.addon_disable(module=extension.__name__)
    try:
        _open(tmp_path / "saved.blend")
        _nudged(bpy.data.actions[generated]).keyframe_points[0].co.y += NUDGE
        before = held.digest_of(held.keys_of(bpy.data.actions[generated]))
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "nudged.blend"), copy=True)
    finally:
        bpy.ops.preferences.addon_enable(module=extension.__name__)
    _open(tmp_path / "nudged.blend")
    assert held.digests()[held.generated().name] == before


def _compute(_folder: Path) -> None:
    assert OPS.performance_write() == {"FINISHED"}


def _move_there_and_back(folder: Path) -> None:
    director, seen = held.director(), held.places()
    before = director.location.copy()
    for place in (before + type(before)((0.5, 0.25, 0.0)), before):
        director.location = place
        bpy.context.view_layer.update()
        rested(folder)
        moved = np.abs(held.places() - seen).max()
        assert (moved > 0.1) == (place != before)


def _switch_off_and_on(_folder: Path) -> None:
    assert OPS.live_off() == {"FINISHED"}
    assert OPS.live_on() == {"FINISHED"}


@pytest.mark.parametrize("computed", [_compute, _move_there_and_back, _switch_off_and_on])
@pytest.mark.parametrize("path", OLDEST, ids=_name)
def test_computed_anew_it_plays_the_same(path, tmp_path, computed: Callable[[Path], None]):
    written = _opened(path)
    computed(tmp_path)
    _plays_the_same(written)
    assert _others(held.digests(), written.generated).items() >= _others(written.digests, written.generated).items()


def test_its_takes_play_as_they_did(written):
    assert sorted(held.takes()) == sorted(written.taken)
    for name, places in written.taken.items():
        assert OPS.take_choose(take=name) == {"FINISHED"}
        assert np.abs(held.places() - places).max() < SAME
        assert held.digests()[name] == written.digests[name]


@pytest.mark.parametrize("path", ALONE, ids=_name)
def test_what_is_appended_from_an_older_file_plays_as_it_did(path, tmp_path):
    written = _read(path)
    _open(path)
    names = [held.armature().name, held.director().name]
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path)) as (_there, wanted):
        wanted.objects = names
        wanted.scenes = ["Scene"]
    bpy.context.window.scene = next(one for one in bpy.data.scenes if held.director().name in one.objects)
    bpy.context.view_layer.objects.active = held.armature()
    _compute(tmp_path)
    _plays_the_same(written)


@pytest.mark.parametrize("path", ALONE, ids=_name)
def test_what_is_linked_from_an_older_file_is_not_written(path, tmp_path):
    written = _read(path)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(str(path), link=True) as (_there, wanted):
        wanted.scenes = ["Scene"]
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "links.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "links.blend"), load_ui=False)
    director = held.director()
    schema = written.stored[f"Object {director.name}"]["group"]["schema"]
    assert director.library is not None and director.verbs_adverbs.schema == schema


def _assigned_elsewhere(action: bpy.types.Action) -> None:
    other = bpy.data.objects.new("Other", bpy.data.armatures.new("Other"))
    bpy.context.collection.objects.link(other)
    other.animation_data_create().action = action


def _in_a_strip(action: bpy.types.Action) -> None:
    track = held.armature().animation_data.nla_tracks.new()
    track.strips.new("mine", 100, action)


def _in_a_constraint(action: bpy.types.Action) -> None:
    held.armature().pose.bones[0].constraints.new("ACTION").action = action


@pytest.mark.parametrize("used", [_assigned_elsewhere, _in_a_strip, _in_a_constraint])
def test_what_somebody_uses_of_an_older_file_is_not_written_over(tmp_path, used: Callable[[bpy.types.Action], None]):
    _opened(*ALONE)
    taken = held.generated()
    before = held.digest_of(held.keys_of(taken))
    used(taken)
    held.director().location.x += 0.5
    bpy.context.view_layer.update()
    rested(tmp_path)
    assert held.generated() != taken and taken.use_fake_user
    assert held.digest_of(held.keys_of(taken)) == before


def test_undo_keeps_nothing_aside_that_nobody_changed(written):
    """Blender counts users of older files otherwise, and forgets at an undo that the file is an older one."""
    bpy.ops.ed.undo_push(message="opened")
    before, rig = sorted(bpy.data.actions.keys()), held.armature().verbs_adverbs
    assert OPS.verb_rename("EXEC_DEFAULT", True, name=f"{rig.verbs[rig.active_verb].name} renamed") == {"FINISHED"}
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert sorted(bpy.data.actions.keys()) == before
