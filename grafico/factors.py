"""Factors between units of energy, for people to read; see `ontologies.factors`."""

from ontologies.factors import EV_NM as EV_NM
from ontologies.factors import HARTREE as HARTREE
