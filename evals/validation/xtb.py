"""The program xtb, run separately: a geometry in, its energy, charges and wavenumbers out."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR, DEBYE
from ontologies.tightbinding import BornModel
from triplestore.errors import InputError
from workflows.programs.installed import scratch
from workflows.programs.xtb import FINISHED, XTB

PATIENCE = 300
"""Seconds that one run may take."""


@dataclass(frozen=True)
class Job:
    """A run of xtb.

    Attributes:
        atoms: the molecule.
        method: `GFN1-xTB` or `GFN2-xTB`.
        model: of the solvent; None for the gas phase.
        solvent: xtb's name of it.
        task: `--scc`, `--grad`, `--hess` or `--ohess vtight`.
        unpaired: valence electrons; None for what the multiplicity says.
    """

    atoms: ConceptualAtoms
    method: str = "GFN2-xTB"
    model: BornModel | None = None
    solvent: str = "water"
    task: str = "--scc"
    unpaired: int | None = None

    def run(self) -> Mapping[str, Any]:
        """Return what xtb finds, in atomic units; the dipole in D, wavenumbers in 1/cm.

        Raises:
            ComponentError: xtb is not installed.
            InputError: it fails.
        """
        atoms = self.atoms
        lines = (
            " ".join(f"{number:.14f}" for number in place) + f" {symbol.lower()}"
            for symbol, place in zip(atoms.symbols, atoms.positions / BOHR, strict=True)
        )
        unpaired = atoms.multiplicity - 1 if self.unpaired is None else self.unpaired
        around = [f"--{self.model.lower()}", self.solvent] if self.model else []
        # An atom's first guess is its solution: asked for more digits, xtb's mixing of charges
        # makes rounding errors grow until iron no longer converges (on AMD's EPYC of 2024).
        accuracy = "0.01" if len(atoms.numbers) > 1 else "1"
        options = (
            "--gfn",
            self.method[3],
            "--chrg",
            str(atoms.charge),
            "--uhf",
            str(unpaired),
            "--acc",
            accuracy,
            "--json",
            *self.task.split(),
            *around,
        )
        return _run("\n".join(["$coord", *lines, "$end", ""]), options)


def version() -> str | None:
    """Return xtb's version; None where it is not installed."""
    return XTB.version()


@functools.cache
def _run(coordinates: str, options: tuple[str, ...]) -> Mapping[str, Any]:
    asked = "a value by xtb was asked for"
    with scratch() as folder:
        (folder / "coord").write_text(coordinates, encoding="utf-8")
        said = XTB.run(["coord", *options], folder, asked, seconds=PATIENCE)
        energies = re.findall(r"TOTAL ENERGY\s+(-?\d+\.\d+)", said.text)
        if not energies or FINISHED not in said.errors:
            raise InputError("xtb was run", said.last_words, "run it by hand")
        written = json.loads(said.file("xtbout.json") or "{}")
        found: dict[str, Any] = {
            "energy": float(energies[-1]),
            "gap": float(written["HOMO-LUMO gap/eV"]),
            "charges": [float(charge) for charge in written["partial charges"]],
        }
        if whole := re.findall(r"molecular dipole:\n.*\n(?: q only.*\n)?.*full:(.*)", said.text):
            found["dipole"] = [float(number) * DEBYE for number in whole[-1].split()[:3]]
        if gradient := said.file("gradient"):
            numbers = [row for line in gradient.splitlines() if len(row := line.split()) == 3]
            found["gradient"] = [[float(n.replace("D", "E")) for n in row] for row in numbers]
        if spectrum := said.file("vibspectrum"):
            rows = [line.split() for line in spectrum.splitlines()]
            modes = [row for row in rows if len(row) > 3 and row[0].isdigit() and row[1] == "a"]
            found["wavenumbers"] = [float(row[2]) for row in modes]
            found["infrared"] = [float(row[3]) for row in modes]
    return found
