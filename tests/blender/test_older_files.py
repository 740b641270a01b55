"""Files of older versions open as they were saved: nothing stored is other than it was, and they play the same.

The files are in `tests/fixtures`; beside each stands what it held when it was saved.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.stage import rested
from fixtures import held
from fixtures.held import Keys, Written

FILES = sorted((Path(__file__).resolve().parents[1] / "fixtures").glob("*/*/*.blend"))
OPS = bpy.ops.verbs_adverbs
SAME = 1e-5
FILLED = {"saved_pose", "saved_action"}
"""What 0.1.0 kept on the director alone, and is noted on the armature too as soon as its verb is computed."""
OTHER_DEFAULTS = {"stop_frame": (250, 0)}
"""What is other than it was where nobody had set it: before, and now."""
SINGLE_FLOATS = (5, 0)
"""From this version on NumPy reads Blender's matrices as single floats."""
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


@pytest.fixture(params=FILES, ids=_name)
def written(request) -> Written:
    """What stands beside a file, which is open."""
    found = _read(request.param)
    _open(found.path)
    return found


def _is_first(written: Written) -> bool:
    """Whether a file is of 0.1.0: it did not note what it had generated, which is kept in case somebody set keys."""
    return written.path.parents[1].name == "0.1.0"


def _computed_at_opening(written: Written) -> str:
    """Why opening a file computes what its verb plays, empty if it does not."""
    if _is_first(written):
        return "The digest of what it was computed from covered less."
    if any(of["drivers"] for of in written.stored.values()):
        return "What drivers say at other frames is known only when they are asked."
    floors = [of["group"]["performance"]["floor"] for of in written.stored.values() if "performance" in of["group"]]
    if any(floors) and tuple(written.made["blender"][:2]) < SINGLE_FLOATS <= bpy.app.version[:2]:
        return "The floor is read with another precision."
    return ""


def _differences(then: object, now: object, where: str = "") -> Iterator[str]:
    """Places in which something is other than it was; what a newer version stores besides does not count."""
    if isinstance(then, dict) and isinstance(now, dict):
        for name, value in then.items():
            if (name in FILLED and not value) or (value, now.get(name)) == OTHER_DEFAULTS.get(name):
                continue
            if name in now:
                yield from _differences(value, now[name], f"{where}/{name}")
            else:
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
    assert _apart(written.keys[written.generated], held.keys_of(held.generated())) < SAME
    assert np.abs(held.places() - written.places).max() < SAME


def _others(digests: dict[str, str], generated: str) -> dict[str, str]:
    return {name: digest for name, digest in digests.items() if name != generated}


def test_definitions_score_and_annotations_are_those_that_were_stored(written):
    now = held.stored()
    ours = f"Action {written.generated}"
    written.stored[ours].pop("custom")
    assert list(_differences(written.stored, now)) == []


def test_actions_and_bakes_are_those_that_were_saved_to_the_bit(written):
    now, generated = held.digests(), written.generated
    if _is_first(written):
        assert now.pop(f"{generated} kept") == written.digests[generated]
    assert _others(now, generated) == _others(written.digests, generated)
    for name in written.keys.keys() - {generated}:
        assert _apart(written.keys[name], held.keys_of(bpy.data.actions[name])) == 0.0
    if not _computed_at_opening(written):
        assert now == written.digests


def test_it_plays_what_it_played(written):
    _plays_the_same(written)


def _nudged(action: bpy.types.Action) -> bpy.types.FCurve:
    """The curve of an action's that is looked for again."""
    return next(curve for _, curve in held.curves(action) if curve.data_path.endswith("location"))


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_opening_computes_nothing_that_is_up_to_date(path, extension, tmp_path):
    written, name = _read(path), extension.__name__
    bpy.ops.preferences.addon_disable(module=name)
    try:
        _open(path)
        _nudged(bpy.data.actions[written.generated]).keyframe_points[0].co.y += NUDGE
        before = held.digest_of(held.keys_of(bpy.data.actions[written.generated]))
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "nudged.blend"), copy=True)
    finally:
        bpy.ops.preferences.addon_enable(module=name)
    _open(tmp_path / "nudged.blend")
    now = held.digests()
    assert before in now.values()
    assert (now[held.generated().name] == before) == (not _computed_at_opening(written))


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
def test_computed_anew_it_plays_the_same(written, tmp_path, computed: Callable[[Path], None]):
    computed(tmp_path)
    _plays_the_same(written)
    assert _others(held.digests(), written.generated).items() >= _others(written.digests, written.generated).items()


def test_its_takes_play_as_they_did(written):
    assert sorted(held.takes()) == sorted(written.taken)
    for name, places in written.taken.items():
        assert OPS.take_choose(take=name) == {"FINISHED"}
        assert np.abs(held.places() - places).max() < SAME
        assert held.digests()[name] == written.digests[name]


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
    written = _read(next(path for path in FILES if path.parts[-3:-1] == ("after-0.1.0", "blender-4.2.23")))
    _open(written.path)
    taken = held.generated()
    used(taken)
    held.director().location.x += 0.5
    bpy.context.view_layer.update()
    rested(tmp_path)
    assert held.generated() != taken and taken.use_fake_user
    assert held.digest_of(held.keys_of(taken)) == written.digests[written.generated]
