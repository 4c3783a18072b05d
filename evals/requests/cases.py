"""The cases, as the file beside has them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TypeAlias

from pydantic_evals import Dataset

from .asking import Answer
from .checks import CHECKS
from .wanted import Request, Wanted

Cases: TypeAlias = Dataset[Request, Answer, Wanted]

FILE = Path(__file__).with_name("cases.yaml")


def all_cases(only: Collection[str] = ()) -> Cases:
    """Return the cases, or those of some topics or names."""
    cases = Cases.from_file(FILE, custom_evaluator_types=CHECKS)
    if only:
        cases.cases = [
            case
            for case in cases.cases
            if case.name in only or (case.metadata and case.metadata.topic in only)
        ]
    return cases
