"""Layers over what a verb graph plays: fades, masks, spaces, what stays as it is below, and relations.

The formulas here are written in plain matrices and with SciPy's Slerp.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp
from verbs_adverbs.core.biped.figure import JOINTS, biped_skeleton
from verbs_adverbs.core.feet.constrained_player import ConstrainedPlayer
from verbs_adverbs.core.feet.playing_together import advance_all
from verbs_adverbs.core.figure import quaternion as quat
from verbs_adverbs.core.figure.channels import rotations_of, world_joints
from verbs_adverbs.core.graph.verb_graph import graph_of
from verbs_adverbs.core.layers.claims import Claims
from verbs_adverbs.core.layers.layer import Layer, PlaysVerb
from verbs_adverbs.core.layers.layer_set import with_layers
from verbs_adverbs.core.motion.fade import Fade
from verbs_adverbs.core.play.player import AskAdverbs, AskLayer

from .graphs import generated_verbs
from .layered import ARM, BOTH, HAND_JOINTS, Made, carrying, masked, player, walking, waving

LEGS = [f"{bone}_{side}" for bone in ("UpperLeg", "LowerLeg", "Foot", "Toes") for side in "LR"]
ARM_BONES = ("UpperArm_R", "LowerArm_R", "Hand_R")


def turns(rows: np.ndarray, bones: Sequence[str]) -> np.ndarray:
    channels = walking().channels
    columns = [channels.rotating.tolist().index(JOINTS[bone]) for bone in bones]
    return rotations_of(channels, rows)[:, columns]


def test_a_layer_moves_the_bones_of_its_mask_and_leaves_all_else_bit_for_bit_as_it_is_below():
    times = np.arange(0, 300) / 60.0
    alone, over = player(walking()), player(with_layers(walking(), [waving()]))
    over.command(1.0, AskLayer("hail", "start"))
    below, made = alone.advance(times).values, over.advance(times).values
    moved = np.flatnonzero(np.any(below != made, axis=0))
    channels = walking().channels
    skeleton = channels.skeleton
    arm = {
        JOINTS[name]
        for name in skeleton.names
        if "UpperArm_R" in [skeleton.names[j] for j in skeleton.chain(JOINTS[name])]
    }
    columns = [6 + 4 * row + k for row, j in enumerate(channels.rotating.tolist()) if j in arm for k in range(4)]
    assert len(moved) and set(moved.tolist()) <= set(columns)
    assert np.array_equal(below[times < 1.0], made[times < 1.0])
    wave = generated_verbs()[2].motion([0.0, 0.0])
    inside = (times > 1.4) & (times < 1.0 + wave.duration - 0.4)
    own = wave.sample(times[inside] - 1.0)
    angles = quat.angle_between(turns(made[inside], ARM), turns(own, ARM))
    assert angles.max() < 1e-6


def test_rows_do_not_depend_on_which_are_asked_for():
    times = np.arange(0, 240) / 48.0
    slow = {"fade_in": 0.3, "fade_out": 0.3}
    second = waving("carry", BOTH, follows=True, passes=0, when_held="replace", **slow)
    graph = with_layers(walking(), [waving(**slow), second])
    asks = [
        (0.7, AskLayer("hail", "start")),
        (1.31, AskLayer("carry", "start")),
        (2.5, AskLayer("hail", "instead")),
        (2.6, AskAdverbs({"hail weight": 0.4, "energy": 0.9})),
        (3.3, AskLayer("hail", "stop")),
    ]
    found = []
    for size in (240, 17, 1):
        one = player(graph)
        for time, ask in asks:
            one.command(time, ask)
        found.append(np.concatenate([one.advance(times[k : k + size]).values for k in range(0, 240, size)]))
    assert all(np.abs(one - found[0]).max() < 1e-6 for one in found)


@given(st.lists(st.tuples(st.floats(0.0, 0.5), st.sampled_from([0.0, 1.0]), st.floats(0.05, 1.0)), max_size=8))
@example([(0.5, 1.0, 0.1447408953957591), (0.1447408953957591, 0.0, 1.0)])
def test_fades_keep_weight_and_speed_and_stay_within_bounds(turned: list[tuple[float, float, float]]):
    fade, time = Fade(0.0, 0.0, 0.0, 0.0, 0.0), 0.0
    for wait, goal, seconds in turned:
        time += wait
        last = fade
        fade = fade.turned(time, goal, seconds)
        assert abs(fade.at(np.array([time]))[0] - last.at(np.array([time]))[0]) < 1e-12
        soon = np.array([time, time + 1e-7])
        assert abs(np.diff(fade.at(soon)) - np.diff(last.at(soon))) < 1e-9
        shown = fade.at(np.linspace(time, time + 3.0, 400))
        assert shown.min() >= 0.0 and shown.max() <= 1.0 and shown[-1] == goal
        slopes = np.abs(np.diff(shown)) / (3.0 / 399)
        assert slopes.max() <= max(abs(fade.speed), 1.6 / seconds) + 1e-6


def matrices(rows: np.ndarray, bones: Mapping[str, int]) -> dict[str, np.ndarray]:
    """Return the rotation matrices (T, 3, 3) of bones, from the columns of their quaternions."""
    return {
        bone: Rotation.from_quat(np.roll(rows[:, 6 + 4 * row : 10 + 4 * row], -1, axis=-1)).as_matrix()
        for bone, row in bones.items()
    }


def slerped(first: np.ndarray, second: np.ndarray, share: float) -> np.ndarray:
    """Return what lies between matrices (T, 3, 3), by SciPy."""
    ends = [Rotation.from_matrix(np.stack(pair)) for pair in zip(first, second, strict=True)]
    return np.stack([Slerp([0.0, 1.0], pair)([share]).as_matrix()[0] for pair in ends])


def in_heading(turned: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the orientation of each bone in the frame of the heading, from rotations from rest."""
    skeleton, found = biped_skeleton(), dict[str, np.ndarray]()
    rests = Rotation.from_quat(np.roll(skeleton.rests, -1, axis=-1)).as_matrix()
    for joint, name in enumerate(skeleton.names):
        local = rests[joint] @ turned.get(name, np.eye(3))
        found[name] = found[skeleton.names[skeleton.parents[joint]]] @ local if joint else local
    return found


