"""Actions, translated between Blender and core: F-curves are read and written, and poses are written to bones."""

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
