"""A figure that talks while it walks, in a real window: words from strips and from a file, the plan dragged, baked."""

import wave
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import bpy
import numpy as np
from blender.action_hash import digest
from hand import Hand
from sidebar import expect, find
from stage import biped, director, part

Steps = Iterator[float]
MOST = 12
FPS = 24.0
SAID = (
    (0.5, "Hello"),
    (0.9, "<greet>there,"),
    (1.9, "let"),
    (2.2, "me"),
    (2.5, "<offer>show"),
    (3.0, "you"),
    (3.4, "what"),
    (3.8, "we"),
    (4.1, "<beat>built."),
    (5.2, "It"),
    (5.5, "has"),
    (5.8, "<count>three"),
    (6.3, "parts,"),
    (7.2, "the"),
    (7.5, "first"),
    (7.9, "is"),
    (8.2, "<indicate>there,"),
    (9.0, "the"),
    (9.2, "others"),
    (9.6, "<shrug>somewhere."),
)
"""Seconds at which words begin, and the words."""
LAST = 290
EMPHASIS = 0.3
"""Share of a word at which it is emphasised where no sounds are known."""
SEQUENCER = "SEQUENCE_EDITOR"
LEG = ("UpperLeg_L", "LowerLeg_L", "Foot_L", "UpperLeg_R", "LowerLeg_R", "Foot_R")


def _ends() -> list[float]:
    begins = [begin for begin, _ in SAID]
    return [min(begin + 0.4, after) for begin, after in zip(begins, [*begins[1:], 10.2], strict=True)]


def _clock(seconds: float) -> str:
    return f"00:00:{seconds:06.3f}".replace(".", ",")


