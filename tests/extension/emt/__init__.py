"""A package that brings effective medium theory, as ASE computes it, as levels of theory."""

LEVELS = {"EffectiveMedium": "emt.program:EMT"}
