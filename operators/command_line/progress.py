"""How the command line tells how far it is: for a reader, or in the lines that render farms look for.

A farm that runs Open Job Descriptions looks for lines such as ``openjd_progress: 42.0`` in what its tasks print.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ...bridge.blender.waiting import heard_by

T = TypeVar("T")

PLAIN, OPENJD = "plain", "openjd"
FORMS = (PLAIN, OPENJD)
LEAST = 1.0
"""Percent by which the work has to be further than told before it is told again."""


def say(text: str) -> None:
    """Answer with a line of text, at once, for whoever follows how far the work is."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Progress:
    """Tells how far the work is, never less than before.

    Parameters
    ----------
    form : ``'plain'`` for a reader, ``'openjd'`` for a render farm.
    """

    def __init__(self, form: str) -> None:
        self._form, self._told = form, -LEAST

    def done(self, percent: float) -> None:
        """Tell that this much of the whole is done, if it is news."""
        if percent - self._told >= LEAST or percent >= 100.0 > self._told:
            self._told = percent
            say(f"openjd_progress: {percent:.1f}" if self._form == OPENJD else f"Progress: {percent:.1f} %")

    def status(self, text: str) -> None:
        """Tell what is done now."""
        say(f"openjd_status: {text}" if self._form == OPENJD else text)

    def fail(self, text: str) -> None:
        """Tell a farm why the work has ended; a reader is told so as an error anyway."""
        if self._form == OPENJD:
            say(f"openjd_fail: {text}")

    def each(self, things: Sequence[T]) -> Iterator[T]:
        """Yield things to work on, and tell how far the work is before, while and after each is worked on."""
        for number, thing in enumerate(things):
            self.done(100.0 * number / len(things))
            with self._within(100.0 * number / len(things), 100.0 / len(things)):
                yield thing

    @contextmanager
    def _within(self, begin: float, share: float) -> Iterator[None]:
        """Tell how far long computations are; each, as it is not known how many come, has half of what is left."""
        last, left = 0.0, 1.0

        def heard(fraction: float) -> None:
            nonlocal last, left
            if fraction < last:
                left *= 0.5
            last = fraction
            self.done(begin + share * (1.0 - left * (1.0 - 0.5 * fraction)))

        with heard_by(heard):
            yield