def _files(folder: Path) -> tuple[Path, Path]:
    """A sound, and its words as subtitles."""
    sound, words = folder / "said.wav", folder / "said.srt"
    with wave.open(str(sound), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        hum = 8000.0 * np.sin(2.0 * np.pi * 200.0 * np.arange(8000 * 10) / 8000.0)
        file.writeframes(hum.astype("<i2").tobytes())
    cues = zip(SAID, _ends(), strict=True)
    words.write_text(
        "\n".join(
            f"{number}\n{_clock(begin)} --> {_clock(end)}\n{text}\n"
            for number, ((begin, text), end) in enumerate(cues, 1)
        )
    )
    return sound, words


def _begin(gui: Hand) -> Steps:
    """Add a biped that walks, alone in the scene, beside a sequencer that is not shown yet."""
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    assert bpy.ops.verbs_adverbs.add_biped(walk=True, cast="TALKING") == {"FINISHED"}
    bpy.context.scene.frame_end = LAST
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    view = gui.area().spaces.active.region_3d
    view.view_location, view.view_distance = (0.0, 0.0, 0.9), 4.0
    bpy.ops.ed.undo_push(message="a biped that walks")
    yield 0.5


def _open_sequencer(gui: Hand) -> Steps:
    """Make a sequencer of the lower part of the 3D view."""
    with gui.context():
        bpy.ops.screen.area_split(direction="HORIZONTAL", factor=0.3)
    yield 0.5
    views = sorted((area for area in gui.window.screen.areas if area.type == "VIEW_3D"), key=lambda area: area.y)
    views[0].type = SEQUENCER
    yield 0.5


def _show_all(gui: Hand) -> Steps:
    with gui.context(SEQUENCER):
        bpy.ops.sequencer.view_all()
    yield 1.0


def _words() -> list:
    return list(director().verbs_adverbs.speech.words)


def _targets() -> list[float]:
    return [word.target for word in part("bridge.layers.said").said_words(director())]


def _strips() -> dict:
    return {strip.name: strip for strip in part("bridge.blender.versions").strips_of(bpy.context.scene)}


def _span(strip: object) -> tuple[int, int]:
    return tuple(round(frame) for frame in part("bridge.blender.versions").strip_span(strip))


def _laid() -> dict[str, tuple[int, int]]:
    return {name: _span(strip) for name, strip in _strips().items() if strip.type == "META"}


def _emphasised(gesture: str) -> int:
    """Frame at which the strip of a gesture shows its emphasis."""
    strip = _strips()[gesture]
    held = strip.strips if hasattr(strip, "strips") else strip.sequences
    return next(_span(one)[1] for one in held if one.name.startswith("stroke"))


def _turning(words: list, frames_from: float = -6.0, frames_to: float = 1.25) -> dict[str, float]:
    """By how many frames the stroking hand turns, seen from the chest, from the word that has the gesture."""
    found = {}
    for word in words:
        verb = next(verb for verb in biped().verbs_adverbs.verbs if verb.uid == word.gesture)
        frames = word.target * FPS + np.arange(frames_from, frames_to, 0.125)
        places = []
        for frame in frames:
            bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
            seen = biped().evaluated_get(bpy.context.evaluated_depsgraph_get())
            chest = seen.pose.bones["Chest"].matrix.inverted()
            places.append([chest @ seen.pose.bones[f"Hand_{side}"].tail for side in "LR"])
        moved = np.array(places)
        hand = int(np.argmax(np.linalg.norm(np.diff(moved, axis=0), axis=-1).max(axis=0)))
        steps = np.diff(moved[:, hand], axis=0)
        fastest = int(np.argmax(np.linalg.norm(steps, axis=-1)))
        along = (moved[:, hand] - moved[fastest, hand]) @ steps[fastest]
        found[verb.name] = float(frames[int(np.argmax(along))] - word.target * FPS)
    return found


def _legs(frames: range) -> np.ndarray:
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        found.append([np.array(biped().pose.bones[bone].matrix_basis) for bone in LEG])
    return np.array(found)


def _take_emphases(gui: Hand, name: str) -> Steps:
    """A picture at each emphasis."""
    for word in _words():
        if word.gesture:
            frame = word.target * FPS
            bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
            gui.area().spaces.active.region_3d.view_location = biped().pose.bones["Hips"].matrix.translation
            yield 0.3
            gui.picture(f"talking-{name}-{round(frame)}")


def test_from_a_sound_and_a_subtitle_file_to_a_bake_in_few_interactions(gui: Hand) -> Steps:
    yield from _begin(gui)
    sound, words = _files(Path(mkdtemp()))
    legs = _legs(range(1, LAST, 7))
    yield from _open_sequencer(gui)
    count = 2  # the menu of editors, and the sequencer in it
    part("bridge.blender.versions").show_sequencer_of(bpy.context.scene)
    with gui.context(SEQUENCER):
        placed = {"filepath": str(sound), "directory": str(sound.parent), "files": [{"name": sound.name}]}
        if "move_strips" in bpy.ops.sequencer.sound_strip_add.get_rna_type().properties:
            placed["move_strips"] = False
        assert bpy.ops.sequencer.sound_strip_add(**placed, frame_start=0, channel=1) == {"FINISHED"}
    count += 2  # the sound in a menu, and its file
    yield from gui.sidebar("Verbs")
    count += 2  # the sidebar, and its tab
    assert bpy.ops.verbs_adverbs.words_file(filepath=str(words)) == {"FINISHED"}
    count += 2  # the button, and the file
    yield from expect(lambda: len(_words()) == len(SAID), "the words were read")
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    count += 1
    yield 1.0
    gui.picture("talking-panel")
    emphases = [begin + EMPHASIS * (end - begin) for (begin, _), end in zip(SAID, _ends(), strict=True)]
    np.testing.assert_allclose(_targets(), emphases, atol=1e-4)
    assert bpy.ops.verbs_adverbs.plan_strips() == {"FINISHED"}
    count += 1
    assert "offer" in _strips()
    yield from _show_all(gui)
    gui.picture("talking-strips")
    yield from _take_emphases(gui, "emphasis")
    assert bpy.ops.verbs_adverbs.bake(length="RANGE", frame_start=1, frame_end=LAST, assign=True) == {"FINISHED"}
    count += 2  # the button, and what it asks
    assert np.abs(_legs(range(1, LAST, 7)) - legs).max() < 1e-4
    turned = _turning([word for word in _words() if word.gesture])
    print(f"{count} interactions; hands turn {turned} frames from their words")
    assert len(turned) == 6 and max(abs(frames) for frames in turned.values()) <= 0.5
    assert count <= MOST


def test_text_strips_are_planned_dragged_and_nudged_and_keys_on_top_stay(gui: Hand) -> Steps:
    yield from _begin(gui)
    scene, versions = bpy.context.scene, part("bridge.blender.versions")
    for (begin, text), end in zip(SAID, _ends(), strict=True):
        strip = versions.new_strip(scene, "TEXT", text, 1, round(begin * FPS), round(end * FPS))
        strip.text = text
    yield from _open_sequencer(gui)
    assert bpy.ops.verbs_adverbs.words_strips() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.plan_strips() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="a plan is shown")
    assert len(_words()) == len(SAID) and "offer" in _strips()
    yield from _show_all(gui)
    gui.picture("talking-strips-of-text")
    yield from _take_emphases(gui, "text")

    before, laid = _targets(), _laid()
    row = next(number for number, (_, text) in enumerate(SAID) if "count" in text)
    strip = _strips()["count"]
    region = gui.region("WINDOW", SEQUENCER)
    middle = 0.5 * sum(_span(strip))
    there = region.view2d.view_to_region(middle, strip.channel + 0.5, clip=False)
    across = region.view2d.view_to_region(middle + 6.0, strip.channel + 0.5, clip=False)
    start, end = ((region.x + place[0], region.y + place[1]) for place in (there, across))
    yield from gui.click(*start)
    yield 0.6
    yield from gui.drag(start, end)
    yield from expect(lambda: _targets() != before, "the strip was dragged")
    moved = np.subtract(_targets(), before)
    assert moved[row] > 2.0 / FPS and np.count_nonzero(np.abs(moved) > 1e-6) == 1
    yield from expect(lambda: _laid() != laid and _emphasised("count") == round(_targets()[row] * FPS), "it lies anew")
    gui.picture("talking-dragged")
    yield from gui.key("Z", ctrl=True)
    yield from expect(lambda: np.abs(np.subtract(_targets(), before)).max() < 1e-5, "undo takes the drag back")
    yield from expect(lambda: _laid() == laid, "and so lie the strips")

    yield from _nudge_below_keys(gui, next(number for number, (_, text) in enumerate(SAID) if "beat" in text))


