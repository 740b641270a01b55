"""One frame in plain numbers says what a batch of frames says."""

import numpy as np
import pytest
from verbs_adverbs.core.biped.figure import JOINTS, heel, rest_orientations, rest_point
from verbs_adverbs.core.feet.fading import FADE
from verbs_adverbs.core.feet.hold_state import HoldState, states_of
from verbs_adverbs.core.feet.holding import Holding
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.lock_point import LockPoint

from .walks import biped_channels

SEED = 3
POSES = 60
TURNS = 0.15  # radians, a joint
BENT = 0.9  # radians: rounding counts for much where a leg is quite straight
AWAY = 0.02  # metres, of a target from its point, and of the root from where it was
AGREES = 1e-12


def _points(heels: bool) -> tuple[LockPoint, ...]:
    points = [LockPoint(f"Toes_{side}", JOINTS[f"Toes_{side}"], np.zeros(3)) for side in "LR"]
    for side in "LR" if heels else "":
        name = f"Foot_{side}"
        arm = quat.rotate(quat.conjugate(rest_orientations()[JOINTS[name]]), heel(side) - rest_point(name))
        points.append(LockPoint(f"Heel_{side}", JOINTS[name], arm))
    return tuple(points)


def _row(rng: np.random.Generator) -> np.ndarray:
    channels = biped_channels()
    joints = (channels.width - 6 - len(channels.scalars)) // 4
    turns = rng.uniform(-TURNS, TURNS, (joints, 3))
    turns[[JOINTS["LowerLeg_L"], JOINTS["LowerLeg_R"]], 0] += BENT
    return np.concatenate([rng.normal(size=6), quat.exp(turns).reshape(-1), np.zeros(len(channels.scalars))])


def _later(row: np.ndarray, rng: np.random.Generator, share: float) -> np.ndarray:
    """A row with the joints a `share` of the way to another pose, and the root near where it was."""
    root = row[:6] + rng.normal(scale=AWAY, size=6)
    row = (1.0 - share) * row + share * _row(rng)
    row[:6] = root
    columns = biped_channels().rotation_columns
    row[columns] = quat.normalize(row[columns].reshape(-1, 4)).reshape(-1)
    return row


def _some_state(holding: Holding, rng: np.random.Generator, row: np.ndarray, count: int) -> HoldState:
    """Some points are held near where they are; some legs were let go of a while ago, in a hurry."""
    for point in range(count):
        height = holding.given_place(point, row)[2]
        if rng.random() < 0.7:
            holding.hold(point, -rng.uniform(0.0, 0.2), row, height + rng.normal(scale=AWAY))
            holding.move(point, holding.place(point) + rng.normal(scale=AWAY, size=3))
            if rng.random() < 0.5:
                time = -rng.uniform(0.0, 1.2 * FADE)
                holding.note(time - 0.02, row)
                holding.release(point, time, _later(row, rng, 0.1))
    return holding.state.copy()


@pytest.mark.parametrize("heels", [False, True])
def test_a_frame_is_the_same_alone_and_among_others(heels):
    rng, points, worst, corrected = np.random.default_rng(SEED), _points(heels), 0.0, 0
    for _ in range(POSES):
        holding, row = Holding(biped_channels(), points), _row(rng)
        state, shown = _some_state(holding, rng, row, len(points)), _later(row, rng, 0.2)
        alone = holding.apply(0.0, shown)
        among = holding.apply_all(np.zeros(2), np.tile(shown, (2, 1)), states_of([state], np.zeros(2, dtype=np.intp)))
        worst = max(worst, float(np.abs(alone - among).max()))
        corrected += bool(np.abs(alone - shown).max() > 0.01)
    assert worst < AGREES
    assert corrected > 0.5 * POSES
