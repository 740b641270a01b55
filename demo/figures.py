"""The figures that the demo's report gives for a verb."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

Array = NDArray[np.float64]


def barycentric(places: Array, point: Array) -> Array:
    """Barycentric weights (N,) of `point` (D,), clamped to the hull, in a Delaunay triangulation of the places."""
    weights = np.zeros(len(places))
    if places.shape[1] == 1:
        order = np.argsort(places[:, 0])
        for share, row in _between(places[order, 0], float(point[0])):
            weights[order[row]] += share
        return weights
    mesh = Delaunay(places)
    simplex = int(mesh.find_simplex(point[None])[0])
    if simplex < 0:
        return _on_hull(places, mesh.convex_hull, point)
    corners = mesh.simplices[simplex]
    system = np.concatenate([places[corners].T, np.ones((1, len(corners)))])
    weights[corners] = np.linalg.solve(system, np.append(point, 1.0))
    return weights


def _between(sorted_places: Array, point: float) -> Iterator[tuple[float, int]]:
    place = float(np.clip(point, sorted_places[0], sorted_places[-1]))
    row = int(np.clip(np.searchsorted(sorted_places, place) - 1, 0, len(sorted_places) - 2))
    share = (place - sorted_places[row]) / (sorted_places[row + 1] - sorted_places[row])
    yield 1.0 - share, row
    yield share, row + 1


def _on_hull(places: Array, facets: NDArray[np.intp], point: Array) -> Array:
    """Weights of the nearest point on the edge of a planar hull, or of its nearest corner in more dimensions."""
    best, weights = np.inf, np.zeros(len(places))
    for facet in facets:
        first, second = places[facet[0]], places[facet[-1]]
        along = second - first
        share = float(np.clip((point - first) @ along / (along @ along), 0.0, 1.0))
        distance = float(np.linalg.norm(first + share * along - point))
        if distance < best:
            best, weights = distance, np.zeros(len(places))
            weights[facet[0]], weights[facet[-1]] = 1.0 - share, share
    return weights


def neighbours(places: Array) -> list[tuple[int, int]]:
    """Pairs of examples that are neighbours: next to each other on a line, or joined by a Delaunay triangulation."""
    if places.shape[1] == 0:
        return []
    if places.shape[1] == 1:
        order = np.argsort(places[:, 0])
        return [(int(a), int(b)) for a, b in zip(order[:-1], order[1:], strict=True)]
    pairs = {
        (int(min(a, b)), int(max(a, b)))
        for simplex in Delaunay(places).simplices
        for a in simplex
        for b in simplex
        if a < b
    }
    return sorted(pairs)


def verb_figures(core: Any, source: Any, verb: Any, seconds: float, complaints: list[str]) -> dict[str, Any]:
    """Return the figures of one verb; their names contain their units.

    Parameters
    ----------
    core : the extension's module `build`, and `diagnostics` of the demo.
    source : what the verb was built from, as the bridge read it.
    verb : the built verb.
    seconds : time that building it from its actions took.
    complaints : sentences of the extension about it.
    """
    report = verb.report
    durations = [verb.duration(place) for place in verb.places]
    return {
        "examples": len(verb.example_names),
        "adverbs": list(verb.adverb_names),
        "control_points": max(g.spans + (0 if g.periodic else 3) for g in verb.mixture.groups),
        "fit_degrees_max": max(report.fit_degrees),
        "fit_cm_max": 100.0 * max(report.fit_distance),
        "seam_degrees_max": max(report.seam_degrees),
        "seam_cm_max": 100.0 * max(report.seam_distance),
        "condition_number": report.condition,
        "duration_seconds": {"shortest": min(durations), "longest": max(durations)},
        "leave_one_out": _left_out(core, source, verb),
        "slip_between_neighbours_cm_per_s": _slip(core, verb),
        "build_seconds": seconds,
        "complaints": complaints,
        "turned_from_keys": report.bent,
        "kernels": report.fits,
    }


def _left_out(core: Any, source: Any, verb: Any) -> dict[str, Any]:
    if len(verb.adverb_names) + 2 > len(verb.example_names):
        return {}
    diagnostics, options = core.diagnostics, core.build.VerbOptions
    schemes = {
        "verb": diagnostics.radial_scheme(options()),
        "paper": diagnostics.radial_scheme(options(kernel="cubic_b_spline", degree=1)),
        "kriging_of_degree_1": diagnostics.radial_scheme(options(kernel="kriging", degree=1)),
        "linear_kernel": diagnostics.radial_scheme(options(kernel="linear", degree=0)),
        "barycentric": barycentric,
        "inverse_distance": diagnostics.inverse_distance,
        "nearest": diagnostics.nearest,
    }
    found = diagnostics.leave_one_out(
        verb.name, verb.channels, source.examples, verb.adverb_names, verb.adverb_ranges, schemes
    )
    figures: dict[str, Any] = {
        name: {
            "relative_cm_median": 100.0 * float(np.nanmedian(left.relative)),
            "world_cm_median": 100.0 * float(np.nanmedian(left.world)),
            "relative_cm_mean": 100.0 * float(np.nanmean(left.relative)),
            "world_cm_mean": 100.0 * float(np.nanmean(left.world)),
        }
        for name, left in found.items()
    }
    figures["least_relative_cm_mean"] = min(found, key=lambda name: figures[name]["relative_cm_mean"])
    return figures


def _slip(core: Any, verb: Any) -> dict[str, float]:
    if not verb.contacts:
        return {}
    pairs = neighbours(verb.places / np.ptp(verb.adverb_ranges, axis=1))
    middles = [0.5 * (verb.places[a] + verb.places[b]) for a, b in pairs]
    speeds = np.concatenate([core.diagnostics.contact_slip(verb, middle) for middle in middles] or [np.zeros(1)])
    return {"median": 100.0 * float(np.median(speeds)), "largest": 100.0 * float(speeds.max())}
