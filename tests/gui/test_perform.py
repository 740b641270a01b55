"""Performing in a window: verbs by button and key, sliders by mouse; what was seen plays on the timeline."""

from collections.abc import Iterator

import bpy
import numpy as np
from hand import Hand
from performance import (
    add_performing_biped,
    command_with_button,
    drag_while_drawn,
    fit_scene,
    goes_on,
    heard,
    in_view,
    look_at_root,
    press_perform,
    root,
    roots_at,
    verb_is,
)
from sidebar import expect
from stage import director

Steps = Iterator[float]
AS_SEEN = 0.01
"""Metres by which the score may miss what was performed."""


def test_walk_and_wave_are_performed_and_kept_as_a_score(gui: Hand) -> Steps:
    yield from add_performing_biped(gui)
    yield from press_perform(gui)
    gui.picture("perform-stand")
    yield from command_with_button(gui, "walk")
    yield from expect(lambda: verb_is("walk"), "the biped walks")
    yield 3.0
    yield from look_at_root(gui)
    gui.picture("perform-walk")
    yield from drag_while_drawn(gui, '["turn"]', 40)
    yield 2.0
    yield from in_view(gui)
    yield from gui.key("TWO")
    yield from expect(lambda: verb_is("wave"), "the biped waves")
    yield 0.7
    yield from look_at_root(gui)
    gui.picture("perform-wave")
    assert [name for _, name in heard()] == ["walk", "wave"]
    frames, places = roots_at()
    yield from gui.key("ESC")
    yield from expect(lambda: not goes_on(), "Esc ends the performance")
    own = director().verbs_adverbs
    assert own.live and own.performance.active and not own.performance.in_hand
    yield from fit_scene(gui)
    missed = []
    for frame, place in zip(frames, places, strict=True):
        bpy.context.scene.frame_set(int(frame), subframe=frame % 1.0)
        missed.append(np.abs(root() - place))
    assert len(missed) > 20 and np.max(missed) < AS_SEEN, _farthest(frames, places, missed)
    yield from look_at_root(gui)
    gui.picture("perform-score")


def _farthest(frames: np.ndarray, places: np.ndarray, missed: list[np.ndarray]) -> str:
    """Frames, places and misses around the largest one."""
    worst = int(np.argmax(np.max(missed, axis=1)))
    around = slice(max(worst - 3, 0), worst + 4)
    return "\n".join(
        f"{f:.3f} {p.round(4)} {m.round(4)}"
        for f, p, m in zip(frames[around], places[around], missed[around], strict=True)
    )
