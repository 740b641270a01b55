"""Files of older versions open as they were saved: nothing stored is other than it was, and they play the same.

The files are in `tests/fixtures`; beside each stands what it held when it was saved.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import bpy
import numpy as np
import pytest
from blender.stage import go_to, pose_of, rested
from fixtures import held
from fixtures.held import Keys, Written

FILES = sorted((Path(__file__).resolve().parents[1] / "fixtures").glob("*/*/*.blend"))
OLDER = [path for path in FILES if path.parents[1].name in ("0.1.0", "after-0.1.0")]
"""Of a schema in which the same settings of a director played otherwise."""
COMPUTED = [path for path in FILES if path in OLDER or path.parent.name.startswith("blender-4.2")]
"""What is computed from what is stored needs not be tried for every Blender that stored the same."""
ALONE = [path for path in FILES if path.stem == "timeline"]
SCORES = [path for path in FILES if path.stem == "performance"]
"""Of these the director plays one verb or a score, with adverbs that change."""
OPS = bpy.ops.verbs_adverbs
SAME = 1e-5
INTEGRATED = 3e-3
"""By how much a verb may play otherwise whose adverbs change: they are read thirty times a second, not two hundred."""
HURRIED, HASTY = ("before-0.2.0/blender-4.2.23/talking", "before-0.2.0/blender-4.5.15/talking"), 0.1
"""By how much arms may play otherwise there, where words that were said anew are computed anew: rounding counted as
movement of the figure, so that a gesture was given less time than it needs."""
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


def _opened(path: Path) -> Written:
    found = _read(path)
    _open(found.path)
    return found


@pytest.fixture(params=FILES, ids=_name)
def written(request) -> Written:
    """What stands beside a file, which is open."""
    return _opened(request.param)


@pytest.fixture(params=OLDER, ids=_name)
def older(request) -> Written:
    """The same of a file of an older schema."""
    return _opened(request.param)


def _is_first(written: Written) -> bool:
    """Whether a file is of 0.1.0: it did not note what it had generated, which is kept in case somebody set keys."""
    return written.path.parents[1].name == "0.1.0"


def _computed_at_opening(written: Written) -> str:
    """Why opening a file computes what its verb plays, empty if it does not."""
    if _is_first(written):
        return "The digest of what it was computed from covered less."
    if any(of["drivers"] for of in written.stored.values()):
        return "What drivers say at other frames is known only when they are asked."
    groups = [of["group"] for of in written.stored.values() if "performance" in of["group"]]
    floors = [group["performance"]["floor"] for group in groups]
    seen = [word["look_at"] for group in groups for word in group.get("speech", {"words": ()})["words"]]
    if any(floors + seen) and tuple(written.made["blender"][:2]) < SINGLE_FLOATS <= bpy.app.version[:2]:
        return "The floor, and where things are that words look at, is read with another precision."
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


def _same(written: Written) -> float:
    return HASTY if _name(written.path) in HURRIED else SAME


def _steady(keys: Keys) -> Keys:
    """Those of root and legs."""
    return {path: of for path, of in keys.items() if any(bone in path for bone in ("Hips", "Leg", "Foot", "Toes"))}


def _plays_the_same(written: Written) -> None:
    same = INTEGRATED if any(of["drivers"] for of in written.stored.values()) else _same(written)
    then, now = written.keys[written.generated], held.keys_of(held.generated())
    assert _apart(then, now) < same
    if same == HASTY:
        assert _apart(_steady(then), _steady(now)) < SAME
    assert np.abs(held.places() - written.places).max() < same


def _others(digests: dict[str, str], generated: str) -> dict[str, str]:
    return {name: digest for name, digest in digests.items() if name != generated}


def test_definitions_score_and_annotations_are_those_that_were_stored(written):
    now = held.stored()
    ours = f"Action {written.generated}"
    written.stored[ours].pop("custom")
    assert list(_differences(written.stored, now)) == []
    assert list(_differences(written.strips, held.strips())) == []


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


def test_the_settings_of_an_older_director_are_written_out(older):
    own = held.director().verbs_adverbs
    assert own.schema == 1
    assert [own.performance.is_property_set(name) for name in ("settle", "steps_home", "as_before")] == [True] * 3
    assert own.performance.as_before and own.performance.steps_home


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
@pytest.mark.parametrize("path", COMPUTED, ids=_name)
def test_computed_anew_it_plays_the_same(path, tmp_path, computed: Callable[[Path], None]):
    written = _opened(path)
    computed(tmp_path)
    _plays_the_same(written)
    assert _others(held.digests(), written.generated).items() >= _others(written.digests, written.generated).items()


def test_its_takes_play_as_they_did(written):
    assert sorted(held.takes()) == sorted(written.taken)
    for name, places in written.taken.items():
        assert OPS.take_choose(take=name) == {"FINISHED"}
        assert np.abs(held.places() - places).max() < _same(written)
        assert held.digests()[name] == written.digests[name]


def _seen() -> tuple[np.ndarray, np.ndarray]:
    """Places (T, J, 3) of the bones in the world and how they are turned (T, J, 3, 3), at all frames."""
    poses, scene = [], bpy.context.scene
    for frame in range(scene.frame_start, scene.frame_end + 1):
        go_to(frame)
        poses.append(pose_of(held.armature()))
    go_to(scene.frame_start)
    return np.array(poses)[..., :3, 3], np.array(poses)[..., :3, :3]


def _compared(then: tuple[np.ndarray, np.ndarray], now: tuple[np.ndarray, np.ndarray]) -> list[tuple[float, int]]:
    """Centimetres and degrees by which bones are apart where they are farthest, each with the frame."""
    ways = 100.0 * np.linalg.norm(then[0] - now[0], axis=-1).max(axis=-1)
    turns = np.swapaxes(then[1], -1, -2) @ now[1]
    axis = np.stack([turns[..., i, j] - turns[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))], axis=-1)
    cosine = np.trace(turns, axis1=-2, axis2=-1) - 1.0
    angles = np.degrees(np.arctan2(np.linalg.norm(axis, axis=-1), cosine)).max(axis=-1)
    first = bpy.context.scene.frame_start
    return [(float(column.max()), first + int(column.argmax())) for column in (ways, angles)]


def _updated(capfd: pytest.CaptureFixture[str]) -> str:
    """Press Update, as a script does; returns what it says of the change."""
    capfd.readouterr()
    assert OPS.director_update() == {"FINISHED"}
    return capfd.readouterr().out


@pytest.mark.parametrize("path", ALONE, ids=_name)
def test_updating_tells_the_change_and_makes_it(path, tmp_path, capfd):
    """Adverbs that are keyed and driven settle from then on, with the seconds that the director had all the time."""
    written = _read(path)
    _open(path)
    _compute(tmp_path)
    before = _seen()
    said = _updated(capfd)
    rested(tmp_path)
    now, root = _seen(), held.armature().pose.bones.find("Hips")
    (way, at), (angle, turned_at) = _compared(before, now)
    (root_way, root_at), _ = _compared(*(tuple(part[:, root : root + 1] for part in one) for one in (before, now)))
    assert way > 1.0 and angle > 1.0 and root_way > 1.0
    told = [float(number) for number in re.findall(r"([0-9.]+) (?:cm|degrees)", said)]
    frames = [int(number) for number in re.findall(r"at frame ([0-9]+)", said)]
    assert np.abs(np.array(told) - (way, angle, root_way)).max() < 0.02
    assert frames == [at, turned_at, root_at]
    own = held.director().verbs_adverbs
    assert own.schema > 1 and own.performance.settle == written.stored[_of_director()]["group"]["performance"]["settle"]
    own.performance.settle, own.performance.steps_home = 0.0, False
    rested(tmp_path)
    assert max(most for most, _ in _compared(before, _seen())) < 0.01


def _of_director() -> str:
    return f"Object {held.director().name}"


def test_updating_changes_nothing_else(older, tmp_path, capfd):
    """Scores and bakes play on, and nothing that is stored is other than it was, but what is updated."""
    said = _updated(capfd)
    performs = held.director().verbs_adverbs.performance.active
    assert ("The score, which plays now, plays the same then." in said) == performs
    rested(tmp_path)
    stored = older.stored[_of_director()]["group"]
    stored["schema"] = held.director().verbs_adverbs.schema
    older.stored[f"Action {older.generated}"].pop("custom")
    assert list(_differences(older.stored, held.stored())) == []
    if stored["performance"]["active"]:
        _plays_the_same(older)
    assert OPS.director_update.poll() is False


@pytest.mark.parametrize("path", SCORES, ids=_name)
def test_a_verb_that_an_older_director_plays_instead_of_its_score_follows_its_keys_at_once(path, tmp_path, capfd):
    """What settles in a score does not settle in a verb until the director is updated."""
    written, seen = _read(path), []
    _open(written.path)
    performance = held.director().verbs_adverbs.performance
    performance.active = False
    assert OPS.live_on(verb="walk") == {"FINISHED"}
    for settle in (0.0, 0.8):
        performance.settle = settle
        rested(tmp_path)
        seen.append(_seen())
    assert max(most for most, _ in _compared(*seen)) == 0.0
    _updated(capfd)
    rested(tmp_path)
    assert min(most for most, _ in _compared(seen[0], _seen())) > 1.0
    performance.active = True
    rested(tmp_path)
    _plays_the_same(written)


@pytest.mark.parametrize("path", ALONE, ids=_name)
def test_taking_as_before_away_is_what_updating_does(path, tmp_path, capfd):
    seen, written = [], _read(path)
    for update in (False, True):
        _open(written.path)
        if update:
            _updated(capfd)
        held.director().verbs_adverbs.performance.as_before = False
        rested(tmp_path)
        seen.append(_seen())
    assert max(most for most, _ in _compared(*seen)) < 1e-3
    assert held.director().verbs_adverbs.schema > 1


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
    own = held.director().verbs_adverbs
    assert own.schema == 1 and not own.performance.is_property_set("as_before")
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
    own = held.director().verbs_adverbs
    assert held.director().library is not None and written.stored[_of_director()]["group"]["schema"] == own.schema
    assert not own.performance.is_property_set("as_before") and not own.performance.is_property_set("steps_home")


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


def test_undo_keeps_nothing_aside_that_nobody_changed(written):
    """Blender counts users of older files otherwise, and forgets at an undo that the file is an older one."""
    bpy.ops.ed.undo_push(message="opened")
    before, rig = sorted(bpy.data.actions.keys()), held.armature().verbs_adverbs
    assert OPS.verb_rename("EXEC_DEFAULT", True, name=f"{rig.verbs[rig.active_verb].name} renamed") == {"FINISHED"}
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    assert sorted(bpy.data.actions.keys()) == before
