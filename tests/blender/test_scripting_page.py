"""The part *In Blender* of docs/scripting.md runs as it stands, and prints what the page says that it prints."""

from typing import Any

import bpy
import pages
from blender.small_bvh import write_bvh
from blender.stage import part


def test_what_the_page_says_of_scripts_in_blender_is_so(tmp_path):
    for name, swing in (("slow", 20.0), ("fast", 30.0)):
        write_bvh(tmp_path / "walks" / f"{name}.bvh", swing=swing)
    names: dict[str, Any] = {}
    for code, prints in pages.examples(pages.part("scripting.md", "In Blender")):
        printed, names = pages.run(code.replace("/path/to/walks", (tmp_path / "walks").as_posix()), names, tmp_path)
        assert printed == prints, code
    action = bpy.data.actions["Nod growing"]
    (curve,) = (
        one
        for one in part("bridge.blender.versions").curves_of(action, names["figure"])
        if one.data_path.endswith("rotation_euler") and one.array_index == 0
    )
    first, last = curve.evaluate(7), curve.evaluate(79)
    assert len(curve.keyframe_points) == 97 and 0.1 < first < 0.3 < last < 0.7
    assert not names["figure"].verbs_adverbs.director.verbs_adverbs.live
