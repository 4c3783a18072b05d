"""Python objects as a knowledge graph: frozen Pydantic models that are classes of an ontology."""

from .array_storage import ArrayFiles
from .arrayfield import Shaped
from .conditions import above, below, between, containing, one_of
from .graph import KnowledgeGraph
from .links import Link
from .migration import migrate
from .model import GraphModel
from .motion import Motion
from .reading import decode, described
from .snapshot import snapshot
from .terms import GRAFICO, PREFIXES, PROV, Moves, PartOf, Term, Unit, Vocabulary, Whose, class_iri
from .upgrades import ADDED, Upgrade
from .writing import encode

__all__ = [
    "ADDED",
    "GRAFICO",
    "PREFIXES",
    "PROV",
    "ArrayFiles",
    "GraphModel",
    "KnowledgeGraph",
    "Link",
    "Motion",
    "Moves",
    "PartOf",
    "Shaped",
    "Term",
    "Unit",
    "Upgrade",
    "Vocabulary",
    "Whose",
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
