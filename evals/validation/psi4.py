"""Psi4 as a separate program: an input file in, a JSON file out."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from ontologies.atoms import ConceptualAtoms
from workflows.programs.installed import InstalledProgram, scratch

PSI4 = InstalledProgram(
    name="psi4",
    title="Psi4",
    banner=r"(\d\S*)",
    advice="install it (Debian: apt-get install psi4)",
)
PATIENCE = 300
"""Seconds that one run may take."""

INPUTS: Mapping[str, Any] = yaml.safe_load(
    Path(__file__).with_name("inputs.yaml").read_text(encoding="utf-8")
)
"""Of this program and others, by their names in the file."""


@dataclass(frozen=True)
class Job:
    """A run of Psi4 with exact integrals and a tight SCF.

    Attributes:
        atoms: the molecule.
        method: Psi4's name of the method.
        basis: Psi4's name of the basis set.
        more: keys of `psi4 more` in the file of inputs.
        cartesian: whether d shells have six functions.
        reference: Psi4's name of the reference; empty for restricted or unrestricted by the
            multiplicity.
    """

    atoms: ConceptualAtoms
    method: str
    basis: str
    more: tuple[str, ...] = ()
    cartesian: bool = False
    reference: str = ""

    @property
    def text(self) -> str:
        """The input file."""
        atoms = self.atoms
        closed = "rhf" if atoms.multiplicity == 1 else "uhf"
        reference = self.reference or closed
        if self.method.lower() != "hf":
            reference = reference.replace("hf", "ks")
        options = {
            "basis": self.basis, "puream": not self.cartesian, "scf_type": "pk",
            "reference": reference, "e_convergence": 1e-10, "d_convergence": 1e-9,
            "dft_spherical_points": 590, "dft_radial_points": 99, "save_jk": True,
        }  # fmt: skip
        masses = "\n".join(f"mol.set_mass({n}, {one})" for n, one in enumerate(mean_masses(atoms)))
        given = {"method": self.method, "masses": masses}
        more = "\n".join(INPUTS["psi4 more"][name].format(**given) for name in self.more)
        return input_of(atoms, options, INPUTS["psi4 energy"].format(more=more, **given))

    def run(self) -> Mapping[str, Any]:
        """Return what Psi4 finds.

        Raises:
            GraficoError: Psi4 is not installed, or fails.
        """
        return run(self.text)


@dataclass(frozen=True)
class CorrelatedJob:
    """A run of Psi4 with a correlated method: exact integrals but where it fits them.

    Its Hartree–Fock goes like exp(−1.63 X) to the limit. The function of Psi4 1.3.2 that is called
    after Karton and Martin does not follow the formula that stands in it.

    Attributes:
        atoms: the molecule.
        method: `mp2`, `ccsd` or `ccsd(t)`.
        basis: Psi4's name of the basis set, or of two as in `cc-pV[DT]Z`, for their limit.
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
        atoms = self.atoms
        options: dict[str, Any] = {
            "puream": True, "scf_type": "pk", "freeze_core": self.frozen,
            "reference": "rhf" if atoms.multiplicity == 1 else "uhf", "cc_type": "conv",
            "mp2_type": "df" if self.fitted else "conv", "e_convergence": 1e-10,
            "d_convergence": 1e-10, "r_convergence": 1e-8,
        }  # fmt: skip
        limit = "[" in self.basis
        options |= {} if limit else {"basis": self.basis}
        options |= {"df_basis_mp2": self.fitted} if self.fitted else {}
        template: str = INPUTS["psi4 limit" if limit else "psi4 correlated"]
        return input_of(atoms, options, template.format(method=self.method, basis=self.basis))

    def run(self) -> Mapping[str, Any]:
        """Return what Psi4 finds, in atomic units.

        Raises:
            GraficoError: Psi4 is not installed, or fails.
        """
        return run(self.text)


def input_of(atoms: ConceptualAtoms, options: Mapping[str, Any], body: str) -> str:
    """Return an input file: the molecule, the options, and a body that leaves `found`, a dict."""
    weights = np.array(mean_masses(atoms))
    # Psi4 takes the moments of inertia about the origin
    places = atoms.positions - weights @ atoms.positions / weights.sum()
    lines = "\n".join(
        symbol + "".join(f" {number:.12f}" for number in place)
        for symbol, place in zip(atoms.symbols, places, strict=True)
    )
    spin = {"charge": atoms.charge, "multiplicity": atoms.multiplicity}
    return INPUTS["psi4"].format(atoms=lines, options=dict(options), body=body, **spin)


def mean_masses(atoms: ConceptualAtoms) -> list[float]:
    """Return the mean masses over the natural isotopes in Da, as Grafico's vibrations have them."""
    from pyscf.data.elements import MASSES

    known: Sequence[float] = MASSES
    return [known[number] for number in atoms.numbers]


def version() -> str | None:
    """Return Psi4's version; None where it is not installed."""
    return PSI4.version()


@functools.cache
def run(text: str) -> Mapping[str, Any]:
    """Return what an input of Psi4 writes to `found.json`.

    Raises:
        GraficoError: Psi4 is not installed, or fails.
    """
    asked = "a value was asked of Psi4"
    with scratch() as folder:
        (folder / "job.in").write_text(text, encoding="utf-8")
        options, place = ["-n", "1", "-i", "job.in", "-o", "job.out"], {"PSI_SCRATCH": str(folder)}
        said = PSI4.run(options, folder, asked, seconds=PATIENCE, environment=place)
        if not (answer := said.file("found.json")):
            raise PSI4.failed(asked, said, "run its input by hand")
        found = json.loads(answer)
        if spin := re.search(r"@S\^2 Observed:\s+(\S+)", said.file("job.out") or ""):
            found["spin_squared"] = float(spin[1])
    return found
