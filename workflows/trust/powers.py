"""What a setting can do beside changing what is computed; it stands in the field's annotation.

A folder that came from somebody else may bring settings along. What only changes a calculation may
come from there; what has a power counts when a person has trusted it. A field that says nothing is
taken to have every power, so that nobody opens a door by forgetting one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pydantic import BaseModel
from pydantic.fields import FieldInfo


class Power(Enum):
    """What a setting can do; the value says it in words."""

    PROGRAM = "runs a program"
    ADDRESS = "names who is sent something"
    KEY = "uses a key of yours, or says what may be spent"
    WRITES = "names where files are written"
    READS = "names where files are read"
    INSTRUCTS = "says what a language model is told and may do"
    AGREES = "agrees for you, which no project's file does"


@dataclass(frozen=True)
class Can:
    """What a field can do.

    Attributes:
        powers: which; none for what changes a calculation, or a limit of this machine, alone.
        keys: variables of the environment that are sent to the address in it, if they are set.
        named_by: variables in which the environment names such an address for other programs.
    """

    powers: tuple[Power, ...] = ()
    keys: tuple[str, ...] = ()
    named_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sections:
    """Marks a field that holds sections by name, each of which says what its fields can do.

    Attributes:
        kind: of a section.
    """

    kind: type[BaseModel]


PLAIN = Can()
RUNS = Can((Power.PROGRAM,))
ASKS = Can((Power.ADDRESS,))
PAYS = Can((Power.KEY,))
READS = Can((Power.READS,))
WRITES = Can((Power.WRITES,))
INSTRUCTS = Can((Power.INSTRUCTS,))
ALLOWS = Can((Power.AGREES,))
"""Never a project's word, whether or not it is trusted."""


def can(field: FieldInfo | None) -> Can:
    """Return what a field can do: everything, if it does not say."""
    said = () if field is None else (one for one in field.metadata if isinstance(one, Can))
    return next(iter(said), Can(tuple(Power)))


def sections(field: FieldInfo | None) -> type[BaseModel] | None:
    """Return of what kind the sections of a field are; None for a field that has none."""
    said = () if field is None else (one for one in field.metadata if isinstance(one, Sections))
    return next((one.kind for one in said), None)
