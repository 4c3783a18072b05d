"""Objects of screening."""

from ogm import GraphModel
from ontologies.screening import Materials

EVERYTHING: list[GraphModel] = [Materials(texts=("ethanol", "CCO"))]
