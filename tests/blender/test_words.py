"""What is said to the user: short however much is wrong, frames as they are read, names and tooltips that help."""

import bpy
import numpy as np
import pytest
from blender.figurine import annotate, refused, stride, striding_figurine
from blender.stage import walking_biped

OPS = bpy.ops.verbs_adverbs
FEWEST_WORDS = 6


def _repeated(action: bpy.types.Action, cycles: int, noise: float) -> None:
    """Key an action's curves over many cycles, with noise on every key."""
    generator = np.random.default_rng(5)
    curves = action.fcurves if hasattr(action, "fcurves") else action.layers[0].strips[0].channelbags[0].fcurves
    for curve in curves:
        keys = np.array([point.co[:] for point in curve.keyframe_points])
        length = keys[-1, 0] - keys[0, 0]
        shifts = length * np.arange(cycles)
        drift = (keys[-1, 1] - keys[0, 1]) * np.arange(cycles) if curve.data_path.endswith("location") else shifts * 0.0
        frames = (keys[:-1, 0] + shifts[:, None]).ravel()
        values = (keys[:-1, 1] + drift[:, None]).ravel() + noise * generator.standard_normal(len(frames))
        while len(curve.keyframe_points):
            curve.keyframe_points.clear()
        curve.keyframe_points.add(len(frames))
        curve.keyframe_points.foreach_set("co", np.stack([frames, values], axis=-1).astype(np.float32).ravel())
        curve.update()


@pytest.mark.parametrize("noise", [0.01, 0.03])
def test_a_noisy_clip_leaves_a_few_remarks_and_short_refusals(noise: float, capfd):
    biped = walking_biped()
    action = biped.animation_data.action
    _repeated(action, 60, noise)
    bpy.ops.verbs_adverbs.example_remove()
    said = ""
    try:
        OPS.keytimes_find(choices=[{"name": action.name, "chosen": True}])
    except RuntimeError as error:
        said = str(error)
    said += capfd.readouterr().out + capfd.readouterr().err
    assert len(said) < 3000
    assert len(action.verbs_adverbs.found) <= 12
    assert all(len(line.text) < 500 for line in action.verbs_adverbs.found)


def test_one_empty_verb_does_not_stop_build_all_for_the_rest():
    armature = striding_figurine()
    OPS.verb_add(name="empty")
    assert armature.verbs_adverbs.active_verb == 1
    assert OPS.verb_build(every=True) == {"FINISHED"}
    walk, empty = armature.verbs_adverbs.verbs
    assert walk.built_hash and walk.results
    assert not empty.built_hash


def test_where_no_verb_can_be_built_all_of_them_are_named(capfd):
    armature = striding_figurine((0.0,))
    OPS.verb_add(name="empty")
    said = refused(OPS.verb_build, capfd, every=True)
    assert f"'{armature.verbs_adverbs.verbs[0].name}'" in said and "'empty'" in said


def test_a_second_bake_of_the_same_is_not_named_as_if_it_had_another_value():
    armature = striding_figurine()
    assert OPS.bake(assign=False) == {"FINISHED"}
    before = set(bpy.data.actions)
    assert OPS.bake(assign=False) == {"FINISHED"}
    (second,) = set(bpy.data.actions) - before
    assert second.name.endswith(" (2)")
    assert armature.verbs_adverbs.verbs[0].name in second.name


def test_the_name_of_a_bake_is_never_cut_where_its_number_stands():
    striding_figurine()
    long = "動作" * 12
    for _ in range(3):
        assert OPS.bake(name=long, assign=False) == {"FINISHED"}
    made = sorted(action.name for action in bpy.data.actions if action.name.startswith("動作"))
    assert len(made) == 3
    assert [name.endswith(ending) for name, ending in zip(made, (" (2)", " (3)"), strict=False)] == [True, True]


@pytest.mark.parametrize("frame, told", [(1e6, "1000000"), (-0.000002, "0"), (491.6600004, "491.66"), (12.0, "12")])
def test_frames_are_written_as_they_are_read(frame: float, told: str, capfd):
    armature = striding_figurine()
    assign = stride(armature, "further")
    annotate(armature, assign)
    bpy.ops.verbs_adverbs.command_add(verb=armature.verbs_adverbs.verbs[0].name, frame=frame)
    said = capfd.readouterr()
    assert f"at frame {told}" in (said.out + said.err)


def test_every_tooltip_tells_more_than_its_name(extension):
    short = [
        f"{name}: {rna.description!r}"
        for name in dir(OPS)
        if len((rna := getattr(OPS, name).get_rna_type()).description.split()) < FEWEST_WORDS
    ]
    bare = [
        f"{name}.{prop.identifier}"
        for name in dir(OPS)
        for prop in getattr(OPS, name).get_rna_type().properties
        if prop.identifier != "rna_type" and prop.type != "COLLECTION" and not prop.is_hidden and not prop.description
    ]
    assert short + bare == []
