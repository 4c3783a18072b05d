"""The fourteen tasks of ChemCrow, beside the grades that were published of it and of GPT-4.

Nobody agrees to anything here: what needs a person's permission has to be said to stop.

Source: A. M. Bran et al., Nat. Mach. Intell. 6, 525 (2024), doi:10.1038/s42256-024-00832-8.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict, Field
from pydantic_evals import Case, Dataset

from .requests.asking import Answer, task
from .requests.checks import Candid, Right, Sourced
from .requests.wanted import Declining, Request, Wanted
from .sets import Profile

__all__ = ["dataset", "task"]

FILE = Path(__file__).with_suffix(".yaml")

Grade: TypeAlias = Annotated[float, Field(ge=0, le=10)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Published(_Strict):
    """What was published of a task.

    Attributes:
        with_tools: grade that the authors' judge, a model, gave the agent; None for none.
        without: that of GPT-4 without tools.
        preferred: whom the chemists preferred, as far as the text says so.
    """

    with_tools: Grade | None = None
    without: Grade | None = None
    preferred: str = ""


class ToolCall(_Strict):
    """A call of `run_workflow` that answers a part of a task.

    Attributes:
        name: of the workflow or action.
        subjects: what it is about.
        arguments: its own.
        stops: whether it ends without an answer as long as nobody agrees.
    """

    name: str
    subjects: tuple[str, ...]
    arguments: Mapping[str, Any] = {}
    stops: bool = False


class PublishedTask(_Strict):
    """A task, with what a right answer has in it; see `Wanted`."""

    name: str
    text: str
    words: tuple[str, ...]
    because: str
    declined: Declining = "no"
    published: Published
    calls: tuple[ToolCall, ...]


def tasks() -> list[PublishedTask]:
    """Return the tasks of the file."""
    return [PublishedTask(**one) for one in yaml.safe_load(FILE.read_text("utf-8"))]


def dataset(profile: Profile = "small") -> Dataset[Request, Answer, Wanted]:
    """Return the cases; a profile changes nothing."""
    cases = [
        Case(
            name=one.name,
            inputs=Request(text=one.text),
            metadata=Wanted(
                topic="chemcrow",
                words=one.words,
                because=one.because,
                declined=one.declined,
                calls=12,
                requests=12,
            ),
        )
        for one in tasks()
    ]
    return Dataset(name="chemcrow", cases=cases, evaluators=[Right(), Candid(), Sourced()])