def mixed_by_formula(
    below: np.ndarray, own: np.ndarray, made: Made, layer: Layer, share: float
) -> dict[str, np.ndarray]:
    """Return the rotation from rest (T, 3, 3) of every bone after mixing, as the paper's masks and ours are defined."""
    skeleton = biped_skeleton()
    rests = Rotation.from_quat(np.roll(skeleton.rests, -1, axis=-1)).as_matrix()
    own_rows = {skeleton.names[joint]: row for row, joint in enumerate(made.channels.rotating.tolist())}
    under, over = matrices(below, JOINTS), matrices(own, own_rows)
    first = matrices(made.usual[:1], own_rows)
    spaces = in_heading(over), in_heading(first)
    whole, found = dict[str, np.ndarray](), dict[str, np.ndarray]()
    for joint, name in enumerate(skeleton.names):
        above = whole[skeleton.names[skeleton.parents[joint]]] if joint else np.eye(3)
        natural, weight = above @ rests[joint] @ under[name], share * layer.mask[joint]
        local = under[name]
        if weight > 0.0 and name in own_rows:
            if layer.space == "parent" and layer.mode == "override":
                local = slerped(local, over[name], weight)
            elif layer.space == "parent":
                more = first[name].swapaxes(-1, -2) @ over[name]
                local = local @ slerped(np.tile(np.eye(3), (len(own), 1, 1)), more, weight)
            else:
                goal, begin = spaces[0][name], spaces[1][name]
                if layer.mode == "override":
                    turned = slerped(natural, goal, weight)
                else:
                    more = goal @ begin.swapaxes(-1, -2)
                    turned = slerped(np.tile(np.eye(3), (len(own), 1, 1)), more, weight) @ natural
                local = (above @ rests[joint]).swapaxes(-1, -2) @ turned
        found[name], whole[name] = local, above @ rests[joint] @ local
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", ["override", "additive"])
@pytest.mark.parametrize("space", ["parent", "character"])
def test_masked_mixing_is_that_of_a_formula_in_plain_matrices(space: str, mode: str, seed: int):
    rng = np.random.default_rng(seed)
    made = Made(seed, ("Spine", "Neck", "UpperArm_R", "LowerArm_R", "Shoulder_R"), 0.5)
    mask = rng.uniform(0.05, 1.0, len(JOINTS)) * (rng.random(len(JOINTS)) < 0.8)
    mask[JOINTS["UpperArm_R"]], mask[0] = 1.0, 0.0
    share, times = float(rng.uniform(0.2, 1.0)), np.arange(40) / 24.0
    layer = Layer("made", made, mask, space=space, mode=mode, fade_in=0.0)  # type: ignore[arg-type]
    adverbs = {"made plays": 1.0, "made weight": share, "turn": 0.8}
    shown = player(with_layers(walking(), [layer]), adverbs).advance(times).values
    below = player(walking(), adverbs).advance(times).values
    expected = mixed_by_formula(below, made.at(times), made, layer, share)
    actual = matrices(shown, JOINTS)
    worst = max(np.abs(actual[name] - expected[name]).max() for name in JOINTS)
    assert worst < 1e-6


