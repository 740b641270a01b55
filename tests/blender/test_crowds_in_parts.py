"""Many characters switched on together in a window: a first part of each plays at once, the rest follows in slices."""

import bpy
import numpy as np
import pytest
from blender.crowding import crowd_of, keys_of
from blender.stage import job_of, opened_again, part, to_its_end

COUNT, LAST, FIRST = 4, 300, 24
ROUNDING, LEAST = 1e-12, 12
"""By how much keys of a part may differ, and frames that each character plays at once, however many there are."""


def _add_crowd() -> None:
    """Bipeds that walk and wave in turns, with locked feet, and a slider that is keyed otherwise for each."""
    assert bpy.ops.verbs_adverbs.add_biped(wave=True) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    first = bpy.context.object
    bpy.context.scene.frame_end = LAST
    for place, armature in enumerate(crowd_of(first, COUNT)):
        director = armature.verbs_adverbs.director
        director.verbs_adverbs.verb = ("walk", "wave")[place % 2]
        for frame, mood in ((1, -0.1 * place), (LAST, 0.15 * place)):
            director["mood"] = mood
            director.keyframe_insert('["mood"]', frame=frame)


@pytest.fixture
def crowd(monkeypatch):
    monkeypatch.setattr(part("bridge.session.live"), "FIRST", FIRST)
    monkeypatch.setattr(part("bridge.blender.jobs"), "SLICE", 0.0)  # else a quick machine computes it all in one slice
    opened_again("crowd in parts", _add_crowd)
    return sorted((one for one in bpy.data.objects if one.type == "ARMATURE"), key=lambda one: one.name)


def verbs_of(crowd) -> dict:
    return {one: one.verbs_adverbs.director.verbs_adverbs.verb for one in crowd}


def switched_on(crowd) -> None:
    """Switch on as the operator does in a window."""
    switching, scene, verbs = part("bridge.session.switching"), bpy.context.scene, verbs_of(crowd)
    for _ in to_its_end(job_of(lambda: switching.switch_on_together(verbs, scene))):
        assert not any(one.verbs_adverbs.director.verbs_adverbs.live for one in crowd)


def switched_off(crowd) -> None:
    directors = [one.verbs_adverbs.director for one in crowd]
    part("bridge.session.switching").switch_off_together(directors)


def until(crowd) -> list:
    written_until = part("bridge.action.generated_action").written_until
    return [written_until(one.verbs_adverbs.director.verbs_adverbs.generated) for one in crowd]


def whole(crowd) -> list:
    """Keys of all as a script gets them: computed at once, each by itself."""
    found, scene = [], bpy.context.scene
    for one, verb in verbs_of(crowd).items():
        part("bridge.session.switching").switch_on(one, verb, scene)
        found.append(keys_of(one))
    assert until(crowd) == [None] * len(crowd)
    switched_off(crowd)
    return found


def test_a_first_part_of_all_plays_at_once_and_the_rest_follows_as_if_each_had_been_computed_by_itself(crowd):
    expected, live = whole(crowd), part("bridge.session.live")
    switched_on(crowd)
    assert until(crowd) == [LEAST] * COUNT
    for one, keys in zip(crowd, expected, strict=True):
        for (*told, points), (*wanted, all_points) in zip(keys_of(one), keys, strict=True):
            assert told == wanted and np.allclose(points, all_points[: len(points)], atol=ROUNDING)
    seen = [set(until(crowd))]
    for _ in to_its_end(job_of(live.flush)):
        seen.append(set(until(crowd)))
    ends = sorted(set().union(*seen) - {None})
    assert len(ends) > 1
    steps = [*ends, None]
    for at_once in seen:  # none has its next part but one before all have their next one
        assert len(at_once) <= 2 and max(map(steps.index, at_once)) - min(map(steps.index, at_once)) <= 1
    assert [keys_of(one) for one in crowd] == expected
    assert live.flush() == 0


