"""The words that stand in stores: classes and their fields, graphs and their nodes."""

from __future__ import annotations

from typing import Any

from ogm import GraphModel
from ontologies.schema import classes
from workflows.dft.graphs.counterpoise import COUNTERPOISE
from workflows.dft.graphs.graph import DFT
from workflows.dft.graphs.spin_states import SPIN_STATES
from workflows.engine import Graph
from workflows.liquids.running import DISPENSING
from workflows.microwave import MICROWAVE
from workflows.scan.graph import RELAXED_SCAN

GRAPHS: tuple[Graph[Any], ...] = (
    COUNTERPOISE,
    DFT,
    DISPENSING,
    MICROWAVE,
    RELAXED_SCAN,
    SPIN_STATES,
)


def words() -> dict[str, dict[str, Any]]:
    """Return the words of today."""
    return {
        "classes": {cls.__name__: described(cls) for cls in classes()},
        "graphs": {graph.name: fields_of(graph) for graph in GRAPHS},
    }


def described(cls: type[GraphModel]) -> dict[str, Any]:
    """Return how objects of a class are stored."""
    return {
        "term": cls.term(),
        "identity": cls.identity(),
        "schema": cls.schema_version(),
        "is": [up.__name__ for up in cls.__mro__[1:] if issubclass(up, GraphModel)],
        "fields": {
            plan.name: " ".join(
                [plan.predicate, plan.kind, *([plan.unit.code] if plan.unit else [])]
            )
            for plan in cls.fields()
        },
    }


def fields_of(graph: Graph[Any]) -> dict[str, list[str]]:
    """Return the nodes of a graph by their names, with the fields that transitions keep."""
    return {node.__name__: sorted(node.model_fields) for node in graph.nodes}