def test_joints_that_layers_do_not_key_are_transparent_also_between_masks():
    times = np.arange(60) / 30.0
    arm, head = Made(1, ("LowerArm_R", "Neck")), Made(2, ("Head", "UpperArm_L"))
    layers = [
        Layer("arm", arm, masked(("Shoulder_R",), 2), fade_in=0.0),
        Layer("head", head, masked(("Neck", "Shoulder_L"), 3), fade_in=0.0),
    ]
    on = {"arm plays": 1.0, "head plays": 1.0}
    shown = player(with_layers(walking(), layers), on).advance(times).values
    below = player(walking()).advance(times).values
    moved = {name for name in JOINTS if np.any(turns(shown, (name,)) != turns(below, (name,)))}
    assert moved == {"LowerArm_R", "Head", "UpperArm_L"}
    own = Rotation.from_quat(np.roll(arm.at(times)[:, -4:], -1, axis=-1)).as_matrix()
    assert np.abs(matrices(shown, {"LowerArm_R": JOINTS["LowerArm_R"]})["LowerArm_R"] - own).max() < 1e-9


@pytest.mark.parametrize("mood", [-1.0, 0.0, 1.0])
def test_a_hand_in_character_space_is_turned_as_in_the_layer_whatever_the_torso_does(mood: float):
    graph, times = with_layers(walking(), [waving(space="character", fade_in=0.0)]), np.arange(300) / 60.0
    steered = {"mood": mood, "turn": 1.0, "slope": -mood}
    over = player(graph, {**steered, "hail plays": 1.0})
    over.command(1.0, AskAdverbs({"mood": -mood}))
    shown = over.advance(times).values
    wave = walking().verb("wave").motion([0.0, 0.0])
    inside = times < wave.duration - 0.4
    level = shown[inside].copy()
    level[:, 2] = 0.0
    hand = in_heading(matrices(level, JOINTS))["Hand_R"]
    own = in_heading(matrices(wave.sample(times[inside]) * np.where(np.arange(shown.shape[1]) == 2, 0, 1), JOINTS))
    angles = Rotation.from_matrix(own["Hand_R"].swapaxes(-1, -2) @ hand).magnitude()
    assert np.degrees(angles.max()) < 0.1


@pytest.mark.parametrize("bones", [BOTH, ("LowerArm_R", "LowerArm_L"), ("LowerArm_R",)])
@pytest.mark.parametrize("space", ["parent", "character"])
def test_hands_are_as_far_apart_as_in_the_layer_also_where_this_has_to_be_solved(bones: Sequence[str], space: str):
    layer = carrying(bones, follows=False, space=space, fade_in=0.0)
    times, adverbs = np.arange(240) / 60.0, {"carry plays": 1.0, "mood": 0.7}
    shown = player(with_layers(walking(), [layer]), adverbs).advance(times).values
    own = player(graph_of(layer.plays.verb), adverbs, "carry").advance(times).values  # type: ignore[attr-defined]
    apart = [world_joints(walking().channels, rows)[:, list(HAND_JOINTS)] for rows in (shown, own)]
    found, wanted = (np.linalg.norm(hands[:, 0] - hands[:, 1], axis=-1) for hands in apart)
    assert np.abs(found - wanted).max() < 0.001
    unsolved = replace(layer, claims=Claims(layer.claims.joints))
    plain = world_joints(walking().channels, player(with_layers(walking(), [unsolved]), adverbs).advance(times).values)
    gap = np.linalg.norm(plain[:, HAND_JOINTS[0]] - plain[:, HAND_JOINTS[1]], axis=-1)
    assert bones == BOTH or np.abs(gap - wanted).max() > 0.05


