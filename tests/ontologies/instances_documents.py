"""Documents that a question was asked of."""

from ogm import GraphModel
from ontologies.documents import DocumentSet

EVERYTHING: list[GraphModel] = [DocumentSet(name="manuals", digest="ab" * 32)]
