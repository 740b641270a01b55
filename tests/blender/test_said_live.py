"""A biped that is performed says something else in the middle of a gesture; its take plays what was seen."""

from itertools import product

import bpy
import numpy as np
import pytest
from blender.layering import apart, poses
from blender.performance import OPS
from blender.performer import TICK, begin, end, play, session, wait
from blender.stage import FPS, go_to, part
from blender.talking_biped import add_talking_biped, read_words
from blender.test_talking import SUBTITLES, hands, speech_of

INTERRUPTED = 1.95
"""Seconds of the performance at which it says something else: while its hands come to stroke on "welcome"."""
STEP = 1.5
"""How much farther a joint may turn in a frame than in the examples of the gestures."""
SAID = "I mean look over <indicate>there, not at <offer>something"


@pytest.fixture
def armature(tmp_path):
    add_talking_biped()  # in a file of no name, so that a take which is lost is not offered to the next test
    read_words(SUBTITLES, tmp_path)
    made = bpy.context.object
    bpy.context.scene.frame_end = 240
    for word in speech_of(made).words:
        word.start, word.end, word.target = word.start + 0.6, word.end + 0.6, word.target + 0.6
    assert OPS.talk() == {"FINISHED"}
    bpy.context.view_layer.update()
    yield made
    if session() is not None:
        end()


def say(armature, text: str = SAID) -> None:
    speech_of(armature).next_text = text
    assert OPS.perform_say() == {"FINISHED"}


def turned(armature) -> np.ndarray:
    """Matrices of the bones, each beside the one above it."""
    seen = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
    return np.array([bone.matrix_basis for bone in seen.pose.bones])


def seeing(armature, seen: dict[float, np.ndarray]):
    """Return a function to be called after every tick, which notes the pose that is shown by its frame."""

    def see() -> None:
        bpy.context.view_layer.update()
        seen[1.0 + session().frames.shown[-1].time * FPS] = turned(armature)

    return see


def whole(seen: dict[float, np.ndarray]) -> dict[int, np.ndarray]:
    """The poses that were shown at whole frames; those of the last one are shown again when the take has ended."""
    frames = [frame for frame in seen if abs(frame - round(frame)) < 1e-6]
    return {round(frame): seen[frame] for frame in frames[:-1]}


def performed(armature, asked, seconds: float = 6.5) -> dict[float, np.ndarray]:
    """Perform, with functions called at seconds, and return the poses that were shown by frames."""
    seen: dict[float, np.ndarray] = {}
    clock = begin(armature)
    assert play(clock, seconds, asked, each=seeing(armature, seen))
    assert end() == []
    assert len(whole(seen)) > 10 * seconds
    return seen


