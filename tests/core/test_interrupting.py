"""Plans that are interrupted in every phase and again, and gestures of other joints after one another."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from verbs_adverbs.core.figure.channels import Scalar, all_rotations
from verbs_adverbs.core.gesture.body_planner import Request, usual_manners
from verbs_adverbs.core.gesture.gesture import Gesture
from verbs_adverbs.core.gesture.plan import Plan, plan_of
from verbs_adverbs.core.gesture.plan_layer import interrupted
from verbs_adverbs.core.layers.motion_model import Stage, Succession
from verbs_adverbs.core.motion.clip import Clip

from .made_gestures import TIMES, gestures, hand_of, of_one_joint
from .test_body_planner import FINE, FRAME, manners, steps


def asked(*spoken: tuple[float, Gesture]) -> list[Request]:
    """Requests for gestures at seconds."""
    return [Request(time, (gesture,), f"'{gesture.name}' on word {n}") for n, (time, gesture) in enumerate(spoken)]


def turned(plans: list[Plan], starts: list[float], times: np.ndarray) -> np.ndarray:
    """Rotations (T, J, 4) of all joints, where each plan holds until the next one starts."""
    which = np.searchsorted(starts, times, side="right")
    joints = len(plans[0].schedule.channels.skeleton.names)
    found = np.empty((len(times), joints, 4))
    for n, plan in enumerate(plans):
        found[which == n] = all_rotations(plan.schedule.channels, plan.schedule.sample(times[which == n]))
    return found


def quickest(plans: list[Plan], starts: list[float], begin: float) -> float:
    """Largest angle by which any joint turns in a frame after `begin`, as a multiple of that in the gestures."""
    end = plans[-1].schedule.start + plans[-1].schedule.duration
    times = np.arange(begin, end + FRAME, FINE)
    pair = [turned(plans, starts, times + later).reshape(-1, 4)[:, [1, 2, 3, 0]] for later in (0.0, FRAME)]
    angle = (Rotation.from_quat(pair[0]).inv() * Rotation.from_quat(pair[1])).magnitude().max()
    return float(np.degrees(angle)) / max(steps(one.motion, 0.0, TIMES["end"]) for one in gestures().values())


@pytest.mark.parametrize("later", [0.02, 0.1, 0.2, 0.3, 0.5])
def test_silence_while_a_gesture_covers_another_one_lets_both_go(later: float) -> None:
    plan = plan_of(asked((1.0, gestures()["point"]), (2.2, gestures()["offer"])), manners())
    time = plan.placed[1].begin + later
    assert plan.placed[0].end > time
    assert quickest([plan, interrupted(plan, time, [], manners())], [time], time - 0.5) <= 1.5


@pytest.mark.parametrize("time", np.arange(0.305, 1.97, 0.04).tolist())
@pytest.mark.parametrize("later", [0.35, 0.5, 1.2])
def test_the_same_gesture_again_in_each_phase(time: float, later: float) -> None:
    point = gestures()["point"]
    plan = plan_of(asked((1.0, point)), manners())
    new = interrupted(plan, time, asked((time + later, point)), manners())
    assert quickest([plan, new], [time], time - 0.5) <= 1.5


def test_a_stroke_that_has_begun_is_finished() -> None:
    point = gestures()["point"]
    plan = plan_of(asked((1.0, point)), manners())
    for time in (0.81, 0.9, 1.0, 1.08):
        new = interrupted(plan, time, asked((time + 0.9, gestures()["beat"])), manners())
        assert len(new.choice.kept) == 1
        assert new.placed[0].sync["stroke_end"] <= new.placed[1].begin + 1e-9


def test_a_preparation_that_is_broken_off_twice_stays_broken_off() -> None:
    point, offer = gestures()["point"], gestures()["offer"]
    plan = plan_of(asked((3.0, point)), manners())
    times = [plan.placed[0].sync["stroke_start"] - 0.003, plan.placed[0].sync["stroke_start"] + 1.0]
    first = interrupted(plan, times[0], asked((times[0] + 1.95, offer)), manners())
    for words in ([], asked((times[1] + 0.8, gestures()["beat"]))):
        second = interrupted(first, times[1], words, manners())
        assert quickest([plan, first, second], times, times[0] - 0.5) <= 1.5


@pytest.mark.parametrize("seed", range(30))
def test_plans_that_are_interrupted_again_and_again_do_not_jump(seed: int) -> None:
    rng = np.random.default_rng([11, seed])
    named = [*gestures().values(), of_one_joint("UpperArm_L", 1.2, "Hand_L"), of_one_joint("Head", 0.3, "Head")]
    plans, times, time = list[Plan](), list[float](), 0.0
    for _ in range(4):
        spoken = time + np.cumsum(rng.uniform(0.3, 1.2, 3))
        words = asked(*((float(at), named[rng.integers(len(named))]) for at in spoken))
        plans.append(interrupted(plans[-1], time, words, manners()) if plans else plan_of(words, manners()))
        time += float(rng.uniform(0.05, 1.0))
        times.append(time)
    for before, after, at in zip(plans[:-1], plans[1:], times[:-1], strict=True):
        shown = [turned([plan], [], at + np.array([0.0, 1e-6])) for plan in (before, after)]
        np.testing.assert_allclose(shown[0], shown[1], atol=1e-5)
    assert quickest(plans, times[:-1], -0.5) <= 1.5


def test_a_gesture_is_handed_over_to_one_of_other_joints_and_of_less_weight() -> None:
    point, offer = gestures()["point"], gestures()["offer"]
    joints = len(point.motion.channels.skeleton.names)
    for other in (replace(offer, mask=np.full(joints, 0.5)), of_one_joint("UpperArm_L", 1.2, "Hand_L")):
        plan = plan_of(asked((1.0, point), (2.2, other)), manners())
        assert plan.placed[1].chosen.way == "prepare"
        assert quickest([plan], [], 0.0) <= 1.5


@pytest.mark.parametrize("name", ["beat", "point"])
def test_a_hold_that_is_nearly_over_can_be_interrupted(name: str) -> None:
    plan = plan_of(asked((1.0, gestures()["point"]), (3.2, gestures()["offer"])), manners())
    for time in (1.405, 1.425, 1.445, 1.465):
        new = interrupted(plan, time, asked((time + 0.5, gestures()[name])), manners())
        assert quickest([plan, new], [time], time - 0.5) <= 1.5


def test_a_property_goes_by_itself_where_the_next_gesture_has_none() -> None:
    smile = Scalar("smile", -1, "value", 0, False, '["smile"]')
    plan = plan_of(
        asked((1.0, of_one_joint("UpperArm_R", 1.2, "Hand_R", (smile,))), (2.2, gestures()["point"])), manners()
    )
    assert plan.placed[1].chosen.way == "prepare"
    column = plan.schedule.channels.scalar_columns.start
    shown = plan.schedule.sample(np.arange(0.0, 4.0, 1e-3))[:, column]
    assert shown.max() == pytest.approx(1.0, abs=1e-3)
    assert np.abs(np.diff(shown)).max() < 0.01


def test_gestures_of_one_and_of_both_hands_follow_one_another() -> None:
    right, left = gestures()["point"], of_one_joint("UpperArm_L", 1.2, "Hand_L")
    both = replace(right, hands=(*right.hands, *left.hands))
    plan = plan_of(asked((1.0, both), (2.6, left), (4.2, right)), manners())
    assert len(plan.placed) == 3
    assert quickest([plan], [], 0.0) <= 1.5
    raised = np.linalg.norm(hand_of(right, TIMES["stroke_end"]) - hand_of(right))
    lead = plan.placed[1].chosen.lead
    assert lead >= raised / manners().pace.hand_speed


def test_gestures_that_move_no_hand_and_that_cannot_be_squeezed_are_planned() -> None:
    nod = of_one_joint("Head", 0.4, "Hand_R")
    ways = [one.way for one in plan_of(asked((1.0, nod), (1.6, nod)), usual_manners([nod])).choice.kept]
    assert len(ways) == 2
    rigid = replace(gestures()["point"], bounds=(1.0, 1.0))
    assert len(plan_of(asked((1.0, rigid), (9.0, rigid)), replace(manners(), patience=0.0)).placed) == 2


def test_gestures_that_rest_in_different_poses_do_not_jump_when_one_takes_the_place_of_another() -> None:
    low, high = (of_one_joint("UpperArm_R", 1.2, "Hand_R", rests=rests) for rests in (0.0, 0.4))
    plan = plan_of(asked((1.0, low)), manners())
    over = plan.schedule.start + plan.schedule.duration
    for time in (plan.schedule.start - 0.1, over + 0.5):
        new = interrupted(plan, time, asked((time + 1.5, high)), manners())
        assert quickest([plan, new], [time], time - 0.5) <= 1.5
        np.testing.assert_allclose(turned([new], [], np.array([time])), turned([plan], [], np.array([time])), atol=1e-9)


def test_a_plan_that_takes_another_one_s_place_has_its_channels() -> None:
    smile = Scalar("smile", -1, "value", 0, False, '["smile"]')
    nod = of_one_joint("Head", 0.3, "Head", (smile,))
    plan = plan_of(asked((1.0, nod), (3.0, gestures()["point"])), manners())
    for time in (1.05, 2.5, 9.0):
        new = interrupted(plan, time, asked((time + 2.0, gestures()["beat"])), manners())
        assert new.schedule.channels.listing == plan.schedule.channels.listing
        both = Succession((Stage(-np.inf, plan.schedule), Stage(time, new.schedule)))
        shown = both.sample(time + np.array([-1e-9, 0.0]))
        np.testing.assert_allclose(shown[0], shown[1], atol=1e-6)


def test_silence_at_rest_is_a_plan_of_the_pose_at_rest() -> None:
    plan = plan_of(asked((1.0, gestures()["point"])), manners())
    silent = interrupted(plan, 9.0, [], manners())
    assert not silent.placed
    np.testing.assert_allclose(silent.schedule.sample([0.0, 9.0]), plan.schedule.sample([9.0, 10.0]), atol=1e-12)
    again = interrupted(silent, 10.0, asked((12.0, gestures()["beat"])), manners())
    assert len(again.placed) == 1 and quickest([silent, again], [10.0], 9.5) <= 1.5


def test_silence_again_and_again_does_not_hold_the_hand_for_longer() -> None:
    plan = plan_of(asked((1.0, gestures()["point"]), (2.6, gestures()["beat"])), manners())
    first = interrupted(plan, 1.15, [], manners())
    again, time = first, 1.2
    while time < first.placed[0].go:
        again, time = interrupted(again, time, [], manners()), time + 0.07
    assert again.placed[0].end <= first.placed[0].end + 1e-9


class Rounded:
    """A motion whose rotations are as long as those that are stored in single precision: not quite 1."""

    def __init__(self, motion: Clip) -> None:
        self._motion = motion

    def __getattr__(self, name: str) -> object:
        return getattr(self._motion, name)

    def sample(self, times: np.ndarray) -> np.ndarray:
        rows = self._motion.sample(times)
        rotations = slice(6, 6 + 4 * len(self._motion.channels.skeleton.names))
        rows[:, rotations] *= 1.0 - 1e-7
        return rows


def test_rotations_in_single_precision_do_not_make_a_hand_seem_to_rush() -> None:
    named = {name: replace(one, motion=Rounded(one.motion)) for name, one in gestures().items()}
    plan = plan_of(asked((1.0, named["point"])), manners())
    new = interrupted(plan, 1.05, asked((2.6, named["offer"]), (4.0, named["beat"])), manners())
    assert not new.choice.dropped and len(new.choice.kept) == 2