def test_what_each_is_to_play_is_found_once_however_often_the_job_pauses(crowd, monkeypatch):
    switching, asked = part("bridge.session.switching"), list[str]()
    ask = switching._asked_for

    def noted(armature, *told):
        found = ask(armature, *told)
        asked.append(armature.name)
        return found

    monkeypatch.setattr(switching, "_asked_for", noted)
    switched_on(crowd)
    assert sorted(asked) == sorted(one.name for one in crowd)


def test_those_that_are_done_are_not_looked_at_again_while_the_others_are_computed(crowd, monkeypatch):
    live, looked = part("bridge.session.live"), list[str]()
    refresh = live.refresh
    switched_on(crowd)

    def noted(director, *told, **how) -> bool:
        done = part("bridge.action.generated_action").written_until(director.verbs_adverbs.generated) is None
        looked.append("done" if done else "begun")
        return refresh(director, *told, **how)

    monkeypatch.setattr(live, "refresh", noted)
    list(to_its_end(job_of(live.flush)))
    assert until(crowd) == [None] * COUNT
    assert "begun" in looked and "done" not in looked


def test_a_job_pauses_between_those_that_are_looked_at_and_looks_at_each_once(crowd, monkeypatch):
    live, looked = part("bridge.session.live"), list[str]()
    refresh, scene = live.refresh, bpy.context.scene
    scene.frame_end = LEAST
    for one, verb in verbs_of(crowd).items():
        part("bridge.session.switching").switch_on(one, verb, scene)

    def noted(director, *told, **how) -> bool:
        looked.append(director.name)
        return refresh(director, *told, **how)

    monkeypatch.setattr(live, "refresh", noted)
    counts = [len(looked) for _ in to_its_end(job_of(live.flush))]
    assert counts == list(range(1, COUNT))
    assert sorted(looked) == sorted(one.verbs_adverbs.director.name for one in crowd)


def test_what_is_changed_while_the_others_are_computed_is_heeded_when_they_are_done(crowd):
    live = part("bridge.session.live")
    switched_on(crowd)
    slices = to_its_end(job_of(live.flush))
    while None not in until(crowd):
        next(slices)
    changed = crowd[until(crowd).index(None)]
    before, director = keys_of(changed), changed.verbs_adverbs.director
    director["mood"] = 0.77
    director.keyframe_insert('["mood"]', frame=1)
    list(slices)
    assert until(crowd) == [None] * COUNT
    assert live.flush() == 1
    assert keys_of(changed) != before


def test_who_stops_it_stops_all_of_them_until_the_file_is_saved(crowd, tmp_path):
    expected, live = whole(crowd), part("bridge.session.live")
    switched_on(crowd)
    assert not job_of(live.flush).attempt(0.0)
    live.note_stopped()
    list(to_its_end(job_of(live.flush)))
    assert until(crowd) == [LEAST] * COUNT
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "parts.blend"))
    assert until(crowd) == [None] * COUNT
    assert [keys_of(one) for one in crowd] == expected


def test_those_that_were_still_to_come_when_it_was_stopped_are_not_begun_either(crowd):
    live, scene, walking = part("bridge.session.live"), bpy.context.scene, [crowd[0], crowd[2]]
    for one in walking:
        part("bridge.session.switching").switch_on(one, "walk", scene)
    before = [keys_of(one) for one in walking]
    for one in walking:
        one.verbs_adverbs.director.verbs_adverbs.start_frame = 2
    assert not job_of(live.flush).attempt(0.0)
    live.note_stopped()
    list(to_its_end(job_of(live.flush)))
    assert [keys_of(one) for one in walking] == before
    assert all(part("bridge.session.live_characters").is_stopped(one.verbs_adverbs.director) for one in walking)
    assert live.flush() == 2
    assert all(keys_of(one) != keys for one, keys in zip(walking, before, strict=True))
