"""Learned potentials: their levels; what is computed at them are results of crystals."""

from __future__ import annotations

from typing import Literal, TypeAlias

from .level import Dispersion, Level

Precision: TypeAlias = Literal["float32", "float64"]


class LearnedPotential(Level):
    """An interatomic potential that was trained on energies and forces of another method.

    Attributes:
        method: the architecture, such as `CHGNet`.
        program: that computes.
        program_version: its version.
        model: which trained model it is, by its name.
        weights: SHA-256 of the file of the weights, in hexadecimal digits: two files of one name
            are two levels.
        dispersion: what is added to it; None for nothing.
    """

    program: str = "CHGNet"
    program_version: str
    model: str
    weights: str
    dispersion: Dispersion | None = None

    @property
    def words(self) -> dict[str, str]:
        """What a search may name a part of."""
        return {"method": self.method, "model": self.model}

    @property
    def label(self) -> str:
        """The usual short form, such as CHGNet 0.3.0 (weights d14ab7c0)."""
        return f"{self.method} {self.model}{self._added} (weights {self.weights[:8]})"

    @property
    def _added(self) -> str:
        return "" if self.dispersion is None else f" + {self.dispersion.kind}"


class MultifidelityPotential(LearnedPotential):
    """A learned potential of one method, or of several side by side.

    Attributes:
        modal: which of them is meant; empty where it was trained on one.
    """

    program: str = "SevenNet"
    modal: str = ""

    @property
    def label(self) -> str:
        """The usual short form, such as SevenNet MF-0 PBE (weights 81791329)."""
        modal = f" {self.modal}" if self.modal else ""
        return f"{self.method} {self.model}{modal}{self._added} (weights {self.weights[:8]})"


class CheckpointPotential(LearnedPotential):
    """A learned potential of a file that somebody has.

    Attributes:
        model: the name of the file.
        head: which of its outputs is meant: the level of theory that it was trained on.
        precision: of the numbers that it computes with.
        elements: symbols of those that it was trained on.
    """

    program: str = "MACE"
    head: str
    precision: Precision
    elements: tuple[str, ...]

    @property
    def label(self) -> str:
        """The usual short form, such as MACE small.model (weights 1a2b3c4d, head MP, float64)."""
        inside = f"weights {self.weights[:8]}, head {self.head}, {self.precision}"
        return f"{self.method} {self.model}{self._added} ({inside})"
