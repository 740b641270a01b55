"""Aims: which value of a measure each point of the adverb space asks for, and how far the verb misses it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MOST_CHOICES, VerbError, listed, quoted
from ..verb.verb import Verb
from .measure import Measure

Array = NDArray[np.float64]

UNMOVED = 1e-6


@dataclass(frozen=True, eq=False)
class Aim:
    """Adverbs p ask a measure for ``origin + p @ directions``.

    In space every measured adverb asks for its own component; on a board two adverbs ask for a point of a plane.
    Adverbs that ask for nothing, such as a mood, have a row of zeros: they are kept where the user sets them.

    Parameters
    ----------
    measure : of M components.
    origin : (M,)
    directions : (D, M)
    scale : (M,) by which errors are divided: ones where all components have one unit, else each one's extent.
    diagonal : of the target region, in the same scale.
    """

    measure: Measure
    origin: Array
    directions: Array
    scale: Array
    diagonal: float

    def asked(self, adverbs: Array) -> Array:
        """Targets (..., M) that `adverbs` (..., D) ask for."""
        return self.origin + adverbs @ self.directions

    def misses(self, verb: Verb, weights: Array, targets: Array) -> Array:
        """Scaled error vectors v_e (B, M): what `weights` (B, N) achieve, less `targets` (B, M)."""
        return (self.measure.of_weights(verb, weights) - targets) / self.scale

    @property
    def backward(self) -> Array:
        """(M, D): the change of adverbs that asks for a given scaled change of target, or for what is nearest to it."""
        return np.linalg.pinv(self.directions / self.scale)

    @property
    def moving(self) -> NDArray[np.intp]:
        """Adverbs that ask for something."""
        return np.flatnonzero(np.any(self.directions != 0.0, axis=1))


def aim_at_adverbs(verb: Verb, measure: Measure, adverbs: Sequence[str]) -> Aim:
    """Each of `adverbs` (M,) asks for the component of `measure` that stands at its place.

    Raises
    ------
    VerbError
        If the verb has no such adverb, their number is not the measure's, or no example moves what is measured.
    """
    if len(adverbs) != len(measure.labels):
        raise VerbError(
            f"Verb '{verb.name}' is measured by {len(measure.labels)} numbers ({listed(measure.labels)}) but "
            f"{len(adverbs)} adverbs are to ask for them. Name one adverb for each."
        )
    directions = np.zeros((len(verb.adverb_names), len(adverbs)))
    for column, name in enumerate(adverbs):
        directions[_index(verb, name), column] = 1.0
    _check_numbers(verb, measure)
    _check_moved(verb, measure, adverbs)
    return aim_at_plane(verb, measure, np.zeros(len(adverbs)), directions)


def aim_at_plane(verb: Verb, measure: Measure, origin: ArrayLike, directions: ArrayLike) -> Aim:
    """Adverbs p ask for ``origin + p @ directions``, (M,) and (D, M): a line, a plane, or a slanted space.

    Raises
    ------
    VerbError
        If an example's measure is not a number.
    """
    start, steps = np.asarray(origin, dtype=np.float64), np.asarray(directions, dtype=np.float64)
    _check_numbers(verb, measure)
    extents = np.abs(steps).T @ (verb.adverb_ranges[:, 1] - verb.adverb_ranges[:, 0])
    scale = np.ones(len(start)) if len(set(measure.units)) == 1 else np.where(extents > 0.0, extents, 1.0)
    return Aim(measure, start, steps, scale, float(np.linalg.norm(extents / scale)))


def _index(verb: Verb, name: str) -> int:
    if name not in verb.adverb_names:
        known = quoted(verb.adverb_names, MOST_CHOICES) or "none"
        raise VerbError(f"Verb '{verb.name}' has no adverb '{name}' to be measured. Choose among its own: {known}.")
    return verb.adverb_names.index(name)


def _check_moved(verb: Verb, measure: Measure, adverbs: Sequence[str]) -> None:
    """Raise where an adverb asks for what is the same in all examples: no mixture of them will change it."""
    for label, name, values in zip(measure.labels, adverbs, measure.of_examples(verb).T, strict=True):
        if np.ptp(values) <= UNMOVED * max(1.0, float(np.abs(values).max())):
            raise VerbError(
                f"Adverb '{name}' of verb '{verb.name}' asks for the {label}, the same in all of its examples. "
                "No mixture of them moves it: measure a bone that they move, or at another keytime."
            )


def _check_numbers(verb: Verb, measure: Measure) -> None:
    count = len(verb.channels.skeleton.names)
    if not all(0 <= joint < count for joint in measure.joints):
        raise VerbError(
            f"What is to be measured is not among the {count} bones of verb '{verb.name}'. "
            "Choose a bone that its examples pose, or one that hangs from them."
        )
    bad = ~np.isfinite(measure.of_examples(verb))
    for row, column in np.argwhere(bad):
        raise VerbError(
            f"The {measure.labels[column]} measured in example '{verb.example_names[row]}' of verb '{verb.name}' is "
            "not a number. Measure something that every example has at that moment."
        )


@dataclass(frozen=True, eq=False)
class Distortion:
    """How well some points of the adverb space are met.

    Parameters
    ----------
    asked, achieved : (P, M) in the measure's units.
    percent : (P,) distance between them in percent of the diagonal of the target region.
    """

    asked: Array
    achieved: Array
    percent: Array

    @property
    def average(self) -> float:
        """Mean of `percent`."""
        return float(self.percent.mean())

    @property
    def maximum(self) -> float:
        """Largest of `percent`."""
        return float(self.percent.max())


def distortion(verb: Verb, aim: Aim, points: Array) -> Distortion:
    """Distortion of `verb` at `points` (P, D) of its adverb space."""
    return distortion_of(verb, aim, points, verb.weights(points))


def distortion_of(verb: Verb, aim: Aim, points: Array, weights: Array) -> Distortion:
    """Distortion where `points` (P, D) ask and `weights` (P, N) answer, however these were found."""
    asked = aim.asked(points)
    achieved = aim.measure.of_weights(verb, weights)
    return Distortion(asked, achieved, percent(aim, achieved - asked))


def percent(aim: Aim, misses: Array) -> Array:
    """Lengths (P,) of `misses` (P, M), in percent of the diagonal of the target region."""
    return 100.0 / aim.diagonal * np.linalg.norm(misses / aim.scale, axis=-1)
