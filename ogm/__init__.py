"""Python objects as a knowledge graph: frozen Pydantic models that are classes of an ontology."""

from .arrays import ArrayFiles, Shaped
from .codec import decode, described, encode
from .conditions import above, below, between, containing, one_of
from .graph import KnowledgeGraph
from .migration import migrate
from .model import GraphModel, Link, Upgrade
from .motion import Motion
from .snapshot import snapshot
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
    "Upgrade",
    "Vocabulary",
    "above",
    "below",
    "between",
    "class_iri",
    "containing",
    "decode",
    "described",
    "encode",
    "migrate",
    "one_of",
    "snapshot",
]
