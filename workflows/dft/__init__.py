"""Hartree–Fock and density functional calculations with PySCF."""

LEVELS = {"LevelOfTheory": "workflows.dft.program:PYSCF"}
"""The program of each class of levels, see `workflows.levels`."""