def _bake_to_strips() -> None:
    baked = bpy.ops.verbs_adverbs.bake_performance(strips="OVERRIDE", frame_start=1, frame_end=LAST)
    assert baked == {"FINISHED"}


def _lay_keys_on_top() -> bpy.types.Action:
    """Key the head, as an animator does, and put the keys into a track above those that were baked."""
    head, data = biped().pose.bones["Head"], biped().animation_data
    for frame, turn in ((1, 0.0), (120, 0.3), (LAST, 0.0)):
        head.rotation_mode = "QUATERNION"
        head.rotation_quaternion = (np.cos(turn / 2.0), np.sin(turn / 2.0), 0.0, 0.0)
        head.keyframe_insert("rotation_quaternion", frame=frame)
    action, slot = data.action, getattr(data, "action_slot", None)
    track = data.nla_tracks.new()
    track.name = "by hand"
    strip = track.strips.new("by hand", 1, action)
    if slot is not None:
        strip.action_slot = slot
    strip.blend_type = "COMBINE"
    data.action = None
    return action


def _poses() -> dict[int, np.ndarray]:
    found = {}
    for frame in range(1, LAST):
        bpy.context.scene.frame_set(frame)
        found[frame] = np.array([bone.matrix_basis for bone in biped().pose.bones])
    return found


