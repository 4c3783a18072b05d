"""Designs of liquid handling."""

from ogm import GraphModel
from ontologies.liquids import LiquidDesign

EVERYTHING: list[GraphModel] = [LiquidDesign(name="dye in water", text='{"name": "dye in water"}')]
