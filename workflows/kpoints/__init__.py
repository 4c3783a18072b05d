"""Kohn–Sham in small crystals with k-points, by PySCF: GTH pseudopotentials, FFT grids."""

LEVELS = {"PeriodicKohnSham": "workflows.kpoints.program:PERIODIC"}
"""The program of each class of levels, see `workflows.registry.levels`."""
