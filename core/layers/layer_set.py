"""Sets of layers: checked, and ready to be applied to a verb graph or another motion."""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..errors import LayerError, quoted
from ..figure import quaternion as quat
from ..figure.channels import Channels, columns_in, union
from ..graph.verb_graph import REST, VerbGraph, conform
from .layer import Layer, check_layer
from .layer_stack import LayerSet, Table
from .mixing import Mixer

Array = NDArray[np.float64]


def with_layers(graph: VerbGraph, layers: Sequence[Layer], table: Table | None = None) -> VerbGraph:
    """Return a verb graph with layers over its verbs.

    Parameters
    ----------
    graph : the graph, all of whose verbs also get the channels of the layers.
    layers : layers from the lowest to the highest.
    table : as for `LayerSet`.

    Raises
    ------
    LayerError
            If two layers have the same name, or one is of another figure, is invalid by itself, or moves a travelling
            control that the verbs below do not.
    """
    whole, scalars = widened(graph.channels, layers)
    reference = graph.verbs[0].reference
    verbs = tuple(conform(verb, whole, scalars, reference) for verb in graph.verbs)
    wide = replace(graph, channels=verbs[0].channels, verbs=verbs)
    return replace(wide, layers=layer_set(layers, table or {}, wide.channels, reference, wide.poses.rows))


def widened(below: Channels, layers: Sequence[Layer]) -> tuple[Channels, Array]:
    """Return the union of the channels below layers and of the layers, and values of scalars missing below.

    Parameters
    ----------
    below : channels of the motion below.
    layers : layers from the lowest to the highest.

    Returns
    -------
    channels : channels of everything that is moved.
    values : (S,) values of their scalars.

    Raises
    ------
    LayerError
            If two layers have the same name, or one is of another figure, is invalid by itself, or moves a travelling
            control that the motion below does not.
    """
    names = [layer.name for layer in layers]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LayerError(f"Two layers are called {quoted(twice)}. Rename one of them.")
    for layer in layers:
        check_layer(layer)
        if layer.plays.channels.skeleton.names != below.skeleton.names:
            raise LayerError(f"Layer '{layer.name}' belongs to another figure. Choose a motion of this figure.")
        known, channels = below.travelling_joints, layer.plays.channels
        left = [joint for joint in channels.travelling_joints if joint not in known and layer.mask[joint] > 0.0]
        if left:
            raise LayerError(
                f"'{channels.skeleton.names[left[0]]}' travels with the root in layer '{layer.name}', but not in"
                " what lies below. Key it in an example of the verb below too, or leave it out of the mask."
            )
    whole = union([below, *(layer.plays.channels for layer in layers)])
    return whole, _resting(whole, layers)


def layer_set(layers: Sequence[Layer], table: Table, whole: Channels, reference: Array, usual: Array) -> LayerSet:
    """Return layers that can be applied to a motion.

    Parameters
    ----------
    layers : layers from the lowest to the highest, checked by `widened`.
    table : as for `LayerSet`.
    whole : channels of the motion's rows, including those of all layers.
    reference : rotation (4,) of the root at heading 0 in these rows.
    usual : (K, width) typical rows of the motion.
    """
    mixers = [
        Mixer(
            whole,
            layer.plays.channels,
            layer.mask,
            layer.space,
            layer.mode,
            (usual, layer.plays.usual),
            -float(quat.yaw_of(quat.multiply(layer.plays.reference, quat.conjugate(reference)))),
        )
        for layer in layers
    ]
    return LayerSet(tuple(layers), tuple(mixers), MappingProxyType(dict(table)), len(layers))


def showing(graph: VerbGraph, count: int) -> VerbGraph:
    """Return a graph with layers of which only the lowest `count` are visible, while all of them play."""
    if not isinstance(graph.layers, LayerSet):
        return graph
    return replace(graph, layers=replace(graph.layers, shown=count))


def _resting(whole: Channels, layers: Sequence[Layer]) -> Array:
    """Return values (S,) of the scalars of `whole` for verbs that lack them: layers' initial values, or rest values."""
    values = np.array([REST.get(scalar.kind, 0.0) for scalar in whole.scalars])
    for layer in reversed(layers):
        own = layer.plays.channels
        columns = columns_in(own, whole)[own.scalar_columns] - whole.scalar_columns.start
        for column, scalar, value in zip(columns, own.scalars, layer.plays.usual[0, own.scalar_columns], strict=True):
            if scalar.kind not in REST:
                values[column] = value
    return values
