"""What is stored in the .blend file and how it is edited: examples, verbs, transitions, directors, commands."""

from typing import TYPE_CHECKING

from .. import importing

if TYPE_CHECKING:
    from . import (
        action_properties,
        adverb_values,
        annotate,
        bones,
        commands,
        content,
        current,
        curves,
        director,
        example_list,
        frames,
        layer_properties,
        library_director,
        markers,
        object_properties,
        registration,
        schema,
        structure,
        targets,
        transition_items,
        verb_assets,
    )
else:
    __getattr__ = importing(__name__)
