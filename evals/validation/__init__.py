"""Grafico's numbers beside published ones and those of a second program: ``make validate``."""
