"""Force fields: GFN-FF by the program xtb, where that is installed."""

LEVELS = {"ForceField": "workflows.forcefield.program:GFN_FF"}
"""The program of each class of levels, see `workflows.registry.levels`."""
