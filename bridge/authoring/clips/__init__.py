"""Clips of captured or keyed motion: imported from files, observed, and searched for steps."""

from typing import TYPE_CHECKING

from ... import importing

if TYPE_CHECKING:
    from . import (
        clip_files,
        finding,
        likeness,
        observing,
    )
else:
    __getattr__ = importing(__name__)
