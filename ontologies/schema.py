"""The classes of this package as files: the ontology, its shapes, and what it is aligned with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ogm import GraphModel
from ogm.model import subclasses

if TYPE_CHECKING:
    from rdflib import Graph

FOLDER = Path(__file__).parent
ONTOLOGY, SHAPES, MAPPING = (FOLDER / name for name in ("grafico.ttl", "shapes.ttl", "mapping.ttl"))

EDITION = "0.1.0"
"""The version of the ontology: raised when a term is taken away or comes to mean something else
(second number) or one is added (third)."""

EXAMPLES = (
    (
        "Energies of water, lowest first, with their levels of theory",
        """
SELECT ?result ?energy ?method ?basis {
  ?result g:energy ?energy ; g:level ?level ; g:atoms ?atoms .
  ?level g:method ?method ; g:basis ?basis .
  ?atoms g:formula "H2O" }
ORDER BY ?energy""",
    ),
    (
        "How each optimised geometry was made: from what, when, in how many seconds, on what",
        """
SELECT ?result ?initial ?started ?seconds ?device {
  ?result a g:Optimisation ; g:initial ?initial .
  ?activity prov:generated ?result ; prov:startedAtTime ?started ; g:wallTime ?seconds ;
            g:device [ g:name ?device ] }""",
    ),
    (
        "Runs that did not finish as wished, with the nodes that each had on its last menu",
        """
SELECT ?run ?status ?message ?node {
  ?outcome a g:Outcome ; g:run ?run ; g:status ?status ; g:message ?message .
  FILTER(?status != "finished")
  ?step g:run ?run ; g:index ?index ; g:menu ?node .
  FILTER(datatype(?node) != g:order)
  FILTER NOT EXISTS { ?later g:run ?run ; g:index ?next . FILTER(?next > ?index) } }""",
    ),
)
"""Questions and queries that a reader of the ontology can learn from."""


def classes() -> list[type[GraphModel]]:
    """Return the classes of this package, parents first."""
    import ontologies

    return [
        cls
        for cls in dict.fromkeys(subclasses(GraphModel))
        if cls.__module__.startswith(f"{ontologies.__name__}.")
    ]


def turtle(graph: Graph) -> str:
    """Return a graph as Turtle, a line a value, so that changes are easy to read."""
    return graph.serialize(format="longturtle", encoding="utf-8").decode()


def generated() -> dict[Path, Graph]:
    """Return what is generated from the classes, by the file that it is committed as."""
    from ogm.schema import ontology  # rdflib, which who asks for the classes alone can spare
    from ogm.shapes import shapes

    installed = classes()
    return {ONTOLOGY: ontology(installed, EDITION), SHAPES: shapes(installed)}
