"""Rows are made ahead while nothing new is asked: whatever comes in the middle of them shows in the next frame."""

import bpy
import numpy as np
import pytest
from blender.performance import OPS, begin_with, biped_with_graph
from blender.performer import TICK, begin, character, command, end, play, session, take

AHEAD = 8
LATE = 1.5 + 3.0 * TICK
"""Seconds after which rows are ahead, some of which have been shown."""
SECONDS = 1.5
SAME = 1e-6
ASKED = ("a verb", "a slider", "an arrow", "an undo", "a goal")


@pytest.fixture(autouse=True)
def ends():
    yield
    if session() is not None:
        end()


def begun(ahead: int):
    """A biped that is performed from now on and walks, its director, and the clock."""
    armature = biped_with_graph()
    begin_with(armature, "walk")
    director = armature.verbs_adverbs.director
    director.verbs_adverbs.performance.frames_ahead = ahead
    bpy.ops.ed.undo_push(message="before")
    clock = begin(armature)
    bpy.ops.ed.undo_push(message="Perform")
    return armature, director, clock


def ask(armature, what: str) -> None:
    if what == "a verb":
        command(armature, "wave")
    elif what == "an arrow":
        take(armature).turn(True)
    elif what == "a goal":
        take(armature).guide.pointed = (2.0, -3.0)
    elif what == "an undo":
        bpy.ops.ed.undo()
    elif what == "a slider":
        armature.verbs_adverbs.director["mood"] = -0.7


def shown(what: str, ahead: int) -> np.ndarray:
    """Rows of all frames of a performance in which something is asked for in the middle of rows that are ahead."""
    armature, director, clock = begun(ahead)
    director["mood"] = 0.4
    bpy.ops.ed.undo_push(message="Mood")
    rows: list[np.ndarray] = []

    def see() -> None:
        rows.append(take().character.display.shown.copy())

    assert play(clock, LATE, each=see)
    assert take().buffered.is_ahead == (ahead > 1)
    ask(bpy.data.objects["Biped"], what)
    assert play(clock, SECONDS, each=see)
    end()
    return np.array(rows)


def test_what_is_asked_in_the_middle_of_them_shows_in_the_next_frame():
    left_alone = shown("nothing", 1)
    assert np.abs(shown("nothing", AHEAD) - left_alone).max() < SAME
    for what in ASKED:
        plain, ahead = shown(what, 1), shown(what, AHEAD)
        changed = np.flatnonzero(np.abs(plain - left_alone).max(axis=1) > SAME)
        assert round(LATE / TICK) <= changed[0] and (what == "a verb" or changed[0] <= round(LATE / TICK) + 4), what
        assert np.abs(ahead - plain).max() < SAME, what


def change(armature, director, what: str) -> None:
    if what == "armature deleted":
        bpy.data.objects.remove(armature)
    elif what == "director deleted":
        bpy.data.objects.remove(director)
    elif what == "bone added":
        bpy.ops.object.mode_set(mode="EDIT")
        armature.data.edit_bones.new("Tail").tail = (0.0, 0.5, 0.9)
        bpy.ops.object.mode_set(mode="OBJECT")
    elif what == "examples removed":
        armature.verbs_adverbs.verbs["walk"].examples.clear()
    elif what == "verb removed":
        armature.verbs_adverbs.active_verb = armature.verbs_adverbs.verbs.find("wave")
        assert OPS.verb_remove() == {"FINISHED"}
    elif what == "undone to before it began":
        bpy.ops.ed.undo()


@pytest.mark.parametrize("what", ["armature deleted", "director deleted", "bone added", "undone to before it began"])
def test_a_performance_that_cannot_go_on_ends_in_the_middle_of_them(what: str):
    armature, director, clock = begun(AHEAD)
    assert play(clock, LATE) and take().buffered.is_ahead
    change(armature, director, what)
    assert not play(clock, 0.2) and session() is None


@pytest.mark.parametrize("what", ["examples removed", "verb removed"])
def test_it_goes_on_with_the_verbs_that_it_began_with_when_these_are_changed(what: str):
    armature, director, clock = begun(AHEAD)
    assert play(clock, LATE) and take().buffered.is_ahead
    before = character(armature).display.shown[:2].copy()
    change(armature, director, what)
    assert play(clock, SECONDS)
    assert np.linalg.norm(character(armature).display.shown[:2] - before) > 0.5
