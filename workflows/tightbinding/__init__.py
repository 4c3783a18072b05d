"""Semi-empirical tight binding: GFN1-xTB and GFN2-xTB by tblite."""

LEVELS = {"TightBinding": "workflows.tightbinding.program:TBLITE"}
"""The program of each class of levels, see `workflows.registry.levels`."""
