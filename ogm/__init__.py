"""Python objects as a knowledge graph: frozen Pydantic models that are classes of an ontology."""

from .arrays import ArrayFiles, Shaped
from .codec import decode, described, encode
from .graph import KnowledgeGraph
from .model import GraphModel, Link
from .motion import Motion
from .terms import GRAFICO, PREFIXES, PROV, Moves, Term, Unit, Vocabulary, class_iri

__all__ = [
    "GRAFICO",
    "PREFIXES",
    "PROV",
    "ArrayFiles",
    "GraphModel",
    "KnowledgeGraph",
    "Link",
    "Motion",
    "Moves",
    "Shaped",
    "Term",
    "Unit",
    "Vocabulary",
    "class_iri",
    "decode",
    "described",
    "encode",
]
