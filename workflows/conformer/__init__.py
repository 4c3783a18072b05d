"""Conformers: the geometries of one molecule, which of them are the same, and their weights."""
