"""What is stored of how frames are counted: on directors, and on the actions that hold their keys."""

import bpy
from bpy.props import FloatProperty, IntProperty
from bpy.types import PropertyGroup

from ...blender.events import redraw_areas


def _read_otherwise(counted: PropertyGroup, _context: bpy.types.Context) -> None:
    """Let Blender notice that sliders are read otherwise, so that what plays follows."""
    counted.id_data.update_tag()
    redraw_areas()


class VERBS_ADVERBS_Counted(PropertyGroup):
    """How many frames a second were counted when frames were set, and how often sliders are read.

    Both are kept as Blender keeps the frame rate of a scene, as a number and what it is divided by, so that 24 / 1.001
    is the same number again.
    """

    fps: FloatProperty(
        name="Frame Rate", description="Frames per second that the frames were made at, 0 if that is not known", min=0.0
    )
    fps_base: FloatProperty(name="Base", description="What the frame rate is divided by", default=1.0, min=1e-5)
    reads: FloatProperty(
        name="Reads a Second",
        description=(
            "How many times a second sliders are read that are keyed or driven; 0 for at every frame. To Scene's Rate"
            " leaves this as it was, so that exactly the same is played"
        ),
        min=0.0,
        soft_max=240.0,
        update=_read_otherwise,
    )
    reads_base: FloatProperty(name="Base", description="What that number is divided by", default=1.0, min=1e-5)


class VERBS_ADVERBS_Between(PropertyGroup):
    """By how much a moment lies after the whole frame that is stored and shown for it.

    It counts as long as that frame is the one that it was stored for: whoever sets another frame means that one.
    """

    frame: IntProperty(name="Frame", description="The whole frame after which the moment lies")
    beyond: FloatProperty(name="Beyond", description="By how many frames it lies after that", min=0.0, max=1.0)


CLASSES = (VERBS_ADVERBS_Counted, VERBS_ADVERBS_Between)
