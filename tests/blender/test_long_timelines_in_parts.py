"""A long timeline in a window: its beginning plays at once, and the rest follows in slices, as if computed at once."""

import bpy
import pytest
from blender.crowding import keys_of
from blender.stage import job_of, part, to_its_end, walking_biped

FRAMES, FIRST = 1400, 60


@pytest.fixture
def armature(monkeypatch):
    monkeypatch.setattr(part("bridge.session.live"), "FIRST", FIRST)
    monkeypatch.setattr(part("bridge.blender.jobs"), "SLICE", 0.0)  # else a quick machine computes it all in one slice
    found = walking_biped()
    bpy.context.scene.frame_end = FRAMES
    assert bpy.ops.verbs_adverbs.director_add() == {"FINISHED"}
    director = found.verbs_adverbs.director
    for frame, mood in ((1, -0.9), (400, 0.8), (FRAMES, -0.2)):
        director["mood"] = mood
        director.keyframe_insert('["mood"]', frame=frame)
    return found


def switched_on(armature) -> None:
    """Switch on as the operator does in a window: slice after slice, until it has come to its end."""
    switching, scene, before = part("bridge.session.switching"), bpy.context.scene, armature.animation_data.action
    for _ in to_its_end(job_of(lambda: switching.switch_on(armature, "walk", scene))):
        assert armature.animation_data.action == before


def until(armature):
    action = armature.verbs_adverbs.director.verbs_adverbs.generated
    return part("bridge.action.generated_action").written_until(action)


def whole(armature):
    """Keys of the motion as a script gets them: computed at once."""
    assert bpy.ops.verbs_adverbs.live_on() == {"FINISHED"}
    assert until(armature) is None
    found = keys_of(armature)
    assert bpy.ops.verbs_adverbs.live_off() == {"FINISHED"}
    return found


def test_the_beginning_plays_at_once_and_the_rest_follows_as_if_it_had_been_computed_at_once(armature):
    expected = whole(armature)
    switched_on(armature)
    first = until(armature)
    assert armature.verbs_adverbs.director.verbs_adverbs.live and first == FIRST
    for (*told, points), (*wanted, all_points) in zip(keys_of(armature), expected, strict=True):
        assert told == wanted and points == all_points[: len(points)]
    ends, live = [first], part("bridge.session.live")
    for _ in to_its_end(job_of(live.flush)):
        if until(armature) != ends[-1]:
            ends.append(until(armature))
    assert until(armature) is None and len(ends) > 1 and ends == sorted(ends)
    assert keys_of(armature) == expected
    assert live.flush() == 0


@pytest.mark.parametrize("asked", ["saving", "rendering"])
def test_who_saves_or_renders_meanwhile_gets_the_whole_motion(armature, asked, tmp_path):
    expected = whole(armature)
    switched_on(armature)
    assert until(armature) is not None
    if asked == "saving":
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "part.blend"))
    else:
        part("bridge.session.handlers").before_render(bpy.context.scene)
    assert until(armature) is None
    assert keys_of(armature) == expected


def test_what_is_stopped_plays_as_far_as_it_was_computed_until_it_is_asked_for(armature):
    expected = whole(armature)
    switched_on(armature)
    live, first = part("bridge.session.live"), until(armature)
    assert not job_of(live.flush).attempt(0.0)
    live.note_stopped()
    assert job_of(live.flush).attempt(0.0)
    assert until(armature) == first
    assert part("bridge.session.live_characters").is_stopped(armature.verbs_adverbs.director)
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}
    assert keys_of(armature) == expected


def test_the_part_after_the_first_ends_beyond_the_current_frame(armature):
    switched_on(armature)
    bpy.context.scene.frame_set(FRAMES // 5)
    job = job_of(part("bridge.session.live").flush)
    first, done = until(armature), job.attempt(0.0)
    while not done and until(armature) == first:
        done = job.go_on()
    assert until(armature) is None or until(armature) > FRAMES // 5


@pytest.mark.parametrize("slices", [0, 2, 5])
def test_a_key_that_is_moved_while_the_rest_is_computed_is_heeded_and_nothing_older_counts_as_up_to_date(
    armature, slices
):
    switched_on(armature)
    live = part("bridge.session.live")
    rest = to_its_end(job_of(live.flush))
    for _ in range(slices + 1):
        next(rest)
    curve = next(iter(part("bridge.blender.versions").curves_of(armature.verbs_adverbs.director.animation_data.action)))
    curve.keyframe_points[-1].co.y = 0.9
    curve.update()
    list(rest)
    live.flush()
    found = keys_of(armature)
    assert bpy.ops.verbs_adverbs.performance_write() == {"FINISHED"}
    assert found == keys_of(armature)