def _nudge_below_keys(gui: Hand, row: int) -> Steps:
    """Bake, lay keys on top, nudge a word by four frames and bake again: the keys stay, and all but its neighbours."""
    _bake_to_strips()
    yield 0.5
    by_hand = _lay_keys_on_top()
    keys, laid, before = digest(by_hand), _laid(), _poses()
    speech = director().verbs_adverbs.speech
    speech.active_word = row
    targets = _targets()
    assert bpy.ops.verbs_adverbs.live_on(verb="walk") == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.word_nudge(frames=4) == {"FINISHED"}
    assert abs(_targets()[row] - targets[row] - 4.0 / FPS) < 1e-4
    _bake_to_strips()
    yield 0.5
    after = _poses()
    gestures = [number for number, word in enumerate(_words()) if word.gesture]
    here = gestures.index(row)
    names = {verb.uid: verb.name for verb in biped().verbs_adverbs.verbs}
    near = [names[_words()[number].gesture] for number in gestures[here - 1 : here + 2]]
    spans = [span for name, span in (*laid.items(), *_laid().items()) if name.split(".")[0] in near]
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    changed = [frame for frame in before if np.abs(after[frame] - before[frame]).max() > 1e-5]
    print(f"frames {changed[0]} to {changed[-1]} have changed, the neighbours last from {first} to {last}")
    assert first - 1 <= changed[0] and changed[-1] <= last + 1
    top = biped().animation_data.nla_tracks[-1]
    assert digest(by_hand) == keys and top.name == "by hand" and top.strips[0].action == by_hand
    bpy.context.scene.frame_set(120)
    gui.picture("talking-nudged")


def _performing() -> object:
    return part("bridge.session.live_characters").performance


def _plays() -> list[bool]:
    return [one.plays for one in part("bridge.layers.said").said_words(director())]


def test_new_words_are_said_by_the_button_while_it_is_performed(gui: Hand) -> Steps:
    yield from _begin(gui)
    _, words = _files(Path(mkdtemp()))
    assert bpy.ops.verbs_adverbs.words_file(filepath=str(words)) == {"FINISHED"}
    assert bpy.ops.verbs_adverbs.talk() == {"FINISHED"}
    bpy.ops.ed.undo_push(message="a biped that talks")
    yield from gui.sidebar("Verbs")
    with gui.context():
        bpy.ops.verbs_adverbs.perform("INVOKE_DEFAULT")
    yield from expect(lambda: _performing() is not None, "the biped is performed")
    director().verbs_adverbs.speech.next_text = "No wait, look at what is over <indicate>there instead"
    yield from find(gui, "verbs_adverbs.perform_say", across=0.7)
    _performing().set_off()
    yield from expect(lambda: _performing().simulator.clock.now() > 1.8, "it is about to stroke")
    x, y = yield from find(gui, "verbs_adverbs.perform_say", across=0.7)
    yield from gui.click(x, y)
    yield from expect(lambda: len(_words()) > len(SAID), "new words are said")
    said = [word.text for word in _words()[len(SAID) :]]
    assert said[:2] == ["No", "wait,"] and said[-1] == "instead"
    assert all(_plays()[len(SAID) :]) and not any(_plays()[len(SAID) - 5 : len(SAID)])
    last = _words()[-1].end
    yield from expect(lambda: _performing().simulator.clock.now() > last - 1.2, "it points")
    gui.area().spaces.active.region_3d.view_location = biped().pose.bones["Hips"].matrix.translation
    yield 0.5
    gui.picture("talking-said-live")
    part("bridge.session.performing").end()
    yield from expect(lambda: _performing() is None, "the take is kept")
    assert _words()[-1].take == director().verbs_adverbs.performance.take != ""
    bpy.context.scene.frame_set(round(_words()[-2].target * FPS))
    gui.area().spaces.active.region_3d.view_location = biped().pose.bones["Hips"].matrix.translation
    yield from find(gui, "verbs_adverbs.talk")
    gui.picture("talking-said-live-again")
