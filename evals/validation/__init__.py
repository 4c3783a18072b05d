"""Grafico's numbers beside those of others: ``make validate`` writes docs/validation.md."""

from .cases import conclude, dataset, task

__all__ = ["conclude", "dataset", "task"]
