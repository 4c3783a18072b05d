"""The cases, as the file beside has them."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from pydantic_evals import Dataset

from evals.sets import Profile

from .asking import Answer
from .checks import CHECKS
from .wanted import Request, Wanted

Cases: TypeAlias = Dataset[Request, Answer, Wanted]

FILE = Path(__file__).with_name("cases.yaml")


def dataset(profile: Profile = "small") -> Cases:
    """Return the cases; a profile changes nothing."""
    return Cases.from_file(FILE, custom_evaluator_types=CHECKS)
