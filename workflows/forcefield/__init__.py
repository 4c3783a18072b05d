"""Force fields: GFN-FF by the program xtb, where that is installed."""

from workflows.registry.needs import Need

LEVELS = {"ForceField": "workflows.forcefield.program:GFN_FF"}
"""The program of each class of levels, see `workflows.registry.levels`."""

NEEDS = (
    Need("xtb", "GFN-FF, and tight binding that tblite lacks", "apt-get install xtb, or conda"),
)
