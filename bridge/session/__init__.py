"""Live characters: driving them by sliders, on the timeline and in performances, and baking them."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        annotate_bake,
        bake,
        bake_strips,
        bakes,
        character,
        crash_journal,
        destination,
        drawing,
        floor_mesh,
        handlers,
        live,
        live_characters,
        ongoing_take,
        performance,
        performing,
        playable,
        request,
        saved_state,
        sliders,
        switching,
        timeline,
        view,
        write_takes,
    )
else:
    __getattr__ = importing(__name__)
