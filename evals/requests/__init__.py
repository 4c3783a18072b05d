"""Does the agent do the science right: requests in plain words, judged: ``make evals``."""

from .asking import task
from .cases import dataset

__all__ = ["dataset", "task"]
