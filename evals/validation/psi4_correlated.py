"""Correlated energies by Psi4: exact integrals but where a method fits them, tight thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ontologies.atoms import ConceptualAtoms

from .psi4 import INPUTS, input_of, run


@dataclass(frozen=True)
class CorrelatedJob:
    """A run of Psi4 with a correlated method.

    Attributes:
        atoms: the molecule.
        method: `mp2`, `ccsd` or `ccsd(t)`.
        basis: Psi4's name of the basis set.
        frozen: whether the core is frozen.
        fitted: the set that fits the integrals of MP2; empty for exact ones.
    """

    atoms: ConceptualAtoms
    method: str
    basis: str
    frozen: bool = True
    fitted: str = ""

    @property
    def text(self) -> str:
        """The input file."""
        return self.filled("psi4 correlated")

    def filled(self, name: str) -> str:
        """Return an input file whose body is made of a template, by its name."""
        atoms = self.atoms
        options: dict[str, Any] = {
            "puream": True, "scf_type": "pk", "freeze_core": self.frozen,
            "reference": "rhf" if atoms.multiplicity == 1 else "uhf", "cc_type": "conv",
            "mp2_type": "df" if self.fitted else "conv", "e_convergence": 1e-10,
            "d_convergence": 1e-10, "r_convergence": 1e-8,
        }  # fmt: skip
        if "[" not in self.basis:
            options["basis"] = self.basis
        if self.fitted:
            options["df_basis_mp2"] = self.fitted
        return input_of(atoms, options, INPUTS[name].format(method=self.method, basis=self.basis))

    def run(self) -> Mapping[str, Any]:
        """Return what Psi4 finds, in atomic units.

        Raises:
            GraficoError: Psi4 is not installed, or fails.
        """
        return run(self.text)


@dataclass(frozen=True)
class CorrelatedLimitJob(CorrelatedJob):
    """A run of Psi4 in two basis sets, and the limit that it finds from them.

    Its Hartree–Fock goes like exp(−1.63 X). The function of Psi4 1.3.2 that is called after Karton
    and Martin does not follow the formula that stands in it.
    """

    @property
    def text(self) -> str:
        """The input file."""
        return self.filled("psi4 limit")
