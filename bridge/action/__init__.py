"""Actions, converted between Blender and core: reading and writing F-curves, and writing poses to bones."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        bake_record,
        baked_curves,
        channels,
        examples,
        generated_action,
        nla_strips,
        read_action,
        tracks,
        write_pose,
    )
else:
    __getattr__ = importing(__name__)
