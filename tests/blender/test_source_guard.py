"""The watch over source actions sees what it is there to see."""

from collections.abc import Callable, Iterator

import bpy
import pytest
from blender.action_hash import digest
from blender.installed import MODULE
from blender.source_guard import SourceGuard


@pytest.fixture
def action() -> bpy.types.Action:
    holder = bpy.data.objects.new("holder", None)
    bpy.context.scene.collection.objects.link(holder)
    holder.keyframe_insert("location", frame=1)
    holder.keyframe_insert("location", frame=5)
    return holder.animation_data.action


def _first_curve() -> bpy.types.FCurve:
    animation = bpy.data.objects["holder"].animation_data
    if not hasattr(animation.action, "layers"):
        return animation.action.fcurves[0]
    return animation.action.layers[0].strips[0].channelbag(animation.action_slot).fcurves[0]


class VERBS_ADVERBS_OT_vandal(bpy.types.Operator):
    bl_idname = "verbs_adverbs.vandal"
    bl_label = "Vandal"

    def execute(self, context: bpy.types.Context) -> set[str]:
        point = _first_curve().keyframe_points[0]
        point.co[1] += 1.0
        return {"FINISHED"}


@pytest.fixture
def vandal() -> Iterator[None]:
    VERBS_ADVERBS_OT_vandal.__module__ = f"{MODULE}.operators.vandal"
    bpy.utils.register_class(VERBS_ADVERBS_OT_vandal)
    yield
    bpy.utils.unregister_class(VERBS_ADVERBS_OT_vandal)


def test_an_operator_that_moves_a_key_of_a_source_is_named(action, vandal: None, source_guard: SourceGuard):
    source_guard.begin()
    bpy.ops.verbs_adverbs.vandal()
    assert source_guard.changed == [f"verbs_adverbs.vandal changed '{action.name}'"]
    source_guard.changed.clear()


@pytest.mark.parametrize(
    "change",
    [
        lambda curve: setattr(curve.keyframe_points[0], "interpolation", "CONSTANT"),
        lambda curve: curve.keyframe_points.insert(9.0, 2.0),
        lambda curve: curve.modifiers.new("CYCLES"),
        lambda curve: setattr(curve, "mute", True),
        lambda curve: setattr(curve, "extrapolation", "LINEAR"),
    ],
    ids=["interpolation", "new key", "modifier", "mute", "extrapolation"],
)
def test_the_digest_tells_every_change_of_a_curve(action, change: Callable[[bpy.types.FCurve], object]):
    before = digest(action)
    assert digest(action) == before
    change(_first_curve())
    assert digest(action) != before


KEYS = {
    "co": (1.0, 7.0),
    "handle_left": (0.5, 7.0),
    "handle_right": (1.5, 7.0),
    "handle_left_type": "FREE",
    "handle_right_type": "FREE",
    "interpolation": "ELASTIC",
    "easing": "EASE_IN",
    "type": "EXTREME",
    "amplitude": 3.0,
    "back": 3.0,
    "period": 3.0,
}


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("key", [0, -1])
def test_the_digest_tells_every_property_of_a_key(action, name: str, key: int):
    point = _first_curve().keyframe_points[key]
    point.handle_left_type = point.handle_right_type = "ALIGNED"
    before = digest(action)
    setattr(point, name, KEYS[name])
    assert digest(action) != before


def test_the_digest_ignores_what_is_selected(action):
    before, point = digest(action), _first_curve().keyframe_points[0]
    for name in ("select_control_point", "select_left_handle", "select_right_handle"):
        setattr(point, name, not getattr(point, name))
        assert digest(action) == before


def test_the_digest_ignores_markers(action):
    before = digest(action)
    action.pose_markers.new("contact")
    assert digest(action) == before