def angles(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Angles in degrees between rotations in matrices (..., 4, 4)."""
    traces = np.einsum("...ij,...ij->...", some[..., :3, :3], others[..., :3, :3])
    return np.degrees(np.arccos(np.clip((traces - 1.0) / 2.0, -1.0, 1.0)))


def largest_step(seen: dict[float, np.ndarray]) -> float:
    """Largest angle by which a joint turns between two poses that are shown a tick apart."""
    frames = np.array(sorted(seen))
    np.testing.assert_allclose(np.diff(frames), TICK * FPS, atol=1e-6)
    return float(angles(*(np.array([seen[frame] for frame in some]) for some in (frames[1:], frames[:-1]))).max())


def in_examples(armature) -> float:
    """Largest angle by which a joint turns in a tick of the examples of gestures."""
    found = 0.0
    for verb in part("bridge.layers.talking").gesture_verbs(armature):
        motion = part("bridge.authoring.verbs").built_for(armature, verb).verb
        for corner in product(*motion.adverb_ranges.tolist()):
            made = motion.motion(list(corner))
            rows = made.sample(np.arange(made.start, made.start + made.duration, TICK))
            turns = part("core.figure.channels").all_rotations(made.channels, rows)
            steps = part("core.figure.quaternion").angle_between(turns[1:], turns[:-1])
            found = max(found, float(np.degrees(steps.max())))
    return found


def test_words_said_in_the_middle_of_a_gesture_take_the_place_of_the_rest_without_a_jump(armature):
    count = len(speech_of(armature).words)
    seen = performed(armature, {INTERRUPTED: lambda: say(armature)})
    largest, allowed = largest_step(seen), in_examples(armature)
    print(f"joints turn by at most {largest:.2f} degrees a tick, in the examples by {allowed:.2f}")
    assert largest <= STEP * allowed
    words = speech_of(armature).words
    assert [word.text for word in words[count:]] == ["I", "mean", "look", "over", "there,", "not", "at", "something"]
    said = part("bridge.layers.said").said_words(armature.verbs_adverbs.director)
    assert [one.plays for one in said] == [one.start < words[count].known for one in said[:count]] + [True] * 8
    assert not said[count - 1].plays
    assert words[count].start == words[count].known == pytest.approx(INTERRUPTED + 1.0 / FPS, abs=1.0 / FPS)


def test_strokes_land_on_the_new_words_in_the_take(armature):
    count, speech_of(armature).rate = len(speech_of(armature).words), 2.4
    performed(armature, {INTERRUPTED: lambda: say(armature)})
    assert not part("bridge.layers.talking").plays_of_words(armature).dropped()
    landed = []
    for word in speech_of(armature).words[count:]:
        if word.gesture:
            around = word.target + np.arange(-0.25, 0.0501, 1.0 / 240.0)
            places = hands(armature, around * FPS)
            fastest = int(np.argmax(np.linalg.norm(np.diff(places, axis=0), axis=1)))
            along = (places - places[fastest]) @ (places[fastest + 1] - places[fastest])
            landed.append(around[int(np.argmax(along))] - word.target)
    print(f"the hand turns {[f'{1000.0 * late:+.1f} ms' for late in landed]} from the new words")
    assert len(landed) == 2 and np.abs(landed).max() <= 0.5 / FPS


def test_the_take_and_a_bake_play_what_was_seen_live(armature):
    seen = performed(armature, {INTERRUPTED: lambda: say(armature), 3.1: lambda: say(armature, "<shrug>well")})
    seen = whole(seen)
    frames = sorted(seen)
    shown = poses(armature, frames)
    names = [bone.name for bone in armature.pose.bones]
    live = {name: np.array([seen[frame][row] for frame in frames]) for row, name in enumerate(names)}
    off = apart(live, shown)
    print(f"played again it is off by at most {max(off.values()):.2e} in {max(off, key=off.get)}")
    assert max(off.values()) < 1e-3
    assert OPS.bake_performance() == {"FINISHED"}
    assert max(apart(live, poses(armature, frames)).values()) < 1e-3


def test_a_layer_that_does_not_play_is_started(armature):
    assert OPS.layer_clear() == {"FINISHED"}
    silent = whole(performed(armature, {}, seconds=5.0))
    seen = whole(performed(armature, {2.0: lambda: say(armature)}, seconds=5.0))
    arm = [bone.name for bone in armature.pose.bones].index("LowerArm_R")
    off = {frame: float(angles(silent[frame][arm], seen[frame][arm])) for frame in sorted(set(seen) & set(silent))}
    assert max(off[frame] for frame in off if frame < 48) < 0.1 < 20.0 < max(off.values())
    frames = sorted(seen)
    steps = [float(angles(seen[early][arm], seen[late][arm])) for early, late in zip(frames, frames[1:], strict=False)]
    assert max(steps) < 40.0
    shown = poses(armature, sorted(seen))["LowerArm_R"]
    assert np.abs(np.array([seen[frame][arm] for frame in sorted(seen)]) - shown).max() < 1e-3


def test_nothing_is_left_of_what_was_said_in_a_take_that_is_lost(armature, monkeypatch):
    before = [(word.text, word.target) for word in speech_of(armature).words]
    writing, error = part("bridge.session.performing"), part("core.errors").RigError
    clock = begin(armature)
    assert play(clock, 3.0, {INTERRUPTED: lambda: say(armature)}, tick=1.0 / FPS)
    assert len(speech_of(armature).words) > len(before)

    def refuse(*_args) -> None:
        raise error("The take cannot be written.")

    monkeypatch.setattr(writing, "write_take", refuse)
    assert end() == ["The take cannot be written."]
    assert [(word.text, word.target) for word in speech_of(armature).words] == before


def test_what_was_said_live_belongs_to_its_take(armature):
    said, director = part("bridge.layers.said").said_words, armature.verbs_adverbs.director
    performed(armature, {INTERRUPTED: lambda: say(armature, "stop")}, seconds=5.0)
    first = director.animation_data.action.name
    seen = whole(performed(armature, {INTERRUPTED: lambda: say(armature)}))
    second = director.animation_data.action.name
    assert second != first
    count = sum(one.plays for one in said(director))
    assert OPS.take_choose(take=first) == {"FINISHED"}
    assert [one.plays for one in said(director)] == [True] * 2 + [False] * 2 + [True] + [False] * 8
    performed(armature, {}, seconds=2.0)
    assert [one.plays for one in said(director)] == [True] * 4 + [False] * 9
    assert OPS.take_choose(take=second) == {"FINISHED"}
    assert sum(one.plays for one in said(director)) == count
    frame = max(frame for frame in seen if frame < 80)
    go_to(frame)
    assert np.abs(turned(armature) - seen[frame]).max() < 1e-3


def test_saying_something_begins_the_take(armature):
    clock = wait(armature)
    assert session().waits
    say(armature)
    assert play(clock, 0.5) and not session().waits
    assert speech_of(armature).words[-1].known == pytest.approx(1.0 / FPS, abs=1e-5)


@pytest.mark.parametrize(
    ("text", "told"), [("", "nothing to say"), ("  ", "nothing to say"), ("<juggle>this", "'juggle'")]
)
def test_what_cannot_be_said_is_told_and_nothing_has_changed(armature, text, told):
    before = [(word.text, word.target) for word in speech_of(armature).words]
    speech_of(armature).next_text = text
    with pytest.raises(RuntimeError, match=told):
        OPS.say()
    clock = begin(armature)
    assert play(clock, 1.0)
    with pytest.raises(RuntimeError, match=told):
        OPS.perform_say()
    assert play(clock, 0.5)
    assert [(word.text, word.target) for word in speech_of(armature).words] == before


def test_at_rest_it_is_said_at_the_current_frame_among_the_words(armature):
    speech = speech_of(armature)
    go_to(1 + round(5.0 * FPS))
    speech.next_text = "<beat>so it is"
    assert OPS.say() == {"FINISHED"}
    assert [word.text for word in speech.words[-3:]] == ["so", "it", "is"]
    assert speech.words[-1].end - speech.words[-3].start == pytest.approx(3 / speech.rate, abs=1e-5)
    go_to(10)
    speech.next_text = "first"
    assert OPS.say() == {"FINISHED"}
    assert [word.text for word in speech.words][0] == "first" and len(speech.words) == 8
    go_to(1 + round(2.0 * FPS))
    with pytest.raises(RuntimeError, match="is already being said"):
        OPS.say()
    assert len(speech.words) == 8


def test_one_without_a_layer_of_gestures_is_told_what_to_do():
    add_talking_biped()
    armature = bpy.context.object
    clock = begin(armature)
    speech_of(armature).next_text = "hello"
    assert play(clock, 0.5)
    with pytest.raises(RuntimeError, match="without a gesture layer"):
        OPS.perform_say()
    assert end() == [] and not speech_of(armature).words
    assert OPS.say() == {"FINISHED"}
    assert armature.verbs_adverbs.layers[0].talks


def test_a_character_that_has_said_nothing_yet_speaks_live(armature):
    speech_of(armature).words.clear()
    seen = whole(performed(armature, {1.0: lambda: say(armature, "well <indicate>there it is")}, seconds=4.0))
    frames = sorted(seen)
    arm = [bone.name for bone in armature.pose.bones].index("LowerArm_R")
    assert max(float(angles(seen[frames[0]][arm], seen[frame][arm])) for frame in frames) > 20.0
    shown = poses(armature, frames)["LowerArm_R"]
    assert np.abs(np.array([seen[frame][arm] for frame in frames]) - shown).max() < 1e-3


def test_strips_show_only_what_is_played(armature):
    performed(armature, {INTERRUPTED: lambda: say(armature)})
    assert OPS.plan_strips(show=True) == {"FINISHED"}
    director = armature.verbs_adverbs.director
    shown = [
        record["word"] for _, record in part("bridge.layers.said").own_strips(director) if record["shows"] == "said"
    ]
    said = part("bridge.layers.said").said_words(director)
    assert sorted(shown) == [one.number for one in said if one.plays]
    strips = [record for _, record in part("bridge.layers.said").own_strips(director)]
    gestures = {record["word"] for record in strips if record["shows"] == "played"}
    assert gestures and gestures <= {1, *(one.number for one in said[4:])}


def test_words_that_are_said_after_a_take_play_too(armature):
    said, director = part("bridge.layers.said").said_words, armature.verbs_adverbs.director
    performed(armature, {INTERRUPTED: lambda: say(armature)})
    last = max(one.end for one in said(director))
    go_to(FPS * (last + 2.0))
    speech_of(armature).next_text = "and <offer>so on"
    assert OPS.say() == {"FINISHED"}
    assert [one.text for one in said(director) if one.plays and one.start > last + 1.0] == ["and", "so", "on"]
    plan = part("bridge.layers.talking").plays_of_words(armature).plans[-1]
    assert plan.placed[-1].chosen.gesture.name == "offer" and not plan.choice.dropped


def test_what_was_said_live_is_not_said_again_once_its_verb_is_gone(armature):
    """The words that it took the place of are not played under it either."""
    performed(armature, {INTERRUPTED: lambda: say(armature, "<count>so")})
    for word in speech_of(armature).words:
        if word.text == "so":
            word.gesture = ""
    talk = part("bridge.layers.talking").plays_of_words(armature)
    assert len(talk.later) == 1 and not talk.later[0].requests
