"""MACE: a checkpoint that the user has, read without running what stands in it (extra `mace`)."""

LEVELS = {"CheckpointPotential": "workflows.mace.program:MACE"}
"""The program of each class of levels, see `workflows.registry.levels`."""
