"""Learned potentials of crystals: CHGNet, where the extra `mlip` is installed."""

LEVELS = {"LearnedPotential": "workflows.potentials.program:CHGNET"}
"""The program of each class of levels, see `workflows.registry.levels`."""
