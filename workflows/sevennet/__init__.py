"""SevenNet: learned potentials whose weights come with their package (extra `mlip`)."""

LEVELS = {"MultifidelityPotential": "workflows.sevennet.program:SEVENNET"}
"""The program of each class of levels, see `workflows.registry.levels`."""
