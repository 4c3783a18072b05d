"""Correlated wavefunctions with PySCF: MP2, DF-MP2, CCSD and CCSD(T)."""

LEVELS = {"CorrelatedLevel": "workflows.correlated.program:PYSCF"}
"""The program of each class of levels, see `workflows.registry.levels`."""
