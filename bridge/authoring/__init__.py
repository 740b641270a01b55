"""Building what core plays from stored data: verbs, graphs and refinements; also finding and mirroring examples."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        assets,
        biped,
        building,
        clips,
        conforming,
        copying_verbs,
        definitions,
        diagnosis,
        distance_map,
        editing,
        gesture_phases,
        graph,
        importing_walks,
        mapping_bones,
        measuring,
        mirroring,
        nodes,
        pad,
        reach_report,
        refinement,
        transitions,
        verb_cache,
        verbs,
    )
else:
    __getattr__ = importing(__name__)