def test_what_cannot_be_reached_is_neared_without_a_jump():
    layer = carrying(("LowerArm_R",), follows=False, fade_in=0.3)
    found = [np.degrees(steps_of(player(with_layers(walking(), [layer]), {"mood": m}), 240)).max() for m in (-1.0, 1.0)]
    assert max(found) < 45.0


def steps_of(over: object, frames: int) -> np.ndarray:
    """Return by how much the right lower arm turns from frame to frame while something is carried, in radians."""
    over.command(1.0, AskLayer("carry", "start"))  # type: ignore[attr-defined]
    shown = turns(over.advance(np.arange(frames) / 30.0).values, ("LowerArm_R",))[:, 0]  # type: ignore[attr-defined]
    return quat.angle_between(shown[1:], shown[:-1])


@pytest.mark.parametrize("locked", [False, True])
def test_legs_are_bit_for_bit_those_of_the_walk_alone_below_three_layers(locked: bool):
    graph = with_layers(
        walking(),
        [
            waving(space="character"),
            Layer("nod", Made(3, ("Head", "Neck")), masked(("Neck",)), mode="additive"),
            carrying(),
        ],
    )
    times, rows = np.arange(0, 480) / 60.0, []
    for one in (walking(), graph):
        below = player(one, {"mood": 0.4})
        over = ConstrainedPlayer(below) if locked else below
        over.command(1.7, AskAdverbs({"mood": -0.6, "turn": 0.5}))
        if one is graph:
            for time, name, what in ((0.5, "nod", "start"), (0.8, "carry", "start"), (2.9, "hail", "instead")):
                over.command(time, AskLayer(name, what))  # type: ignore[arg-type]
            over.command(5.0, AskLayer("carry", "instead"))
        rows.append(over.advance(times).values)
    columns = [*range(6), *(6 + 4 * JOINTS[bone] + k for bone in ("Hips", *LEGS) for k in range(4))]
    assert np.array_equal(rows[0][:, columns], rows[1][:, columns])
    feet = [world_joints(walking().channels, one)[:, [JOINTS["Foot_L"], JOINTS["Toes_R"]]] for one in rows]
    slips = [100.0 * 60.0 * np.linalg.norm(np.diff(foot, axis=0), axis=-1) for foot in feet]
    assert np.abs(slips[1] - slips[0]).max() == 0.0
    assert np.any(rows[0] != rows[1])


def test_a_layer_whose_actor_faced_another_way_is_turned_to_face_as_the_figure_does():
    wave = generated_verbs()[2]
    quarter = replace(wave, reference=quat.multiply(quat.from_yaw(-0.5 * np.pi), wave.reference))
    shown = []
    for verb in (wave, quarter):
        layer = replace(waving(space="character"), plays=PlaysVerb(verb, 1))
        over = player(with_layers(walking(), [layer]), {"hail plays": 1.0})
        shown.append(in_heading(matrices(over.advance(np.array([1.0])).values, JOINTS))["Hand_R"][0])
    assert np.abs(shown[1] - Rotation.from_rotvec([0.0, 0.0, 0.5 * np.pi]).as_matrix() @ shown[0]).max() < 1e-6


def test_figures_whose_rows_are_made_together_have_their_own_layers():
    graph, times = with_layers(walking(), [waving(), carrying()]), np.arange(90) / 30.0
    asked = (("hail plays", 1.0), ("carry plays", 1.0), ("turn", 1.0))
    together = advance_all([player(graph, {name: value}) for name, value in asked], times)
    for (name, value), stretch in zip(asked, together, strict=True):
        assert np.abs(stretch.values - player(graph, {name: value}).advance(times).values).max() < 1e-6
