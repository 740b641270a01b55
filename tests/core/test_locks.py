"""Planted feet stand still on the floor, by small corrections that come and go smoothly."""

import numpy as np
import pytest
from verbs_adverbs.core.feet.footholds_off_edges import Floor
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import world_joints, world_points
from verbs_adverbs.core.figure.vector_components import UP, arc

from .locked_walks import correction, play, root_step, slip, swinging, walk, worst_pop

PLACES = [(0.0, 0.0), (-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5), (-0.6, -0.7), swinging]
MOST_SLIP = 0.3  # centimetres a second
FROM_FLOOR = 0.01
MOST_CORRECTION = 12.0  # degrees
MOST_POP = 3.0  # degrees a frame


def _longest_root_step() -> float:
    return max(root_step(p, p.values) for p in (play(tuple(place)) for place in walk().places))


@pytest.mark.parametrize("adverbs", PLACES)
def test_planted_feet_stand_still_on_the_floor(adverbs):
    played = play(adverbs)
    locked = played.locked()
    assert slip(played, locked) < MOST_SLIP
    for index, contact in enumerate(played.verb.contacts):
        point = played.point(locked, index)
        for rows in played.held(index):
            assert np.abs(point[rows, 2] - contact.clearances.mean()).max() < FROM_FLOOR


@pytest.mark.parametrize("adverbs", PLACES)
def test_corrections_are_small_and_nothing_pops(adverbs):
    played = play(adverbs)
    locked = played.locked()
    assert correction(played, locked) < MOST_CORRECTION
    assert worst_pop(played, locked) < MOST_POP
    assert root_step(played, locked) < 1.3 * _longest_root_step()


def test_feet_slide_where_nothing_holds_them():
    played = play((0.5, 0.5))
    assert slip(played, played.values) > 3.0 * MOST_SLIP


def test_feet_are_held_in_their_windows_and_nowhere_else():
    played = play((0.3, 0.2))
    names = played.verb.channels.skeleton.names
    locked = played.locked()
    for index, contact in enumerate(played.verb.contacts):
        free = np.ones(len(played.times), dtype=bool)
        for window in played.stands(index):
            free &= (played.times < window.start) | (played.times > window.end + 0.25)
        assert free.any() and not free.all()
        side = contact.point[-2:]
        for bone in ("UpperLeg", "LowerLeg", "Foot"):
            first = 6 + 4 * names.index(bone + side)
            changed = np.abs(locked - played.values)[:, first : first + 4].max(axis=-1)
            assert changed[free].max() < 1e-6 < 1e-3 < changed[~free].max()


def test_only_legs_turn():
    played = play(swinging)
    changed = np.flatnonzero(np.abs(played.locked() - played.values).max(axis=0) > 1e-12)
    names = {played.verb.channels.skeleton.names[(c - 6) // 4] for c in changed if c >= 6}
    assert names == {f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot") for side in "LR"}
    assert set(changed[changed < 6]) <= {5}


def _direction() -> np.ndarray:
    values = play((0.0, 0.0)).values
    way = values[-1, :2] - values[0, :2]
    return way / np.linalg.norm(way)


def _ramp(degrees: float) -> Floor:
    way, grade = _direction(), np.tan(np.radians(degrees))
    return lambda places: grade * (places @ way)


def _stairs(rise: float) -> Floor:
    way = _direction()
    return lambda places: rise * np.maximum(np.floor((places @ way - 0.8) / 0.29) + 1.0, 0.0)


FLOORS = ["up a ramp", "down a ramp", "up stairs", "down stairs"]


@pytest.mark.parametrize("floor", [_ramp(10.0), _ramp(-10.0), _stairs(0.17), _stairs(-0.17)], ids=FLOORS)
def test_feet_stand_still_on_ramps_and_stairs(floor):
    played = play((-1.0, 0.0))
    locked = played.locked(floor)
    assert slip(played, locked) < MOST_SLIP
    for index, contact in enumerate(played.verb.contacts):
        point = played.point(locked, index)
        for rows in played.held(index):
            over = point[rows, 2] - floor(point[rows, :2])
            assert np.abs(over - contact.clearances.mean()).max() < FROM_FLOOR


def test_the_root_goes_up_a_ramp_with_the_feet():
    played = play((0.0, 0.0))
    floor = _ramp(10.0)
    root = world_joints(played.verb.channels, played.locked(floor))[:, 0]
    flat = world_joints(played.verb.channels, played.values)[:, 0]
    moved = _ankle_on(floor)
    middle = slice(30, -60)
    expected = flat[middle, 2] + floor(root[middle, :2] - moved[:2]) + moved[2]
    assert np.abs(root[middle, 2] - expected).max() < 0.05


def _ankle_on(floor: Floor) -> np.ndarray:
    """How far (3,) a walking foot's ankle is from where it would be if the foot did not lie on the slope."""
    played = play((0.0, 0.0))
    row = played.values[played.held(0)[1][:1]]
    ankle = played.verb.channels.skeleton.parents[played.verb.contacts[0].joint]
    arm = world_joints(played.verb.channels, row)[0, ankle] - played.point(row, 0)[0]
    slope = floor(np.eye(2))
    return quat.rotate(np.array(arc(UP, (-slope[0], -slope[1], 1.0))), arm) - arm


def test_even_ground_is_as_good_as_none():
    played = play((0.0, 0.0))
    ankle = played.verb.channels.skeleton.index("Foot_L")
    points = [
        world_points(played.verb.channels, values, ankle, np.zeros(3))
        for values in (played.locked(), played.locked(lambda places: np.zeros(len(places))))
    ]
    assert np.abs(points[0] - points[1]).max() < FROM_FLOOR
