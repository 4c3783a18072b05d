"""What is read of outputs, as plain values: of a job, and of a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class RefusedError(Exception):
    """Nothing of a job is taken in, and why."""


@dataclass(frozen=True)
class Beside:
    """A file that an output names and that lies beside it.

    Attributes:
        name: of the file.
        text: of it.
        digest: SHA-256 of all of it.
        bytes: its size.
    """

    name: str
    text: str
    digest: str
    bytes: int


@dataclass(frozen=True)
class Driven:
    """A coordinate that was held at a value.

    Attributes:
        members: atoms that span it, from 0: two, three or four.
        value: as the program says it, in Å or degrees.
    """

    members: tuple[int, ...]
    value: float


@dataclass
class OutputJob:
    """What a job says, as plain values; what is wrong with it stands in `refused` or `failed`.

    Attributes:
        number: from 1.
        first_line: in the file, from 1.
        last_line: likewise.
        level: fields of `ImportedLevel`.
        charge: in e.
        multiplicity: 2S+1; None for the lowest that the electrons allow.
        numbers: atomic numbers.
        geometries: in Å, shape (steps, atoms, 3).
        energies: in Eh, as they stand in the file, of each step.
        energy_line: where the last one stands.
        place: which of the geometries and energies is that of the job: the last, or the lowest.
        relaxed: whether it is an optimisation.
        paired: whether there are as many geometries as energies.
        fields: of `ImportedResult` besides: charges and orbitals.
        vibrations: fields of `ImportedVibrations`; empty for none.
        thermochemistry: fields of `ImportedThermochemistry`; empty for none.
        excitations: fields of `ImportedExcitations`; empty for none.
        scan: fields of `ImportedScan`; empty for none.
        driven: the coordinate that alone was held, where several such jobs are a scan.
        beside: the file with the points of a scan, where it is not the output.
        remarks: what a reader must know.
        failed: why the run failed, as the file says; empty if it did not.
        refused: why nothing of it is taken in; empty if it is.
    """

    number: int
    first_line: int
    last_line: int
    level: dict[str, str] = field(default_factory=dict[str, str])
    charge: int = 0
    multiplicity: int | None = None
    numbers: list[int] = field(default_factory=list[int])
    geometries: list[list[list[float]]] = field(default_factory=list[list[list[float]]])
    energies: list[float] = field(default_factory=list[float])
    energy_line: int = 0
    place: int = -1
    relaxed: bool = False
    paired: bool = True
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    vibrations: dict[str, Any] = field(default_factory=dict[str, Any])
    thermochemistry: dict[str, Any] = field(default_factory=dict[str, Any])
    excitations: dict[str, Any] = field(default_factory=dict[str, Any])
    scan: dict[str, Any] = field(default_factory=dict[str, Any])
    driven: Driven | None = None
    beside: Beside | None = None
    remarks: list[str] = field(default_factory=list[str])
    failed: str = ""
    refused: str = ""


@dataclass
class Output:
    """A file as it was read.

    Attributes:
        place: where it was looked for.
        known: whether it is an output of a program that is read.
        problem: why it could not be read; empty where it could.
        digest: SHA-256 of all of it.
        bytes: its size.
        lines: how many.
        encoding: how it was read.
        jobs: what it says.
        seconds: that it took.
        reader: cclib with its version.
    """

    place: str
    known: bool = True
    problem: str = ""
    digest: str = ""
    bytes: int = 0
    lines: int = 0
    encoding: str = "UTF-8"
    jobs: list[OutputJob] = field(default_factory=list[OutputJob])
    seconds: float = 0.0
    reader: str = ""
